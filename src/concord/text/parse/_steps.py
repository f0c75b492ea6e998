"""The steps of the network whose last bits depend on the processor, in two ways: fast, and the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord import arithmetic
from concord.blas import one_blas_thread
from concord.text.parse._weights import Floats

one_blas_thread()

_Wide = NDArray[np.float64]
_DIGITS = 53
"""Binary digits of a whole number that a sum can hold without rounding."""
_RIGHT = 27
"""Those of the whole numbers on the right, which are many: one is as good as what it stands for."""


class Steps(NamedTuple):
    """How products of matrices or stacks of them, exponentials and hyperbolic tangents are made, all into `out`."""

    product: Callable[..., Any]
    exp: Callable[..., Any]
    tanh: Callable[..., Any]


def _exact(a: NDArray[np.floating], b: NDArray[np.floating], out: Floats | None = None) -> Floats:
    """By BLAS as well, but of whole numbers so small that it rounds no sum, in whatever order it adds up.

    Every row of `a` and every column of `b` is a sum of such numbers, each time a power of two.
    """
    wide = a.dtype == np.float64
    left = _DIGITS - _RIGHT - int(a.shape[-1]).bit_length()
    found = sum(
        (ours @ theirs) * (row * column)
        for theirs, column in _parts(b, -2, _RIGHT, 2 if wide else 1)
        for ours, row in _parts(a, -1, left, 4 if wide else 2)
    )
    made = np.asarray(found, np.result_type(a, b))
    return made if out is None else _written(made, out)


def _parts(x: NDArray[np.floating], axis: int, digits: int, count: int) -> Iterator[tuple[_Wide, _Wide]]:
    """Whole numbers of so many binary digits, and of which powers of two, along an axis, they are multiples."""
    rest = x.astype(np.float64)
    for part in range(count):
        _, size = np.frexp(np.abs(rest).max(axis=axis, keepdims=True))
        unit = np.ldexp(1.0, size - digits)
        whole = np.rint(rest / unit)
        if part + 1 < count:
            rest -= whole * unit
        yield whole, unit


def _written(made: NDArray[Any], out: Floats) -> Floats:
    out[...] = made
    return out


FAST = Steps(np.matmul, np.exp, np.tanh)
SAME = Steps(
    _exact,
    lambda x, out: _written(arithmetic.exp(x.astype(np.float64)), out),
    lambda x, out: _written(arithmetic.tanh(x.astype(np.float64)), out),
)
