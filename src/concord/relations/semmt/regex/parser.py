"""Read a request about lines of text as a regular expression (the language of NL-RX, Locascio et al. 2016).

Phrases are looked up, a chart finds the ways to bracket them, weights say which is likeliest; no step is random.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import product
from typing import NamedTuple

from concord.arithmetic import exp_of
from concord.relations.semmt.regex.grammar import ChartItem, Sign, bracketings
from concord.relations.semmt.regex.meaning_tree import Meaning, depth, meaning, plain
from concord.relations.semmt.regex.phrases import QUOTED, RequestPhrase, cut
from concord.relations.semmt.regex.precedents import precedent, ruling
from concord.relations.semmt.regex.weights import shipped
from concord.relations.semmt.regex.writer import expression, words

LONGEST = 32
"""The most phrases of a request; a longer text is no request about lines."""
DEEPEST = 12
"""The most levels of a request; nobody asks for more, and expressions may not be nested without limit."""
_BEAM, _LOOSE_BEAM = 24, 4
_CLAIMS = frozenset({"not", "but", "only", "or", "count", "bound"})
_REPAIRED, _UNKNOWN, _MOST_UNKNOWN = 0.5, 0.8, 40
"""A repair halves the confidence; each unknown word, up to the last number, lowers it by a fifth."""
_RULED = 0.7
"""The proportion of unseen requests in which a precedent is right where the weights prefer another reading."""
_MOST_PARTS = 8
_LINES = re.compile(r"\W*(?:all |the |show me |find |match |give me ){0,3}(?:lines|rows|strings|sentences)\b", re.I)
_AGAIN = re.compile(
    r"(?<=\s)or\s+(?=(?:lines|rows|strings|sentences)\s+"
    r"(?:with|without|not|that|which|having|containing|starting|beginning|ending)\b)",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """A request as an expression, how sure that is (0 to 1), and the reading in words.

    Where nothing can be read, `regex` is None, `confidence` 0, and `reading` says why. `whole` is False if a negation,
    a number or the like is left out: one that does not fit anywhere, or how many lines there are.
    """

    regex: str | None
    confidence: float
    reading: str
    whole: bool = True


def read(sentence: str, *, by_precedent: bool = True) -> Reading:
    """The regular expression that a sentence asks for, in the benchmark's notation.

    >>> read("lines with the string <M0> before a vowel").regex
    '( <M0> ) . * ( [ <VOW> ] ) . *'

    Quoted strings become literals, masks such as `<M0>` stay. The confidence is the probability of the reading among
    all readings, lowered for every word that is not understood. The logic is the benchmark's, habits included: "lines
    with X" are the lines that are X, and "not X and not Y" denies both at once. A request that names the lines again
    after an "or" ("lines with a vowel or lines with a digit") is as many requests. What can be read in two ways is read
    as the benchmark reads similar requests or, with `by_precedent` false, as it reads most requests of that form.
    """
    return readings(sentence, most=1, by_precedent=by_precedent)[0]


def readings(sentence: str, *, most: int = 5, by_precedent: bool = True) -> list[Reading]:
    """The likeliest readings of a sentence, the likeliest first, as `read` gives the first of them.

    Requests such as "lines ending with a vowel or a number, 3 or more times" can be meant in several ways. Readings
    that plainly mean the same count as one.
    """
    parts = _AGAIN.split(sentence)
    if 1 < len(parts) <= _MOST_PARTS and _LINES.match(parts[0]) and not _quotes(sentence):
        by_part = [_of_request(part.rstrip(" ,"), most, by_precedent) for part in parts]
        if all(several[0].regex is not None for several in by_part):
            return _alternatives(by_part, most)
    return _of_request(sentence, most, by_precedent)


def _quotes(sentence: str) -> bool:
    """Whether there are quotation marks, in which an "or" may be meant literally."""
    return any(mask is None for mask, *_ in map(re.Match.groups, QUOTED.finditer(sentence)))


def _alternatives(by_part: Sequence[list[Reading]], most: int) -> list[Reading]:
    """The likeliest readings of several requests joined by "or"."""
    alone = [[reading._replace(regex=f"( {reading.regex} )") for reading in several] for several in by_part]

    def joined(left_readings: list[Reading], right_readings: list[Reading]) -> list[Reading]:
        pairs = [
            Reading(
                f"{left.regex} | {right.regex}",
                min(left.confidence, right.confidence),
                f"{left.reading} or {right.reading}",
                left.whole and right.whole,
            )
            for left, right in product(left_readings, right_readings)
        ]
        return sorted(pairs, key=lambda pair: -pair.confidence)[:most]

    return reduce(joined, alone)


def _of_request(sentence: str, most: int, by_precedent: bool) -> list[Reading]:
    phrases, unknown, lines_counted = cut(sentence)
    trouble, items = _bracketed(tuple((phrase.kind, phrase.key) for phrase in phrases))
    if not items:
        return [Reading(None, 0.0, trouble)]
    understood = _UNKNOWN ** min(len(unknown), _MOST_UNKNOWN)
    ruling_known = precedent(phrases) if by_precedent else None
    ranked = [reading for reading in _ranked(items, phrases, ruling_known) if depth(reading[0]) <= DEEPEST][:most]
    if not ranked:
        return [Reading(None, 0.0, f"it is nested more than {DEEPEST} deep")]
    return [
        Reading(expression(tree), sure * understood, words(tree), whole and not lines_counted)
        for tree, sure, whole in ranked
    ]


@lru_cache(maxsize=4096)
def _bracketed(signs: tuple[Sign, ...]) -> tuple[str, tuple[ChartItem, ...]]:
    """The bracketings of phrases, or why there are none; they are cached, because many sentences share theirs."""
    if not any(kind == "atom" for kind, _ in signs):
        return "there is nothing in it that a line could contain", ()
    if len(signs) > LONGEST:
        return f"it has more than {LONGEST} phrases", ()
    brackets = bracketings(signs, shipped(), beam=_BEAM) or bracketings(signs, shipped(), beam=_LOOSE_BEAM, repair=True)
    return "" if brackets else "its phrases do not fit together", tuple(brackets)


def _ranked(
    items: tuple[ChartItem, ...], phrases: list[RequestPhrase], known_ruling: str | None
) -> list[tuple[Meaning, float, bool]]:
    """The meanings, most probable first, each with its probability and whether it has all claims of the request.

    A meaning has the sum of the probabilities of its bracketings; with `known_ruling` among them, at least `_RULED`.
    """
    shares: dict[Meaning, float] = {}
    first: dict[Meaning, tuple[Meaning, ChartItem]] = {}
    ruled = None
    for item in items:
        tree = meaning(item, phrases)
        key = plain(tree)
        shares[key] = shares.get(key, 0.0) + exp_of(item.score - items[0].score)
        first.setdefault(key, (tree, item))
        if known_ruling is not None and ruling(item) == known_ruling:
            ruled = key
    if ruled is not None:
        shares[ruled] = max(shares[ruled], (sum(shares.values()) - shares[ruled]) * _RULED / (1 - _RULED))
    total = sum(shares.values())
    order = sorted(shares, key=lambda key: -shares[key])
    ranked = []
    for key in order:
        tree, item = first[key]
        ranked.append((tree, shares[key] / total * _REPAIRED**item.repairs, not item.repairs or _whole(item, phrases)))
    return ranked


def _whole(item: ChartItem, phrases: list[RequestPhrase]) -> bool:
    used = set(_heads(item))
    return all(index in used for index, phrase in enumerate(phrases) if phrase.kind in _CLAIMS or "not" in phrase.key)


def _heads(item: ChartItem) -> Iterator[int]:
    if item.rule != "beside":
        yield item.head
    for part in item.parts:
        yield from _heads(part)
