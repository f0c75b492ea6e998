"""Sets that overlap, two or three of them, such as the sentences that detectors flag (Venn 1880)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from concord.views.charts._canvas import PAD, Canvas, nothing, short
from concord.views.charts._look import TEXT
from concord.views.charts._words import fit, neutral

WIDE = 520
RADIUS = 104
MOST = 3
# Centres of the circles, and where each region's number stands, both in pixels from the middle.
CIRCLES = {2: [(-62, 0), (62, 0)], 3: [(-66, -40), (66, -40), (0, 74)]}
PLACES = {
    2: {(0,): (-112, 0), (1,): (112, 0), (0, 1): (0, 0)},
    3: {
        (0,): (-112, -68),
        (1,): (112, -68),
        (2,): (0, 128),
        (0, 1): (0, -78),
        (0, 2): (-62, 34),
        (1, 2): (62, 34),
        (0, 1, 2): (0, -4),
    },
}


@dataclass(frozen=True, slots=True)
class Together:
    """What is in these sets, by their places among the names, and in no other; `confirmed` is a part of the count."""

    members: tuple[int, ...]
    count: int
    confirmed: int | None = None


def venn(names: Sequence[str], regions: Iterable[Together], *, title: str) -> str:
    """The picture of two or three sets: circles of one size, with the counts of what they share or have alone."""
    found = merged(regions)
    if len(names) not in CIRCLES or not any(each.count for each in found.values()):
        return nothing(title, "There is nothing in two or three sets to draw.")
    canvas = Canvas(title, WIDE)
    circles = CIRCLES[len(names)]
    middle = (WIDE / 2, canvas.top + 26 + RADIUS - min(y for _, y in circles))
    for group, (x, y) in enumerate(circles):
        canvas.path(
            _circle(middle[0] + x, middle[1] + y),
            f"g{group} g{group}-stroke",
            fill_opacity=0.13,
            stroke_width=2,
        )
    for group, (name, (x, y)) in enumerate(zip(names, circles, strict=True)):
        _name(canvas, group, neutral(name), (middle[0] + x, middle[1] + y), below=len(names) == 3 and group == 2)
    none = 0 if any(each.confirmed is not None for each in found.values()) else None
    for members, (x, y) in PLACES[len(names)].items():
        _number(canvas, found.get(members, Together(members, 0, none)), (middle[0] + x, middle[1] + y))
    bottom = middle[1] + max(y for _, y in circles) + RADIUS + (44 if len(names) == 3 else 20)
    return canvas.svg(canvas.notes(bottom, remarks(found.values())) + PAD - 4, about(names, found.values()))


def merged(regions: Iterable[Together]) -> dict[tuple[int, ...], Together]:
    """The regions by their members, each once."""
    return {tuple(sorted(set(each.members))): each for each in regions}


def remarks(regions: Iterable[Together]) -> list[str]:
    known = [each for each in regions if each.confirmed is not None]
    said = ["Sizes do not tell counts."]
    return [*said, "In brackets: how many of them labels confirm."] if known else said


def about(names: Sequence[str], regions: Iterable[Together]) -> str:
    """The counts in words, for those who do not see the picture."""
    said = []
    for each in regions:
        inside = " and ".join(neutral(names[at], 80) for at in each.members if at < len(names))
        said.append(f"{inside} alone: {each.count:,}{_confirmed(each, ', of which confirmed ')}.")
    return " ".join(said)


def _confirmed(region: Together, before: str) -> str:
    return "" if region.confirmed is None else f"{before}{region.confirmed:,}"


def _circle(x: float, y: float) -> str:
    left, right, size = short(x - RADIUS), short(x + RADIUS), short(RADIUS)
    return f"M {left} {short(y)} A {size} {size} 0 1 0 {right} {short(y)} A {size} {size} 0 1 0 {left} {short(y)} Z"


def _name(canvas: Canvas, group: int, name: str, centre: tuple[float, float], *, below: bool) -> None:
    """The name of a set outside of its circle, with its sign, so that no colour is needed."""
    x, y = centre
    height = y + RADIUS + 20 if below else y - RADIUS - 10
    words = fit(name or "(no name)", WIDE / 2 - 2 * PAD, TEXT)
    shift = 0 if below else (-34 if x < WIDE / 2 else 34)
    canvas.text(x + shift, height, words, "ink strong", anchor="middle")
    canvas.marker(x + shift, height + (10 if below else -16), group, hollow=True)


def _number(canvas: Canvas, region: Together, place: tuple[float, float]) -> None:
    x, y = place
    shown = region.confirmed is not None
    canvas.text(x, y + (0 if shown else 4), f"{region.count:,}", "ink strong", anchor="middle")
    if shown:
        canvas.text(x, y + 14, f"({region.confirmed:,})", "soft", anchor="middle")
