"""Mean scores by row and column, such as pivot and target: a heat map of paths."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing, short
from concord.views.charts._look import SMALL, TEXT, on, ramp
from concord.views.charts._scale import Scale, around, drawable, ranked, written
from concord.views.charts._words import fit, neutral, widest, width
from concord.views.wording import number

MOST = 100
HIGH = 26
SLANT = math.sqrt(0.5)


@dataclass(frozen=True, slots=True)
class HeatCell:
    """The mean of `count` observations of a row (a pivot) and a column (a target)."""

    row: str
    column: str
    value: float | None
    count: int


@dataclass(frozen=True, slots=True)
class _Grid:
    """What is drawn, and where."""

    cells: Mapping[tuple[str, str], HeatCell]
    values: Mapping[tuple[str, str], float]
    rows: Sequence[str]
    columns: Sequence[str]
    left: float
    wide: float
    shades: Scale

    def written(self, value: float) -> str:
        return written(value, self.shades.step(25))


def heat(rows: Iterable[HeatCell], *, title: str) -> str:
    """The chart of a table of means, the best rows and columns first; cells without a mean are hatched.

    Rows and columns have the same order if they have the same names.
    """
    cells = {(cell.row, cell.column): cell for cell in rows}
    if not cells:
        return nothing(title)
    grid = _grid(cells)
    slanted = widest(map(neutral, grid.columns), TEXT) > grid.wide - 6
    names = min(110.0, widest(map(neutral, grid.columns), TEXT))
    end = grid.left + grid.wide * len(grid.columns)
    canvas = Canvas(title, max(360.0, end + max(80.0, names * SLANT + PAD if slanted else 0.0)))
    top = canvas.top + (names * SLANT + 12 if slanted else 20)
    _names(canvas, grid, top, slanted)
    for down, row in enumerate(grid.rows):
        for across, column in enumerate(grid.columns):
            _cell(canvas, grid, (row, column), (grid.left + grid.wide * across, top + HIGH * down))
    bottom = top + HIGH * len(grid.rows)
    _legend(canvas, grid, end + 16, top)
    return canvas.svg(canvas.notes(max(bottom, top + 120) + 10, _notes(grid)) + PAD - 4, _about(grid))


def _grid(cells: Mapping[tuple[str, str], HeatCell]) -> _Grid:
    drawn = {key: drawable(cell.value) for key, cell in cells.items()}
    values = {key: value for key, value in drawn.items() if value is not None}
    rows, columns = (list(ranked((key[side], value) for key, value in drawn.items())) for side in (0, 1))
    rows = columns if set(rows) == set(columns) else rows
    low, high = around(values.values(), margin=0)
    shades = Scale(low, high, 0, 1)
    numbers = widest((written(value, shades.step(25)) for value in values.values()), TEXT) + 12
    names = widest(map(neutral, columns), TEXT) + 7
    return _Grid(
        cells=cells,
        values=values,
        rows=rows[:MOST],
        columns=columns[:MOST],
        left=PAD + min(140.0, widest(map(neutral, rows), TEXT)) + 10,
        # Cells are widened for names that nearly fit; longer ones will be slanted.
        wide=max(36.0, numbers, names if names <= 58 else 0.0),
        shades=shades,
    )


def _names(canvas: Canvas, grid: _Grid, top: float, slanted: bool) -> None:
    for index, column in enumerate(grid.columns):
        x = grid.left + grid.wide * (index + 0.5)
        if slanted:
            canvas.text(x + 3, top - 7, fit(neutral(column), 110, TEXT), "ink", rotation=-45)
        else:
            canvas.text(x, top - 7, neutral(column), "ink", anchor="middle")
    for index, row in enumerate(grid.rows):
        words = fit(neutral(row), grid.left - PAD - 8, TEXT)
        canvas.text(grid.left - 8, top + HIGH * (index + 0.5) + 4, words, "ink", anchor="end")


def _cell(canvas: Canvas, grid: _Grid, key: tuple[str, str], corner: tuple[float, float]) -> None:
    x, y = corner
    value = grid.values.get(key)
    if value is None:
        canvas.path(_hatching(x + 1, y + 1, grid.wide - 2), "bare line-stroke")
        return
    cell, fill = grid.cells[key], ramp(grid.shades.position(value))
    tip = f"{neutral(cell.row, 80)}, {neutral(cell.column, 80)}: {number(value)}, {plural(cell.count, 'observation')}"
    canvas.rect((x + 0.5, y + 0.5), (grid.wide - 1, HIGH - 1), fill, tip=tip)
    canvas.number(x + grid.wide / 2, y + HIGH / 2 + 4, grid.written(value), on(fill))


def _hatching(x: float, y: float, wide: float) -> str:
    """Slanted lines that fill a cell, ended at its edges."""
    high, parts = HIGH - 2, []
    for start in range(6, int(wide + high), 8):
        a = (x + min(start, wide), y + max(0.0, start - wide))
        b = (x + max(0.0, start - high), y + min(start, high))
        parts.append(f"M {short(a[0])} {short(a[1])} L {short(b[0])} {short(b[1])}")
    return " ".join(parts)


def _legend(canvas: Canvas, grid: _Grid, x: float, top: float) -> None:
    bar = Scale(grid.shades.low, grid.shades.high, top + 112, top + 8)
    steps = 26
    for step in range(steps):
        high = (bar.start - bar.end) / steps
        canvas.rect((x, bar.start - high * (step + 1)), (12, high + 0.3), ramp((step + 0.5) / steps))
    for tick, words in bar.labels(5):
        if width(words, SMALL) <= canvas.wide - x - 18:
            canvas.text(x + 17, bar.position(tick) + 3.5, words, "soft small")


def _notes(grid: _Grid) -> list[str]:
    notes = ["Hatched: no mean."] if len(grid.values) < len(grid.rows) * len(grid.columns) else []
    rows, columns = ({key[side] for key in grid.cells} for side in (0, 1))
    more = len(rows) - len(grid.rows), len(columns) - len(grid.columns)
    return (
        [*notes, f"Not drawn: {plural(more[0], 'further row')}, {plural(more[1], 'further column')}."]
        if any(more)
        else notes
    )


def _about(grid: _Grid) -> str:
    description = f"Means of {plural(len(grid.rows), 'row')} and {plural(len(grid.columns), 'column')}."
    ranked = sorted(grid.values, key=lambda keys: grid.values[keys])
    for word, keys in zip(("Lowest", "Highest"), (ranked[:1], ranked[-1:]), strict=True):
        description += "".join(
            f" {word}: {neutral(a, 80)}, {neutral(b, 80)}: {number(grid.values[a, b])}." for a, b in keys
        )
    return description
