"""One core for small matrices: the library behind numpy would wait for a second core longer than it computes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

_Count = Callable[[], int]
_Limit = Callable[[int], None]


@contextmanager
def one_core() -> Iterator[None]:
    """Within it, numpy multiplies matrices on one core, where its wheel has brought OpenBLAS.

    On a machine whose cores are busy with other work, every product would otherwise wait until the second
    core is free: short sentences took 25 times as long.
    """
    found = _openblas()
    if found is None:
        yield
        return
    count, limit = found
    before = count()
    limit(1)
    try:
        yield
    finally:
        limit(before)


@cache
def _openblas() -> tuple[_Count, _Limit] | None:
    home = Path(np.__file__).parent
    for folder in (home.with_name("numpy.libs"), home / ".dylibs"):
        for file in folder.glob("libscipy_openblas*"):
            library = ctypes.CDLL(str(file))
            for ending in ("64_", ""):
                count = getattr(library, f"scipy_openblas_get_num_threads{ending}", None)
                limit = getattr(library, f"scipy_openblas_set_num_threads{ending}", None)
                if count is not None and limit is not None:
                    return count, limit
    return None
