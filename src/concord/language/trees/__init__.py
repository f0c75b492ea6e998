"""Trees: phrases and tagged words, each with its span in the original string.

A tree is cut out of a text, never put together from words: `tree.words` is the text as it stands
between the first and the last character of the phrase, blanks and marks included. A parser's tree
has a root labelled `ROOT` with one child for every sentence. Nothing here recurses, so that no
tree is too deep to walk; a tree that comes from outside is refused beyond `DEEPEST` levels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from concord.errors import UserError

ROOTS = frozenset({"ROOT", "TOP", "S1"})
"""What treebanks and parsers call the root above the sentences."""
DEEPEST = 200
"""The levels that a tree may have; comparing and printing deeper ones would exhaust Python's stack."""


class Chance(NamedTuple):
    """How probable a parser holds a phrase to be, whether or not it stands in the best tree."""

    label: str
    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase or, without children, a word; its label is the phrase's or the word's tag.

    `text` is the whole original string, the same object in every node; `start:end` is the span in it.
    `chances` are those of the whole tree, where the parser tells them, again the same object in every node;
    trees that differ in nothing else are equal.
    """

    label: str
    start: int
    end: int
    children: tuple[Tree, ...] = ()
    text: str = field(default="", repr=False)
    chances: tuple[Chance, ...] = field(default=(), repr=False, compare=False)

    @property
    def words(self) -> str:
        """The phrase as it stands in the original text."""
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

        `at_least` asks for every phrase over some of its words that the parser held to be that probable, in
        the best tree or not (those that are not have their words as children). The parser must have told
        its `chances`; without them it is the best tree's phrases. Processors agree on
        probabilities to 1e-5, and with `concord_en` on whether they are at least 0.05 or a tenth.
        """
        found = [node for node in self.nodes() if node.label == label and node.children]
        if at_least is None or not self.chances:
            return found
        return self._likely(label, at_least, found)

    def _likely(self, label: str, at_least: float, found: list[Tree]) -> list[Tree]:
        best = {(node.start, node.end): node for node in reversed(found)}
        leaves = self.leaves()
        begins = {leaf.start: at for at, leaf in enumerate(leaves)}
        ends = {leaf.end: at + 1 for at, leaf in enumerate(leaves)}
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
        found: list[tuple[str, ...]] = []
        stack: list[tuple[Tree, tuple[str, ...]]] = [(self, (self.label,))]
        while stack:
            node, path = stack.pop()
            if not node.children:
                found.append(path)
            stack.extend((child, (*path, child.label)) for child in reversed(node.children))
        return found

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
# What parsers write for a character that they read.
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
    """Whether a character is to be seen, so that it stands in a word of the tree.

    Blanks are not, nor are control characters, marks of format and halves of surrogate pairs.
    """
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def escaped(words: str) -> str:
    """A word as it is written between Penn brackets."""
    return re.sub(r"\s", _BLANK, _BRACKET.sub(lambda found: _ESCAPES[found[0]], words))


def unescaped(word: str) -> str:
    """The word that stands between Penn brackets."""
    plain = _ESCAPE.sub(lambda found: _PLAIN[found[0]], word).replace(_BLANK, " ")
    return plain.replace("\\/", "/").replace("\\*", "*")


def read_brackets(brackets: str, original: str | None = None) -> Tree:
    """The tree that Penn brackets describe.

    Its words are found again in the original string, where one is given, so that every phrase can be cut
    out of it; otherwise the text is the words with a blank between them.

    >>> read_brackets("(NP (DT the) (NN cat) (POS 's))", "the cat's").words
    "the cat's"
    """
    events = list(_events(brackets))
    words = [word for _, word in events if word is not None]
    if original is None:
        text = " ".join(unescaped(word) for word in words)
        return _grown(events, _joined(words), text)
    return _grown(events, _aligned(words, original), original)


def _events(brackets: str) -> Iterator[_Event]:
    """A phrase that opens (label, None), a word (tag, word) and a phrase that closes ("", None)."""
    found = _TOKEN.findall(brackets)
    at, depth = 0, 0
    while at < len(found):
        if found[at] == ")":
            depth, at = depth - 1, at + 1
            yield "", None
        elif found[at] == "(":
            label, word, at = _opened(found, at + 1)
            depth += word is None
            yield label or ("" if word else "ROOT"), word
        else:
            raise _broken(brackets, f"'{_short(found[at])}' stands outside of a (TAG word) pair")
        if depth > DEEPEST:
            raise _broken(brackets, f"they are nested more than {DEEPEST} deep")
        if depth < 0 or (depth == 0 and at < len(found)):
            raise _broken(brackets, "they close before their end, so this is not one tree")
    if depth or not found:
        raise _broken(brackets, f"{depth} of them never close" if depth else "there are none")


def _opened(found: list[str], at: int) -> tuple[str, str | None, int]:
    """Label, word if it is a leaf, and where to read on, after an opening bracket."""
    label = ""
    if found[at : at + 1] and found[at] not in "()":
        label, at = found[at], at + 1
    if found[at + 1 : at + 2] == [")"] and found[at] not in "()":
        return label, found[at], at + 2
    return label, None, at


def _joined(words: list[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for word in words:
        end = at + len(unescaped(word))
        spans.append((at, end))
        at = end + 1
    return spans


def _aligned(words: list[str], original: str) -> list[tuple[int, int]]:
    spans, end = [], 0
    for word in words:
        start, end = _found(word, original, end)
        spans.append((start, end))
    rest = original[end:]
    if any(map(visible, rest)):
        raise UserError(f"the tree ends before the original text does: '{_short(rest.lstrip())}' has no word in it")
    return spans


def _found(word: str, original: str, at: int) -> tuple[int, int]:
    """The span of the next word; parsers drop blanks and what cannot be seen, such as soft hyphens."""
    while at < len(original):
        length = None if original[at].isspace() else _length(word, original, at)
        if length is not None:
            return at, at + length
        if visible(original[at]):
            break
        at += 1
    raise UserError(
        f"the word '{_short(word)}' of the tree is not in the original text, which goes on '{_short(original[at:])}'"
    )


def _length(word: str, original: str, at: int) -> int | None:
    """How many characters of the original a written word stands for there, if it does."""
    plain = unescaped(word)
    if plain != word and (own := _written_length(word, original, at)):
        return own
    for written in (plain, *_WRITTEN_AS.get(plain, ())):
        if original.startswith(written, at):
            return len(written)
    return None


def _written_length(word: str, original: str, at: int) -> int:
    """How many characters of the original `escaped` writes as this word, 0 if there are none.

    Not every word can be told from what is written alone: a text may hold a `-LRB-` of its own, or a tab in a word.
    """
    done, end = 0, at
    while done < len(word):
        written = escaped(original[end : end + 1])
        if not written or not word.startswith(written, done):
            return 0
        done, end = done + len(written), end + 1
    return end - at


def _grown(events: list[_Event], spans: list[tuple[int, int]], text: str) -> Tree:
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


def _broken(brackets: str, why: str) -> UserError:
    return UserError(f"the brackets '{_short(brackets)}' cannot be read: {why}. They are written (LABEL (TAG word) …)")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
