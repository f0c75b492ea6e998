"""Similarity of the counts of dependency relations (He, Meister and Su, ICSE 2020; SemMT's DEP, Cao et al. 2021).

How often each kind of relation occurs in the two texts is compared: 1 − the sum of the differences / the number of
relations in both. `parser` makes the trees of the languages that it knows (`concord parsers`), the one that ships
those of English. A relation that has the service `depend` uses it instead, by `similarity_asked`, and shares its
batches with other checks.

Range [0, 1], higher is more alike; symmetric. Two blank texts have 1, a blank and a non-blank one 0.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

from concord.errors import ServiceError, UserError
from concord.language.parse._choice import parseable, parsers
from concord.language.plugin_choice import AUTO, cure
from concord.language.services import Depend
from concord.language.trees.dependencies import counts, relations
from concord.model import Text


def similarity(
    a: Text, b: Text, *, parser: Annotated[str, "Parsers that make the trees, of `concord parsers`."] = AUTO
) -> float:
    """How alike two texts are built, in [0, 1]; higher is more alike."""
    return similarity_many([(a, b)], parser=parser)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, parser: str = AUTO) -> list[float]:
    """`similarity` of every pair; each text is parsed once, and all of them together."""
    return _similarities(pairs, relation_counts(_texts_with_words(pairs), parser))


async def similarity_asked(pairs: Sequence[tuple[Text, Text]], depend: Depend) -> list[float]:
    """`similarity` of every pair, by the service `depend` of a run with its parser."""
    texts = _texts_with_words(pairs)
    return _similarities(pairs, dict(zip(texts, map(counts, await depend.each(texts)), strict=True)))


def _texts_with_words(pairs: Sequence[tuple[Text, Text]]) -> list[Text]:
    return list(dict.fromkeys(text for pair in pairs for text in pair if parseable(text).strip()))


def _similarities(pairs: Sequence[tuple[Text, Text]], relation_counts: Mapping[Text, Counter[str]]) -> list[float]:
    nothing: Counter[str] = Counter()
    return [_similarity(relation_counts.get(a, nothing), relation_counts.get(b, nothing)) for a, b in pairs]


def _similarity(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    return 1.0 - ((a - b).total() + (b - a).total()) / total if total else 1.0


def has_own_relations(lang: str, parser: str = AUTO) -> bool:
    """Whether the parser of a language has relations of its own, which need no head rules."""
    with parsers(parser) as choice:
        return hasattr(choice.find(lang), "depend")


def relation_counts(texts: Sequence[Text], parser: str = AUTO) -> dict[Text, Counter[str]]:
    """The counts of the parser's own relations if it has any, else of relations by head rules on its trees."""
    relation_counts: dict[Text, Counter[str]] = {}
    with parsers(parser) as choice:
        for lang in dict.fromkeys(text.lang for text in texts):
            plugin = choice.require(lang, "dependency:parser")
            batch, own = [text for text in texts if text.lang == lang], hasattr(plugin, "depend")
            if not own and plugin.kind == "shallow":
                raise UserError(
                    f"{plugin.id} gives '{lang}' shallow trees, from which no dependency relations can be read."
                    f" {cure('parsers', lang, 'dependency:parser', by_package=False)}"
                )
            for text, answer in zip(batch, plugin.depend(batch) if own else plugin.parse(batch), strict=True):
                if isinstance(answer, ServiceError):
                    raise answer
                relation_counts[text] = counts(answer if own else relations(answer))
    return relation_counts
