"""The words in which two texts differ, for marking: those that the other text does not have in that order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby

from rapidfuzz.distance import Indel

from concord.language.codes import is_spaced
from concord.model import Text

# The comparison needs one bit per pair of words: 25 MB, and some tenths of a second, at the limit.
PAIRS = 200_000_000

_SCRIPTS_WITHOUT_BLANKS = re.compile("CJK|IDEOGRAPHIC|HIRAGANA|KATAKANA|BOPOMOFO|THAI|LAO|KHMER|MYANMAR|TAI|YI")

# Texts are read through their shape, one letter per character: w(ord), d(igit), u(nit that stands alone),
# m(ark on the one before), j(oiner), ' and . (part of a word between letters or digits), b(lank), o(ther).
_WORD = re.compile(r"[wd](?:[wdmj]|'(?=[wd])|(?<=d)\.(?=d))*|u[mj]*|[o'.](?:m|jo?)*|[mj]+")

Run = tuple[str, bool]
"""A stretch of a text, and whether it differs."""


def differing_runs(a: str, b: str, lang: str) -> tuple[list[Run], list[Run]]:
    """Both texts in runs, which joined are the texts again.

    Something differs whenever the texts are not equal, be it a blank. Characters stand for words in scripts without
    blanks. Texts that are too long and too different to be compared word by word differ from the first difference to
    the last.

    >>> differing_runs("the old bridge", "the bridge", "en")
    ([('the ', False), ('old', True), (' bridge', False)], [('the bridge', False)])
    """
    if a == b:
        return joined([(a, False)]), joined([(b, False)])
    one, other = _Split.of(a, lang), _Split.of(b, lang)
    pairs = _pairs(one.words, other.words)
    return _runs(one, other, pairs), _runs(other, one, {theirs: mine for mine, theirs in pairs.items()})


def differing_spans(a: Text, b: Text) -> tuple[list[list[int]], list[list[int]]]:
    """Where the runs stand that differ, in each of two texts of one language.

    >>> differing_spans(Text("the old bridge", "en"), Text("the bridge", "en"))
    ([[4, 7]], [])
    """
    one, other = differing_runs(a.words, b.words, a.lang)
    return _spans(one), _spans(other)


def joined(runs: list[Run]) -> list[Run]:
    """The runs with those in one that follow each other and are alike; empty ones are left out."""
    alike = groupby((run for run in runs if run[0]), key=lambda each: each[1])
    return [("".join(words for words, _ in run), differs) for differs, run in alike]


def _spans(runs: list[Run]) -> list[list[int]]:
    ends = accumulate(len(words) for words, _ in runs)
    return [[end - len(words), end] for (words, differs), end in zip(runs, ends, strict=True) if differs]


@dataclass(frozen=True, slots=True)
class _Split:
    """A text's words, and the blanks around them: one more than there are words."""

    words: list[str]
    gaps: list[str]

    @classmethod
    def of(cls, text: str, lang: str) -> _Split:
        alone = not is_spaced(lang)
        shape = text.translate({ord(character): _kind(character, alone) for character in set(text)})
        words, gaps, end = [], [], 0
        for found in _WORD.finditer(shape):
            gaps.append(text[end : found.start()])
            words.append(text[found.start() : found.end()])
            end = found.end()
        return cls(words, [*gaps, text[end:]])


def _kind(character: str, alone: bool) -> str:
    if character.isspace():
        return "b"
    if character in "'’":
        return "'"
    if character in ".,":
        return "."
    if character in "\u200c\u200d":
        return "j"
    category = unicodedata.category(character)
    if category[0] == "L":
        unit = (alone and category == "Lo") or _SCRIPTS_WITHOUT_BLANKS.match(unicodedata.name(character, ""))
        return "u" if unit else "w"
    return {"M": "m", "N": "d"}.get(category[0], "o")


def _pairs(a: list[str], b: list[str]) -> dict[int, int]:
    """Which word of one text is which word of the other, in order: a longest common subsequence."""
    head = _shared(a, b)
    tail = _shared(a[head:][::-1], b[head:][::-1])
    pairs = {i: i for i in range(head)}
    pairs |= {len(a) - i: len(b) - i for i in range(1, tail + 1)}
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(middle_a) * len(middle_b) <= PAIRS:
        pairs |= {head + i: head + j for i, j in _common(middle_a, middle_b)}
    return _close(pairs, a, b)


def _close(pairs: dict[int, int], a: list[str], b: list[str]) -> dict[int, int]:
    """As many pairs, each right behind the one before where the same word stands there too, not further on."""
    close, i, j = {}, -1, -1
    for mine, theirs in sorted(pairs.items()):
        i = i + 1 if a[i + 1] == a[mine] else mine
        j = j + 1 if b[j + 1] == b[theirs] else theirs
        close[i] = j
    return close


def _shared(a: list[str], b: list[str]) -> int:
    """How many words both begin with."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _common(a: list[str], b: list[str]) -> Iterator[tuple[int, int]]:
    # Numbered, because hashes of different words could be equal.
    numbers = {word: number for number, word in enumerate({*a, *b})}
    for step in Indel.opcodes([numbers[word] for word in a], [numbers[word] for word in b]):
        if step.tag == "equal":
            yield from zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)


def _runs(mine: _Split, theirs: _Split, pairs: dict[int, int]) -> list[Run]:
    flagged: list[Run] = []
    # The beginning and the end of one text belong to those of the other.
    ends = pairs | {-1: -1, len(mine.words): len(theirs.words)}
    for place, gap in enumerate(mine.gaps):
        flagged.append((gap, _gap_differs(gap, ends.get(place - 1), ends.get(place), theirs.gaps)))
        if place < len(mine.words):
            flagged.append((mine.words[place], place not in pairs))
    return joined(flagged)


def _gap_differs(gap: str, left: int | None, right: int | None, gaps: list[str]) -> bool:
    """Between two marked words a gap is marked too; between two that match, if the other text's is another."""
    if left is None or right is None:
        return left is right
    return right == left + 1 and gap != gaps[right]
