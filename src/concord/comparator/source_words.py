"""Naming: which source word says a left-over word, told by both translations together.

Of words that meet in one sentence only, an alignment cannot tell which says which, and it exchanges neighbours: of
"blue coat" and "capa azul" it links "blue" to "capa". The other pair tells more. A word that both translations have is
said by a word that both texts have, so "coat" says "capa" if "green coat" is "capa verde", and "azul" goes with what
remains. Where that leaves more than one possibility, no source word is named: none is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from concord.comparator.alignment import Shares, Side
from concord.comparator.differences import Compared, LeftOver
from concord.comparator.word_classes import negations
from concord.comparator.words import same_number, values
from concord.language.stopwords import stop_words

UNLINKED = 0.25
Place = tuple[int, int]
"""A side, and a token of its translation."""


@dataclass(slots=True)
class Names:
    """The source words of left-over words by their places, and what the other translation has instead of them.

    `numbers` are the places of words that say the same number as their source words.
    """

    compared: Compared
    sources: dict[Place, int] = field(default_factory=dict)
    numbers: set[Place] = field(default_factory=set)

    def source(self, word: LeftOver) -> int | None:
        """The token of its source text that says a word."""
        return self.sources.get((word.side, word.place))

    def instead(self, word: LeftOver) -> int | None:
        """The token of the other translation that stands for a word: a left-over one, since what both have is no other.

        Of a word that both texts share it is what says it there; otherwise the only one in the same place.
        """
        source, there = self.source(word), 1 - word.side
        twin = None if source is None else self.compared.sources.shared[word.side].get(source)
        if twin is not None:
            said = [each for each in _of(self.compared, there) if self.source(each) == twin]
            return max(said, key=lambda each: (each.link, -each.place)).place if said else self._weakly(word, twin)
        if word.function:
            return None
        beside = [each for each in _opposite(self.compared, word) if not self._shared(each)]
        return beside[0].place if len(beside) == 1 else None

    def _weakly(self, word: LeftOver, twin: int) -> int | None:
        """What the alignment holds possible, if no change explains that."""
        there = _of(self.compared, 1 - word.side)
        free = {each.place for each in there if self.source(each) is None or self._shared(each)}
        shared = self.compared.sources.shared[word.side]
        found = [
            counterpart
            for counterpart in word.counterparts
            if counterpart.place in free and shared.get(counterpart.source) == twin
        ]
        return max(found, key=lambda each: (each.link, each.like)).place if found else None

    def _shared(self, word: LeftOver) -> bool:
        source = self.source(word)
        return source is not None and source in self.compared.sources.shared[word.side]


def names(compared: Compared) -> Names:
    """The source words of all left-over words, so far as they can be told."""
    made = Names(compared)
    both = tuple(_Linked(compared, at) for at in (0, 1))
    for here, there in (both, both[::-1]):
        for word in here.words:
            told = _negation(word, here) if word.negation else _number(word, here)
            source = told if told is not None else here.source(word)
            if source is not None and (told is not None or not here.is_doubtful(source, there)):
                made.sources[word.side, word.place] = source
            if told is not None and not word.negation:
                made.numbers.add((word.side, word.place))
    for step in (_by_counterpart, _by_what_remains, _by_place):
        for here, there in (both, both[::-1]):
            step(made, here, there)
    return made


class _Linked:
    """One side with the links of its words, as sure as both directions of the alignment are."""

    def __init__(self, compared: Compared, at: int) -> None:
        self.compared, self.at = compared, at
        self.side: Side = compared.sides[at]
        self.words = _of(compared, at)
        self.own, self.shared = compared.sources.own[at], compared.sources.shared[at]
        self.left = frozenset(compared.outputs.own[at])
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

    def is_doubtful(self, source: int, there: _Linked) -> bool:
        """Whether a shared source word says a word there that both translations have, and so none that only one has."""
        twin = self.shared.get(source)
        return twin is not None and there.is_kept(there.output(twin))

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
    at = int(links.argmax())
    return at if links[at] >= UNLINKED else None


def _of(compared: Compared, at: int) -> list[LeftOver]:
    return [word for word in compared.words if word.side == at]


def _opposite(compared: Compared, word: LeftOver) -> Iterator[LeftOver]:
    """The content words that the other translation has in the same place."""
    gap = _gap(compared, word)
    for other in _of(compared, 1 - word.side):
        if gap is not None and _gap(compared, other) == gap and not other.function:
            yield other


def _gap(compared: Compared, word: LeftOver) -> int | None:
    return compared.outputs.gaps[word.side].get(word.place)


def _number(word: LeftOver, here: _Linked) -> int | None:
    """The source word that says the same number, whatever else the alignment takes it for."""
    source, langs = here.side.source, (here.side.source.text.lang, here.side.output.text.lang)
    if not values(word.word, langs[1]):
        return None
    return _likeliest(
        [place for place in source.places if same_number(source.tokens[place].text, word.word, langs)], word, here
    )


def _negation(word: LeftOver, here: _Linked) -> int | None:
    source = here.side.source
    known = negations(source.text.lang)
    return _likeliest([place for place in source.places if source.tokens[place].text.casefold() in known], word, here)


def _likeliest(places: Sequence[int], word: LeftOver, here: _Linked) -> int | None:
    return max(places, key=lambda at: (here.says(at, word.place), -at), default=None)


def _by_counterpart(made: Names, here: _Linked, there: _Linked) -> None:
    """A word that has no counterpart by the source word it is linked to may have one by another: "shall be", "será"."""
    named = {word.place: made.source(word) for word in there.words}
    for word in here.words:
        if made.source(word) is None or _is_lost(made, word, here, there):
            found = [
                counterpart
                for counterpart in word.counterparts
                if named.get(counterpart.place) == here.shared.get(counterpart.source, -1)
                and here.output(counterpart.source) is not None
                and (word.function or here.is_content(counterpart.source))
            ]
            if found:
                made.sources[word.side, word.place] = max(found, key=lambda each: (each.link, each.like)).source


def _by_place(made: Names, here: _Linked, there: _Linked) -> None:
    """A word without a source word is said by what says the only one in its place in the other translation."""
    named = {made.source(word) for word in here.words}
    for word in _nameless(made, here):
        twins = {there.shared.get(_or(made.source(each))) for each in _opposite(made.compared, word)}
        left = [twin for twin in twins if twin is not None and twin not in named and here.output(twin) is None]
        if len(twins) == len(left) == 1:
            made.sources[word.side, word.place] = left[0]


def _or(source: int | None) -> int:
    return -1 if source is None else source


def _by_what_remains(made: Names, here: _Linked, there: _Linked) -> None:
    """The one source word that nothing says yet goes with the words, in one place, that no source word says."""
    free = list(_free(made, here, there))
    if len(free) != 1:
        return
    lost = (word for word in here.words if not word.function and _is_lost(made, word, here, there))
    words = _nameless(made, here) or list(lost)
    if _says_the_same(free[0], here, there):
        # Both changed words may be said by one word; if other words stand in this place, it is exchanged with those.
        words = [word for word in words if any(_opposite(made.compared, word))]
    if len({_gap(made.compared, word) for word in words}) == 1:
        made.sources |= {(word.side, word.place): free[0] for word in words}


def _nameless(made: Names, here: _Linked) -> list[LeftOver]:
    return [word for word in here.words if not word.function and made.source(word) is None]


def _is_lost(made: Names, word: LeftOver, here: _Linked, there: _Linked) -> bool:
    """Whether the other translation seems to have nothing for the shared source word that a word is linked to."""
    twin = here.shared.get(_or(made.source(word)))
    return twin is not None and there.output(twin) is None


def _free(made: Names, here: _Linked, there: _Linked) -> Iterator[int]:
    """Changed words that say no left-over word; shared ones that say nothing here, and a left-over word there."""
    named = {made.source(word) for word in here.words}
    for source in here.own:
        if source not in named and here.is_content(source):
            yield source
    named_there = {made.source(word) for word in there.words if not word.function}
    for source, twin in here.shared.items():
        if source not in named and twin in named_there and here.output(source) is None:
            yield source


def _says_the_same(source: int, here: _Linked, there: _Linked) -> bool:
    """Whether a changed word says a word that a changed word says in the other translation as well."""
    place = here.output(source)
    twin = None if place is None else here.compared.outputs.shared[here.at].get(place)
    return twin is not None and any(there.output(each) == twin for each in there.own)
