"""From numbers to positions on a chart, with ticks at round numbers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from concord.views.charts._look import TEXT
from concord.views.charts._words import width

ENORMOUS = 1e300
TINY = 1e-280
AIR = 11
"""Pixels between labels, and how far one may stick out."""
ALIKE = 1e-9
"""Numbers whose relative distance is smaller are one place on an axis."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale: `low` is drawn at `start`, `high` at `end`; ticks are at least `least` apart."""

    low: float
    high: float
    start: float
    end: float
    least: float = 0.0

    def position(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """At most `most` round numbers, 1, 2 or 5 times a power of ten apart (and zero is 0, not -0)."""
        step = self.step(most)
        first, last = self._reach(step)
        return [max(self.low, min(i * step, self.high)) or 0.0 for i in range(first, last + 1)]

    def step(self, most: int) -> float:
        """The smallest round distance with which there are at most `most` ticks."""
        smallest = max((self.high - self.low) / (most + 1), self.least)
        power = 10.0 ** math.floor(math.log10(smallest))
        steps = (times * power for times in (1, 2, 5, 10, 20, 50) if times * power >= smallest * (1 - ALIKE))
        return next(step for step in steps if len(range(*self._reach(step))) < most)

    def _reach(self, step: float) -> tuple[int, int]:
        """The first and the last tick, counted in steps from zero."""
        return math.ceil(self.low / step - ALIKE), math.floor(self.high / step + ALIKE)

    def labels(self, most: int) -> list[tuple[float, str]]:
        """The ticks, and how they are written."""
        step = self.step(most)
        return [(tick, written(tick, step)) for tick in self.ticks(most)]

    def fitting(self, most: int) -> list[tuple[float, str, float]]:
        """As many ticks of a level axis as have room for their labels, with the middle of each label.

        Long labels at the ends are moved inwards, so that they keep clear of what is beside the axis.
        """
        placed = [(tick, words, self._middle(tick, words)) for tick, words in self.labels(most)]
        halves = [(middle, width(words, TEXT) / 2) for _, words, middle in placed]
        roomy = all(b - a >= wide + far + AIR for (a, wide), (b, far) in pairwise(halves))
        return placed if roomy or most <= 2 else self.fitting(most - 1)

    def _middle(self, tick: float, words: str) -> float:
        half = width(words, TEXT) / 2
        return max(self.start - AIR + half, min(self.position(tick), self.end + AIR - half))


def drawable(value: float | None) -> float | None:
    """A number that has a place on an axis, or nothing."""
    if value is None or not abs(value) < ENORMOUS:
        return None
    return float(value) if abs(value) > TINY else 0.0


def ranked(values: Iterable[tuple[str, float | None]]) -> dict[str, float]:
    """The mean of what is known of each name, by falling mean; NaN where nothing is, at the end."""
    by_name: dict[str, list[float]] = {}
    for name, value in values:
        by_name.setdefault(name, []).extend([] if value is None else [value])
    means = {name: fmean(known_values) if known_values else math.nan for name, known_values in by_name.items()}
    order = sorted(means, key=lambda name: (math.inf if math.isnan(means[name]) else -means[name], name))
    return {name: means[name] for name in order}


def around(values: Iterable[float], margin: float = 0.04) -> tuple[float, float]:
    """The ends of an axis that shows all these numbers, with a little air on both sides."""
    numbers = list(values)
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    span = high - low
    if span <= ALIKE * max(abs(low), abs(high)):
        span = abs(low) or 1.0
        return low - span / 10, low + span / 10
    return low - margin * span, high + margin * span


def written(value: float, step: float) -> str:
    """A number with as many decimals as numbers a step apart need.

    >>> written(0.30000000000000004, 0.1), written(-2000, 500), written(3e12, 1e12)
    ('0.3', '−2,000', '3e12')
    """
    size = max(abs(value), step)
    if size >= 1e7 or step < 1e-6:
        digits = max(0, math.floor(math.log10(size)) - math.floor(math.log10(step)))
        mantissa, _, power = f"{value:.{digits}e}".partition("e")
        text = f"{mantissa}e{int(power)}" if value else "0"
    else:
        text = f"{value:,.{max(0, -math.floor(math.log10(step) + ALIKE))}f}"
    return text.replace("-", "−") if text.strip("-0.,") else text.removeprefix("-")
