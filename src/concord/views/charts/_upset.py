"""Any number of sets that overlap: a bar for each combination over the dots of its sets (UpSet, Lex et al. 2014)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._look import TEXT
from concord.views.charts._scale import Scale
from concord.views.charts._words import fit, neutral, widest

MOST_SETS, MOST_BARS = 16, 24
HIGH, ROW = 150, 22
WIDEST, NARROWEST = 40.0, 26.0


@dataclass(frozen=True, slots=True)
class Together:
    """What is in these sets, by their places among the names, and in no other; `confirmed` is a part of the count."""

    members: tuple[int, ...]
    count: int
    confirmed: int | None = None


def upset(names: Sequence[str], regions: Iterable[Together], *, title: str) -> str:
    """The picture of combinations, the most frequent first; the darker part of a bar is what is confirmed."""
    known = range(min(len(names), MOST_SETS))
    merged = {tuple(sorted(set(region.members))): region for region in regions}
    every = [each for each in merged.values() if each.count > 0 and each.members]
    bars = sorted((each for each in every if set(each.members) <= set(known)), key=lambda each: -each.count)
    if not bars:
        return nothing(title)
    shown = bars[:MOST_BARS]
    called = [neutral(names[at]) or "(no name)" for at in known]
    sizes = [sum(each.count for each in every if at in each.members) for at in known]
    labels = [f"{fit(name, 150, TEXT)}  {size:,}" for name, size in zip(called, sizes, strict=True)]
    left = PAD + widest(labels, TEXT) + 14
    step = max(NARROWEST, min(WIDEST, 420 / len(shown)))
    canvas = Canvas(title, max(420.0, left + step * len(shown) + PAD))
    top = canvas.top + 18
    _bars(canvas, shown, called, (left, step, top))
    _dots(canvas, shown, labels, (left, step, top + HIGH + 16))
    bottom = top + HIGH + 16 + ROW * len(labels) + 10
    return canvas.svg(canvas.notes(bottom, _notes(every, shown, len(names))) + PAD - 4, _about(names, shown))


def _about(names: Sequence[str], regions: Iterable[Together]) -> str:
    """The counts in words, for those who do not see the picture."""
    said = []
    for region in regions:
        inside = " and ".join(neutral(names[place], 80) for place in region.members if place < len(names))
        confirmed = "" if region.confirmed is None else f", of which confirmed {region.confirmed:,}"
        said.append(f"{inside} alone: {region.count:,}{confirmed}.")
    return " ".join(said)


def _bars(canvas: Canvas, shown: Sequence[Together], names: Sequence[str], place: tuple[float, float, float]) -> None:
    left, step, top = place
    scale = Scale(0, max(each.count for each in shown), top + HIGH, top)
    canvas.line(left, top + HIGH, left + step * len(shown), top + HIGH, "soft")
    for at, each in enumerate(shown):
        x, y = left + step * at + 4, scale.at(each.count)
        inside = ", ".join(names[member] for member in each.members)
        tip = f"{inside}: {each.count:,}" + (f", {each.confirmed:,} confirmed" if each.confirmed is not None else "")
        canvas.rect((x, y), (step - 8, max(0.5, scale.start - y)), "g5", tip=tip)
        if each.confirmed:
            confirmed = scale.at(min(each.confirmed, each.count))
            canvas.rect((x, confirmed), (step - 8, max(0.5, scale.start - confirmed)), "g0", tip=tip)
        canvas.text(x + (step - 8) / 2, y - 5, _brief(each.count), "ink small", anchor="middle")


def _dots(canvas: Canvas, shown: Sequence[Together], labels: Sequence[str], place: tuple[float, float, float]) -> None:
    left, step, top = place
    for row, label in enumerate(labels):
        y = top + ROW * row
        if row % 2 == 0:
            canvas.rect((PAD, y - 2), (left - PAD + step * len(shown), ROW), "sunk")
        canvas.text(left - 10, y + ROW / 2 + 2, label, "ink", anchor="end")
    for at, each in enumerate(shown):
        x = left + step * at + step / 2
        ends = [top + ROW * member + ROW / 2 - 2 for member in (min(each.members), max(each.members))]
        if ends[0] < ends[1]:
            canvas.line(x, ends[0], x, ends[1], "g0", stroke_width=2)
        for row in range(len(labels)):
            inside = row in each.members
            canvas.marker(x, top + ROW * row + ROW / 2 - 2, 0, size=5 if inside else 2, hollow=not inside)


def _notes(every: Sequence[Together], shown: Sequence[Together], names: int) -> list[str]:
    notes = ["Each bar counts what is in exactly the sets with a large dot below it; beside a name is the whole set."]
    if any(each.confirmed is not None for each in shown):
        notes.append("The darker part of a bar is what labels confirm.")
    if len(every) > len(shown):
        rest = sum(each.count for each in every) - sum(each.count for each in shown)
        notes.append(f"Not drawn: {plural(len(every) - len(shown), 'further combination')}, of {rest:,} in all.")
    if names > MOST_SETS:
        notes.append(f"Not drawn: {plural(names - MOST_SETS, 'further set')}.")
    return notes


def _brief(count: int) -> str:
    """A count in the width of a bar."""
    if count < 10_000:
        return f"{count}"
    return f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.1f}M"
