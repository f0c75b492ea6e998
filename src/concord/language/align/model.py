"""A fitted word alignment: links between the words of two sentences, and how likely words translate each other."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.errors import UserError
from concord.language.align._cells import Floats, Ints, PairCells
from concord.language.align._training import Pairs, Seen, Way, flat, links_by_chain, places
from concord.language.stems import stem

FORMAT = 1
LEAST = 0.25
LONGEST = 250
"""How many words of a sentence are linked; the time grows with the cube."""
Words = Sequence[str]
Langs = tuple[str, str]
# How likely words say each other that were never seen in one pair; of which one is new; both; both, spelt alike.
UNSEEN, ONE_NEW, NEW, ALIKE = 1e-9, 1e-6, 1e-3, 0.2
NEW_ALONE = 1e-6
MOSTLY = 0.5
"""How much of either sentence has to be known for new words to belong together because nothing else is left."""
DIGITS = 6
"""Decimals of how sure a link is, so that it does not depend on which pairs were computed with it."""


class Link(NamedTuple):
    """Word `source` of one sentence and word `target` of the other translate each other, so far as is known."""

    source: int
    target: int
    confidence: float


def form(word: str, lang: str) -> str:
    """What is counted of a word: its stem, where the language has a stemmer."""
    return stem(word.casefold(), lang) if lang else word.casefold()


@dataclass(frozen=True, eq=False)
class Model:
    """What was learnt. Words are compared by their stems, so that forms of one word share what is known of it.

    `keys` are the pairs of words that translate each other, as `source number * (target words + 1) + target number`.
    """

    langs: Langs
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    keys: Ints
    ways: tuple[Way, Way]

    def links(self, source: Words, target: Words) -> tuple[Link, ...]:
        """The links between the words of two sentences, whether or not they were learnt from, in order.

        A link's confidence is the geometric mean of how sure either direction is of it.
        """
        return self.each([(source, target)])[0]

    def each(self, pairs: Sequence[tuple[Words, Words]]) -> list[tuple[Link, ...]]:
        """The links of many pairs, sooner than one by one."""
        seen, one, other = self._sure(pairs)
        agreed = np.sqrt(one * other)
        found = np.flatnonzero(agreed >= LEAST)
        pair = np.searchsorted(seen.cells.starts, found, side="right") - 1
        within = found - seen.cells.starts[pair]
        width = np.maximum(seen.cells.lengths[pair, 1], 1)
        made: list[list[Link]] = [[] for _ in pairs]
        rows = zip(pair.tolist(), (within // width).tolist(), (within % width).tolist(), agreed[found], strict=True)
        for at, i, j, confidence in rows:
            made[at].append(Link(i, j, round(min(float(confidence), 1.0), DIGITS)))
        return [tuple(each) for each in made]

    def shares(self, pairs: Sequence[tuple[Words, Words]]) -> list[tuple[Floats, Floats]]:
        """How sure either direction is of every link, as matrices of source by target words, `LONGEST` at most.

        In the first, the shares of a target word add up to how sure it is that some source word says it.
        """
        seen, one, other = self._sure(pairs)
        made = []
        for at in range(len(pairs)):
            place = slice(*seen.cells.starts[at : at + 2])
            made.append((one[place].reshape(seen.cells.lengths[at]), other[place].reshape(seen.cells.lengths[at])))
        return made

    def _sure(self, pairs: Sequence[tuple[Words, Words]]) -> tuple[Seen, Floats, Floats]:
        """The cells of sentence pairs, and how sure either direction is that they are links."""
        seen = self._seen([(source[:LONGEST], target[:LONGEST]) for source, target in pairs])
        ways = [self._with_unknown(way) for way in self.ways]
        one, other = (links_by_chain(seen, way, hidden)[0].round(DIGITS) for hidden, way in enumerate(ways))
        return seen, one, other

    def likely(self, source_word: str, target_word: str) -> float:
        """How likely the words translate each other, out of context: the geometric mean of both directions."""
        source = self._source_numbers.get(form(source_word, self.langs[0]))
        target = self._target_numbers.get(form(target_word, self.langs[1]))
        if source is None or target is None:
            return 0.0
        # Looked for among the sorted keys: a dictionary of half a million would be ten times their size.
        key = source * (len(self.target_words) + 1) + target
        at = int(self.keys.searchsorted(key))
        known = at < len(self.keys) and self.keys[at] == key
        return math.sqrt(self.ways[0].says[at] * self.ways[1].says[at]) if known else 0.0

    def dump(self) -> bytes:
        """Everything as a file of numpy's, for `load`; equal models make equal bytes."""
        held = io.BytesIO()
        np.savez(
            held,
            format=np.array(FORMAT),
            langs=_packed(self.langs),
            source_words=_packed(self.source_words),
            target_words=_packed(self.target_words),
            keys=self.keys,
            **{f"{name}{at}": getattr(way, name) for at, way in enumerate(self.ways) for name in _KEPT},
        )
        return held.getvalue()

    @cached_property
    def _source_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.source_words)}

    @cached_property
    def _target_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.target_words)}

    def _seen(self, pairs: Sequence[tuple[Words, Words]]) -> Seen:
        numbered = [
            (
                numbers(source, self._source_numbers, self.langs[0]),
                numbers(target, self._target_numbers, self.langs[1]),
            )
            for source, target in pairs
        ]
        cells = PairCells.of(numbered)
        source_place, target_place = places(cells)
        sources, targets = flat(source for source, _ in numbered), flat(target for _, target in numbered)
        return Seen(cells, self._entry(pairs, cells, numbered), source_place, target_place, sources, targets)

    def _entry(self, pairs: Sequence[tuple[Words, Words]], cells: PairCells, numbered: Pairs) -> Ints:
        """The entry of every cell; those beyond the known ones stand for `UNSEEN` and so on."""
        known = len(self.keys)
        entry = np.empty(len(cells), np.int64)
        for at, (sources, targets) in enumerate(numbered):
            left, right = np.array(sources, np.int64)[:, None], np.array(targets, np.int64)
            keys = left * (len(self.target_words) + 1) + right
            found = np.searchsorted(self.keys, keys)
            held = self.keys[np.minimum(found, known - 1)] == keys if known else np.zeros(keys.shape, bool)
            ours, theirs = left == len(self.source_words), right == len(self.target_words)
            new = ours * 1 + theirs
            chosen = np.where(held, found, known + new)
            if new.any():
                if max(ours.mean(), theirs.mean()) > MOSTLY:
                    chosen[new > 1] = known
                chosen[_alike(*pairs[at]) & (new > 0)] = known + 3
            entry[cells.starts[at] : cells.starts[at + 1]] = chosen.ravel()
        return entry

    def _with_unknown(self, way: Way) -> Way:
        says = np.append(way.says, [UNSEEN, ONE_NEW, NEW, ALIKE])
        return Way(says, np.append(way.unlinked, NEW_ALONE), way.jumps)


def load(data: bytes) -> Model:
    """The model that `Model.dump` wrote."""
    if not data.startswith(b"PK"):
        raise UserError("this is no word alignment that Concord has stored. Fit it again")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        if int(file["format"]) != FORMAT:
            raise UserError(f"this word alignment has format {int(file['format'])}; this Concord reads {FORMAT}")
        one, other = (Way(*(file[f"{name}{at}"] for name in _KEPT)) for at in (0, 1))
        source, target = _unpacked(file["langs"])
        words, others = _unpacked(file["source_words"]), _unpacked(file["target_words"])
        return Model((source, target), words, others, file["keys"], (one, other))


_KEPT = ("says", "unlinked", "jumps")


def numbers(words: Words, known: dict[str, int], lang: str) -> list[int]:
    """The numbers of words; one beyond the last for those that are not known."""
    return [known.get(form(word, lang), len(known)) for word in words]


def _alike(source: Words, target: Words) -> NDArray[np.bool_]:
    theirs = [word.casefold() for word in target]
    return np.array([[word.casefold() == other for other in theirs] for word in source])


def _packed(words: Iterable[str]) -> Ints:
    # Words hold no blanks, so that a line end can stand between them.
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def _unpacked(held: Ints) -> tuple[str, ...]:
    return tuple(held.tobytes().decode("utf-8", "surrogatepass").split("\n")) if held.size else ()
