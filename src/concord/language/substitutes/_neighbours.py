"""Bigram statistics: how usual a word is beside its neighbours, counted in English text, smoothed by word classes.

The file is built by `models/neighbours`; `CARD.md` there says from what, and under which licences.
"""

import hashlib
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np

from concord.arithmetic import log_of

SHIPPED = Path(__file__).with_name("neighbours.npz")
START, END, NUMBER = "<", ">", "#"
SMOOTH = 100.0
"""The weight of the prior, in uses: of its class for a word, and of all words for a class."""

_REMEMBERED = 50_000


def spelt(word: str) -> str:
    """A neighbour as it is counted: in lower case, with one spelling for all numbers and one for both articles."""
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
        """How much less usual the new word is between its two neighbours than the old one; 0 if it is not.

        The sum over both sides of the logarithm of how many times rarer the neighbour is beside the new word than
        beside the old one. A neighbour that is rare itself does not count. An empty one is the end of the sentence.
        """
        before, after = spelt(left) or START, spelt(right) or END
        old_word, new_word = old.lower(), new.lower()
        return min(0.0, self._usual(new_word, before, True) - self._usual(old_word, before, True)) + min(
            0.0, self._usual(new_word, after, False) - self._usual(old_word, after, False)
        )

    def _ratio(self, word: str, neighbour: str, before: bool) -> float:
        """The logarithm of how many times commoner the neighbour is beside the word than anywhere."""
        beside = self._numbers.get(neighbour, self._beside)
        if beside >= self._beside:
            return 0.0
        data, number = self._data, self._numbers.get(word)
        group = len(data["of_class"]) - 1 if number is None else int(data["classes"][number])
        anywhere = float(data["counts"][beside]) / self._total
        of_class = float(data["before" if before else "after"][beside, group]) + SMOOTH * anywhere
        share = of_class / (float(data["of_class"][group]) + SMOOTH)
        together = 0 if number is None else self._pair(beside, number) if before else self._pair(number, beside)
        uses = 0.0 if number is None else float(data["counts"][number])
        return log_of((together + SMOOTH * share) / (uses + SMOOTH) / anywhere)

    def _pair(self, left: int, right: int) -> int:
        start, end = self._data["starts"][left : left + 2].tolist()
        index = start + int(self._data["nexts"][start:end].searchsorted(right))
        return int(self._data["pairs"][index]) if index < end and self._data["nexts"][index] == right else 0


@cache
def neighbours() -> Neighbours:
    """The counts that ship with Concord, read once."""
    return Neighbours()
