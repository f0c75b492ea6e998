"""Two axes with ticks and names, and a cloud of points between them: the base of four charts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas
from concord.views.charts._look import TEXT
from concord.views.charts._scale import ENORMOUS, TINY, Scale, around
from concord.views.charts._words import fit, neutral, widest

Floats = NDArray[np.float64]

WIDE, HIGH = 560, 340
CROWD = 3000
"""The most points that are drawn, for the eye's sake and for the file's."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis before it has a place: its name, its ends, and the smallest distance of its ticks."""

    name: str
    low: float
    high: float
    least: float = 0.0

    @classmethod
    def from_values(cls, name: str, values: Floats, margin: float = 0.04) -> "Axis":
        """An axis that shows all these numbers; between whole numbers it has no ticks."""
        ends = around([float(values.min()), float(values.max())], margin)
        return cls(name, *ends, 1.0 if bool((values == np.rint(values)).all()) else 0.0)


@dataclass(frozen=True, slots=True)
class Plane:
    """A canvas with both scales."""

    canvas: Canvas
    x: Scale
    y: Scale

    @property
    def bottom(self) -> float:
        """Where the chart below the axes begins."""
        return self.y.start + 44

    def places(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where points of the data are on the canvas."""
        return _along(self.x, x), _along(self.y, y)

    def dots(self, x: Floats, y: Floats, size: float, opacity: float) -> None:
        """A cloud, through the points of which the others show."""
        across, down = self.places(x, y)
        for point in zip(across.tolist(), down.tolist(), strict=True):
            self.canvas.dot(*point, size, opacity)

    def segment(self, a: tuple[float, float], b: tuple[float, float], kind: str, **more: str | float) -> None:
        """A straight line between two points of the data."""
        self.canvas.line(
            self.x.position(a[0]), self.y.position(a[1]), self.x.position(b[0]), self.y.position(b[1]), kind, **more
        )


def plane(canvas: Canvas, top: float, across: Axis, up: Axis) -> Plane:
    """Draw both axes."""
    upright = Scale(up.low, up.high, top + HIGH, top, up.least)
    heights = upright.labels(7)
    left = PAD + 22 + min(90.0, widest((words for _, words in heights), TEXT))
    level = Scale(across.low, across.high, left, WIDE - PAD - 4, across.least)
    for tick, words in heights:
        canvas.line(left, upright.position(tick), level.end, upright.position(tick), "line")
        canvas.text(left - 7, upright.position(tick) + 4, words, anchor="end")
    for tick, words, x in level.fitting(8):
        canvas.line(level.position(tick), top, level.position(tick), upright.start + 4, "line")
        canvas.text(x, upright.start + 17, words, anchor="middle")
    middle, centre = (left + level.end) / 2, top + HIGH / 2
    canvas.text(middle, upright.start + 35, fit(neutral(across.name), level.end - left, TEXT), "ink", anchor="middle")
    canvas.text(PAD + 6, centre, fit(neutral(up.name), HIGH, TEXT), "ink", anchor="middle", rotation=-90)
    return Plane(canvas, level, upright)


def pairs(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> tuple[Floats, Floats, int]:
    """The pairs that have a place in the plane, and how many do not."""
    a, b = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
    if len(a) != len(b):
        raise ValueError(f"{plural(len(a), 'number')} for one axis and {len(b)} for the other")
    drawn = (np.abs(a) < ENORMOUS) & (np.abs(b) < ENORMOUS)
    a, b = (np.where(np.abs(values[drawn]) > TINY, values[drawn], 0.0) for values in (a, b))
    return a, b, int(len(drawn) - len(a))


def _along(scale: Scale, values: Floats) -> Floats:
    return scale.start + (scale.end - scale.start) * ((values - scale.low) / (scale.high - scale.low))
