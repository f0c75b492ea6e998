"""Repeated words: a second copy of a word needs a second counterpart, and words said twice at once need a reason."""

from __future__ import annotations

from collections import Counter

from concord.comparator.words import COUNTED, Difference, Sentence

LONGEST = 6
"""How many tokens may be said again at once."""


def copies(at: int, sentences: tuple[Sentence, Sentence], outputs: Difference) -> set[int]:
    """The left-over words that are one copy more than the other translation has of them, where it has any."""
    here, there = (Counter(sentence.keys) for sentence in (sentences[at], sentences[1 - at]))
    more = {word: count - there[word] for word, count in here.items() if 0 < there[word] < count}
    stems = dict(zip(sentences[at].places, sentences[at].keys, strict=True))
    found = set()
    for place in reversed(outputs.own[at]):
        if more.get(stems[place], 0) > 0:
            more[stems[place]] -= 1
            found.add(place)
    return found


def said_again(at: int, sentences: tuple[Sentence, Sentence], outputs: Difference, source: Sentence) -> set[int]:
    """The left-over words of a row that is said twice at once; none where the source itself says one twice.

    Marks count: "no, no" says nothing twice at once. Which of the words are left over is up to what the translations
    share, so that either copy may be, or a part of both.
    """
    here, there = sentences[at], sentences[1 - at]
    rows = _twice(here)
    if not rows or _twice(source):
        return set()
    known = {_forms(there, row) for row in _twice(there)}
    left, found = set(outputs.own[at]), set[int]()
    for row in rows:
        words = [place for place in row if here.tokens[place].kind in COUNTED]
        over = [place for place in words if place in left]
        if 2 * len(over) >= len(words) and _forms(here, row) not in known:
            found.update(over[-(len(words) // 2) :])
    return found


def _twice(sentence: Sentence) -> list[range]:
    """The places of rows of tokens, beginning with a word, that are said twice at once."""
    forms = _forms(sentence, range(len(sentence.tokens)))
    return [
        range(start, start + 2 * size)
        for start in sentence.places
        for size in range(1, LONGEST + 1)
        if start + 2 * size <= len(forms) and forms[start : start + size] == forms[start + size : start + 2 * size]
    ]


def _forms(sentence: Sentence, places: range) -> tuple[str, ...]:
    return tuple(sentence.tokens[place].text.casefold() for place in places)
