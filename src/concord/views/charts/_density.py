"""Many points as a honeycomb: each cell is the more opaque the more points it holds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from concord.views.charts._canvas import short
from concord.views.charts._plane import Floats, Plane

CROWD = 3000
"""More points than these are drawn as a density, for the eye's sake and for the file's."""
ACROSS = 56
SHADES = 8
FAR = 1_000_000
"""No cell is so far down."""


def density(ground: Plane, x: Floats, y: Floats) -> int:
    """Hexagons, the more opaque the more points they hold; how many the fullest one holds.

    Opacity falls with the logarithm of the count, so that lone points at the edge stay visible.
    """
    radius = (ground.x.end - ground.x.start) / ACROSS / math.sqrt(3)
    centres, counts = _hexagons(*ground.places(x, y), radius)
    most = int(counts.max())
    shades = np.ceil(SHADES * np.log1p(counts) / math.log1p(most)).astype(int)
    for shade in range(1, SHADES + 1):
        outlines = [_hexagon(ground, cx, cy, radius) for cx, cy in centres[shades == shade].tolist()]
        if outlines:
            ground.canvas.path("".join(outlines), "g0", fill_opacity=0.08 + 0.92 * shade / SHADES)
    return most


def _hexagons(x: Floats, y: Floats, radius: float) -> tuple[Floats, NDArray[np.int64]]:
    """The centres of the occupied cells of a honeycomb, and how many points each holds.

    A honeycomb is two rectangular lattices, one in the gaps of the other; a point belongs to the nearer node.
    """
    wide, high = radius * math.sqrt(3) / 2, radius * 1.5
    even = 2 * np.round(x / wide / 2), 2 * np.round(y / high / 2)
    odd = 2 * np.floor(x / wide / 2) + 1, 2 * np.floor(y / high / 2) + 1
    away = [(x - i * wide) ** 2 + (y - j * high) ** 2 for i, j in (even, odd)]
    i, j = (np.where(away[0] <= away[1], a, b).astype(np.int64) for a, b in zip(even, odd, strict=True))
    keys, counts = np.unique(i * FAR + j, return_counts=True)
    return np.stack([keys // FAR * wide, keys % FAR * high], axis=1), counts


def _hexagon(ground: Plane, x: float, y: float, radius: float) -> str:
    """An outline, held inside the axes where the honeycomb sticks out."""
    half = radius * math.sqrt(3) / 2
    corners = [(0, -radius), (half, -radius / 2), (half, radius / 2), (0, radius), (-half, radius / 2)]
    places = []
    for dx, dy in [*corners, (-half, -radius / 2)]:
        inside_x = max(ground.x.start, min(x + dx, ground.x.end))
        inside_y = max(ground.y.end, min(y + dy, ground.y.start))
        places.append(f"{short(round(inside_x, 1))} {short(round(inside_y, 1))}")
    return "M " + " L ".join(places) + " Z "
