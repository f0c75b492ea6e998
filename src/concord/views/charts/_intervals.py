"""Confidence intervals: a panel per group, a row per label, as in figure 3 of Pesu et al. (2018)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._look import TEXT
from concord.views.charts._scale import Scale, around, drawable, ranked
from concord.views.charts._words import fit, neutral, widest
from concord.views.wording import number

LABELS = 100
GROUPS = 12
WIDE = 900
GAP = 24
NARROWEST = 145
"""The words for what is not estimable must fit on one side of a point in the middle."""
UNKNOWN = "not estimable"


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its bounds, for a label (a target) within a group (a system); no number means not estimable."""

    group: str
    label: str
    mean: float | None
    lower: float | None
    upper: float | None
    letters: str = ""

    @property
    def bounds(self) -> tuple[float, float] | None:
        return None if self.lower is None or self.upper is None else (self.lower, self.upper)

    @property
    def numbers(self) -> list[float]:
        return [*([] if self.mean is None else [self.mean]), *(self.bounds or ())]

    @property
    def description(self) -> str:
        mean = UNKNOWN if self.mean is None else number(self.mean)
        bounds = f" ({number(self.bounds[0])} to {number(self.bounds[1])})" if self.bounds else ""
        missing = f", interval {UNKNOWN}" if self.mean is not None and not self.bounds else ""
        return f"{neutral(self.group, 80)}, {neutral(self.label, 80)}: {mean}{bounds}{missing} {self.letters}".rstrip()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is drawn, and where: panels in rows of `abreast`, each as wide as `panel`."""

    rows: Sequence[Interval]
    groups: list[str]
    labels: list[str]
    left: float
    abreast: int
    panel: float
    letters: float
    step: float
    ends: tuple[float, float]
    middles: dict[str, float]
    """The mean over all groups, by label."""

    def scale(self, index: int) -> Scale:
        start = self.left + (index % self.abreast) * (self.panel + GAP)
        return Scale(*self.ends, start, start + self.panel - self.letters)

    def rows_of(self, group: str) -> Iterator[tuple[int, Interval]]:
        numbers = {label: number for number, label in enumerate(self.labels)}
        return ((numbers[row.label], row) for row in self.rows if row.group == group and row.label in numbers)


def intervals(rows: Iterable[Interval], *, title: str, score: str = "score", level: float = 0.95) -> str:
    """The chart of means and their confidence intervals, the best groups and labels first.

    Letters of homogeneous subsets are at the right of their rows. With several groups, a grey tick in each row is the
    mean over all groups, by which panels are compared.
    """
    checked = {(row.group, row.label): _checked(row) for row in rows}
    if not checked:
        return nothing(title)
    plan = _plan(list(checked.values()))
    canvas = Canvas(title, plan.left + plan.abreast * (plan.panel + GAP) - GAP + PAD)
    y: float = canvas.top
    for first in range(0, len(plan.groups), plan.abreast):
        y = _row_of_panels(canvas, plan, first, y)
    canvas.text((plan.left + canvas.wide - PAD) / 2, y, fit(neutral(score), 300, TEXT), "ink", anchor="middle")
    return canvas.svg(canvas.notes(y + 14, _notes(plan, level)) + PAD - 4, _about(plan, level))


def _checked(row: Interval) -> Interval:
    """An interval with those of its numbers that have a place on an axis."""
    mean, lower, upper = map(drawable, (row.mean, row.lower, row.upper))
    return replace(row, mean=mean, lower=lower, upper=upper, letters=neutral(row.letters, 12))


def _plan(rows: Sequence[Interval]) -> _Plan:
    groups = list(ranked((row.group, row.mean) for row in rows))
    middles = ranked((row.label, row.mean) for row in rows)
    labels, letters = list(middles)[:LABELS], widest((row.letters for row in rows), TEXT)
    left = PAD + max(28.0, min(130.0, widest(map(neutral, labels), TEXT))) + 12
    letters_width = min(52.0, letters + 10) if letters else 0.0
    abreast, panel = _panels(min(len(groups), GROUPS), left, letters_width)
    return _Plan(
        rows=rows,
        groups=groups[:GROUPS],
        labels=labels,
        left=left,
        abreast=abreast,
        panel=panel,
        letters=letters_width,
        step=24 if len(labels) <= 12 else 19 if len(labels) <= 30 else 16,
        ends=around(value for row in rows for value in row.numbers),
        middles=middles,
    )


def _panels(count: int, left: float, letters: float) -> tuple[int, float]:
    """How many panels are in a row, so that all rows are about equally full, and how wide each panel is."""
    for most in (4, 3):
        abreast = math.ceil(count / math.ceil(count / most))
        panel = min(460.0, (WIDE - PAD - left - GAP * (abreast - 1)) / abreast)
        if panel - letters >= NARROWEST:
            break
    return abreast, panel


def _row_of_panels(canvas: Canvas, plan: _Plan, first: int, y: float) -> float:
    groups = plan.groups[first : first + plan.abreast]
    top = y + 24
    bottom = top + plan.step * len(plan.labels)
    for index, label in enumerate(plan.labels):
        words = fit(neutral(label), plan.left - PAD - 12, TEXT)
        canvas.text(plan.left - 12, top + plan.step * (index + 0.5) + 4, words, "ink", anchor="end")
    for index, group in enumerate(groups, start=first):
        scale = plan.scale(index)
        canvas.marker(scale.start + 5, y + 9, index)
        canvas.text(scale.start + 15, y + 13, fit(neutral(group), plan.panel - 15, TEXT), "ink strong")
        # Every other row is shaded, by which the eye finds the way from label to letters.
        for row in range(0, len(plan.labels), 2):
            canvas.rect((scale.start - 4, top + plan.step * row), (plan.panel + 8, plan.step), "sunk")
        for tick, words, x in scale.fitting(6):
            canvas.line(scale.position(tick), top, scale.position(tick), bottom + 4, "line")
            canvas.text(x, bottom + 16, words, anchor="middle")
        for row, interval in plan.rows_of(group):
            _reference(canvas, plan, scale, interval.label, top + plan.step * row)
            middle = top + plan.step * (row + 0.5)
            _interval(canvas, scale, middle, interval, index)
            canvas.text(scale.end + 8, middle + 4, fit(interval.letters, plan.letters - 9, TEXT), "ink")
    return bottom + 38


def _reference(canvas: Canvas, plan: _Plan, scale: Scale, label: str, y: float) -> None:
    if len(plan.groups) > 1 and not math.isnan(plan.middles[label]):
        x = scale.position(plan.middles[label])
        canvas.line(x, y + 2, x, y + plan.step - 2, "soft", stroke_width=1.2, stroke_opacity=0.6)


def _interval(canvas: Canvas, scale: Scale, y: float, row: Interval, group: int) -> None:
    colour = f"g{group % 8}"
    if row.bounds:
        low, high = map(scale.position, row.bounds)
        canvas.line(low, y, high, y, colour, stroke_width=2)
        for end in (low, high):
            canvas.line(end, y - 5, end, y + 5, colour, stroke_width=1.6)
    if row.mean is not None:
        canvas.marker(scale.position(row.mean), y, group, size=3.2, tip=row.description, hollow=not row.bounds)
    if not row.bounds:
        _unknown(canvas, scale, y, row.mean)


def _unknown(canvas: Canvas, scale: Scale, y: float, mean: float | None) -> None:
    middle = (scale.start + scale.end) / 2
    x = middle if mean is None else scale.position(mean)
    anchor, shift = ("middle", 0) if mean is None else ("start", 9) if x < middle else ("end", -9)
    canvas.text(x + shift, y + 4, UNKNOWN, "soft note small", anchor=anchor)


def _notes(plan: _Plan, level: float) -> list[str]:
    notes = [f"Points are means, bars their {100 * level:g} % confidence intervals."]
    if len(plan.groups) > 1:
        notes[0] += " Grey ticks: the mean over all groups."
    if plan.letters:
        notes[0] += " Letters: homogeneous subsets."
    groups = len({row.group for row in plan.rows}) - len(plan.groups)
    labels = len(plan.middles) - len(plan.labels)
    left = f"Not drawn: {plural(labels, 'further label')}, {plural(groups, 'further group')}."
    return [*notes, left] if labels or groups else notes


def _about(plan: _Plan, level: float) -> str:
    ranked = sorted((row for row in plan.rows if row.mean is not None), key=lambda row: -(row.mean or 0.0))
    ends = f" Highest: {ranked[0].description}. Lowest: {ranked[-1].description}." if ranked else ""
    missing = sum(row.bounds is None for row in plan.rows)
    gaps = f" Intervals {UNKNOWN}: {missing}." if missing else ""
    return f"{plural(len(plan.rows), 'mean')} with {100 * level:g} % confidence intervals.{ends}{gaps}"
