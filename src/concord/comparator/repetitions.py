"""Repeated words: a second copy of a word needs a second counterpart, an immediate repetition one in the source."""

from collections import Counter

from concord.comparator.words import COUNTED, Difference, Sentence

LONGEST = 6
"""The most tokens that an immediate repetition may have."""


def copies(side: int, sentences: tuple[Sentence, Sentence], outputs: Difference) -> set[int]:
    """The surplus copies, among the differing words, of words that the other translation has less often."""
    counts, other_counts = (Counter(sentence.keys) for sentence in (sentences[side], sentences[1 - side]))
    more = {word: count - other_counts[word] for word, count in counts.items() if 0 < other_counts[word] < count}
    stems = dict(zip(sentences[side].places, sentences[side].keys, strict=True))
    extra = set()
    for place in reversed(outputs.own[side]):
        if more.get(stems[place], 0) > 0:
            more[stems[place]] -= 1
            extra.add(place)
    return extra


def said_again(side: int, sentences: tuple[Sentence, Sentence], outputs: Difference, source: Sentence) -> set[int]:
    """The differing words of a sequence that is repeated immediately; none where the source itself repeats one.

    Marks count: "no, no" repeats nothing immediately. Which copy differs depends on what the translations share; it may
    be either, or a part of both.
    """
    sentence, other = sentences[side], sentences[1 - side]
    rows = _twice(sentence)
    if not rows or _twice(source):
        return set()
    repeated = {_forms(other, row) for row in _twice(other)}
    left, repeats = set(outputs.own[side]), set[int]()
    for row in rows:
        words = [place for place in row if sentence.tokens[place].kind in COUNTED]
        over = [place for place in words if place in left]
        if 2 * len(over) >= len(words) and _forms(sentence, row) not in repeated:
            repeats.update(over[-(len(words) // 2) :])
    return repeats


def _twice(sentence: Sentence) -> list[range]:
    """The places of sequences of tokens, beginning with a word, that are repeated immediately."""
    forms = _forms(sentence, range(len(sentence.tokens)))
    return [
        range(start, start + 2 * size)
        for start in sentence.places
        for size in range(1, LONGEST + 1)
        if start + 2 * size <= len(forms) and forms[start : start + size] == forms[start + size : start + 2 * size]
    ]


def _forms(sentence: Sentence, places: range) -> tuple[str, ...]:
    return tuple(sentence.tokens[place].text.casefold() for place in places)
