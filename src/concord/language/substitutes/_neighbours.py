"""How usual a word is beside its neighbours, counted in English text and smoothed by classes of words.

The file is built by `models/neighbours`; `CARD.md` there says from what, and under which licences.
"""

from __future__ import annotations

import hashlib
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np

from concord.arithmetic import log_of

SHIPPED = Path(__file__).with_name("neighbours.npz")
START, END, NUMBER = "<", ">", "#"
SMOOTH = 100.0
"""How many uses of a word its class stands for, and how many uses of a class all words do."""

_REMEMBERED = 50_000


def spelt(word: str) -> str:
    """A neighbour as it is counted: in small letters, numbers alike, and one article for both."""
    lower = word.lower()
    return NUMBER if lower[:1].isdigit() else "a" if lower == "an" else lower


class Neighbours:
    """Counts of words next to each other.

    >>> round(neighbours().lost("bridge", "viaduct", "the", "collapsed"), 1) <= 0
    True
    """

    def __init__(self, path: Path = SHIPPED) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._data = {name: file[name] for name in file.files}
        words = bytes(self._data["words"]).decode().split("\n")
        self._numbers = {word: number for number, word in enumerate(words)}
        self._beside = len(self._data["before"])
        self._total = float(self._data["total"])
        self._path = path
        self._usual = lru_cache(_REMEMBERED)(self._ratio)

    @cached_property
    def version(self) -> str:
        """A digest of the file, for signatures."""
        return hashlib.blake2b(self._path.read_bytes(), digest_size=4).hexdigest()

    def lost(self, old: str, new: str, left: str, right: str) -> float:
        """How much less usual a word is between two others than the one that stood there; 0 if it is not.

        The sum over both sides of the logarithm of how many times rarer the neighbour is beside it, compared with how
        rare it is beside the other. A neighbour that is rare itself says nothing. An empty one is the sentence's end.
        """
        before, after = spelt(left) or START, spelt(right) or END
        one, other = old.lower(), new.lower()
        return min(0.0, self._usual(other, before, True) - self._usual(one, before, True)) + min(
            0.0, self._usual(other, after, False) - self._usual(one, after, False)
        )

    def _ratio(self, word: str, neighbour: str, before: bool) -> float:
        """The logarithm of how many times commoner the neighbour is there than anywhere."""
        beside = self._numbers.get(neighbour, self._beside)
        if beside >= self._beside:
            return 0.0
        data, at = self._data, self._numbers.get(word)
        group = len(data["of_class"]) - 1 if at is None else int(data["classes"][at])
        anywhere = float(data["counts"][beside]) / self._total
        of_class = float(data["before" if before else "after"][beside, group]) + SMOOTH * anywhere
        share = of_class / (float(data["of_class"][group]) + SMOOTH)
        together = 0 if at is None else self._pair(beside, at) if before else self._pair(at, beside)
        uses = 0.0 if at is None else float(data["counts"][at])
        return log_of((together + SMOOTH * share) / (uses + SMOOTH) / anywhere)

    def _pair(self, one: int, other: int) -> int:
        start, end = self._data["starts"][one : one + 2].tolist()
        at = start + int(self._data["nexts"][start:end].searchsorted(other))
        return int(self._data["pairs"][at]) if at < end and self._data["nexts"][at] == other else 0


@cache
def neighbours() -> Neighbours:
    """The counts that ship with Concord, read once."""
    return Neighbours()
