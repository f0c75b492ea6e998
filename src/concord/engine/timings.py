"""Timings of a run: seconds by stage, and the substitutes that were rejected."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# The stages of He, Meister and Su (ICSE 2021, table V), by what is at work. Stages overlap: a parser works while
# translations are awaited, so that their seconds can add up to more than the run took.
STAGES = {
    "start": "initialisation",
    "parse": "construction",
    "depend": "construction",
    "substitutes": "construction",
    "embed": "construction",
    "translate": "translation",
    "analyse": "detection",
    "explain": "detection",
    "relation": "detection",
}


class Stopwatch:
    """The seconds during which something was at work; overlapping work counts once."""

    __slots__ = ("_began", "_clock", "_running", "_seconds")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._running = 0
        self._began = 0.0
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        return self._seconds + (self._clock() - self._began if self._running else 0.0)

    def __enter__(self) -> None:
        if not self._running:
            self._began = self._clock()
        self._running += 1

    def __exit__(self, *_: object) -> None:
        self._running -= 1
        if not self._running:
            self._seconds += self._clock() - self._began


@dataclass(slots=True)
class StageTally:
    """Rejected substitutes by reason, and seconds by stage."""

    rejected: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, watches: Mapping[str, Stopwatch]) -> None:
        """Set the seconds of the stages to what the watches show now."""
        self.seconds = {}
        for name, watch in watches.items():
            stage = STAGES[name]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + watch.seconds

    def add(self, part: "StageTally") -> None:
        """Add the tally of a part of the run."""
        self.rejected.update(part.rejected)
        for stage, seconds in part.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
