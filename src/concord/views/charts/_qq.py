"""Normal quantiles against standardised residuals, as in figure 2 of Pesu et al. (2018)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._plane import WIDE, Axis, Floats, pairs, plane

MOST = 500
TAIL = 60


def qq(residuals: Sequence[float] | Floats, *, title: str) -> str:
    """The picture of how normal residuals are: normal ones lie on the diagonal.

    Of many residuals a few hundred are drawn, among them every one of both tails' ends.
    """
    found, _, lost = pairs(residuals, residuals)
    if not len(found):
        return nothing(title)
    ordered = np.sort(_standardised(found))
    kept = thinned(len(ordered))
    normal = NormalDist()
    x = np.array([normal.inv_cdf((place + 0.5) / len(ordered)) for place in kept.tolist()])
    y = ordered[kept]
    canvas = Canvas(title, WIDE)
    ground = plane(canvas, canvas.top, Axis.of("normal quantile", x), Axis.of("standardised residual", y))
    low, high = max(ground.x.low, ground.y.low), min(ground.x.high, ground.y.high)
    ground.segment((low, low), (high, high), "ink", stroke_dasharray="5 4")
    across, down = ground.places(x, y)
    for place in zip(across.tolist(), down.tolist(), strict=True):
        canvas.dot(*place, 2.4, 0.7)
    drawn = f"; {len(kept)} of them are drawn" if len(kept) < len(ordered) else ""
    notes = [f"{plural(len(ordered), 'residual')}{drawn}. Dashed: a normal distribution."]
    notes += [f"Not drawn, because without bounds: {lost:,}."] if lost else []
    ends = f"The lowest is {ordered[0]:.3g} standard deviations from the mean, the highest {ordered[-1]:.3g}."
    return canvas.svg(canvas.notes(ground.bottom, notes) + PAD - 4, f"{notes[0]} {ends}")


def thinned(count: int) -> NDArray[np.int64]:
    """Which of so many ordered residuals are drawn: both tails whole, and between them evenly along the axis."""
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
