"""Precedents: how the benchmark reads ambiguous requests for which the weights prefer another reading.

The benchmark's authors reworded many requests with other synonyms and counts, and kept the expression. So where a
request of the same form about the same things is known, its bracketing is the better guess. Only the requests that the
weights get wrong are stored, as digests.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache

from concord.relations.semmt.regex.grammar import ChartItem
from concord.relations.semmt.regex.phrases import RequestPhrase
from concord.relations.semmt.tables import read_table


def request_key(phrases: Sequence[RequestPhrase]) -> str:
    """The digest that requests share if they differ only in synonyms and counts."""
    return _digest(repr([(phrase.kind, phrase.key, phrase.atom) for phrase in phrases]), 6)


def ruling(item: ChartItem) -> str:
    """The digest of a bracketing, whatever its score."""
    return _digest(_outline(item), 3)


def precedent(phrases: Sequence[RequestPhrase]) -> str | None:
    """The bracketing of a known request of the same form about the same things, where the weights prefer another."""
    return _shipped().get(request_key(phrases))


def _outline(item: ChartItem) -> str:
    return f"{item.rule}:{item.label}@{item.head}({','.join(map(_outline, item.parts))})"


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()


@cache
def _shipped() -> Mapping[str, str]:
    rulings: Mapping[str, str] = read_table(__package__, "precedents.json")
    return rulings
