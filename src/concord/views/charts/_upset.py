"""Any number of sets that overlap: a bar for each combination over the dots of its sets (UpSet, Lex et al. 2014)."""

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
    """The chart of combinations, the most frequent first; the darker part of a bar is what is confirmed."""
    drawn_sets = range(min(len(names), MOST_SETS))
    merged = {tuple(sorted(set(region.members))): region for region in regions}
    every = [region for region in merged.values() if region.count > 0 and region.members]
    bars = sorted(
        (region for region in every if set(region.members) <= set(drawn_sets)), key=lambda region: -region.count
    )
    if not bars:
        return nothing(title)
    drawn = bars[:MOST_BARS]
    set_names = [neutral(names[index]) or "(no name)" for index in drawn_sets]
    sizes = [sum(region.count for region in every if index in region.members) for index in drawn_sets]
    labels = [f"{fit(name, 150, TEXT)}  {size:,}" for name, size in zip(set_names, sizes, strict=True)]
    left = PAD + widest(labels, TEXT) + 14
    step = max(NARROWEST, min(WIDEST, 420 / len(drawn)))
    canvas = Canvas(title, max(420.0, left + step * len(drawn) + PAD))
    top = canvas.top + 18
    _bars(canvas, drawn, set_names, (left, step, top))
    _dots(canvas, drawn, labels, (left, step, top + HIGH + 16))
    bottom = top + HIGH + 16 + ROW * len(labels) + 10
    return canvas.svg(canvas.notes(bottom, _notes(every, drawn, len(names))) + PAD - 4, _about(names, drawn))


def _about(names: Sequence[str], regions: Iterable[Together]) -> str:
    """The counts in words, for those who do not see the chart."""
    sentences = []
    for region in regions:
        inside = " and ".join(neutral(names[member], 80) for member in region.members if member < len(names))
        confirmed = "" if region.confirmed is None else f", of which confirmed {region.confirmed:,}"
        sentences.append(f"{inside} alone: {region.count:,}{confirmed}.")
    return " ".join(sentences)


def _bars(canvas: Canvas, regions: Sequence[Together], names: Sequence[str], frame: tuple[float, float, float]) -> None:
    left, step, top = frame
    scale = Scale(0, max(region.count for region in regions), top + HIGH, top)
    canvas.line(left, top + HIGH, left + step * len(regions), top + HIGH, "soft")
    for number, region in enumerate(regions):
        x, y = left + step * number + 4, scale.position(region.count)
        inside = ", ".join(names[member] for member in region.members)
        tip = f"{inside}: {region.count:,}" + (
            f", {region.confirmed:,} confirmed" if region.confirmed is not None else ""
        )
        canvas.rect((x, y), (step - 8, max(0.5, scale.start - y)), "g5", tip=tip)
        if region.confirmed:
            confirmed = scale.position(min(region.confirmed, region.count))
            canvas.rect((x, confirmed), (step - 8, max(0.5, scale.start - confirmed)), "g0", tip=tip)
        canvas.text(x + (step - 8) / 2, y - 5, _brief(region.count), "ink small", anchor="middle")


def _dots(
    canvas: Canvas, regions: Sequence[Together], labels: Sequence[str], frame: tuple[float, float, float]
) -> None:
    left, step, top = frame
    for row, label in enumerate(labels):
        y = top + ROW * row
        if row % 2 == 0:
            canvas.rect((PAD, y - 2), (left - PAD + step * len(regions), ROW), "sunk")
        canvas.text(left - 10, y + ROW / 2 + 2, label, "ink", anchor="end")
    for number, region in enumerate(regions):
        x = left + step * number + step / 2
        ends = [top + ROW * member + ROW / 2 - 2 for member in (min(region.members), max(region.members))]
        if ends[0] < ends[1]:
            canvas.line(x, ends[0], x, ends[1], "g0", stroke_width=2)
        for row in range(len(labels)):
            inside = row in region.members
            canvas.marker(x, top + ROW * row + ROW / 2 - 2, 0, size=5 if inside else 2, hollow=not inside)


def _notes(every: Sequence[Together], drawn: Sequence[Together], names: int) -> list[str]:
    notes = ["Each bar counts what is in exactly the sets with a large dot below it; beside a name is the whole set."]
    if any(region.confirmed is not None for region in drawn):
        notes.append("The darker part of a bar is what labels confirm.")
    if len(every) > len(drawn):
        rest = sum(region.count for region in every) - sum(region.count for region in drawn)
        notes.append(f"Not drawn: {plural(len(every) - len(drawn), 'further combination')}, of {rest:,} in all.")
    if names > MOST_SETS:
        notes.append(f"Not drawn: {plural(names - MOST_SETS, 'further set')}.")
    return notes


def _brief(count: int) -> str:
    """A count in the width of a bar."""
    if count < 10_000:
        return f"{count}"
    return f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.1f}M"
