"""What is made of runs that go on: in the background, one after the other, and shown as it was a moment ago.

The index keeps what was made of a run until the run changes. A run in progress changes sooner than a large one is read,
so that nothing made of it is ever kept, and whoever waits for it waits until the run has ended.
"""

from __future__ import annotations

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
        self._made: dict[Hashable, tuple[Any, float] | None] = {}  # None: it was tried, and went wrong
        self._asked: dict[Hashable, Callable[[], Any]] = {}
        self._busy = self._ended = False
        self._rested = -math.inf
        self._turn = threading.Condition()
        self.version = 0

    def ask(self, name: Hashable, make: Callable[[], Any]) -> Made | None:
        """What was made last under a name, if anything was; it is being made anew then, for whoever asks again.

        A mistake of the user that was found while making it is raised.
        """
        with self._turn:
            self._enter(name, make)
            known = self._made.get(name)
        if known is None:
            return None
        what, at = known
        if isinstance(what, UserError):
            raise what.with_traceback(None)  # it is raised more than once, and would remember every time
        return Made(what, self._clock() - at)

    def knows(self, name: Hashable) -> bool:
        return self._made.get(name) is not None

    def close(self) -> None:
        with self._turn:
            self._ended = True
            self._turn.notify()

    def _enter(self, name: Hashable, make: Callable[[], Any]) -> None:
        # Who finds no room asks again when something was made.
        if self._ended or (name not in self._asked and len(self._asked) >= WAITING):
            return
        self._asked[name] = make
        self._turn.notify()
        if not self._busy:
            self._busy = True
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (turn := self._next()) is not None:
            self._make(*turn)

    def _next(self) -> tuple[Hashable, Callable[[], Any]] | None:
        """Whose turn it is, once it is anybody's: whoever has nothing to look at yet does not wait for the rest."""
        with self._turn:
            while self._asked and not self._ended:
                rest = self._rested - self._clock()
                new = (name for name in self._asked if name not in self._made)
                for name in new if rest > 0 else [*new, *self._asked]:
                    return name, self._asked[name]
                self._turn.wait(rest)
            self._busy = False
        return None

    def _make(self, name: Hashable, make: Callable[[], Any]) -> None:
        at, made = self._clock(), self._made.get(name)
        try:
            made = make(), at
        except UserError as error:
            made = error, at
        except (Exception, SystemExit) as error:  # a full disk, say: the page goes on with what there is
            print(f"Nothing was made of a run in progress: {error!r}", file=sys.stderr)
        with self._turn:
            self._keep(name, made)
            now = self._clock()
            self._rested = now + PAUSE + REST * (now - at)
            self.version += 1

    def _keep(self, name: Hashable, made: tuple[Any, float] | None) -> None:
        del self._asked[name]
        self._made.pop(name, None)
        self._made[name] = made
        for oldest in list(self._made)[:-KEPT]:
            del self._made[oldest]
