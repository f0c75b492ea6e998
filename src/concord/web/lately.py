"""What is made of runs that go on: in the background, one after the other, and shown as it was a moment ago.

The index keeps what was made of a run until the run changes. A run in progress changes sooner than a large one is read,
so that nothing made of it is ever kept, and whoever waits for it waits until the run has ended.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

KEPT = 8
PAUSE, REST = 2.0, 5.0
"""Between two turns so many seconds pass, and so many times what the last one took: pages are to stay quick."""


@dataclass(frozen=True, slots=True)
class Made:
    """Something that was made, and how many seconds ago its making began."""

    what: Any
    age: float


class Lately:
    """The latest state of things that take long to make. `version` grows whenever one of them was made."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[Hashable, tuple[Any, float]] = {}
        self._busy = self._failed = False
        self._pause = 0.0
        self._lock = threading.Lock()
        self._end = threading.Event()
        self.version = 0

    def ask(self, name: Hashable, make: Callable[[], Any]) -> Made | None:
        """What was made last under a name, if anything was; it is being made anew then, for whoever asks again."""
        with self._lock:
            if not self._busy:
                self._busy = True
                threading.Thread(target=self._work, args=(name, make), daemon=True).start()
            if name not in self._made:
                return None
            what, at = self._made[name]
            return Made(what, self._clock() - at)

    def knows(self, name: Hashable) -> bool:
        return name in self._made

    def close(self) -> None:
        self._end.set()

    def _work(self, name: Hashable, make: Callable[[], Any]) -> None:
        # Whoever has nothing to look at yet does not wait for the rest.
        if self._end.wait(self._pause if self._failed or name in self._made else 0.0):
            return
        at, self._failed = self._clock(), True
        try:
            self._keep(name, make(), at)
            self._failed = False
        except Exception as error:  # a full disk, say: the page goes on with what there is
            print(f"Nothing was made of a run in progress: {error!r}", file=sys.stderr)
        finally:
            self._pause = PAUSE + REST * (self._clock() - at)
            self._busy = False
            self.version += 1

    def _keep(self, name: Hashable, what: Any, at: float) -> None:
        with self._lock:
            self._made.pop(name, None)
            self._made[name] = what, at
            for oldest in list(self._made)[:-KEPT]:
                del self._made[oldest]
