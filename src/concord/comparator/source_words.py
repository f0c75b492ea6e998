"""Find the source word of each left-over word, from both translations together.

An alignment cannot tell words apart that occur together in one sentence only, and confuses neighbours: of "blue coat"
and "capa azul" it links "blue" to "capa". The other pair tells more. If both translations share a word, it translates a
word that both texts share. So "coat" is "capa" if "green coat" is "capa verde", and "azul" goes with the word that
remains. Where more than one source word remains, none is named: no source word is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from concord.comparator.alignment import Shares, Side
from concord.comparator.differences import Compared, LeftOver, likeliest
from concord.comparator.word_classes import negations
from concord.comparator.words import same_number, values
from concord.language.stopwords import stop_words

UNLINKED = 0.25
Place = tuple[int, int]
"""A side, and a token of its translation."""


@dataclass(slots=True)
class Names:
    """The source words of left-over words, and what the other translation has instead of them.

    `numbers` are the words that mean the same number as their source words.
    """

    compared: Compared
    sources: dict[Place, int] = field(default_factory=dict)
    numbers: set[Place] = field(default_factory=set)

    def source(self, word: LeftOver) -> int | None:
        """The token of the source text that a word translates."""
        return self.sources.get((word.side, word.place))

    def instead(self, word: LeftOver) -> int | None:
        """The left-over token of the other translation that corresponds to a word.

        For a source word that both texts share it is its other translation; otherwise the only token in the same gap.
        """
        source, other_side = self.source(word), 1 - word.side
        twin = None if source is None else self.compared.sources.shared[word.side].get(source)
        if twin is not None:
            twins = [left for left in _left_over_on(self.compared, other_side) if self.source(left) == twin]
            best = max(twins, key=lambda left: (left.link, -left.place), default=None)
            return best.place if best else self._weakly(word, twin)
        if word.function:
            return None
        beside = [candidate for candidate in _opposite(self.compared, word) if not self._shared(candidate)]
        return beside[0].place if len(beside) == 1 else None

    def _weakly(self, word: LeftOver, twin: int) -> int | None:
        """The likeliest counterpart by the alignment that no change explains."""
        others = _left_over_on(self.compared, 1 - word.side)
        free = {other.place for other in others if self.source(other) is None or self._shared(other)}
        shared = self.compared.sources.shared[word.side]
        possible = (each for each in word.counterparts if each.place in free and shared.get(each.source) == twin)
        best = likeliest(possible)
        return best.place if best else None

    def _shared(self, word: LeftOver) -> bool:
        source = self.source(word)
        return source is not None and source in self.compared.sources.shared[word.side]


def names(compared: Compared) -> Names:
    """The source words of all left-over words, as far as they can be found."""
    naming = Names(compared)
    sides = tuple(_Linked(compared, side) for side in (0, 1))
    for linked, opposite in (sides, sides[::-1]):
        for word in linked.words:
            certain = _negation(word, linked) if word.negation else _number(word, linked)
            source = certain if certain is not None else linked.source(word)
            if source is not None and (certain is not None or not linked.is_doubtful(source, opposite)):
                naming.sources[word.side, word.place] = source
            if certain is not None and not word.negation:
                naming.numbers.add((word.side, word.place))
    for step in (_by_counterpart, _by_what_remains, _by_place):
        for linked, opposite in (sides, sides[::-1]):
            step(naming, linked, opposite)
    return naming


class _Linked:
    """One side with the links of its words, weighted by the geometric mean of both directions of the alignment."""

    def __init__(self, compared: Compared, number: int) -> None:
        self.compared, self.number = compared, number
        self.side: Side = compared.sides[number]
        self.words = _left_over_on(compared, number)
        self.own, self.shared = compared.sources.own[number], compared.sources.shared[number]
        self.left = frozenset(compared.outputs.own[number])
        self._links = _links(self.side)

    def source(self, word: LeftOver) -> int | None:
        """The source word that the alignment links a word to."""
        column = self._links[:, word.place] if word.place < self._links.shape[1] else _EMPTY
        return _surest(column)

    def output(self, source: int) -> int | None:
        """The word of the translation that the alignment links a source word to."""
        return _surest(self._links[source]) if source < self._links.shape[0] else None

    def says(self, source: int, place: int) -> float:
        rows, columns = self._links.shape
        return float(self._links[source, place]) if source < rows and place < columns else 0.0

    def is_kept(self, place: int | None) -> bool:
        """Whether the other translation has that word, too."""
        return place is not None and place not in self.left

    def is_doubtful(self, source: int, opposite: _Linked) -> bool:
        """Whether the other translation of a shared source word is a word that both translations have."""
        twin = self.shared.get(source)
        return twin is not None and opposite.is_kept(opposite.output(twin))

    def is_content(self, source: int) -> bool:
        return self.side.source.tokens[source].text.casefold() not in stop_words(self.side.source.text.lang)


_EMPTY: Shares = np.zeros(0, np.float32)


def _links(side: Side) -> Shares:
    links: Shares = np.sqrt(side.says * side.says_back)
    words = np.zeros(links.shape, bool)
    rows = [place for place in side.source.places if place < links.shape[0]]
    columns = [place for place in side.output.places if place < links.shape[1]]
    words[np.ix_(rows, columns)] = True
    return np.where(words, links, 0).astype(np.float32)


def _surest(links: Shares) -> int | None:
    if not links.size:
        return None
    index = int(links.argmax())
    return index if links[index] >= UNLINKED else None


def _left_over_on(compared: Compared, side: int) -> list[LeftOver]:
    return [word for word in compared.words if word.side == side]


def _opposite(compared: Compared, word: LeftOver) -> Iterator[LeftOver]:
    """The content words that the other translation has in the same place."""
    gap = _gap(compared, word)
    for candidate in _left_over_on(compared, 1 - word.side):
        if gap is not None and _gap(compared, candidate) == gap and not candidate.function:
            yield candidate


def _gap(compared: Compared, word: LeftOver) -> int | None:
    return compared.outputs.gaps[word.side].get(word.place)


def _number(word: LeftOver, linked: _Linked) -> int | None:
    """The source word that means the same number, whatever the alignment links it to."""
    source, langs = linked.side.source, (linked.side.source.text.lang, linked.side.output.text.lang)
    if not values(word.word, langs[1]):
        return None
    return _likeliest(
        [place for place in source.places if same_number(source.tokens[place].text, word.word, langs)], word, linked
    )


def _negation(word: LeftOver, linked: _Linked) -> int | None:
    source = linked.side.source
    words = negations(source.text.lang)
    return _likeliest([place for place in source.places if source.tokens[place].text.casefold() in words], word, linked)


def _likeliest(places: Sequence[int], word: LeftOver, linked: _Linked) -> int | None:
    return max(places, key=lambda place: (linked.says(place, word.place), -place), default=None)


def _by_counterpart(naming: Names, linked: _Linked, opposite: _Linked) -> None:
    """Find a counterpart by another source word if the linked one gives none: "shall be", "será"."""
    sources = {word.place: naming.source(word) for word in opposite.words}
    for word in linked.words:
        if naming.source(word) is None or _is_lost(naming, word, linked, opposite):
            best = likeliest(
                counterpart
                for counterpart in word.counterparts
                if sources.get(counterpart.place) == linked.shared.get(counterpart.source, -1)
                and linked.output(counterpart.source) is not None
                and (word.function or linked.is_content(counterpart.source))
            )
            if best:
                naming.sources[word.side, word.place] = best.source


def _by_place(naming: Names, linked: _Linked, opposite: _Linked) -> None:
    """Give a word without a source word the source word of the only word in its place in the other translation."""
    sources = {naming.source(word) for word in linked.words}
    for word in _nameless(naming, linked):
        twins = {opposite.shared.get(_or_none(naming.source(left))) for left in _opposite(naming.compared, word)}
        unnamed = [twin for twin in twins if twin is not None and twin not in sources and linked.output(twin) is None]
        if len(twins) == len(unnamed) == 1:
            naming.sources[word.side, word.place] = unnamed[0]


def _or_none(source: int | None) -> int:
    return -1 if source is None else source


def _by_what_remains(naming: Names, linked: _Linked, opposite: _Linked) -> None:
    """If one source word is untranslated, assign it to the words without a source word, if these are in one place."""
    free = list(_free(naming, linked, opposite))
    if len(free) != 1:
        return
    lost = (word for word in linked.words if not word.function and _is_lost(naming, word, linked, opposite))
    words = _nameless(naming, linked) or list(lost)
    if _says_the_same(free[0], linked, opposite):
        # One word may translate both changed words; if other words are in this place, it is exchanged with those.
        words = [word for word in words if any(_opposite(naming.compared, word))]
    if len({_gap(naming.compared, word) for word in words}) == 1:
        naming.sources |= {(word.side, word.place): free[0] for word in words}


def _nameless(naming: Names, linked: _Linked) -> list[LeftOver]:
    return [word for word in linked.words if not word.function and naming.source(word) is None]


def _is_lost(naming: Names, word: LeftOver, linked: _Linked, opposite: _Linked) -> bool:
    """Whether the other translation seems to have nothing for the shared source word that a word is linked to."""
    twin = linked.shared.get(_or_none(naming.source(word)))
    return twin is not None and opposite.output(twin) is None


def _free(naming: Names, linked: _Linked, opposite: _Linked) -> Iterator[int]:
    """Changed source words without a differing word; shared ones without any here, and with a differing word there."""
    sources = {naming.source(word) for word in linked.words}
    for source in linked.own:
        if source not in sources and linked.is_content(source):
            yield source
    sources_there = {naming.source(word) for word in opposite.words if not word.function}
    for source, twin in linked.shared.items():
        if source not in sources and twin in sources_there and linked.output(source) is None:
            yield source


def _says_the_same(source: int, linked: _Linked, opposite: _Linked) -> bool:
    """Whether a changed source word has the same translation as one in the other text."""
    place = linked.output(source)
    twin = None if place is None else linked.compared.outputs.shared[linked.number].get(place)
    return twin is not None and any(opposite.output(changed) == twin for changed in opposite.own)
