"""DeepSelect (Zhong et al., Journal of Software 32(4), 2021): a word or a phrase that lies deep in a tree, at random.

What lies deep modifies something else, so that other words in its place should leave the sentence as it is built.
Words and phrases are put in order by the labels above them, the deepest first and from left to right; one of the
first few, the candidates, is drawn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from concord.language.codes import base
from concord.language.phrases import is_word
from concord.language.stopwords import stop_words
from concord.language.trees import Tree

PHRASES = ("NP", "VP", "PP", "ADJP", "ADVP")
PENN = frozenset(
    {"ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP"}
    | {"S", "SBAR", "SBARQ", "SINV", "SQ", "WHADJP", "WHADVP", "WHNP", "WHPP", "X"}
)
"""The labels of phrases in English trees, which are those of the Penn treebank."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A node of a tree with the labels from the root to it, and its content words by their number in the sentence."""

    node: Tree
    path: tuple[str, ...]
    words: tuple[int, ...]


def deep_words(tree: Tree, lang: str) -> list[Placed]:
    """The content words of a tree, the deepest first. Stop words and marks are none: nothing can replace them."""
    return _deepest([each for each in _placed(tree, lang) if not each.node.children and each.words])


def deep_phrases(tree: Tree, lang: str, labels: Sequence[str]) -> list[Placed]:
    """The phrases of some labels that have a content word, the deepest first; of several over one span the deepest."""
    wanted = [each for each in _placed(tree, lang) if each.node.children and each.words and each.node.label in labels]
    spans: set[tuple[int, int]] = set()
    kept = []
    for each in _deepest(wanted):
        span = each.node.start, each.node.end
        if span not in spans:
            spans.add(span)
            kept.append(each)
    return kept


def draws(ordered: Sequence[Placed], candidates: int, rng: Random) -> Iterator[Placed]:
    """Draw phrases without replacement, each at random from the first `candidates` that remain."""
    left = list(ordered)
    while left:
        yield left.pop(rng.randrange(min(candidates, len(left))))


def _deepest(found: list[Placed]) -> list[Placed]:
    return sorted(found, key=lambda each: (-len(each.path), each.node.start))


def _placed(tree: Tree, lang: str) -> Iterator[Placed]:
    empty = stop_words(lang)
    content = [
        (leaf.start, number)
        for number, leaf in enumerate(tree.leaves())
        if is_word(leaf.words) and leaf.words.casefold().replace("’", "'") not in empty
    ]
    stack: list[tuple[Tree, tuple[str, ...]]] = [(tree, (tree.label,))]
    while stack:
        node, path = stack.pop()
        inside = content[bisect_left(content, (node.start,)) : bisect_left(content, (node.end,))]
        yield Placed(node, path, tuple(number for _, number in inside))
        stack.extend((child, (*path, child.label)) for child in node.children)


def no_phrase(tree: Tree, labels: tuple[str, ...]) -> str:
    """Why no phrase of these labels can be replaced."""
    others = {node.label for node in tree.nodes() if node.children and node is not tree}
    return f"the tree has no phrase {' or '.join(labels)} with a content word; its phrases: {', '.join(sorted(others))}"


def unknown_labels(source: str, phrases: tuple[str, ...]) -> list[str]:
    """A note on labels that English trees do not have; the labels of other languages depend on the parser."""
    strange = [label for label in phrases if label not in PENN]
    if base(source) != "en" or not strange:
        return []
    return [
        f"English trees have no phrase {' or '.join(strange)}, unless a --parser has labels of its own."
        f" Their labels: {', '.join(sorted(PENN))}"
    ]
