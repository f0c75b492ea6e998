"""The arithmetic of the network whose last bits depend on the processor, in two versions: fast, or same everywhere."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord import arithmetic
from concord.blas import one_blas_thread
from concord.language.parse._weights import Floats

one_blas_thread()

_Wide = NDArray[np.float64]
_DIGITS = 53
"""Binary digits of a whole number that a sum can hold without rounding."""
_RIGHT = 27
"""Bits of the integers of the right matrix: enough for one integer to represent each of its entries."""

_AT_A_TIME = 500_000
"""How many numbers are processed at a time: several copies of them, in double precision, are in memory."""


class Steps(NamedTuple):
    """Functions for products of matrices or stacks of them, exponentials and hyperbolic tangents, all into `out`."""

    product: Callable[..., Any]
    exp: Callable[..., Any]
    tanh: Callable[..., Any]


def _exact(a: NDArray[np.floating], b: NDArray[np.floating], out: Floats | None = None) -> Floats:
    """A product by BLAS, but of whole numbers so small that no sum is rounded, in whatever order BLAS adds up.

    Every row of `a` and every column of `b` is split into a sum of such numbers, each times a power of two.
    """
    wide = a.dtype == np.float64
    left = _DIGITS - _RIGHT - int(a.shape[-1]).bit_length()
    right = list(_parts(b, -2, _RIGHT, 2 if wide else 1))
    if out is None:
        out = np.empty((*a.shape[:-1], b.shape[-1]), np.result_type(a, b))
    step = max(1, _AT_A_TIME * a.shape[-2] // max(1, a.size, out.size))
    for start in range(0, a.shape[-2], step):
        rows = a[..., start : start + step, :]
        out[..., start : start + step, :] = sum(
            (ours @ theirs) * (row * column)
            for theirs, column in right
            for ours, row in _parts(rows, -1, left, 4 if wide else 2)
        )
    return out


def _parts(x: NDArray[np.floating], axis: int, digits: int, count: int) -> Iterator[tuple[_Wide, _Wide]]:
    """Split `x` into `count` arrays of integers of `digits` bits, each with the powers of two to multiply it by."""
    rest = x.astype(np.float64)
    for part in range(count):
        _, size = np.frexp(np.abs(rest).max(axis=axis, keepdims=True))
        unit = np.ldexp(1.0, size - digits)
        whole = np.rint(rest / unit)
        if part + 1 < count:
            rest -= whole * unit
        yield whole, unit


def _part_by_part(function: Callable[[_Wide], _Wide]) -> Callable[..., Floats]:
    """A function of numbers, which takes ten times their memory, applied to a part of them at a time."""

    def apply(x: Floats, out: Floats) -> Floats:
        flat = x.flatten()
        for start in range(0, len(flat), _AT_A_TIME):
            part = flat[start : start + _AT_A_TIME]
            part[...] = function(part.astype(np.float64))
        out[...] = flat.reshape(x.shape)
        return out

    return apply


FAST = Steps(np.matmul, np.exp, np.tanh)
SAME = Steps(_exact, _part_by_part(arithmetic.exp), _part_by_part(arithmetic.tanh))
