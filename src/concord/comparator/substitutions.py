"""Substitutions: where each text has words that the other lacks, the words in one gap of the translations go together.

If a change of the text explains the new word in a gap, it also explains the old word there, even if the alignment has
never seen the old word or has linked it to a neighbour. That holds only if both texts have words of their own: a word
that was merely added or removed has no counterpart.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from concord.comparator.differences import Compared, LeftOver

ALONE = 0.7
"""How well a change explains the only place where translations differ, if that has no more words than the change."""


def exchanged(compared: Compared) -> Compared:
    """The comparison with `changed_place`: how well a change explains what the other side has in a word's place."""
    changed, gaps = compared.sources.own, compared.outputs.gaps
    if not all(changed):
        return compared
    places: defaultdict[tuple[int, int], list[LeftOver]] = defaultdict(list)
    for word in compared.words:
        places[word.side, gaps[word.side][word.place]].append(word)
    alone = len({gap for _, gap in places}) == 1
    shares: dict[tuple[int, int], float] = {}
    for (side, gap), ours in places.items():
        theirs = places.get((1 - side, gap), [])
        fits = alone and bool(theirs) and len(_content(ours)) <= len(changed[side])
        shares[side, gap] = max(_spare(_content(ours), _content(theirs)), ALONE if fits else 0.0)
    words = (replace(word, changed_place=shares[word.side, gaps[word.side][word.place]]) for word in compared.words)
    return replace(compared, words=tuple(words))


def _spare(ours: Sequence[LeftOver], theirs: Sequence[LeftOver]) -> float:
    """How much more a change explains of their words than of ours, divided among ours that it does not explain."""
    explained, spare = sum(map(_explained, ours)), sum(map(_explained, theirs))
    return min(1.0, max(0.0, spare - explained) / ((len(ours) - explained) or 1.0))


def _explained(word: LeftOver) -> float:
    return min(1.0, max(word.changed_link, word.changed_word))


def _content(words: Sequence[LeftOver]) -> list[LeftOver]:
    return [word for word in words if not word.function]
