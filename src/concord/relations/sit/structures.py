"""The structural distance of two translations (SIT: He, Meister and Su, ICSE 2020).

By `relations` and `labels` it is the sum of the differences between the counts of the labels of dependency relations,
or of the phrases of a tree; by `characters` it is the edit distance of the texts. `auto` is the first of the three that
the parser of the target language has.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Levenshtein

from concord.errors import UserError
from concord.language.plugin_choice import cure
from concord.language.services import Depend, Parse
from concord.language.trees import ROOTS, Tree
from concord.language.trees.dependencies import counts, relations
from concord.language.trees.shallow import is_shallow
from concord.metrics.dependency import has_own_relations, relation_counts
from concord.metrics.tree_paths import trees_of
from concord.model import Text

Structure = Literal["auto", "relations", "labels", "characters"]
Features = Counter[str] | str
"""The features of a text by which structures are compared: how often each label occurs, or its characters."""


def distance(a: Features, b: Features) -> int:
    """The distance of two texts by their features; 0 for texts that are built alike.

    >>> distance(Counter(nsubj=1, obj=1, det=2), Counter(nsubj=1, obl=1, det=1))
    3
    """
    if isinstance(a, str) or isinstance(b, str):
        return Levenshtein.distance(str(a), str(b))
    return sum(abs(a[label] - b[label]) for label in a.keys() | b.keys())


def differing(a: Features, b: Features) -> dict[str, str]:
    """Every label whose counts differ, with the two counts."""
    if isinstance(a, str) or isinstance(b, str):
        return {}
    return {label: f"{a[label]} → {b[label]}" for label in sorted(a.keys() | b.keys()) if a[label] != b[label]}


async def features(structure: Structure, texts: Sequence[Text], parse: Parse, depend: Depend) -> list[Features]:
    """The features of texts in one language, by the services of a run."""
    if structure == "relations":
        return [counts(dependencies) for dependencies in await depend.each(texts)]
    if structure == "labels":
        return [labels(tree) for tree in await parse.each(texts)]
    return [text.words for text in texts]


def resolved(structure: Structure, lang: str, parse: Parse, depend: Depend) -> Structure:
    """The structure that `auto` means in a run; one that is named is refused if the language lacks it."""
    able = {"relations": depend.can, "labels": parse.can}
    if structure == "auto":
        return "relations" if depend.can(lang) else "labels" if parse.can(lang) else "characters"
    if structure in able and not able[structure](lang):
        raise UserError(_lacking(structure, lang))
    return structure


def embedded_features(structure: Structure, texts: Sequence[Text]) -> tuple[Structure, list[Features]]:
    """The features of texts without services, and the structure that `auto` means for them."""
    if structure == "characters":
        return structure, [text.words for text in texts]
    lang = texts[0].lang
    if structure != "labels" and has_own_relations(lang):
        counted = relation_counts(texts)
        return "relations", [counted[text] for text in texts]
    try:
        by_text = trees_of(texts)
    except UserError:
        if structure == "auto":
            return embedded_features("characters", texts)
        raise
    trees = [by_text.get(text) for text in texts]
    shallow = any(tree is not None and _shallow(tree) for tree in trees)
    if structure == "auto":
        structure = "labels" if shallow else "relations"
    if structure == "labels":
        return structure, [Counter() if tree is None else labels(tree) for tree in trees]
    if shallow:
        raise UserError(_lacking(structure, lang))
    return structure, [Counter() if tree is None else counts(relations(tree)) for tree in trees]


def labels(tree: Tree) -> Counter[str]:
    """How often each label of a phrase occurs, without those of words and of the root above the sentences."""
    return Counter(node.label for node in tree.nodes() if node.children and node.label not in ROOTS)


def _shallow(tree: Tree) -> bool:
    return all(is_shallow(sentence) for sentence in (tree.children if tree.label in ROOTS else (tree,)))


def _lacking(structure: Structure, lang: str) -> str:
    how = cure("parsers", lang, by_package=structure == "labels")
    return f"structure={structure} needs a parser for '{lang}' that gives these. {how}; or choose structure=auto"
