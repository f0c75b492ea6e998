"""StructureSimilarity (Zhong et al., Journal of Software 32(4), 2021): are two texts built alike, whatever their words?

P1 and P2 are the sets of label paths from the root of each tree to its words (without the words); the similarity is 1 −
(|P1 − P2| / |P1| + |P2 − P1| / |P2|) / 2, that is 1 minus the mean proportion of lost and of added paths. `structure`
compares trees; `similarity` first parses two texts of one language with `parser` (`concord parsers`); `auto` is the
embedded parser for English, and Apertium's chunks for the source languages of its installed pairs.

Range [0, 1], higher is more alike; symmetric. Two blank texts have 1, a blank and a non-blank one 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from concord.errors import ServiceError, UserError
from concord.language.codes import base
from concord.language.parse._choice import parseable, parsers
from concord.language.trees import Tree
from concord.model import Text

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """Two trees compared: the paths that only the first has, those that only the second has, and the similarity."""

    lost: tuple[Path, ...]
    added: tuple[Path, ...]
    similarity: float


def structure(a: Tree | None, b: Tree | None) -> TreeComparison:
    """The similarity of two trees by the same parser; full and shallow trees must not be compared.

    None is the tree of a blank text, which is identical to another blank text only.

    >>> from concord.language.trees import read_brackets
    >>> structure(read_brackets("(S (NP (NN cats)) (VP (VB purr)))"), read_brackets("(S (NP (NN cats)))")).similarity
    0.75
    """
    paths_a, paths_b = (frozenset(() if tree is None else tree.paths()) for tree in (a, b))
    if paths_a == paths_b:
        return TreeComparison((), (), 1.0)
    lost, added = paths_a - paths_b, paths_b - paths_a
    rate = len(lost) / len(paths_a) + len(added) / len(paths_b) if paths_a and paths_b else 2.0
    return TreeComparison(tuple(sorted(lost)), tuple(sorted(added)), 1 - rate / 2)


def similarity(
    a: Text, b: Text, *, parser: Annotated[str, "Parsers that make the trees, of `concord parsers`."] = "auto"
) -> float:
    """How alike two texts of one language are built, in [0, 1]; higher is more alike."""
    return similarity_many([(a, b)], parser=parser)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, parser: str = "auto") -> list[float]:
    """`similarity` of every pair; each text is parsed once, and all of a language together."""
    mixed = next(((a, b) for a, b in pairs if base(a.lang) != base(b.lang)), None)
    if mixed:
        raise UserError(
            f"tree_paths compares texts of one language, not '{mixed[0].lang}' with '{mixed[1].lang}':"
            " trees of two languages have different labels"
        )
    trees = trees_of(
        [text for pair in pairs if pair[0] != pair[1] for text in pair], parser=parser, option="tree_paths:parser"
    )
    return [1.0 if a == b else structure(trees.get(a), trees.get(b)).similarity for a, b in pairs]


def can_parse(lang: str, *, parser: str = "auto") -> bool:
    """Whether a parser for the language is installed."""
    with parsers(parser) as choice:
        return choice.find(lang) is not None


def trees_of(texts: Sequence[Text], *, parser: str = "auto", option: str = "") -> dict[Text, Tree]:
    """The trees of all texts but blank ones."""
    trees: dict[Text, Tree] = {}
    distinct = list(dict.fromkeys(text for text in texts if parseable(text).strip()))
    with parsers(parser) as choice:
        for lang in dict.fromkeys(text.lang for text in distinct):
            batch = [text for text in distinct if text.lang == lang]
            for text, tree in zip(batch, choice.require(lang, option).parse(batch), strict=True):
                if isinstance(tree, ServiceError):
                    raise tree
                trees[text] = tree
    return trees
