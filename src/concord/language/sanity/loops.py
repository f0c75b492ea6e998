"""Loops: the same words again and again, as of a decoder that does not find the end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from concord.language.identification import UNITS

_STAMMER = re.compile(r"([^\W\d_]{1,4}?)\1{9,}")
LONGEST_PERIOD = 24
"""Words of the longest part that is looked for."""
LEAST_TIMES = 4
LEAST_CHARACTERS = 16
"""A loop of fewer characters may be on purpose: "no, no, no, no"."""
LEAST_SHARE = 0.3
"""The least share of an answer that is a loop, or it is mostly something else."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A stretch of a text in which a part occurs several times in a row."""

    start: int
    end: int
    times: int

    @property
    def size(self) -> int:
        return self.end - self.start


def loop(text: str, answer: str) -> Loop | None:
    """The loop that is most of an answer, unless its text has a similar one.

    >>> loop("Good day to you.", "Buenos días a usted a usted a usted a usted a usted.")
    Loop(start=12, end=51, times=5)
    """
    longest = max(_loops(answer), key=lambda found: found.size, default=None)
    if longest is None or longest.size < max(LEAST_CHARACTERS, LEAST_SHARE * len(answer)):
        return None
    meant = max((found.times for found in _loops(text)), default=0)
    return longest if longest.times > 2 * meant else None


def _loops(words: str) -> Iterator[Loop]:
    yield from (Loop(*match.span(), len(match[0]) // len(match[1])) for match in _STAMMER.finditer(words))
    matches = [*UNITS.finditer(words)]
    units = [match[0].casefold() for match in matches]
    if len(set(units)) > len(units) * (1 - LEAST_SHARE / 2):  # too few words occur twice
        return
    for period in range(1, min(LONGEST_PERIOD, len(units) // LEAST_TIMES) + 1):
        for first, last in _periodic(units, period):
            times = (last - first) // period
            if times >= LEAST_TIMES and any(unit.isalnum() for unit in units[first : first + period]):
                yield Loop(matches[first].start(), matches[last - 1].end(), times)


def _periodic(units: list[str], period: int) -> Iterator[tuple[int, int]]:
    """The longest stretches in which every unit is the one `period` before it."""
    first = 0
    for place in range(period, len(units) + 1):
        if place == len(units) or units[place] != units[place - period]:
            if place - first > period:
                yield first, place
            first = place - period + 1
