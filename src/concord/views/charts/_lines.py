"""Curves along an axis, such as precision over thresholds: one line for each group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, legend, nothing, short
from concord.views.charts._look import SHAPES
from concord.views.charts._plane import WIDE, Axis, Plane, pairs, plane
from concord.views.charts._scale import known
from concord.views.charts._scatter import GROUPS, Point
from concord.views.charts._words import neutral
from concord.views.wording import number

SIGNS = 7
"""Signs on each line, so that it can be told without its colour."""


def lines(points: Iterable[Point], *, title: str, x: str, y: str) -> str:
    """The picture of a line for each group, through its points in the order given; `x` and `y` name the axes."""
    given = list(points)
    kept = [point for point in given if known(point.x) is not None and known(point.y) is not None]
    if not kept:
        return nothing(title)
    curves: dict[str, list[Point]] = {}
    for point in kept:
        curves.setdefault(point.group, []).append(point)
    across, up, _ = pairs([point.x for point in kept], [point.y for point in kept])
    canvas = Canvas(title, WIDE)
    named = [neutral(group) or "(no group)" for group in list(curves)[:GROUPS]]
    top = legend(canvas, canvas.top, named) + 6 if len(named) > 1 else canvas.top
    ground = plane(canvas, top, Axis.of(x, across), Axis.of(y, up))
    for group, curve in enumerate(curves.values()):
        _curve(ground, group, curve)
    notes = [f"{plural(len(curves), 'line')} through {plural(len(kept), 'point')}."]
    notes += [f"Not named: {plural(len(curves) - GROUPS, 'further line')}."] if len(curves) > GROUPS else []
    notes += [f"Not drawn, because without bounds: {len(given) - len(kept):,}."] if len(kept) < len(given) else []
    about = f"{notes[0]} x: {neutral(x)}; y: {neutral(y)}."
    return canvas.svg(canvas.notes(ground.bottom, notes) + PAD - 4, about)


def _curve(ground: Plane, group: int, curve: Sequence[Point]) -> None:
    places = [(ground.x.at(point.x), ground.y.at(point.y)) for point in curve]
    if len(places) > 1:
        way = " L ".join(f"{short(x)} {short(y)}" for x, y in places)
        colour = f"bare g{group % len(SHAPES)}-stroke"
        ground.canvas.path(f"M {way}", colour, stroke_width=1.8, stroke_linejoin="round")
    step = -(-len(curve) // SIGNS)
    # Lines that lie on each other show their signs in turn.
    for place in range(group % step, len(curve), step):
        point = curve[place]
        said = ", ".join(neutral(name, 80) for name in (point.group, point.label) if name)
        tip = f"{said}: {number(point.x)}, {number(point.y)}".removeprefix(": ")
        ground.canvas.marker(*places[place], group, size=3.4, tip=tip, hollow=True)
