"""Shallow trees from dependency relations: the words of a sentence, with noun phrases where nouns have dependents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation

NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
_OUTER = frozenset({"ADP", "CCONJ", "SCONJ", "PUNCT", "PART"})
"""Words at the ends of what depends on a noun that do not belong to its phrase: in *of the house*, the first.

Of a contraction such as German *zum* no part does.
"""


def phrase_tree(relations: Sequence[Relation], text: str) -> Tree:
    """The tree of a sentence, whose words have universal tags.

    A noun phrase is what depends on a noun, directly or not, beside it and without a gap. *the house near the old
    river* has *the old river* in it.
    """
    leaves = [relation.dependent for relation in relations]
    number = {id(leaf): index for index, leaf in enumerate(leaves)}
    below = _below([number[id(relation.head)] if relation.head else None for relation in relations])
    outer = {(leaf.start, leaf.end) for leaf in leaves if leaf.label in _OUTER}
    inner = [(leaf.start, leaf.end) not in outer for leaf in leaves]
    spans = {_phrase(index, below[index], inner) for index, leaf in enumerate(leaves) if leaf.label in NOUNS}
    return Tree("S", leaves[0].start, leaves[-1].end, _nested(0, len(leaves), spans, leaves, text), text)


def _below(heads: Sequence[int | None]) -> list[set[int]]:
    """For each word all that depend on it, directly or not, and itself."""
    below: defaultdict[int, set[int]] = defaultdict(set)
    for index in range(len(heads)):
        above: int | None = index
        while above is not None and index not in below[above]:  # relations of a broken answer may go in a circle
            below[above].add(index)
            above = heads[above]
    return [below[index] for index in range(len(heads))]


def _phrase(head: int, below: set[int], inner: Sequence[bool]) -> tuple[int, int]:
    """The first word of a noun's phrase, and the one after its last."""
    first = last = head
    while first - 1 in below:
        first -= 1
    while last + 1 in below:
        last += 1
    while first < head and not inner[first]:
        first += 1
    while last > head and not inner[last]:
        last -= 1
    return first, last + 1


def _nested(start: int, end: int, spans: set[tuple[int, int]], leaves: Sequence[Tree], text: str) -> tuple[Tree, ...]:
    """The words of a row, with those of each outermost span under a node."""
    children: list[Tree] = []
    while start < end:
        inside = [span for span in spans if span[0] == start and span[1] <= end]
        if not inside:
            children.append(leaves[start])
            start += 1
            continue
        widest = max(inside)
        words = _nested(*widest, spans - {widest}, leaves, text)
        children.append(Tree("NP", words[0].start, words[-1].end, words, text))
        start = widest[1]
    return tuple(children)
