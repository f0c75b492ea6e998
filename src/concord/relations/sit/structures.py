"""How differently two translations are built (SIT: He, Meister and Su, ICSE 2020): counts of what they are made of.

`relations` are the labels of dependency relations, `labels` those of the phrases of a tree; the distance is the sum of
the differences of their counts. `characters` are those of the texts, and the distance is their edits. `auto` is the
first of the three that the target's parser can give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Levenshtein

from concord.errors import UserError
from concord.language.codes import base
from concord.language.services import Depend, Parse
from concord.language.trees import ROOTS, Tree
from concord.language.trees.dependencies import counts, relations
from concord.language.trees.shallow import is_shallow
from concord.metrics.tree_paths import trees_of
from concord.model import Text

Structure = Literal["auto", "relations", "labels", "characters"]
Made = Counter[str] | str
"""What a text is made of: how often each label occurs, or its characters."""


def distance(one: Made, other: Made) -> int:
    """The distance of two structures; 0 if they are equal.

    >>> distance(Counter(nsubj=1, obj=1, det=2), Counter(nsubj=1, obl=1, det=1))
    3
    """
    if isinstance(one, str) or isinstance(other, str):
        return Levenshtein.distance(str(one), str(other))
    return sum(abs(one[label] - other[label]) for label in one.keys() | other.keys())


def differing(one: Made, other: Made) -> dict[str, str]:
    """Every label that does not occur as often in both, with the two counts."""
    if isinstance(one, str) or isinstance(other, str):
        return {}
    return {
        label: f"{one[label]} → {other[label]}"
        for label in sorted(one.keys() | other.keys())
        if one[label] != other[label]
    }


async def built(structure: Structure, texts: Sequence[Text], parse: Parse, depend: Depend) -> list[Made]:
    """What each text is made of, by the services of a run; all texts are in one language."""
    if structure == "relations":
        return [counts(each) for each in await depend.each(texts)]
    if structure == "labels":
        return [labels(each) for each in await parse.each(texts)]
    return [text.words for text in texts]


def chosen(structure: Structure, lang: str, parse: Parse, depend: Depend) -> Structure:
    """What `auto` comes to in a run; what was chosen by name must be there."""
    able = {"relations": depend.can, "labels": parse.can}
    if structure == "auto":
        return "relations" if depend.can(lang) else "labels" if parse.can(lang) else "characters"
    if structure in able and not able[structure](lang):
        raise UserError(_lacking(structure, lang))
    return structure


def built_here(structure: Structure, texts: Sequence[Text]) -> tuple[Structure, list[Made]]:
    """The same without services, by the embedded parsers, and what `auto` came to."""
    if structure == "characters":
        return structure, [text.words for text in texts]
    try:
        trees = trees_of(texts)
    except UserError:
        if structure == "auto":
            return built_here("characters", texts)
        raise
    found = [trees.get(text) for text in texts]
    if structure == "auto":
        structure = "labels" if any(tree is not None and _shallow(tree) for tree in found) else "relations"
    if structure == "labels":
        return structure, [Counter() if tree is None else labels(tree) for tree in found]
    if any(tree is not None and _shallow(tree) for tree in found):
        raise UserError(_lacking(structure, texts[0].lang))
    return structure, [Counter() if tree is None else counts(relations(tree)) for tree in found]


def labels(tree: Tree) -> Counter[str]:
    """How often each label of a phrase occurs; words and the root above the sentences are none."""
    return Counter(node.label for node in tree.nodes() if node.children and node.label not in ROOTS)


def _shallow(tree: Tree) -> bool:
    return all(is_shallow(sentence) for sentence in (tree.children if tree.label in ROOTS else (tree,)))


def _lacking(structure: Structure, lang: str) -> str:
    return (
        f"structure={structure} needs a parser that can give that for '{lang}'. Choose one, such as"
        f" --parser stanza,lang={base(lang)}, or another structure: auto, labels, characters"
    )
