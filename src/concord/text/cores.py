"""One core for small matrices: the library behind numpy would wait for a second core longer than it computes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock

import numpy as np

_Count = Callable[[], int]
_Limit = Callable[[int], None]


def one_core() -> AbstractContextManager[None]:
    """Within it, numpy multiplies matrices on one core, where its wheel has brought OpenBLAS.

    On a machine whose cores are busy with other work, every product would otherwise wait until the second
    core is free: short sentences took 25 times as long.
    """
    return _SHARED or nullcontext()


class OneCore:
    """Holds a library to one core while anyone is within; may be entered again, and by several threads.

    The number of cores belongs to the process, so the first to enter sets it and the last to leave restores it.
    """

    def __init__(self, count: _Count, limit: _Limit) -> None:
        self.count, self._limit = count, limit
        self._lock = Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = self.count()
                self._limit(1)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit(self._before)


def _openblas() -> OneCore | None:
    home = Path(np.__file__).parent
    for folder in (home.with_name("numpy.libs"), home / ".dylibs"):
        for file in folder.glob("libscipy_openblas*"):
            library = ctypes.CDLL(str(file))
            for ending in ("64_", ""):
                count = getattr(library, f"scipy_openblas_get_num_threads{ending}", None)
                limit = getattr(library, f"scipy_openblas_set_num_threads{ending}", None)
                if count is not None and limit is not None:
                    return OneCore(count, limit)
    return None


# Made when the module is imported, which happens once: two threads must not make two of it.
_SHARED = _openblas()
