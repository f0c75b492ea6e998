"""Likeness of dependency relations (He, Meister and Su, ICSE 2020; as SemMT's DEP, Cao et al. 2021): built alike?

How often each kind of relation occurs in the two texts is compared: 1 − the sum of the differences / the number of
relations in both. `parser` makes the trees (`concord parsers`); by default the one that ships, for English. A relation
that was given the service `depend` has it asked instead, by `similarity_asked`, together with other checks.

Range [0, 1], higher is more alike; symmetric. Two blank texts count as identical: 1, a blank text and another as 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from concord import plugins
from concord.errors import ServiceError, UserError
from concord.model import Text
from concord.text.depend import Relation, counts, relations
from concord.text.languages import base


class Depend(Protocol):
    """The service `depend`, as far as it is needed here."""

    async def each(self, xs: Sequence[Text]) -> list[list[Relation]]: ...


def similarity(a: Text, b: Text, *, parser: str = "concord_en") -> float:
    """How alike two texts are built, in [0, 1]; higher is more alike."""
    return similarity_many([(a, b)], parser=parser)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, parser: str = "concord_en") -> list[float]:
    """`similarity` of every pair; each text is parsed once, and all of them together."""
    texts = _worded(pairs)
    return _between(pairs, dict(zip(texts, _relations(parser, texts), strict=True)))


async def similarity_asked(pairs: Sequence[tuple[Text, Text]], depend: Depend) -> list[float]:
    """`similarity` of every pair, by the service `depend` of a run and the parser that was chosen for it."""
    texts = _worded(pairs)
    return _between(pairs, dict(zip(texts, map(counts, await depend.each(texts)), strict=True)))


def _worded(pairs: Sequence[tuple[Text, Text]]) -> list[Text]:
    return list(dict.fromkeys(text for pair in pairs for text in pair if text.words.strip()))


def _between(pairs: Sequence[tuple[Text, Text]], found: Mapping[Text, Counter[str]]) -> list[float]:
    nothing: Counter[str] = Counter()
    return [_alike(found.get(a, nothing), found.get(b, nothing)) for a, b in pairs]


def _alike(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 1.0 - ((one - other).total() + (other - one).total()) / total if total else 1.0


def _relations(parser: str, texts: list[Text]) -> list[Counter[str]]:
    if not texts:
        return []
    chosen = _parser(parser)
    _check_known(chosen, {text.lang for text in texts})
    own = hasattr(chosen, "depend")
    made = []
    for answer in chosen.depend(texts) if own else chosen.parse(texts):
        if isinstance(answer, ServiceError):
            raise answer
        made.append(counts(answer if own else relations(answer)))
    return made


def _check_known(parser: Any, langs: set[str]) -> None:
    known = parser.languages()
    unknown = sorted(lang for lang in langs if known is not None and base(lang) not in known)
    if unknown:
        raise UserError(
            f"the parser {parser.id} cannot parse texts in '{unknown[0]}'. It knows: {', '.join(sorted(known))}. "
            "Choose one that does, such as dependency:parser=stanza"
        )


@cache
def _parser(text: str) -> Any:
    chosen = plugins.parse("parsers", text)
    arguments = {"argument": chosen.argument} if chosen.argument else {}
    return cast(Any, plugins.entry("parsers", chosen.name))(**arguments, **chosen.options)
