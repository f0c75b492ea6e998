"""Likeness of dependency relations (He, Meister and Su, ICSE 2020; as SemMT's DEP, Cao et al. 2021): built alike?

How often each kind of relation occurs in the two texts is compared: 1 − the sum of the differences / the number of
relations in both. `parser` makes the trees (`concord parsers`); by default the one that ships, for English. A relation
that was given the service `depend` has it asked instead, by `similarity_asked`, together with other checks.

Range [0, 1], higher is more alike; symmetric. Two blank texts count as identical: 1, a blank text and another as 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from concord.errors import ServiceError
from concord.language.parse._choice import parsers
from concord.language.services import Depend
from concord.language.trees.dependencies import counts, relations
from concord.model import Text


def similarity(a: Text, b: Text, *, parser: str = "concord_en") -> float:
    """How alike two texts are built, in [0, 1]; higher is more alike."""
    return similarity_many([(a, b)], parser=parser)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, parser: str = "concord_en") -> list[float]:
    """`similarity` of every pair; each text is parsed once, and all of them together."""
    return _between(pairs, _relations(parser, _worded(pairs)))


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


def _relations(parser: str, texts: list[Text]) -> dict[Text, Counter[str]]:
    """By the parser's own relations where it has some, else by head rules on its trees."""
    made: dict[Text, Counter[str]] = {}
    with parsers(parser) as choice:
        for lang in dict.fromkeys(text.lang for text in texts):
            chosen = choice.require(lang, "dependency:parser=NAME")
            some, own = [text for text in texts if text.lang == lang], hasattr(chosen, "depend")
            for text, answer in zip(some, chosen.depend(some) if own else chosen.parse(some), strict=True):
                if isinstance(answer, ServiceError):
                    raise answer
                made[text] = counts(answer if own else relations(answer))
    return made
