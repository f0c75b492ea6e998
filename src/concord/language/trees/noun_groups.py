"""Noun phrases in shallow trees, whose sentences are chunks or words with universal tags.

A noun with its determiners, numbers and adjectives is a group. Groups joined by "of", as in *el norte de la isla*, are
a phrase, and so is every final part of it that begins with a group. Other prepositions may belong to the verb.
"""

import re

from concord.errors import UserError
from concord.language import word_set, word_tables
from concord.language.analysis import PARTS_OF_SPEECH
from concord.language.codes import base
from concord.language.trees import Tree

_LETTERS = {"DET": "d", "NUM": "d", "ADJ": "a", "NOUN": "n", "PROPN": "n", "X": "n"}
_GROUP = r"d*a*n+a*"
# Longer rows are lists of something else, and every end of a row is a phrase.
_ROW = re.compile(rf"{_GROUP}(?:p{_GROUP}){{0,7}}")


def grouped(tree: Tree, lang: str) -> Tree:
    """The tree with its noun phrases as nodes labelled `NP`, in place of its chunks."""
    sentences = tree.children if tree.label == "ROOT" else (tree,)
    prepositions = word_set(word_tables(__file__).get(base(lang), ""))
    with_phrases = tuple(_sentence(sentence, prepositions) for sentence in sentences)
    return Tree("ROOT", tree.start, tree.end, with_phrases, tree.text)


def phrased(tree: Tree, lang: str, labels: tuple[str, ...]) -> Tree:
    """The tree with phrases under the labels: as it is or, if it is shallow and has none, with noun phrases."""
    shallow = all(leaf.label in PARTS_OF_SPEECH for leaf in tree.leaves())
    if not shallow or any(node.label in labels for node in tree.nodes() if node.children):
        return tree
    if labels != ("NP",):
        raise UserError(
            f"a shallow tree of '{lang}' has noun phrases alone, not {', '.join(labels)}; choose phrases=NP"
        )
    return grouped(tree, lang)


def _sentence(sentence: Tree, prepositions: frozenset[str]) -> Tree:
    leaves = sentence.leaves()
    letters = "".join(_letter(leaf, prepositions) for leaf in leaves)
    children: list[Tree] = []
    end = 0
    for row in _ROW.finditer(letters):
        children += leaves[end : row.start()]
        children.append(_phrase(leaves[row.start() : row.end()], row[0]))
        end = row.end()
    return Tree(sentence.label, sentence.start, sentence.end, (*children, *leaves[end:]), sentence.text)


def _letter(leaf: Tree, prepositions: frozenset[str]) -> str:
    if leaf.label == "ADP" and leaf.words.casefold() in prepositions:
        return "p"
    return _LETTERS.get(leaf.label, " ")


def _phrase(leaves: list[Tree], letters: str) -> Tree:
    """The noun phrase of a row: the last group, within every longer end of the row."""
    cuts = [index for index, letter in enumerate(letters) if letter == "p"]
    starts, ends = [0, *(cut + 1 for cut in cuts)], [*cuts, len(letters)]
    groups = [_node(tuple(leaves[start:end])) for start, end in zip(starts, ends, strict=True)]
    whole = groups[-1]
    for group, cut in zip(reversed(groups[:-1]), reversed(cuts), strict=True):
        whole = _node((group, leaves[cut], whole))
    return whole


def _node(children: tuple[Tree, ...]) -> Tree:
    return Tree("NP", children[0].start, children[-1].end, children, children[0].text)
