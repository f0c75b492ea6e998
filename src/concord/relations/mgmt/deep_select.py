"""DeepSelect (Zhong et al., Journal of Software 32(4), 2021): draws a word or a phrase that lies deep in a tree.

A deep word or phrase modifies something else, so that other words in its place should not change how the sentence is
built. Words and phrases are ordered by depth, the deepest first, then from left to right; one of the first few, the
candidates, is drawn. Phrases with a single content word come after all others: to replace that word is the test of a
word once more.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from concord.language.codes import base
from concord.language.english.inflection import lemmas
from concord.language.phrases import is_word
from concord.language.stopwords import stop_words
from concord.language.substitutes._slot import LIGHT
from concord.language.trees import Tree

PHRASES = ("NP", "VP", "PP", "ADJP", "ADVP")
PENN = frozenset(
    {"ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP"}
    | {"S", "SBAR", "SBARQ", "SINV", "SQ", "WHADJP", "WHADVP", "WHNP", "WHPP", "X"}
)
"""The labels of phrases in English trees, which are those of the Penn treebank."""


@dataclass(frozen=True, slots=True)
class DeepNode:
    """A node of a tree with the labels from the root to it, and the indices of its content words in the sentence."""

    node: Tree
    path: tuple[str, ...]
    words: tuple[int, ...]


def deep_words(tree: Tree, lang: str) -> list[DeepNode]:
    """The content words of a tree, the deepest first: no marks and no words that nothing replaces."""
    return _deepest_first([deep for deep in _nodes(tree, lang) if not deep.node.children and deep.words])


def deep_phrases(tree: Tree, lang: str, labels: Sequence[str]) -> list[DeepNode]:
    """The phrases of some labels with several content words, then those with one, the deepest first.

    Of several over one span only the deepest counts.
    """
    phrases = [deep for deep in _nodes(tree, lang) if deep.node.children and deep.words and deep.node.label in labels]
    by_span: dict[tuple[int, int], DeepNode] = {}
    for deep in _deepest_first(phrases):
        by_span.setdefault((deep.node.start, deep.node.end), deep)
    return sorted(by_span.values(), key=lambda deep: len(deep.words) == 1)


def draws(ordered: Sequence[DeepNode], candidates: int, rng: Random) -> Iterator[DeepNode]:
    """One of the first `candidates` at random, then another, with the next in order as a new candidate, and so on.

    Nodes with one content word are no candidates as long as there are others, which come before them.
    """
    remaining = list(ordered)
    while remaining:
        several = sum(len(deep.words) > 1 for deep in remaining)
        yield remaining.pop(rng.randrange(min(candidates, several or len(remaining))))


def _deepest_first(nodes: list[DeepNode]) -> list[DeepNode]:
    return sorted(nodes, key=lambda deep: (-len(deep.path), deep.node.start))


def _nodes(tree: Tree, lang: str) -> Iterator[DeepNode]:
    """Every node of a tree."""
    content = [(leaf.start, index) for index, leaf in enumerate(tree.leaves()) if _has_content(leaf, lang)]
    stack: list[tuple[Tree, tuple[str, ...]]] = [(tree, (tree.label,))]
    while stack:
        node, path = stack.pop()
        inside = content[bisect_left(content, (node.start,)) : bisect_left(content, (node.end,))]
        yield DeepNode(node, path, tuple(index for _, index in inside))
        stack.extend((child, (*path, child.label)) for child in node.children)


def _has_content(leaf: Tree, lang: str) -> bool:
    """Whether a word is neither a stop word nor, in English, one such as "make" or "other", which serves grammar."""
    if not is_word(leaf.words) or leaf.words.casefold().replace("’", "'") in stop_words(lang):
        return False
    return base(lang) != "en" or not lemmas(leaf.words) & LIGHT.get(leaf.label[:1], frozenset())


def no_phrase(tree: Tree, labels: tuple[str, ...]) -> str:
    """Why no phrase of these labels can be replaced."""
    present = sorted({node.label for node in tree.nodes() if node.children and node is not tree})
    return f"the tree has no phrase {' or '.join(labels)} with a content word; its phrases: {', '.join(present)}"


def unknown_labels(source: str, phrases: tuple[str, ...]) -> list[str]:
    """A note on labels that English trees do not have; the labels of other languages depend on the parser."""
    unknown = [label for label in phrases if label not in PENN]
    if base(source) != "en" or not unknown:
        return []
    return [
        f"English trees have no phrase {' or '.join(unknown)}, unless a --parser has labels of its own."
        f" Their labels: {', '.join(sorted(PENN))}"
    ]
