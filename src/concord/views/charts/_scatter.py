"""Two scores of the same things against each other, such as human and metamorphic ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, legend, nothing
from concord.views.charts._density import CROWD, density
from concord.views.charts._plane import WIDE, Axis, Plane, pairs, plane
from concord.views.charts._scale import known
from concord.views.charts._words import neutral
from concord.views.wording import number

GROUPS = 12
GRADES = 12


@dataclass(frozen=True, slots=True)
class Point:
    """Two scores of one thing: of a system, or of a sentence (`label`) by a system (`group`)."""

    x: float
    y: float
    group: str = ""
    label: str = ""


def scatter(points: Iterable[Point], *, title: str, x: str, y: str, grades: bool = False) -> str:
    """The picture of points; `x` and `y` name the axes. Groups have a colour and a shape.

    Where x has `grades` rather than numbers, and few of them, groups are set side by side, so that none hides another.
    More than a few thousand points become a honeycomb of counts, without groups.
    """
    given = list(points)
    kept = [point for point in given if known(point.x) is not None and known(point.y) is not None]
    if not kept:
        return nothing(title)
    across, up, _ = pairs([point.x for point in kept], [point.y for point in kept])
    groups = list(dict.fromkeys(point.group for point in kept)) if len(kept) <= CROWD else []
    canvas = Canvas(title, WIDE)
    named = [neutral(group) or "(no group)" for group in groups[:GROUPS]]
    top = legend(canvas, canvas.top, named) + 6 if len(named) > 1 else canvas.top
    ground = plane(canvas, top, Axis.of(x, across, 0.07), Axis.of(y, up, 0.07))
    shift = _shift(ground, kept, len(groups)) if grades and groups else 0.0
    cloud = (
        _cloud(ground, kept, groups, shift) if groups else f"; the fullest cell holds {density(ground, across, up):,}."
    )
    notes = [f"{plural(len(kept), 'point')}{cloud}"]
    notes += [f"Not named: {plural(len(groups) - GROUPS, 'further group')}."] if len(groups) > GROUPS else []
    notes += [f"Not drawn, because without bounds: {len(given) - len(kept):,}."] if len(kept) < len(given) else []
    about = f"{notes[0]} x: {neutral(x)}; y: {neutral(y)}."
    return canvas.svg(canvas.notes(ground.bottom, notes) + PAD - 4, about)


def _cloud(ground: Plane, points: Sequence[Point], groups: Sequence[str], shift: float) -> str:
    place = {group: place for place, group in enumerate(groups)}
    for point in points:
        said = ", ".join(neutral(name, 80) for name in (point.group, point.label) if name)
        tip = f"{said}: {number(point.x)}, {number(point.y)}".removeprefix(": ")
        x = ground.x.at(point.x) + shift * (place[point.group] - (len(groups) - 1) / 2)
        ground.canvas.marker(x, ground.y.at(point.y), place[point.group], size=3.4, tip=tip, hollow=True)
    return "; groups are set side by side." if shift and len(groups) > 1 else "."


def _shift(ground: Plane, points: Sequence[Point], groups: int) -> float:
    """How far groups are set apart."""
    values = sorted({point.x for point in points})
    if not 2 <= len(values) <= GRADES:
        return 0.0
    nearest = min(ground.x.at(b) - ground.x.at(a) for a, b in pairwise(values))
    return min(9.0, 0.5 * nearest / groups, 1.8 * (ground.x.at(values[0]) - ground.x.start) / groups)
