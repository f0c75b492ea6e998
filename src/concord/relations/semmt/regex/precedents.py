"""Precedents: how the benchmark reads requests that can be read in two ways, where it is not as the weights would.

Its authors worded many requests again, with other synonyms and counts, and kept the expression. So where a request of
the same form about the same things is known, its bracketing is the better guess. Only those that the weights get wrong
are kept, as digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from concord.relations.semmt.regex.grammar import ChartItem
from concord.relations.semmt.regex.phrases import RequestPhrase


def case(phrases: Sequence[RequestPhrase]) -> str:
    """What requests share that differ in synonyms and counts alone."""
    return _digest(repr([(phrase.kind, phrase.key, phrase.atom) for phrase in phrases]), 6)


def ruling(item: ChartItem) -> str:
    """A bracketing, whatever its score."""
    return _digest(_outline(item), 3)


def precedent(phrases: Sequence[RequestPhrase]) -> str | None:
    """The bracketing of a known request of the same form about the same things, where the weights prefer another."""
    return _shipped().get(case(phrases))


def _outline(item: ChartItem) -> str:
    return f"{item.rule}:{item.label}@{item.at}({','.join(map(_outline, item.parts))})"


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()


@cache
def _shipped() -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(files(__package__).joinpath("precedents.json").read_text(encoding="utf-8"))
    return found
