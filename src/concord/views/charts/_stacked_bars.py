"""Counts of grades as stacked bars, such as human scores by system: table 4 of Pesu et al. (2018)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._look import TEXT, on, ramp
from concord.views.charts._scale import Scale
from concord.views.charts._words import fit, neutral, widest, width

MOST = 100
NAMED = 12
WIDE = 620
STEP = 34


@dataclass(frozen=True, slots=True)
class Stack:
    """How often each grade was given to something, such as a system: `Stack("A", {"0": 0, "1": 12, "2": 26})`."""

    label: str
    counts: Mapping[str, int]


def stacked(rows: Iterable[Stack], *, title: str) -> str:
    """The chart of grades, the lowest first: each bar is a whole, so that bars of unequal counts compare.

    Grades that are all numbers are put in order, others stay as they come.
    """
    bars = [row for row in rows if sum(row.counts.values()) > 0]
    if not bars:
        return nothing(title)
    drawn, grades = bars[:MOST], _grades(bars)
    canvas = Canvas(title, WIDE)
    top = _legend(canvas, grades) + 4
    totals = [f"n = {sum(bar.counts.values()):,}" for bar in drawn]
    left = PAD + min(150.0, widest((neutral(bar.label) for bar in drawn), TEXT)) + 10
    scale = Scale(0, 100, left, WIDE - PAD - 10 - min(90.0, widest(totals, TEXT)))
    bottom = top + STEP * len(drawn)
    for tick in scale.ticks(6):
        canvas.line(scale.position(tick), top, scale.position(tick), bottom + 4, "line")
        canvas.text(scale.position(tick), bottom + 17, f"{tick:g} %", anchor="middle")
    for number, (bar, total) in enumerate(zip(drawn, totals, strict=True)):
        y = top + STEP * number
        canvas.text(left - 9, y + STEP / 2 + 4, fit(neutral(bar.label), left - PAD - 8, TEXT), "ink", anchor="end")
        _bar(canvas, scale, y + 4, bar, grades)
        canvas.text(scale.end + 10, y + STEP / 2 + 4, fit(total, 90, TEXT))
    notes = [f"Not drawn: {plural(len(bars) - MOST, 'further bar')}."] if len(bars) > MOST else []
    return canvas.svg(canvas.notes(bottom + 26, notes) + PAD - 6, _about(drawn, grades))


def _grades(bars: Sequence[Stack]) -> list[str]:
    grades = list(dict.fromkeys(grade for bar in bars for grade in bar.counts))
    try:
        return sorted(grades, key=float)
    except ValueError:
        return grades


def _colour(number: int, grades: Sequence[str]) -> str:
    return ramp(number / (len(grades) - 1) if len(grades) > 1 else 0.5)


def _legend(canvas: Canvas, grades: Sequence[str]) -> float:
    """Swatches in order; of very many grades only some are named."""
    x, y = float(PAD), float(canvas.top)
    interval = -(-len(grades) // NAMED)
    for number, grade in enumerate(grades):
        words = fit(neutral(grade), 120, TEXT) if number % interval == 0 or number == len(grades) - 1 else ""
        needed = 16 + (width(words, TEXT) + 14 if words else 0)
        if x + needed > canvas.wide - PAD:
            x, y = float(PAD), y + 18
        canvas.rect((x, y + 1), (12, 12), _colour(number, grades))
        canvas.text(x + 17, y + TEXT, words, "ink")
        x += needed
    return y + 22


def _bar(canvas: Canvas, scale: Scale, y: float, bar: Stack, grades: Sequence[str]) -> None:
    total, before = sum(bar.counts.values()), 0
    for number, grade in enumerate(grades):
        count = bar.counts.get(grade, 0)
        if not count:
            continue
        x, end = scale.position(100 * before / total), scale.position(100 * (before + count) / total)
        fill, words = _colour(number, grades), f"{count:,}"
        tip = f"{neutral(bar.label, 80)}, {neutral(grade, 80)}: {count:,} of {total:,} ({count / total:.1%})"
        canvas.rect((x + 0.5, y), (max(0.3, end - x - 1), STEP - 8), fill, tip=tip)
        if width(words, TEXT) + 6 <= end - x:
            canvas.number((x + end) / 2, y + STEP / 2, words, on(fill))
        before += count


def _about(bars: Sequence[Stack], grades: Sequence[str]) -> str:
    sentences = []
    for bar in bars:
        counts = ", ".join(f"{neutral(grade, 40)}: {bar.counts.get(grade, 0):,}" for grade in grades)
        sentences.append(f"{neutral(bar.label, 80)}: {counts}.")
    return " ".join(sentences)
