"""Residuals against fitted values, with a trend, and against normal quantiles: figure 2 of Pesu et al. (2018).

The trend is a locally weighted regression, made robust by down-weighting what lies far from it
(Cleveland 1979, "Robust locally weighted regression and smoothing scatterplots", JASA 74).
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing, short
from concord.views.charts._plane import CROWD, WIDE, Axis, Floats, Plane, pairs, plane

KNOTS = 60
NEAR = 2 / 3
ROUNDS = 3
ENOUGH = 20_000
"""Points that the trend is drawn from; more would not move it by a pixel."""
MOST, TAIL = 500, 60
"""Quantiles that are drawn, and those of them that are a tail's."""


def residuals(fitted: Sequence[float] | Floats, residuals: Sequence[float] | Floats, *, title: str) -> str:
    """The chart of residuals against fitted values: constant spread around zero is what a model wants.

    Of very many, a few thousand are drawn, among them the lowest and the highest.
    """
    x, y, lost = pairs(fitted, residuals)
    if not len(x):
        return nothing(title)
    canvas = Canvas(title, WIDE)
    up = Axis.from_values("residual", np.append(y, 0.0))
    ground = plane(canvas, canvas.top, Axis.from_values("fitted value", x), up)
    notes = [_cloud(ground, x, y)]
    ground.segment((ground.x.low, 0.0), (ground.x.high, 0.0), "ink", stroke_dasharray="5 4")
    if _trend_line(ground, x, y):
        notes[0] += " Line: robust local trend; dashed: zero."
    notes += [f"Not drawn, because without bounds: {lost:,}."] if lost else []
    end = canvas.notes(ground.bottom, notes)
    spread = f"Residuals from {y.min():.3g} to {y.max():.3g}, fitted values from {x.min():.3g} to {x.max():.3g}."
    return canvas.svg(end + PAD - 4, f"{plural(len(x), 'residual')} against fitted values. {spread}")


def _cloud(ground: Plane, x: Floats, y: Floats) -> str:
    if len(x) <= CROWD:
        ground.dots(x, y, 2.2, 0.45)
        return f"{plural(len(x), 'observation')}."
    sample = np.argsort(y, kind="stable")[np.linspace(0, len(y) - 1, CROWD).astype(np.intp)]
    ground.dots(x[sample], y[sample], 2.2, 0.45)
    return f"{len(x):,} observations; {CROWD:,} of them are drawn."


def _trend_line(ground: Plane, x: Floats, y: Floats) -> bool:
    if len(np.unique(x)) < 3:
        return False
    order = np.argsort(x, kind="stable")[:: -(-len(x) // ENOUGH)]
    knots, heights = trend(*ground.places(x[order], y[order]))
    inside = np.clip(heights, ground.y.end, ground.y.start)
    corners = [f"{short(a)} {short(b)}" for a, b in zip(knots.tolist(), inside.tolist(), strict=True)]
    for kind, thick in (("bare card-stroke", 5), ("bare hot-stroke", 2.2)):
        ground.canvas.path("M " + " L ".join(corners), kind, stroke_width=thick, stroke_linejoin="round")
    return True


def trend(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Knots along x, and the height of the trend at each."""
    knots = np.linspace(x.min(), x.max(), KNOTS)
    near, trust = _nearness(knots, x), np.ones_like(x)
    for _ in range(ROUNDS):
        heights = _heights(knots, x, y, near * trust)
        away = np.abs(y - np.interp(x, knots, heights))
        scale = 6 * float(np.median(away))
        if not scale:
            break
        trust = np.clip(1 - np.square(away / scale), 0, None) ** 2
    return knots, heights


def _nearness(knots: Floats, x: Floats) -> Floats:
    """The weight of each point at each knot: tricube for the nearest points, zero for the others."""
    away = np.abs(x[None, :] - knots[:, None])
    count = max(2, int(NEAR * len(x)))
    reach = np.partition(away, count - 1, axis=1)[:, [count - 1]]
    share = away / np.where(reach > 0, reach * 1.001, 1.0)
    inside: Floats = np.clip(1 - share * share * share, 0, None)
    return inside * inside * inside


def _heights(knots: Floats, x: Floats, y: Floats, weight: Floats) -> Floats:
    """At each knot, the height of the weighted line through the points."""
    # Sums rather than matrix products, whose threads would fight over a busy machine.
    total = np.maximum(weight.sum(axis=1), 1e-12)
    centre, middle = (weight * x).sum(axis=1) / total, (weight * y).sum(axis=1) / total
    beside = x[None, :] - centre[:, None]
    spread = (weight * beside * beside).sum(axis=1)
    shared = (weight * beside * y).sum(axis=1)
    slope = np.where(spread > 1e-6 * total, shared / np.maximum(spread, 1e-12), 0.0)
    heights: Floats = middle + slope * (knots - centre)
    return np.where(total > 1e-9, heights, np.median(y))


def qq(residuals: Sequence[float] | Floats, *, title: str) -> str:
    """The chart of how normal residuals are: normal ones lie on the diagonal.

    Of many residuals a few hundred are drawn, among them every one of both tails' ends.
    """
    values, _, lost = pairs(residuals, residuals)
    if not len(values):
        return nothing(title)
    ordered = np.sort(_standardised(values))
    indices = thinned(len(ordered))
    normal = NormalDist()
    x = np.array([normal.inv_cdf((index + 0.5) / len(ordered)) for index in indices.tolist()])
    y = ordered[indices]
    canvas = Canvas(title, WIDE)
    ground = plane(
        canvas, canvas.top, Axis.from_values("normal quantile", x), Axis.from_values("standardised residual", y)
    )
    low, high = max(ground.x.low, ground.y.low), min(ground.x.high, ground.y.high)
    ground.segment((low, low), (high, high), "ink", stroke_dasharray="5 4")
    ground.dots(x, y, 2.4, 0.7)
    drawn = f"; {len(indices)} of them are drawn" if len(indices) < len(ordered) else ""
    notes = [f"{plural(len(ordered), 'residual')}{drawn}. Dashed: a normal distribution."]
    notes += [f"Not drawn, because without bounds: {lost:,}."] if lost else []
    ends = f"The lowest is {ordered[0]:.3g} standard deviations from the mean, the highest {ordered[-1]:.3g}."
    return canvas.svg(canvas.notes(ground.bottom, notes) + PAD - 4, f"{notes[0]} {ends}")


def thinned(count: int) -> NDArray[np.int64]:
    """Which of `count` ordered residuals are drawn: all of both tails, and between them some evenly along the axis."""
    if count <= MOST:
        return np.arange(count)
    normal = NormalDist()
    end = normal.inv_cdf(1 - TAIL / count)
    inner = [int(normal.cdf(z) * count) for z in np.linspace(-end, end, MOST - 2 * TAIL).tolist()]
    tails = [*range(TAIL), *range(count - TAIL, count)]
    return np.array(sorted({*tails, *inner}))


def _standardised(values: Floats) -> Floats:
    # Divided by the largest first, because squares of large numbers have no place in a float.
    shares = values / (float(np.abs(values).max()) or 1.0)
    spread = float(shares.std(ddof=1)) if len(shares) > 1 else 0.0
    centred = shares - shares.mean()
    return centred / spread if spread > 1e-12 else np.zeros_like(shares)
