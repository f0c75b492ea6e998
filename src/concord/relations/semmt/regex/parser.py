"""Read a request about lines of text as a regular expression (the language of NL-RX, Locascio et al. 2016).

Phrases are looked up, a chart finds the ways to bracket them, weights say which is likeliest; no step is random.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from concord.arithmetic import exp_of
from concord.relations.semmt.regex.grammar import ChartItem, Sign, bracketings
from concord.relations.semmt.regex.meaning_tree import Meaning, depth, meaning, plain
from concord.relations.semmt.regex.phrases import QUOTED, RequestPhrase, cut
from concord.relations.semmt.regex.plain import PlainRequest, asked_freely
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
    a number or the like is left out: one that does not fit anywhere, or how many lines there are. `unknown` are the
    words that are skipped; `plain` says that it is read as people mean it, and not by the benchmark's logic.
    """

    regex: str | None
    confidence: float
    reading: str
    whole: bool = True
    unknown: tuple[str, ...] = ()
    plain: bool = False


@lru_cache(maxsize=2048)
def read(sentence: str, plain: bool | None = None) -> Reading:
    """The regular expression that a sentence asks for, in the benchmark's notation.

    A request in words that the benchmark does not have is read as people mean it: `lines which have 'bar'` are those
    that contain it. `plain` forces the one reading or the other.

    >>> read("lines with the string <M0> before a vowel").regex
    '( <M0> ) . * ( [ <VOW> ] ) . *'

    Quoted strings become literals, masks such as `<M0>` stay. The confidence is the probability of the reading among
    all readings, lowered for every word that is not understood. The logic is the benchmark's, habits included: "lines
    with X" are the lines that are X, and "not X and not Y" denies both at once. A request that names the lines again
    after an "or" ("lines with a vowel or lines with a digit") is as many requests. Of several readings, as of "lines
    ending with a vowel or a number, 3 or more times", it is the one of most requests of that form in the benchmark.
    """
    if plain or (plain is None and asked_freely(sentence)):
        request = PlainRequest(sentence)
        if request.regex:
            sure = _UNKNOWN ** min(len(request.skipped), _MOST_UNKNOWN)
            return Reading(request.regex, sure, " ".join(sentence.split()), unknown=tuple(request.skipped), plain=True)
    parts = _AGAIN.split(sentence)
    if 1 < len(parts) <= _MOST_PARTS and _LINES.match(parts[0]) and not _quotes(sentence):
        by_part = [_of_request(part.rstrip(" ,")) for part in parts]
        if all(reading.regex is not None for reading in by_part):
            return Reading(
                " | ".join(f"( {reading.regex} )" for reading in by_part),
                min(reading.confidence for reading in by_part),
                " or ".join(reading.reading for reading in by_part),
                all(reading.whole for reading in by_part),
                tuple(word for reading in by_part for word in reading.unknown),
            )
    return _of_request(sentence)


def _quotes(sentence: str) -> bool:
    """Whether there are quotation marks, in which an "or" may be meant literally."""
    return any(mask is None for mask, *_ in map(re.Match.groups, QUOTED.finditer(sentence)))


def _of_request(sentence: str) -> Reading:
    phrases, unknown, lines_counted = cut(sentence)
    trouble, items = _bracketed(tuple((phrase.kind, phrase.key) for phrase in phrases))
    if not items:
        return Reading(None, 0.0, trouble)
    likeliest = next((ranked for ranked in _ranked(items, phrases) if depth(ranked[0]) <= DEEPEST), None)
    if likeliest is None:
        return Reading(None, 0.0, f"it is nested more than {DEEPEST} deep")
    tree, sure, whole = likeliest
    understood = _UNKNOWN ** min(len(unknown), _MOST_UNKNOWN)
    return Reading(expression(tree), sure * understood, words(tree), whole and not lines_counted, tuple(unknown))


@lru_cache(maxsize=4096)
def _bracketed(signs: tuple[Sign, ...]) -> tuple[str, tuple[ChartItem, ...]]:
    """The bracketings of phrases, or why there are none; they are cached, because many sentences share theirs."""
    if not any(kind == "atom" for kind, _ in signs):
        return "there is nothing in it that a line could contain", ()
    if len(signs) > LONGEST:
        return f"it has more than {LONGEST} phrases", ()
    brackets = bracketings(signs, shipped(), beam=_BEAM) or bracketings(signs, shipped(), beam=_LOOSE_BEAM, repair=True)
    return "" if brackets else "its phrases do not fit together", tuple(brackets)


def _ranked(items: tuple[ChartItem, ...], phrases: list[RequestPhrase]) -> Iterator[tuple[Meaning, float, bool]]:
    """The meanings, most probable first, each with its probability and whether it has all claims of the request.

    A meaning has the sum of the probabilities of its bracketings.
    """
    shares: dict[Meaning, float] = {}
    first: dict[Meaning, tuple[Meaning, ChartItem]] = {}
    for item in items:
        tree = meaning(item, phrases)
        key = plain(tree)
        shares[key] = shares.get(key, 0.0) + exp_of(item.score - items[0].score)
        first.setdefault(key, (tree, item))
    total = sum(shares.values())
    for key in sorted(shares, key=lambda key: -shares[key]):
        tree, item = first[key]
        yield tree, shares[key] / total * _REPAIRED**item.repairs, not item.repairs or _whole(item, phrases)


def _whole(item: ChartItem, phrases: list[RequestPhrase]) -> bool:
    used = set(_heads(item))
    return all(index in used for index, phrase in enumerate(phrases) if phrase.kind in _CLAIMS or "not" in phrase.key)


def _heads(item: ChartItem) -> Iterator[int]:
    if item.rule != "beside":
        yield item.head
    for part in item.parts:
        yield from _heads(part)
