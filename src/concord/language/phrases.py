"""Phrases that can stand alone: cut from the text by offsets, without dangling marks, of a sensible size."""

import itertools
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from concord.language.stopwords import stop_words
from concord.language.trees import Tree

# A mark that opens, and those that close it.
_PAIRS = {
    "(": ")", "[": "]", "{": "}", "``": "''", "“": "”", "„": "“”", "«": "»", "‹": "›", "‘": "’", "‚": "‘’",
    "《": "》", "〈": "〉", "「": "」", "『": "』", "【": "】", "（": "）",
}  # fmt: skip
_CLOSING = frozenset("".join(_PAIRS.values())) - {"'"} | {"''"}
_CLOSED_BY = {opening: tuple(closing) for opening, closing in _PAIRS.items()} | {"``": ("''",), '"': ('"',)}
_ENDINGS = frozenset({"'s", "’s", "'", "’"})
_KEPT_MARKS = frozenset("%‰&#@*§†№")

NEAREST = 20
"""The most phrases around another that are compared with it."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a text; `text` is the whole string, `start:end` the span in it."""

    label: str
    start: int
    end: int
    text: str = field(default="", repr=False)

    @property
    def words(self) -> str:
        """The phrase as it is in the text."""
        return self.text[self.start : self.end]

    def contains(self, inner: "Phrase") -> bool:
        """Whether the other phrase of the same text lies within this one."""
        return self.start <= inner.start and inner.end <= self.end


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many words a phrase may have, and how many of them, at least, must mean something by themselves."""

    most_words: int
    least_content: int

    def fit(self, leaves: Sequence[Tree], lang: str) -> bool:
        """Whether the words of a phrase are neither too many nor too few."""
        words = [leaf.words for leaf in leaves if is_word(leaf.words)]
        if not 1 < len(words) <= self.most_words:
            return False
        return content_words(words, lang) >= self.least_content


def phrases(tree: Tree, labels: Sequence[str], *, at_least: float | None = None) -> list[tuple[Phrase, list[Tree]]]:
    """The distinct phrases with one of the labels, with their leaves; outer phrases come before inner ones."""
    by_span: dict[tuple[int, int], tuple[Phrase, list[Tree]]] = {}
    for label in labels:
        for node in tree.phrases(label, at_least=at_least):
            leaves = alone(node.leaves())
            if leaves:
                span = leaves[0].start, leaves[-1].end
                by_span.setdefault(span, (Phrase(label, *span, tree.text), leaves))
    return [by_span[span] for span in sorted(by_span, key=lambda span: (span[0], -span[1]))]


def alone(leaves: Sequence[Tree]) -> list[Tree]:
    """The leaves without marks around them and without an ending "'s".

    There are none if the phrase has an unpaired bracket or quotation mark.
    """
    words = [leaf.words for leaf in leaves]
    partner = _partners(words)
    first, last = 0, len(words) - 1
    while first <= last:
        if partner.get(first) == last:
            first, last = first + 1, last - 1
        elif _is_mark(words[first]) and first not in partner:
            first += 1
        elif (_is_mark(words[last]) or words[last] in _ENDINGS) and last not in partner:
            last -= 1
        else:
            break
    indices = range(first, last + 1)
    if any(_is_one_of_two(words[index]) and partner.get(index, -1) not in indices for index in indices):
        return []
    return list(leaves[first : last + 1])


def content_words(words: Iterable[str], lang: str) -> int:
    """How many of the words mean something by themselves: those that are no stop words."""
    empty = stop_words(lang)
    return sum(word.casefold().replace("’", "'") not in empty for word in words)


def is_word(words: str) -> bool:
    """Whether a leaf counts as a word: neither a mark nor an ending such as "'s"."""
    return any(map(str.isalnum, words)) and words.casefold() not in _ENDINGS


def bare(words: str) -> str:
    """A text without marks and blanks, in lower case, to tell whether two texts differ in more than those."""
    return "".join(filter(str.isalnum, words)).casefold()


def _partners(words: Sequence[str]) -> dict[int, int]:
    """For every bracket or quotation mark of a pair, the index of the other one."""
    partners: dict[int, int] = {}
    open_at: list[int] = []
    awaiting: defaultdict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        if openings := awaiting.get(word):
            match = openings[-1]
            partners |= {match: index, index: match}
            # Marks that were opened since then have no partner.
            while open_at and open_at[-1] >= match:
                for closing in _CLOSED_BY[words[open_at.pop()]]:
                    awaiting[closing].pop()
        elif word in _CLOSED_BY:
            open_at.append(index)
            for closing in _CLOSED_BY[word]:
                awaiting[closing].append(index)
    return partners


def _is_one_of_two(word: str) -> bool:
    """Whether a mark must be one of a pair; an apostrophe may also belong to a word beside it."""
    return word == '"' or (word not in ("'", "’", "‘") and (word in _PAIRS or word in _CLOSING))


def _is_mark(words: str) -> bool:
    return all(unicodedata.category(word)[0] == "P" and word not in _KEPT_MARKS for word in words)


def containers(phrase: Phrase, candidates: Sequence[Phrase]) -> list[Phrase]:
    """The candidates, which are sorted by their start, that contain the phrase and more than marks around it.

    If they are nested more deeply than people write, only the nearest ones.
    """
    own = bare(phrase.words)
    begun = itertools.takewhile(lambda candidate: candidate.start <= phrase.start, candidates)
    around = [candidate for candidate in begun if candidate.contains(phrase)][-NEAREST:]
    return [candidate for candidate in around if bare(candidate.words) != own]
