"""Word diff for highlighting: the words that are not in a longest common subsequence of two texts."""

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

# The pattern matches the shape of a text, one letter per character: w(ord), d(igit), u(nit of its own),
# m(ark on the character before), j(oiner), ' and . (part of a word between letters or digits), b(lank), o(ther).
_WORD = re.compile(r"[wd](?:[wdmj]|'(?=[wd])|(?<=d)\.(?=d))*|u[mj]*|[o'.](?:m|jo?)*|[mj]+")

_SHAPES = {"'": "'", "’": "'", ".": ".", ",": ".", "\u200c": "j", "\u200d": "j"}

Run = tuple[str, bool]
"""A stretch of a text, and whether it differs."""


def differing_runs(a: str, b: str, lang: str) -> tuple[list[Run], list[Run]]:
    """Both texts as runs; the runs of a text joined are the text.

    If the texts are not equal, at least one run differs, even if it is a blank. In scripts without blanks, characters
    are compared. Texts that are too long and too different to be compared word by word differ from the first
    difference to the last.

    >>> differing_runs("the old bridge", "the bridge", "en")
    ([('the ', False), ('old', True), (' bridge', False)], [('the bridge', False)])
    """
    if a == b:
        return joined([(a, False)]), joined([(b, False)])
    split_a, split_b = _Split.cut(a, lang), _Split.cut(b, lang)
    pairs = _pairs(split_a.words, split_b.words)
    return _runs(split_a, split_b, pairs), _runs(split_b, split_a, {theirs: mine for mine, theirs in pairs.items()})


def differing_spans(a: Text, b: Text) -> tuple[list[list[int]], list[list[int]]]:
    """The spans of the differing runs, in each of two texts of one language.

    >>> differing_spans(Text("the old bridge", "en"), Text("the bridge", "en"))
    ([[4, 7]], [])
    """
    runs_a, runs_b = differing_runs(a.words, b.words, a.lang)
    return _spans(runs_a), _spans(runs_b)


def joined(runs: list[Run]) -> list[Run]:
    """The runs with neighbours of the same kind merged and empty ones left out."""
    alike = groupby((run for run in runs if run[0]), key=lambda run: run[1])
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
    def cut(cls, text: str, lang: str) -> "_Split":
        alone = not is_spaced(lang)
        shape = text.translate({ord(character): _kind(character, alone) for character in set(text)})
        words, gaps, end = [], [], 0
        for match in _WORD.finditer(shape):
            gaps.append(text[end : match.start()])
            words.append(text[match.start() : match.end()])
            end = match.end()
        return cls(words, [*gaps, text[end:]])


def _kind(character: str, alone: bool) -> str:
    if character.isspace():
        return "b"
    if character in _SHAPES:
        return _SHAPES[character]
    category = unicodedata.category(character)
    if category[0] == "L":
        unit = (alone and category == "Lo") or _SCRIPTS_WITHOUT_BLANKS.match(unicodedata.name(character, ""))
        return "u" if unit else "w"
    return {"M": "m", "N": "d"}.get(category[0], "o")


def _pairs(a: list[str], b: list[str]) -> dict[int, int]:
    """The indices of equal words in both texts: a longest common subsequence."""
    head = _common_prefix(a, b)
    tail = _common_prefix(a[head:][::-1], b[head:][::-1])
    pairs = {i: i for i in range(head)}
    pairs |= {len(a) - i: len(b) - i for i in range(1, tail + 1)}
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(middle_a) * len(middle_b) <= PAIRS:
        pairs |= {head + i: head + j for i, j in _common(middle_a, middle_b)}
    return _close(pairs, a, b)


def _close(pairs: dict[int, int], a: list[str], b: list[str]) -> dict[int, int]:
    """The same number of pairs, each moved next to the pair before it if the same word is there too."""
    close, i, j = {}, -1, -1
    for mine, theirs in sorted(pairs.items()):
        i = i + 1 if a[i + 1] == a[mine] else mine
        j = j + 1 if b[j + 1] == b[theirs] else theirs
        close[i] = j
    return close


def _common_prefix(a: list[str], b: list[str]) -> int:
    """The number of words that both begin with."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _common(a: list[str], b: list[str]) -> Iterator[tuple[int, int]]:
    # Numbered, because hashes of different words could be equal.
    numbers = {word: number for number, word in enumerate({*a, *b})}
    for step in Indel.opcodes([numbers[word] for word in a], [numbers[word] for word in b]):
        if step.tag == "equal":
            yield from zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)


def _runs(mine: _Split, theirs: _Split, pairs: dict[int, int]) -> list[Run]:
    runs: list[Run] = []
    # The start and the end of one text match those of the other.
    ends = pairs | {-1: -1, len(mine.words): len(theirs.words)}
    for index, gap in enumerate(mine.gaps):
        runs.append((gap, _gap_differs(gap, ends.get(index - 1), ends.get(index), theirs.gaps)))
        if index < len(mine.words):
            runs.append((mine.words[index], index not in pairs))
    return joined(runs)


def _gap_differs(gap: str, left: int | None, right: int | None, gaps: list[str]) -> bool:
    """Whether a gap is highlighted: between two differing words always, between two equal ones if the gaps differ."""
    if left is None or right is None:
        return left is right
    return right == left + 1 and gap != gaps[right]
