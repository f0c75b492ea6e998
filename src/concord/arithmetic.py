"""Products and exponentials that come out the same, to the last bit, on every x86-64 processor.

The last bits of a product by BLAS depend on the processor, whose kernel adds up in an order of its own, and even on
how many rows are multiplied together; those of numpy's `exp`, `log` and `tanh` depend on the instructions that the
processor has. Single sums, products, quotients and roots do not: IEEE 754 defines them. So numbers that decide
something, or that are stored, are computed from these, in one order. Where BLAS is much faster, as in the parser, it
does the work, and results so close that the last bits might decide are computed again here.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LN2 = (0.6931471803691238, 1.9082149292705877e-10)
"""The logarithm of 2 in two parts; the first has so few digits that whole multiples of it are exact."""
_PER_LN2 = 1.4426950408889634
_EXP = [1 / math.factorial(power) for power in range(9)]
_LOG = [2 / power for power in range(1, 24, 2)]
_ROOT_OF_HALF = 0.7071067811865476
_FARTHEST = 700.0


def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """The product of rows, or of one row, and a matrix; the result of a row does not depend on the other rows."""
    # Without `optimize`, einsum never calls BLAS; in this order it adds up one after the other.
    return np.asarray(np.einsum("...i,ij->...j", a, np.ascontiguousarray(b)))


def exp(x: Floats) -> Floats:
    """The exponential, with a relative error of at most 1e-14, of numbers from -700 to 700."""
    x = np.clip(x, -_FARTHEST, _FARTHEST)
    doubled = np.rint(x * _PER_LN2)
    rest = x - doubled * _LN2[0]
    rest -= doubled * _LN2[1]
    # The eighth power of the exponential of an eighth, which is so small that few terms will do.
    rest *= 0.125
    power = _polynomial(_EXP, rest)
    for _ in range(3):
        power *= power
    return np.ldexp(power, doubled.astype(np.int32))


def log(x: Floats) -> Floats:
    """The natural logarithm of positive numbers, with a relative error of at most 1e-15, near 1 an absolute one."""
    part, doubled = np.frexp(x)
    small = part < _ROOT_OF_HALF
    part, doubled = np.where(small, 2 * part, part), doubled - small
    turned = (part - 1) / (part + 1)
    return np.asarray(turned * _polynomial(_LOG, turned * turned) + doubled * _LN2[1] + doubled * _LN2[0])


def tanh(x: Floats) -> Floats:
    """The hyperbolic tangent, within 1e-14."""
    return np.asarray(1 - 2 / (exp(2 * x) + 1))


def exp_of(x: float) -> float:
    """The exponential of one number, faster than `exp`."""
    doubled = round(min(max(x, -_FARTHEST), _FARTHEST) * _PER_LN2)
    rest = (x - doubled * _LN2[0] - doubled * _LN2[1]) * 0.125 if abs(x) < _FARTHEST else 0.0
    total = 0.0
    for factor in reversed(_EXP):
        total = total * rest + factor
    total *= total
    total *= total
    return math.ldexp(total * total, doubled)


def log_of(x: float) -> float:
    """The natural logarithm of one positive number, faster than `log`."""
    part, doubled = math.frexp(x)
    if part < _ROOT_OF_HALF:
        part, doubled = 2 * part, doubled - 1
    turned = (part - 1) / (part + 1)
    square, total = turned * turned, 0.0
    for factor in reversed(_LOG):
        total = total * square + factor
    return turned * total + doubled * _LN2[1] + doubled * _LN2[0]


def power_of(x: float, exponent: float) -> float:
    """A power of a number that is positive or, with a positive exponent, 0."""
    return exp_of(exponent * log_of(x)) if x else 0.0


def _polynomial(factors: list[float], x: Floats) -> Floats:
    total = np.full_like(x, factors[-1])
    for factor in reversed(factors[:-1]):
        total *= x
        total += factor
    return total
