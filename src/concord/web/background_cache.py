"""A background cache for results of runs in progress: they are computed one at a time, and shown slightly out of date.

The index keeps the results of a run until the run changes. A large run in progress changes faster than it can be read,
so that its results would never be kept, and a page that waits for them would wait until the run has ended.
"""

import math
import sys
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from concord.errors import UserError

KEPT, WAITING = 8, 16
PAUSE, REST = 2.0, 5.0
"""The pause between two computations: PAUSE seconds plus REST times the duration of the last, to keep pages fast."""


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value, if there is any; if it is out of date, its age in seconds, and whether a run is still in progress."""

    value: Any = None
    age: float | None = None
    going_on: bool = False


class BackgroundCache:
    """The latest values of slow computations. `version` grows whenever one was computed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: dict[Hashable, tuple[Any, float] | None] = {}  # None: the computation failed
        self._requests: dict[Hashable, Callable[[], Any]] = {}
        self._busy = self._ended = False
        self._rested = -math.inf
        self._changed = threading.Condition()
        self.version = 0

    def ask(self, name: Hashable, make: Callable[[], Any]) -> CachedValue | None:
        """The last value under a name, or None; a new computation is queued, for the next call.

        A `UserError` of the computation is raised here.
        """
        with self._changed:
            self._enter(name, make)
            latest = self._entries.get(name)
        if latest is None:
            return None
        value, started = latest
        if isinstance(value, UserError):
            raise value.with_traceback(None)  # it is raised repeatedly, and its traceback would grow
        return CachedValue(value, self._clock() - started)

    def knows(self, name: Hashable) -> bool:
        return self._entries.get(name) is not None

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _enter(self, name: Hashable, make: Callable[[], Any]) -> None:
        # A caller that finds the queue full asks again when the version grows.
        if self._ended or (name not in self._requests and len(self._requests) >= WAITING):
            return
        self._requests[name] = make
        self._changed.notify()
        if not self._busy:
            self._busy = True
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            self._make(*task)

    def _next(self) -> tuple[Hashable, Callable[[], Any]] | None:
        """The next computation, after the pause; one without any value yet does not wait for the pause."""
        with self._changed:
            while self._requests and not self._ended:
                rest = self._rested - self._clock()
                new = (name for name in self._requests if name not in self._entries)
                for name in new if rest > 0 else [*new, *self._requests]:
                    return name, self._requests[name]
                self._changed.wait(rest)
            self._busy = False
        return None

    def _make(self, name: Hashable, make: Callable[[], Any]) -> None:
        started, entry = self._clock(), self._entries.get(name)
        try:
            entry = make(), started
        except UserError as error:
            entry = error, started
        except (Exception, SystemExit) as error:  # a full disk, for example: the page keeps the last value
            print(f"Nothing was made of a run in progress: {error!r}", file=sys.stderr)
        with self._changed:
            self._keep(name, entry)
            now = self._clock()
            self._rested = now + PAUSE + REST * (now - started)
            self.version += 1

    def _keep(self, name: Hashable, entry: tuple[Any, float] | None) -> None:
        del self._requests[name]
        self._entries.pop(name, None)
        self._entries[name] = entry
        for oldest in list(self._entries)[:-KEPT]:
            del self._entries[oldest]
