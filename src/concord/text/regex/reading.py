"""Read a request about lines of text as a regular expression (the language of NL-RX, Locascio et al. 2016).

Phrases are looked up, a chart finds the ways to bracket them, weights say which is likeliest; no step is random.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from concord.text.regex.equivalents import everyday, plain
from concord.text.regex.grammar import Item, Sign, bracketings
from concord.text.regex.meaning import Meaning, meaning
from concord.text.regex.phrases import Phrase, cut
from concord.text.regex.scoring import shipped
from concord.text.regex.writing import expression, words

LONGEST = 32
"""Phrases in a request; a longer text is no request about lines."""
_BEAM, _LOOSE_BEAM = 24, 4
_REPAIRED, _UNKNOWN, _MOST_UNKNOWN = 0.5, 0.8, 40
"""A repair halves the confidence, an unknown word lowers it by a fifth, up to so many words."""


class Reading(NamedTuple):
    """A request as an expression, how sure that is (0 to 1), and the reading in words.

    Where nothing can be read, `regex` is None, `confidence` 0, and `reading` says why.
    """

    regex: str | None
    confidence: float
    reading: str


def read(sentence: str, *, natural: bool = False) -> Reading:
    """The regular expression that a sentence asks for, in the benchmark's notation.

    >>> read("lines with the string <M0> before a vowel").regex
    '( <M0> ) . * ( [ <VOW> ] ) . *'

    Quoted strings become literals, masks such as `<M0>` stay. The confidence is the probability of the reading among
    all readings, lowered for every word that is not understood. The logic is the benchmark's, habits included:
    "lines with X" are the lines that are X; with `natural`, "containing X and Y" and "not X and not Y" mean what
    they mean every day.
    """
    return readings(sentence, most=1, natural=natural)[0]


def readings(sentence: str, *, most: int = 5, natural: bool = False) -> list[Reading]:
    """The likeliest readings of a sentence, the likeliest first, as `read` gives the first of them.

    Requests such as "lines ending with a vowel or a number, 3 or more times" can be meant in several ways. Readings
    that plainly come to the same count as one.
    """
    phrases, unknown = cut(sentence)
    trouble, items = _bracketed(tuple((phrase.kind, phrase.key) for phrase in phrases))
    if not items:
        return [Reading(None, 0.0, trouble)]
    known = _UNKNOWN ** min(len(unknown), _MOST_UNKNOWN)
    ranked = _ranked(items, phrases)[:most]
    told = [(everyday(found) if natural else found, sure * known) for found, sure in ranked]
    return [Reading(expression(found), sure, words(found)) for found, sure in told]


@lru_cache(maxsize=4096)
def _bracketed(signs: tuple[Sign, ...]) -> tuple[str, tuple[Item, ...]]:
    """The bracketings of phrases, or what is wrong with them; many sentences share theirs."""
    if not any(kind == "atom" for kind, _ in signs):
        return "there is nothing in it that a line could contain", ()
    if len(signs) > LONGEST:
        return f"it has more than {LONGEST} phrases", ()
    found = bracketings(signs, shipped(), beam=_BEAM) or bracketings(signs, shipped(), beam=_LOOSE_BEAM, repair=True)
    return "" if found else "its phrases do not fit together", tuple(found)


def _ranked(items: tuple[Item, ...], phrases: list[Phrase]) -> list[tuple[Meaning, float]]:
    """The meanings with their probabilities; a meaning has those of all its bracketings."""
    shares: dict[Meaning, float] = {}
    first: dict[Meaning, tuple[Meaning, int]] = {}
    for item in items:
        found = meaning(item, phrases)
        key = plain(found)
        shares[key] = shares.get(key, 0.0) + math.exp(item.score - items[0].score)
        first.setdefault(key, (found, item.repairs))
    total = sum(shares.values())
    order = sorted(shares, key=lambda key: -shares[key])
    return [(first[key][0], shares[key] / total * _REPAIRED ** first[key][1]) for key in order]
