"""Trees: phrases and tagged words, each with its span in the original string.

A tree is cut out of a text, never put together from words: `tree.words` is the text from the first to the last
character of the phrase, blanks and punctuation included. A parser's tree has a root labelled `ROOT` with one child
for every sentence. No function here recurses, so that no tree is too deep to walk; a tree that comes from outside is
refused beyond `DEEPEST` levels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from concord.errors import UserError

ROOTS = frozenset({"ROOT", "TOP", "S1"})
"""The labels that treebanks and parsers use for the root above the sentences."""
DEEPEST = 200
"""The most levels of a tree; comparing and printing deeper ones would exhaust Python's stack."""


class Chance(NamedTuple):
    """A parser's probability of a phrase, whether or not it is in the best tree."""

    label: str
    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase or, without children, a word; its label is the phrase's or the word's tag.

    `text` is the whole original string, the same object in every node; `start:end` is the span in it.
    `chances` are those of the whole tree, if the parser gives them, again the same object in every node; trees that
    differ in nothing else are equal.
    """

    label: str
    start: int
    end: int
    children: tuple[Tree, ...] = ()
    text: str = field(default="", repr=False)
    chances: tuple[Chance, ...] = field(default=(), repr=False, compare=False)

    @property
    def words(self) -> str:
        """The phrase as it is written in the original text."""
        return self.text[self.start : self.end]

    def nodes(self) -> Iterator[Tree]:
        """Every node, a parent before its children, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> list[Tree]:
        """The words, from left to right."""
        return [node for node in self.nodes() if not node.children]

    def phrases(self, label: str, *, at_least: float | None = None) -> list[Tree]:
        """The phrases of a label at any depth, itself included, the outer ones before those inside.

        `at_least` asks for every phrase with at least this probability, in the best tree or not (those that are not
        have their words as children). It needs the parser's `chances`; without them the phrases are those of the best
        tree. Probabilities differ between processors by at most 1e-5; with `concord_en`, all agree on which are at
        least 0.05 or 0.1.
        """
        phrases = [node for node in self.nodes() if node.label == label and node.children]
        if at_least is None or not self.chances:
            return phrases
        return self._likely(label, at_least, phrases)

    def _likely(self, label: str, at_least: float, phrases: list[Tree]) -> list[Tree]:
        best = {(node.start, node.end): node for node in reversed(phrases)}
        leaves = self.leaves()
        begins = {leaf.start: index for index, leaf in enumerate(leaves)}
        ends = {leaf.end: index + 1 for index, leaf in enumerate(leaves)}
        spans = {
            (chance.start, chance.end)
            for chance in self.chances
            if chance.label == label and chance.probability >= at_least
            if self.start <= chance.start and chance.end <= self.end
        }
        return [
            best.get((start, end))
            or Tree(label, start, end, tuple(leaves[begins[start] : ends[end]]), self.text, self.chances)
            for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))
        ]

    def paths(self) -> list[tuple[str, ...]]:
        """The labels from the root to every word's tag, one path a word, without the words."""
        paths: list[tuple[str, ...]] = []
        stack: list[tuple[Tree, tuple[str, ...]]] = [(self, (self.label,))]
        while stack:
            node, path = stack.pop()
            if not node.children:
                paths.append(path)
            stack.extend((child, (*path, child.label)) for child in reversed(node.children))
        return paths

    def shape(self) -> str:
        """The labels alone, nested: `(S (NP DT NN) (VP VBD))`. Trees of one shape differ in words only."""
        return self._written(lambda leaf: leaf.label)

    def bracketed(self) -> str:
        """The tree as Penn brackets on one line; brackets in words are written `-LRB-`, `-RRB-` …

        >>> read_brackets("(NP (DT the) (NN cat))").bracketed()
        '(NP (DT the) (NN cat))'
        """
        return self._written(lambda leaf: f"({leaf.label} {escaped(leaf.words)})")

    def _written(self, leaf: Callable[[Tree], str]) -> str:
        parts: list[str] = []
        stack: list[Tree | None] = [self]
        while stack:
            node = stack.pop()
            if node is None:
                parts.append(")")
                continue
            parts.append(" " if parts else "")
            if not node.children:
                parts.append(leaf(node))
                continue
            parts.append(f"({node.label}")
            stack.append(None)
            stack.extend(reversed(node.children))
        return "".join(parts)


_ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_PLAIN = {escape: bracket for bracket, escape in _ESCAPES.items()}
_BRACKET = re.compile(r"[()\[\]{}]")
_ESCAPE = re.compile("|".join(_PLAIN))
_BLANK = "␣"
_TOKEN = re.compile(r"[()]|[^\s()]+")
# The characters of a text for which parsers write these.
_WRITTEN_AS = {
    "``": ('"', "“", "”", "„", "«", "''"),
    "''": ('"', "”", "“", "»", "``"),
    '"': ("“", "”", "„", "«", "»", "``", "''"),
    "`": ("‘", "’", "'"),
    "'": ("’", "‘", "`"),
    "--": ("—", "–"),
    "-": ("–", "‐", "‑", "−"),
    "...": ("…",),
}
_Event = tuple[str, str | None]


def visible(character: str) -> bool:
    """Whether a character is visible, so that it belongs to a word of the tree.

    Blanks are not, nor are control characters, format characters and halves of surrogate pairs.
    """
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def escaped(words: str) -> str:
    """A word as it is written between Penn brackets."""
    return re.sub(r"\s", _BLANK, _BRACKET.sub(lambda match: _ESCAPES[match[0]], words))


def unescaped(word: str) -> str:
    """The word that was written between Penn brackets."""
    plain = _ESCAPE.sub(lambda match: _PLAIN[match[0]], word).replace(_BLANK, " ")
    return plain.replace("\\/", "/").replace("\\*", "*")


def read_brackets(brackets: str, original: str | None = None) -> Tree:
    """The tree that Penn brackets describe.

    If there is an original string, its words are located there, so that every phrase can be cut out of it; otherwise
    the text is the words with a blank between them.

    >>> read_brackets("(NP (DT the) (NN cat) (POS 's))", "the cat's").words
    "the cat's"
    """
    events = list(_events(brackets))
    words = [word for _, word in events if word is not None]
    if original is None:
        text = " ".join(unescaped(word) for word in words)
        return _built(events, _joined_spans(words), text)
    return _built(events, _aligned_spans(words, original), original)


def _events(brackets: str) -> Iterator[_Event]:
    """A phrase that opens (label, None), a word (tag, word) and a phrase that closes ("", None)."""
    tokens = _TOKEN.findall(brackets)
    index, depth = 0, 0
    while index < len(tokens):
        if tokens[index] == ")":
            depth, index = depth - 1, index + 1
            yield "", None
        elif tokens[index] == "(":
            label, word, index = _opened(tokens, index + 1)
            depth += word is None
            yield label or ("" if word else "ROOT"), word
        else:
            raise _unreadable(brackets, f"'{_short(tokens[index])}' is outside of a (TAG word) pair")
        if depth > DEEPEST:
            raise _unreadable(brackets, f"they are nested more than {DEEPEST} deep")
        if depth < 0 or (depth == 0 and index < len(tokens)):
            raise _unreadable(brackets, "they close before their end, so this is not one tree")
    if depth or not tokens:
        raise _unreadable(brackets, f"{depth} of them never close" if depth else "there are none")


def _opened(tokens: list[str], index: int) -> tuple[str, str | None, int]:
    """The label after an opening bracket, the word if it is a leaf, and the index of the next token."""
    label = ""
    if tokens[index : index + 1] and tokens[index] not in "()":
        label, index = tokens[index], index + 1
    if tokens[index + 1 : index + 2] == [")"] and tokens[index] not in "()":
        return label, tokens[index], index + 2
    return label, None, index


def _joined_spans(words: list[str]) -> list[tuple[int, int]]:
    spans, start = [], 0
    for word in words:
        end = start + len(unescaped(word))
        spans.append((start, end))
        start = end + 1
    return spans


def _aligned_spans(words: list[str], original: str) -> list[tuple[int, int]]:
    spans, end = [], 0
    for word in words:
        start, end = _next_span(word, original, end)
        spans.append((start, end))
    rest = original[end:]
    if any(map(visible, rest)):
        raise UserError(f"the tree ends before the original text does: '{_short(rest.lstrip())}' has no word in it")
    return spans


def _next_span(word: str, original: str, start: int) -> tuple[int, int]:
    """The span of the next word; parsers drop blanks and invisible characters, such as soft hyphens."""
    while start < len(original):
        length = None if original[start].isspace() else _length(word, original, start)
        if length is not None:
            return start, start + length
        if visible(original[start]):
            break
        start += 1
    raise UserError(
        f"the word '{_short(word)}' of the tree is not in the original text, which goes on '{_short(original[start:])}'"
    )


def _length(word: str, original: str, start: int) -> int | None:
    """The number of characters at `start` of the original that a written word represents, or None."""
    plain = unescaped(word)
    if plain != word and (own := _written_length(word, original, start)):
        return own
    for written in (plain, *_WRITTEN_AS.get(plain, ())):
        if original.startswith(written, start):
            return len(written)
    return None


def _written_length(word: str, original: str, start: int) -> int:
    """The number of characters of the original that `escaped` writes as this word, 0 if there are none.

    The written word alone is ambiguous: a text may hold a `-LRB-` of its own, or a tab in a word.
    """
    matched, end = 0, start
    while matched < len(word):
        written = escaped(original[end : end + 1])
        if not written or not word.startswith(written, matched):
            return 0
        matched, end = matched + len(written), end + 1
    return end - start


def _built(events: list[_Event], spans: list[tuple[int, int]], text: str) -> Tree:
    remaining = iter(spans)
    labels: list[str] = []
    branches: list[list[Tree]] = [[]]
    for label, word in events:
        if word is not None:
            branches[-1].append(Tree(label, *next(remaining), (), text))
        elif label:
            labels.append(label)
            branches.append([])
        else:
            children = branches.pop()
            if not children:
                raise UserError(
                    f"the phrase '{_short(labels[-1])}' has no words. Brackets are written (LABEL (TAG word))"
                )
            branches[-1].append(Tree(labels.pop(), children[0].start, children[-1].end, tuple(children), text))
    return branches[0][0]


def _unreadable(brackets: str, why: str) -> UserError:
    return UserError(f"the brackets '{_short(brackets)}' cannot be read: {why}. They are written (LABEL (TAG word) …)")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
