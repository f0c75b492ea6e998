"""StructureSimilarity (Zhong et al., Journal of Software 32(4), 2021): are two texts built alike, whatever their words?

The label paths from the root of a tree to its words (the words excluded) are taken as a set, P1 and P2:
1 − (|P1 − P2| / |P1| + |P2 − P1| / |P2|) / 2, the mean of what was lost and of what was added taken from 1.
`structure` compares trees; `similarity` parses two texts of one language first, with `parser` (`concord parsers`);
`auto` is the one that ships for English and Apertium's chunks for what its installed pairs translate from.

Range [0, 1], higher is more alike; symmetric. Two blank texts count as identical: 1, a blank text and another as 0.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from concord import plugins
from concord.errors import Missing, ServiceError, UserError
from concord.model import Text
from concord.text.languages import base
from concord.text.trees import Tree

Path = tuple[str, ...]
EMBEDDED = ("concord_en", "apertium")


@dataclass(frozen=True, slots=True)
class Structure:
    """Two trees compared: the paths that only the first has, those that only the second has, and the likeness."""

    lost: tuple[Path, ...]
    added: tuple[Path, ...]
    similarity: float


def structure(a: Tree, b: Tree) -> Structure:
    """How alike two trees are, both by one parser: full and shallow trees are not to be compared.

    >>> from concord.text.trees import read_brackets
    >>> structure(read_brackets("(S (NP (NN cats)) (VP (VB purr)))"), read_brackets("(S (NP (NN cats)))")).similarity
    0.75
    """
    ones, others = frozenset(a.paths()), frozenset(b.paths())
    if ones == others:
        return Structure((), (), 1.0)
    lost, added = ones - others, others - ones
    rate = len(lost) / len(ones) + len(added) / len(others)
    return Structure(tuple(sorted(lost)), tuple(sorted(added)), 1 - rate / 2)


def similarity(a: Text, b: Text, *, parser: str = "auto") -> float:
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
    trees = trees_of([text for pair in pairs if pair[0] != pair[1] for text in pair], parser=parser)
    return [1.0 if a == b else _alike(trees.get(a), trees.get(b)) for a, b in pairs]


def trees_of(texts: Sequence[Text], *, parser: str = "auto") -> dict[Text, Tree]:
    """The trees of all texts but blank ones; `close` ends the programs that a parser may have started."""
    found: dict[Text, Tree] = {}
    wanted = list(dict.fromkeys(text for text in texts if text.words.strip()))
    for lang in dict.fromkeys(text.lang for text in wanted):
        some = [text for text in wanted if text.lang == lang]
        for text, tree in zip(some, _knowing(parser, lang).parse(some), strict=True):
            if isinstance(tree, ServiceError):
                raise tree
            found[text] = tree
    return found


def close() -> None:
    """Give back what the parsers hold; the next comparison starts it again."""
    for parser in _MADE:
        getattr(parser, "close", lambda: None)()


def _alike(a: Tree | None, b: Tree | None) -> float:
    if a is None or b is None:
        return float(a is b)
    return structure(a, b).similarity


def _knowing(parser: str, lang: str) -> Any:
    """The parser that was chosen, or the first of the embedded ones that knows the language."""
    knowing = [each for each in map(_made, EMBEDDED if parser == "auto" else (parser,)) if _knows(each, lang)]
    if knowing:
        return knowing[0]
    who = "none of the embedded parsers" if parser == "auto" else f"not the parser {parser}"
    others = ", ".join(name for name in plugins.names("parsers") if name not in EMBEDDED)
    raise UserError(
        f"{who} can parse texts in '{lang}'. Install an Apertium pair that translates from '{lang}', or choose a parser"
        f" that knows it, of: {others}; as a metric: tree_paths:parser=stanza"
    )


def _knows(parser: Any, lang: str) -> bool:
    known = parser.languages() if parser is not None else ()
    return known is None or bool({lang, base(lang)} & set(known))


_MADE: list[Any] = []


@cache
def _made(text: str) -> Any:
    """A parser, or None for an embedded one that cannot be made here."""
    chosen = plugins.parse("parsers", text)
    arguments = {"argument": chosen.argument} if chosen.argument else {}
    try:
        parser = cast(Any, plugins.entry("parsers", chosen.name))(**arguments, **chosen.options)
    except Missing:
        if text in EMBEDDED:
            return None
        raise
    if not _MADE:
        atexit.register(close)
    _MADE.append(parser)
    return parser
