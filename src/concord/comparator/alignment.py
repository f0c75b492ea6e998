"""What comparisons know of a run: the alignment of its translations, the frequency of words, and dictionaries."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concord.arithmetic import log_of
from concord.comparator.evidence import Evidence
from concord.comparator.word_similarity import Likeness
from concord.comparator.words import Sentence, key, same_number
from concord.language.align import Model, fit
from concord.model import Text

REMEMBERED = 300_000
GLOSSED = 0.8
UNTOLD, FEW = 0.3, 5
IN_ORDER, SOME = 0.8, 100
"""The prior proportion of links that do not cross, and the number of links that the prior is worth."""
SURE = 0.5
AT_ONCE = 1_000
"""The number of pairs that are aligned together: more are hardly faster, but take memory for all of their cells."""
Pair = tuple[Text, Text]
Shares = NDArray[np.float32]
_NONE: Shares = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class Side:
    """A text, its translation, and how sure either direction of the alignment is that words translate each other.

    Only the beginnings of very long texts are aligned; the words after them have no links.
    """

    source: Sentence
    output: Sentence
    says: Shares
    says_back: Shares

    def link(self, source: int, output: int) -> float:
        """How sure both directions are of a link."""
        if source >= self.says.shape[0] or output >= self.says.shape[1]:
            return 0.0
        return math.sqrt(float(self.says[source, output]) * float(self.says_back[source, output]))

    def said_by(self, places: Iterable[int]) -> Shares:
        """How surely each word of the translation translates these source words, taken together."""
        return self._filled(self.says[self._aligned(places)].sum(axis=0))

    def surest(self) -> Shares:
        """How sure both directions are of the surest link of each word of the translation."""
        certainty = (self.says * self.says_back)[self._aligned(self.source.places)]
        return self._filled(np.sqrt(certainty.max(axis=0, initial=0.0)))

    def of_source(self, place: int) -> Shares:
        """The weights of the links of a source word, as the mean of both directions."""
        if place >= self.says.shape[0]:
            return _NONE
        return np.asarray((self.says[place] + self.says_back[place]) / 2, np.float32)

    def of_output(self, place: int) -> Shares:
        """The weights of the links of a word of the translation, as the mean of both directions."""
        if place >= self.says.shape[1]:
            return _NONE
        return np.asarray((self.says[:, place] + self.says_back[:, place]) / 2, np.float32)

    def _aligned(self, places: Iterable[int]) -> list[int]:
        return [place for place in places if place < self.says.shape[0]]

    def _filled(self, shares: Shares) -> Shares:
        filled = np.zeros(len(self.output.tokens), np.float32)
        filled[: len(shares)] = shares
        return filled


@dataclass(eq=False)
class Aligned:
    """The word alignment of a run's pairs with the evidence and the word counts; made by `align`."""

    model: Model
    evidence: Evidence
    sides: dict[Pair, Side]
    counts: Counter[str]
    texts: int
    like: Likeness
    in_order: float = IN_ORDER
    _likely: dict[tuple[str, str], float] = field(default_factory=dict)

    def side(self, source: Text, output: Text) -> Side:
        """A pair with its alignment, computed now if the pair was not among those of the run."""
        side = self.sides.get((source, output))
        return side if side is not None else _sides(self.model, [(source, output)])[source, output]

    def rarity(self, word: str) -> float:
        """How rare a word is in the run's translations: 0 for one that is in all of them, almost 1 for one in none.

        The fewer translations there are, the nearer it is to `UNTOLD`.
        """
        if not self.texts:
            return UNTOLD
        count = self.counts.get(key(word, self.evidence.langs[1]), 0)
        observed = log_of((self.texts + 1) / (count + 1)) / log_of(self.texts + 1)
        return (self.texts * observed + FEW * UNTOLD) / (self.texts + FEW)

    def likely(self, source_word: str, output_word: str) -> float:
        """How likely two words translate each other, by the alignment, a dictionary, or as the same number."""
        pair = (source_word, output_word)
        likelihood = self._likely.get(pair)
        if likelihood is None:
            if len(self._likely) > REMEMBERED:
                self._likely.clear()
            glossed = GLOSSED * (self.evidence.translates(*pair) or same_number(*pair, self.evidence.langs))
            likelihood = self._likely[pair] = max(self.model.likely(*pair), glossed)
        return likelihood


def align(pairs: Iterable[Pair], evidence: Evidence | None = None) -> Aligned:
    """Align the pairs of a run, which must be of one direction; fewer than about fifty give a poor alignment.

    Every pair of a text and its translation counts once. `evidence` comes from `gather`; without it, words are known
    only from the pairs and, in English, the lexicon.
    """
    every = list(dict.fromkeys(pairs))
    langs = (every[0][0].lang, every[0][1].lang) if every else evidence.langs if evidence else ("und", "und")
    evidence = evidence or Evidence(langs)
    cut = [(Sentence.from_text(source).words, Sentence.from_text(output).words) for source, output in every]
    vocabulary = ({word for pair in cut for word in pair[side]} for side in (0, 1))
    model = fit(cut, glosses=evidence.glosses_of(*vocabulary), langs=langs)
    sides = _sides(model, every)
    outputs = {side.output.text: side.output for side in sides.values()}
    counts = Counter(word for output in outputs.values() for word in set(output.keys))
    return Aligned(model, evidence, sides, counts, len(outputs), Likeness(evidence), _in_order(sides.values()))


def _in_order(sides: Iterable[Side]) -> float:
    """The proportion of consecutive words of the translations whose source words are in the same order."""
    in_order, steps_seen = SOME * IN_ORDER, SOME
    for side in sides:
        steps = np.diff(_surely_linked(side))
        in_order, steps_seen = in_order + int((steps > 0).sum()), steps_seen + int((steps != 0).sum())
    return round(in_order / steps_seen, 4)


def _surely_linked(side: Side) -> NDArray[np.int64]:
    """The source words of the translation's words that are surely linked, in the order of the translation."""
    if not side.says.size:
        return np.zeros(0, np.int64)
    certainty = np.sqrt(side.says * side.says_back)
    best = certainty.argmax(axis=0)
    words = np.isin(best, side.source.places) & np.isin(np.arange(certainty.shape[1]), side.output.places)
    return np.asarray(best[words & (certainty.max(axis=0) > SURE)], np.int64)


def _sides(model: Model, pairs: Sequence[Pair]) -> dict[Pair, Side]:
    sides = {}
    for start in range(0, len(pairs), AT_ONCE):
        part = pairs[start : start + AT_ONCE]
        cut = [(Sentence.from_text(source), Sentence.from_text(output)) for source, output in part]
        shares = model.probabilities([(source.words, output.words) for source, output in cut])
        for pair, (source, output), (says, back) in zip(part, cut, shares, strict=True):
            sides[pair] = Side(source, output, says.astype(np.float32), back.astype(np.float32))
    return sides
