"""A fitted word alignment: links between the words of two sentences, and probabilities of word translations."""

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.errors import UserError
from concord.language.align._cells import Floats, Ints, PairCells
from concord.language.align._training import CorpusCells, DirectionModel, Pairs, flat, links_by_chain, word_positions
from concord.language.stems import stem

FORMAT = 1
LEAST = 0.25
LONGEST = 250
"""The most words of a sentence that are linked; the time grows with the cube."""
Words = Sequence[str]
Langs = tuple[str, str]
# Translation probabilities of words that never occurred in one pair; of which one is new; both; both, spelt the same.
UNSEEN, ONE_NEW, NEW, ALIKE = 1e-9, 1e-6, 1e-3, 0.2
NEW_ALONE = 1e-6
MOSTLY = 0.5
"""Where a greater proportion of a sentence is new, new words are not linked because nothing else is left."""
DIGITS = 6
"""Decimals of a link's probability, so that it does not depend on the other pairs of its batch."""


class Link(NamedTuple):
    """Word `source` of one sentence and word `target` of the other probably translate each other."""

    source: int
    target: int
    confidence: float


def form(word: str, lang: str) -> str:
    """The form by which a word is counted: its stem, where the language has a stemmer."""
    return stem(word.casefold(), lang) if lang else word.casefold()


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted alignment. Words are compared by their stems, so that forms of one word share their probabilities.

    `keys` are the pairs of words that translate each other, as `source number * (target words + 1) + target number`.
    """

    langs: Langs
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    keys: Ints
    directions: tuple[DirectionModel, DirectionModel]

    def links(self, source: Words, target: Words) -> tuple[Link, ...]:
        """The links between the words of two sentences, whether or not the model was fitted to them, in order.

        A link's confidence is the geometric mean of its probabilities in both directions.
        """
        ((forward, backward),) = self.probabilities([(source, target)])
        agreed = np.sqrt(forward * backward)
        cells = np.argwhere(agreed >= LEAST).tolist()
        return tuple(Link(i, j, round(min(float(agreed[i, j]), 1.0), DIGITS)) for i, j in cells)

    def probabilities(self, pairs: Sequence[tuple[Words, Words]]) -> list[tuple[Floats, Floats]]:
        """The probability of every link in either direction, as matrices of source by target words.

        They have up to `LONGEST` rows and columns. In the first matrix, a column sums to the probability that some
        source word translates to this target word.
        """
        corpus = self._corpus([(source[:LONGEST], target[:LONGEST]) for source, target in pairs])
        forward, backward = (
            links_by_chain(corpus, self._with_unknown(direction), hidden)[0].round(DIGITS)
            for hidden, direction in enumerate(self.directions)
        )
        spans = zip(pairwise(corpus.cells.starts), corpus.cells.lengths, strict=True)
        return [(forward[a:b].reshape(shape), backward[a:b].reshape(shape)) for (a, b), shape in spans]

    def likely(self, source_word: str, target_word: str) -> float:
        """How likely the words translate each other, out of context: the geometric mean of both directions."""
        source = self._source_numbers.get(form(source_word, self.langs[0]))
        target = self._target_numbers.get(form(target_word, self.langs[1]))
        if source is None or target is None:
            return 0.0
        # Binary search in the sorted keys: a dictionary of half a million would be ten times their size.
        key = source * (len(self.target_words) + 1) + target
        index = int(self.keys.searchsorted(key))
        is_known = index < len(self.keys) and self.keys[index] == key
        return math.sqrt(self.directions[0].says[index] * self.directions[1].says[index]) if is_known else 0.0

    def dump(self) -> bytes:
        """The model as a file of numpy's, for `load`; equal models make equal bytes."""
        file = io.BytesIO()
        np.savez(
            file,
            format=np.array(FORMAT),
            langs=_packed(self.langs),
            source_words=_packed(self.source_words),
            target_words=_packed(self.target_words),
            keys=self.keys,
            **{
                f"{name}{number}": getattr(direction, name)
                for number, direction in enumerate(self.directions)
                for name in _STORED
            },
        )
        return file.getvalue()

    @cached_property
    def _source_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.source_words)}

    @cached_property
    def _target_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.target_words)}

    def _corpus(self, pairs: Sequence[tuple[Words, Words]]) -> CorpusCells:
        numbered = [
            (
                numbers(source, self._source_numbers, self.langs[0]),
                numbers(target, self._target_numbers, self.langs[1]),
            )
            for source, target in pairs
        ]
        cells = PairCells.of_pairs(numbered)
        sources, targets = flat(source for source, _ in numbered), flat(target for _, target in numbered)
        return CorpusCells(cells, self._entry(pairs, cells, numbered), *word_positions(cells), sources, targets)

    def _entry(self, pairs: Sequence[tuple[Words, Words]], cells: PairCells, numbered: Pairs) -> Ints:
        """The entry of every cell; the numbers after the known ones mean `UNSEEN` and so on."""
        size = len(self.keys)
        entry = np.empty(len(cells), np.int64)
        for index, (sources, targets) in enumerate(numbered):
            left, right = np.array(sources, np.int64)[:, None], np.array(targets, np.int64)
            keys = left * (len(self.target_words) + 1) + right
            indices = np.searchsorted(self.keys, keys)
            is_known = self.keys[np.minimum(indices, size - 1)] == keys if size else np.zeros(keys.shape, bool)
            source_new, target_new = left == len(self.source_words), right == len(self.target_words)
            new = source_new * 1 + target_new
            entries = np.where(is_known, indices, size + new)
            if new.any():
                if max(source_new.mean(), target_new.mean()) > MOSTLY:
                    entries[new > 1] = size
                entries[_alike(*pairs[index]) & (new > 0)] = size + 3
            entry[cells.starts[index] : cells.starts[index + 1]] = entries.ravel()
        return entry

    def _with_unknown(self, direction: DirectionModel) -> DirectionModel:
        says = np.append(direction.says, [UNSEEN, ONE_NEW, NEW, ALIKE])
        return DirectionModel(says, np.append(direction.unlinked, NEW_ALONE), direction.jumps)


def load(data: bytes) -> Model:
    """The model that `Model.dump` wrote."""
    if not data.startswith(b"PK"):
        raise UserError("this is no word alignment that Concord has stored. Fit it again")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        if int(file["format"]) != FORMAT:
            raise UserError(f"this word alignment has format {int(file['format'])}; this Concord reads {FORMAT}")
        forward, backward = (DirectionModel(*(file[f"{name}{number}"] for name in _STORED)) for number in (0, 1))
        source, target = _unpacked(file["langs"])
        source_words, target_words = _unpacked(file["source_words"]), _unpacked(file["target_words"])
        return Model((source, target), source_words, target_words, file["keys"], (forward, backward))


_STORED = ("says", "unlinked", "jumps")


def numbers(words: Words, word_numbers: dict[str, int], lang: str) -> list[int]:
    """The numbers of words; unknown words have the number after the last."""
    return [word_numbers.get(form(word, lang), len(word_numbers)) for word in words]


def _alike(source: Words, target: Words) -> NDArray[np.bool_]:
    target_words = [source_word.casefold() for source_word in target]
    return np.array([[source_word.casefold() == target_word for target_word in target_words] for source_word in source])


def _packed(words: Iterable[str]) -> Ints:
    # Words have no blanks, so that a line end can separate them.
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def _unpacked(packed: Ints) -> tuple[str, ...]:
    return tuple(packed.tobytes().decode("utf-8", "surrogatepass").split("\n")) if packed.size else ()
