"""Points between two axes: two scores of the same things, or curves such as precision over thresholds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, legend, nothing, short
from concord.views.charts._look import SHAPES
from concord.views.charts._plane import CROWD, WIDE, Axis, Floats, Plane, pairs, plane
from concord.views.charts._scale import drawable
from concord.views.charts._words import neutral
from concord.views.wording import number

GROUPS = 12
GRADES = 12
SIGNS = 7
"""Signs on each line, so that it can be told without its colour."""


@dataclass(frozen=True, slots=True)
class Point:
    """Two scores of one thing: of a system, or of a sentence (`label`) by a system (`group`)."""

    x: float
    y: float
    group: str = ""
    label: str = ""

    @property
    def tip(self) -> str:
        names = ", ".join(neutral(name, 80) for name in (self.group, self.label) if name)
        return f"{names}: {number(self.x)}, {number(self.y)}".removeprefix(": ")


Groups = Mapping[str, int]
"""The groups by name, with the number of their colour and shape."""


def scatter(points: Iterable[Point], *, title: str, x: str, y: str, grades: bool = False) -> str:
    """The chart of points; `x` and `y` name the axes. Groups have a colour and a shape.

    Where x has `grades` rather than numbers, and few of them, groups are set side by side, so that none hides another.
    Of more than a few thousand points an even sample is drawn.
    """

    def draw(ground: Plane, points_drawn: Sequence[Point], groups: Groups) -> str:
        step = -(-len(points_drawn) // CROWD)
        shift = _shift(ground, points_drawn, len(groups)) if grades else 0.0
        for point in points_drawn[::step]:
            x = ground.x.position(point.x) + shift * (groups[point.group] - (len(groups) - 1) / 2)
            ground.canvas.marker(
                x, ground.y.position(point.y), groups[point.group], size=3.4, tip=point.tip, hollow=True
            )
        some = f"; {len(points_drawn[::step]):,} of them are drawn" if step > 1 else ""
        side = "; groups are set side by side." if shift and len(groups) > 1 else "."
        return f"{plural(len(points_drawn), 'point')}{some}{side}"

    return _picture(list(points), title, (x, y), 0.07, "group", draw)


def lines(points: Iterable[Point], *, title: str, x: str, y: str) -> str:
    """The chart of a line for each group, through its points in the order given; `x` and `y` name the axes."""

    def draw(ground: Plane, points_drawn: Sequence[Point], groups: Groups) -> str:
        curves: dict[str, list[Point]] = {group: [] for group in groups}
        for point in points_drawn:
            curves[point.group].append(point)
        for index, curve in enumerate(curves.values()):
            _curve(ground, index, curve)
        return f"{plural(len(groups), 'line')} through {plural(len(points_drawn), 'point')}."

    return _picture(list(points), title, (x, y), 0.04, "line", draw)


def _picture(
    points: Sequence[Point],
    title: str,
    axes: tuple[str, str],
    margin: float,
    kind: str,
    draw: Callable[[Plane, Sequence[Point], Groups], str],
) -> str:
    """The axes and the legend, what is drawn between them, and what to know of it."""
    drawn = [point for point in points if drawable(point.x) is not None and drawable(point.y) is not None]
    if not drawn:
        return nothing(title)
    groups = {name: number for number, name in enumerate(dict.fromkeys(point.group for point in drawn))}
    canvas = Canvas(title, WIDE)
    names = [neutral(group) or "(no group)" for group in list(groups)[:GROUPS]]
    top = legend(canvas, canvas.top, names) + 6 if len(names) > 1 else canvas.top
    across, up = (Axis.from_values(name, values, margin) for name, values in zip(axes, _places(drawn), strict=True))
    ground = plane(canvas, top, across, up)
    notes = [draw(ground, drawn, groups)]
    notes += [f"Not named: {plural(len(groups) - GROUPS, f'further {kind}')}."] if len(groups) > GROUPS else []
    notes += [f"Not drawn, because without bounds: {len(points) - len(drawn):,}."] if len(drawn) < len(points) else []
    about = f"{notes[0]} x: {neutral(axes[0])}; y: {neutral(axes[1])}."
    return canvas.svg(canvas.notes(ground.bottom, notes) + PAD - 4, about)


def _places(points: Sequence[Point]) -> tuple[Floats, Floats]:
    across, up, _ = pairs([point.x for point in points], [point.y for point in points])
    return across, up


def _shift(ground: Plane, points: Sequence[Point], groups: int) -> float:
    """How far groups are set apart."""
    values = sorted({point.x for point in points})
    if not 2 <= len(values) <= GRADES:
        return 0.0
    nearest = min(ground.x.position(b) - ground.x.position(a) for a, b in pairwise(values))
    return min(9.0, 0.5 * nearest / groups, 1.8 * (ground.x.position(values[0]) - ground.x.start) / groups)


def _curve(ground: Plane, group: int, curve: Sequence[Point]) -> None:
    corners = [(ground.x.position(point.x), ground.y.position(point.y)) for point in curve]
    if len(corners) > 1:
        line = " L ".join(f"{short(x)} {short(y)}" for x, y in corners)
        colour = f"bare g{group % len(SHAPES)}-stroke"
        ground.canvas.path(f"M {line}", colour, stroke_width=1.8, stroke_linejoin="round")
    step = -(-len(curve) // SIGNS)
    # Lines that lie on each other show their signs in turn.
    for index in range(group % step, len(curve), step):
        ground.canvas.marker(*corners[index], group, size=3.4, tip=curve[index].tip, hollow=True)
