"""What two sentences claim, as expressions over common symbols (Cao et al. 2021, SemMT, section 3.3).

A sentence that asks for lines of text ("lines with at least 3 numbers") is read in the language of the regex
benchmarks. In any other sentence, symbols replace what it speaks of. The first sentence decides which reader is used;
the second is read in the same way if that is possible.

`plural="strict"` reads a plural as two or more, unless it is counted ("letters, 5 or more times") or denied ("without
letters"). `plural="ignore"` reads it as a singular.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from concord.language.codes import base
from concord.relations.semmt.logic import Abstraction, Finding, abstract, align, find
from concord.relations.semmt.logic.alignment import Plural
from concord.relations.semmt.logic.english import COLLECTIONS
from concord.relations.semmt.logic.formula import DEEPEST, Formula
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.logic.quantifier_spans import LANGUAGE, check_language
from concord.relations.semmt.logic.stretches import MOST_ITEMS
from concord.relations.semmt.logic.words import Words
from concord.relations.semmt.regex import Reading, read
from concord.relations.semmt.regex.phrases import QUOTED

TOO_LONG = (
    f"too complex: a sentence has more than {MOST_ITEMS} quantifiers, logical words, commas and phrases, or claims "
    f"that are nested more than {DEEPEST} deep"
)
"""The reason for refusing a sentence that is not read whole."""

_CERTAIN, _SURE, _SURE_ENOUGH = 0.6, 0.3, 0.1
"""The least confidence in a request that does not name lines, in one that does, and in a back-translation of one.

Ordinary sentences that quote somebody reach 0.51.
"""
_BEGINNING = 200
"""The number of characters within which a request names lines, strings or words."""
_MASK = re.compile(r"<[Mm](\d{1,3})>")
_MOST_PLURALS = 40
_PLURAL = re.compile(
    r"\b((?:(?:upper|lower)[ -]?case |capital(?:i[sz]ed)? |small |numeric(?:al)? |alphabet(?:ic(?:al)?)? |digit )?"
    r"(?:letter|vowel|number|digit|character|capital|numeral|symbol))s\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\( (\[ <[A-Z]+> \]|<M\d+>|\.) \)")
_COUNTS = frozenset("{+*")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a sentence says: its expression, the reading of it in words, and how sure that reading is (0 to 1)."""

    regex: str
    reading: str
    confidence: float
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """Two sentences over common symbols; `symbols` gives the words of each symbol on both sides.

    In ordinary text the expressions are written from `formulas`, and `partial` says that a sentence is too long or too
    nested to be read whole.
    """

    read_as: Literal["lines", "text"]
    left: Claims
    right: Claims
    symbols: dict[str, tuple[str, str]] = field(default_factory=dict)
    formulas: tuple[Formula | None, Formula | None] = (None, None)
    partial: bool = False


def knows(lang: str) -> bool:
    """Whether the quantifiers and the logic of a language are known."""
    return base(lang) == LANGUAGE


def claims_anything(text: str, *, lang: str = "en") -> bool:
    """Whether a sentence has a quantifier or a logical relation that an expression can represent."""
    return _asks_for_lines(text, lang) or _abstracted(text, lang, "range").confidence > 0


def claim_pair(
    left: str, right: str, *, lang: str = "en", plural: Plural = "ignore", approximation: Approximation = "range"
) -> ClaimPair:
    """The expressions of two sentences.

    >>> pair = claim_pair("At least 3 dogs barked.", "At most 3 dogs barked.")
    >>> pair.left.regex, pair.right.regex
    ('X{3,}', 'X{0,3}')
    """
    if _asks_for_lines(left, lang):
        left_request = _read(left, plural)
        right_request = _read(right, plural, plain=left_request.plain)
        sure = right_request.confidence >= _SURE_ENOUGH and _understood(right_request, right, lang)
        if left_request.regex and right_request.regex and sure:
            return ClaimPair("lines", _claims(left_request), _claims(right_request))
    sides = _abstracted(left, lang, approximation), _abstracted(right, lang, approximation)
    aligned = align(*sides, plural=plural)
    claims = [
        Claims(regex, reading, side.confidence, side.approximate)
        for regex, reading, side in zip((aligned.left, aligned.right), aligned.readings, sides, strict=True)
    ]
    partial = any(side.partial for side in sides)
    return ClaimPair("text", claims[0], claims[1], aligned.symbols, aligned.formulas, partial)


def claims_of(text: str, *, lang: str = "en") -> Claims | Reading | None:
    """What one sentence claims, in the benchmark's notation if it asks for lines; None if nothing can be read.

    Of a sentence that is too long to be read whole, it is a `Reading` that says so and has no expression.
    """
    request = read(text)
    sure = request.confidence >= _CERTAIN or _is_about_lines(text, lang)
    if request.regex and sure and _understood(request, text, lang):
        return Claims(request.regex, request.reading, round(request.confidence, 3))
    abstraction = _abstracted(text, lang, "range")
    if abstraction.partial:
        return Reading(None, 0.0, TOO_LONG, whole=False)
    if not abstraction.confidence:
        return None
    return Claims(abstraction.regex, abstraction.sentence, abstraction.confidence, abstraction.approximate)


def differing(left: Sequence[Finding], right: Sequence[Finding]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The spans of the quantifiers and logical relations that the other sentence does not have."""
    left_keys, right_keys = Counter(map(_claim_key, left)), Counter(map(_claim_key, right))
    return _extra(left, left_keys - right_keys), _extra(right, right_keys - left_keys)


def _claim_key(finding: Finding) -> tuple[object, ...]:
    # "3" and "exactly 3" say the same; so do all that have the same bounds.
    return (finding.kind,) if finding.unit is None else (finding.unit, finding.low, finding.high)


def _extra(findings: Sequence[Finding], extra: Counter[tuple[object, ...]]) -> list[tuple[int, int]]:
    """The spans of the last quantifiers of each kind; those before them have counterparts."""
    spans = []
    for finding in reversed(findings):
        key = _claim_key(finding)
        if extra[key] > 0:
            extra[key] -= 1
            spans.append((finding.start, finding.end))
    return spans[::-1]


def _asks_for_lines(text: str, lang: str) -> bool:
    if not _is_about_lines(text, lang):
        return False
    request = read(text)
    return request.confidence >= _SURE and _understood(request, text, lang)


def _understood(request: Reading, text: str, lang: str) -> bool:
    """Whether a request is read whole, and no word that is skipped belongs to a quantifier or a logical relation."""
    unknown = frozenset(map(str.lower, request.unknown))
    findings = find(text, lang=lang) if unknown else ()
    spans = (text[finding.start : finding.end] for finding in findings)
    return request.whole and all(unknown.isdisjoint(Words(span).words) for span in spans)


def _is_about_lines(text: str, lang: str) -> bool:
    check_language(lang)
    return not COLLECTIONS.isdisjoint(Words(text[:_BEGINNING]).words)


@lru_cache(maxsize=2048)
def _abstracted(text: str, lang: str, approximation: Approximation) -> Abstraction:
    return abstract(text, lang=lang, approximation=approximation)


def _claims(reading: Reading) -> Claims:
    regex = reading.regex or ""
    while (shorter := _ALONE.sub(r"\1", regex)) != regex:
        regex = shorter
    return Claims(regex, reading.reading, round(reading.confidence, 3))


def _read(text: str, plural: Plural, plain: bool | None = None) -> Reading:
    """The reading of a request, with its plurals read as singulars or as two or more, if it is not in free words."""
    request = read(text, plain)
    if request.plain:
        return request
    if plural == "ignore":
        return read(_outside_quotes(lambda part: _PLURAL.sub(r"\1", part), text), False)
    nouns: dict[str, str] = {}
    first = max((int(number) for number in _MASK.findall(text)), default=-1) + 1

    def hide(found: re.Match[str]) -> str:
        if len(nouns) == _MOST_PLURALS:
            return found[0]
        mask = f"<M{first + len(nouns)}>"
        nouns[mask] = found[1].lower()
        return mask

    # A mask is read exactly as a class of characters is, and can be found again in the expression.
    hidden = _outside_quotes(lambda part: _PLURAL.sub(hide, part), text)
    if first + len(nouns) > 999:
        return Reading(None, 0.0, "there is no number left for a mask")
    request = read(hidden, False)
    if request.regex is None:
        return request
    words = _MASK.sub(lambda match: f"{nouns[match[0]]}s" if match[0] in nouns else match[0], request.reading)
    return Reading(_several(request.regex, nouns), request.confidence, words, request.whole)


def _outside_quotes(change: Callable[[str], str], text: str) -> str:
    pieces, last = [], 0
    for quoted in QUOTED.finditer(text):
        pieces += [change(text[last : quoted.start()]), quoted[0]]
        last = quoted.end()
    return "".join((*pieces, change(text[last:])))


def _several(regex: str, nouns: dict[str, str]) -> str:
    """The expression with two or more for every plural, or with one if the plural is counted or negated."""
    tokens = regex.split(" ")
    written = []
    denied = [False]
    for index, token in enumerate(tokens):
        if token == "(":
            denied.append(denied[-1] or tokens[index - 1 : index] == ["~"])
        elif token == ")":
            denied.pop()
        noun = nouns.get(token)
        if noun is None:
            written.append(token)
            continue
        atom = read(noun).regex or "."
        alone = tokens[index - 1 : index] == ["("] and tokens[index + 1 : index + 2] == [")"]
        counted = alone and not _COUNTS.isdisjoint(tokens[index + 2 : index + 3])
        written.append(atom if counted or denied[-1] else f"( {atom} ) {{ 2 , }}")
    return " ".join(written)
