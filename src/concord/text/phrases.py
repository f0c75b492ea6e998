"""Phrases that can stand alone: cut from the text by offsets, without dangling marks, of a sensible size."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from concord.text.stopwords import stop_words
from concord.text.trees import Tree

_OPENING = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "„": "“", "‘": "’", "``": "''", '"': '"'}
_ENDINGS = frozenset({"'s", "’s", "'", "’"})
_KEPT_MARKS = frozenset("%‰&#@*§†№")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a text; `text` is the whole string, `start:end` the span in it."""

    label: str
    start: int
    end: int
    text: str = field(default="", repr=False)

    @property
    def words(self) -> str:
        """The phrase as it stands in the text."""
        return self.text[self.start : self.end]

    def contains(self, other: Phrase) -> bool:
        """Whether the other phrase of the same text lies within this one."""
        return self.start <= other.start and other.end <= self.end


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
        empty = stop_words(lang)
        return sum(word.casefold().replace("’", "'") not in empty for word in words) >= self.least_content


def phrases(tree: Tree, labels: Sequence[str], *, at_least: float | None = None) -> list[tuple[Phrase, list[Tree]]]:
    """The phrases under the labels, each once and with its words, the outer ones before those inside."""
    found: dict[tuple[int, int], tuple[Phrase, list[Tree]]] = {}
    for label in labels:
        for node in tree.phrases(label, at_least=at_least):
            leaves = alone(node.leaves())
            if leaves:
                span = leaves[0].start, leaves[-1].end
                found.setdefault(span, (Phrase(label, *span, tree.text), leaves))
    return [found[span] for span in sorted(found, key=lambda span: (span[0], -span[1]))]


def alone(leaves: Sequence[Tree]) -> list[Tree]:
    """The words that can stand alone: without marks around them, without an ending "'s".

    None are left of a phrase that holds one bracket or quotation mark of two.
    """
    kept = list(leaves)
    while kept:
        first, last = _loose(kept)
        if not (first or last):
            break
        kept = kept[first : len(kept) - last]
    return kept if _balanced(kept) else []


def is_word(words: str) -> bool:
    """Whether a leaf counts as a word: neither a mark nor an ending such as "'s"."""
    return any(map(str.isalnum, words)) and words.casefold() not in _ENDINGS


def bare(words: str) -> str:
    """A text without marks and blanks, to see whether two differ by more than those."""
    return "".join(filter(str.isalnum, words)).casefold()


def _loose(leaves: Sequence[Tree]) -> tuple[bool, bool]:
    """Whether the first and the last leaf are marks that belong to nothing inside."""
    words = [leaf.words for leaf in leaves]
    first, last = words[0], words[-1]
    if _OPENING.get(first) == last and len(words) > 1:
        return True, True
    opens = first in _OPENING and _OPENING[first] in words[1:]
    closes = any(_OPENING.get(each) == last for each in words[:-1])
    return _is_mark(first) and not opens, (_is_mark(last) or last in _ENDINGS) and not closes


def _is_mark(words: str) -> bool:
    return all(unicodedata.category(each)[0] == "P" and each not in _KEPT_MARKS for each in words)


def _balanced(leaves: Sequence[Tree]) -> bool:
    words = [leaf.words for leaf in leaves]
    return all(
        words.count(opening) == words.count(closing) if opening != closing else words.count(opening) % 2 == 0
        for opening, closing in _PAIRED
    )


_PAIRED = [(opening, closing) for opening, closing in _OPENING.items() if opening not in "„‘"]


def containers(phrase: Phrase, others: Sequence[Phrase]) -> Iterator[Phrase]:
    """Those of the other phrases that hold this one and more than marks around it."""
    own = bare(phrase.words)
    for other in others:
        if other.start > phrase.start:
            return
        if other.contains(phrase) and bare(other.words) != own:
            yield other
