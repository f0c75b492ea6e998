"""The exact p-value of Spearman's coefficient for few pairs, by all orders that one side can have (Pitman 1937).

The usual approximation calls five pairs in perfect order impossible by chance; they come about in one of sixty cases.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from scipy.stats import rankdata

from concord.blas import one_blas_thread
from concord.stats.bootstrap_sentences import Floats, Integers

one_blas_thread()

MOST = 8
_TINY = 1e-9


def exact_p(x: Floats, y: Floats) -> float | None:
    """How often chance makes a coefficient as far from 0, in either direction; None for more pairs than `MOST`."""
    if not 3 <= len(x) <= MOST:
        return None
    a, b = (each - each.mean() for each in (rankdata(x), rankdata(y)))
    products = np.abs(b[_orders(len(b))] @ a)
    return float((products >= abs(float(a @ b)) - _TINY).mean())


@cache
def _orders(n: int) -> Integers:
    return np.array(list(permutations(range(n))), dtype=np.int64)
