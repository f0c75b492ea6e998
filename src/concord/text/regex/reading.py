"""Read a request about lines of text as a regular expression (the language of NL-RX, Locascio et al. 2016).

Phrases are looked up, a chart finds the ways to bracket them, weights say which is likeliest; no step is random.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from concord.text.regex.equivalents import plain
from concord.text.regex.grammar import Item, Sign, bracketings
from concord.text.regex.meaning import Meaning, depth, meaning
from concord.text.regex.phrases import Phrase, cut
from concord.text.regex.scoring import shipped
from concord.text.regex.writing import expression, words

LONGEST = 32
"""Phrases in a request; a longer text is no request about lines."""
DEEPEST = 12
"""Levels of a request; nobody asks for more, and expressions may not be nested without end."""
_BEAM, _LOOSE_BEAM = 24, 4
_CLAIMS = frozenset({"not", "but", "only", "or", "count", "bound"})
_REPAIRED, _UNKNOWN, _MOST_UNKNOWN = 0.5, 0.8, 40
"""A repair halves the confidence, an unknown word lowers it by a fifth, up to so many words."""


class Reading(NamedTuple):
    """A request as an expression, how sure that is (0 to 1), and the reading in words.

    Where nothing can be read, `regex` is None, `confidence` 0, and `reading` says why. `whole` is False if a negation,
    a number or the like is left out: one that does not fit anywhere, or how many lines there are.
    """

    regex: str | None
    confidence: float
    reading: str
    whole: bool = True


def read(sentence: str) -> Reading:
    """The regular expression that a sentence asks for, in the benchmark's notation.

    >>> read("lines with the string <M0> before a vowel").regex
    '( <M0> ) . * ( [ <VOW> ] ) . *'

    Quoted strings become literals, masks such as `<M0>` stay. The confidence is the probability of the reading among
    all readings, lowered for every word that is not understood. The logic is the benchmark's, habits included:
    "lines with X" are the lines that are X, and "not X and not Y" denies both at once.
    """
    return readings(sentence, most=1)[0]


def readings(sentence: str, *, most: int = 5) -> list[Reading]:
    """The likeliest readings of a sentence, the likeliest first, as `read` gives the first of them.

    Requests such as "lines ending with a vowel or a number, 3 or more times" can be meant in several ways. Readings
    that plainly come to the same count as one.
    """
    phrases, unknown, lines_counted = cut(sentence)
    trouble, items = _bracketed(tuple((phrase.kind, phrase.key) for phrase in phrases))
    if not items:
        return [Reading(None, 0.0, trouble)]
    known = _UNKNOWN ** min(len(unknown), _MOST_UNKNOWN)
    ranked = [each for each in _ranked(items, phrases) if depth(each[0]) <= DEEPEST][:most]
    if not ranked:
        return [Reading(None, 0.0, f"it is nested more than {DEEPEST} deep")]
    return [
        Reading(expression(found), sure * known, words(found), whole and not lines_counted)
        for found, sure, whole in ranked
    ]


@lru_cache(maxsize=4096)
def _bracketed(signs: tuple[Sign, ...]) -> tuple[str, tuple[Item, ...]]:
    """The bracketings of phrases, or what is wrong with them; many sentences share theirs."""
    if not any(kind == "atom" for kind, _ in signs):
        return "there is nothing in it that a line could contain", ()
    if len(signs) > LONGEST:
        return f"it has more than {LONGEST} phrases", ()
    found = bracketings(signs, shipped(), beam=_BEAM) or bracketings(signs, shipped(), beam=_LOOSE_BEAM, repair=True)
    return "" if found else "its phrases do not fit together", tuple(found)


def _ranked(items: tuple[Item, ...], phrases: list[Phrase]) -> list[tuple[Meaning, float, bool]]:
    """The meanings with their probabilities, and whether all that they claim is in them.

    A meaning has the probabilities of all its bracketings.
    """
    shares: dict[Meaning, float] = {}
    first: dict[Meaning, tuple[Meaning, Item]] = {}
    for item in items:
        found = meaning(item, phrases)
        key = plain(found)
        shares[key] = shares.get(key, 0.0) + math.exp(item.score - items[0].score)
        first.setdefault(key, (found, item))
    total = sum(shares.values())
    order = sorted(shares, key=lambda key: -shares[key])
    made = []
    for key in order:
        found, item = first[key]
        made.append((found, shares[key] / total * _REPAIRED**item.repairs, not item.repairs or _whole(item, phrases)))
    return made


def _whole(item: Item, phrases: list[Phrase]) -> bool:
    used = set(_places(item))
    return all(at in used for at, phrase in enumerate(phrases) if phrase.kind in _CLAIMS or "not" in phrase.key)


def _places(item: Item) -> Iterator[int]:
    if item.rule != "beside":
        yield item.at
    for part in item.parts:
        yield from _places(part)
