"""What two sentences claim, as expressions over common symbols (Cao et al. 2021, SemMT, section 3.3).

A sentence that asks for lines of text ("lines with at least 3 numbers") is read in the language of the regex
benchmarks, any other one is abstracted to symbols for what it speaks of. The first sentence decides, and the second
is read in the same way if it can be.

`plural="strict"` takes a plural for two or more, but for those that say no more than a singular does: what is counted
("letters, 5 or more times") and what is denied ("without letters"). `plural="ignore"` takes it for a singular.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from concord.relations.semmt.logic import Abstraction, Finding, Findings, abstract, align, find
from concord.relations.semmt.logic.alignment import Plural
from concord.relations.semmt.logic.english import COLLECTIONS
from concord.relations.semmt.logic.formula import DEEPEST, Formula
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.logic.quantifier_spans import LANGUAGE, check_language
from concord.relations.semmt.logic.stretches import MOST_ITEMS
from concord.relations.semmt.logic.words import Words
from concord.relations.semmt.regex import Reading, read
from concord.relations.semmt.regex.phrases import QUOTED, cut

Way = Literal["lines", "text"]

TOO_LONG = (
    f"too complex: a sentence has more than {MOST_ITEMS} quantifiers, logical words, commas and phrases, or claims "
    f"that are nested more than {DEEPEST} deep"
)
"""Why nothing is said about a sentence that is not read whole."""

_CERTAIN, _SURE, _SURE_ENOUGH = 0.6, 0.3, 0.1
"""The least confidence in a request that does not name lines, in one that does, and in what came back of one.

Ordinary sentences that quote somebody reach 0.51.
"""
_BEGINNING = 200
"""Characters within which a request says that it is about lines, strings or words."""
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

    way: Way
    left: Claims
    right: Claims
    symbols: dict[str, tuple[str, str]] = field(default_factory=dict)
    formulas: tuple[Formula | None, Formula | None] = (None, None)
    partial: bool = False


def knows(lang: str) -> bool:
    """Whether the quantifiers and the logic of a language are known."""
    return lang.partition("-")[0] == LANGUAGE


def claims_anything(text: str, *, lang: str = "en") -> bool:
    """Whether a sentence has a quantifier or a logical relation that an expression can say."""
    return _asks_for_lines(text, lang) or _abstracted(text, lang, "range").confidence > 0


def both(
    left: str, right: str, *, lang: str = "en", plural: Plural = "ignore", approximation: Approximation = "range"
) -> ClaimPair:
    """The expressions of two sentences.

    >>> found = both("At least 3 dogs barked.", "At most 3 dogs barked.")
    >>> found.left.regex, found.right.regex
    ('X{3,}', 'X{0,3}')
    """
    if _asks_for_lines(left, lang):
        ours, theirs = _read(left, plural), _read(right, plural)
        sure = theirs.confidence >= _SURE_ENOUGH and theirs.whole and _understood(right, lang)
        if ours.regex and theirs.regex and sure:
            return ClaimPair("lines", _claims(ours), _claims(theirs))
    sides = _abstracted(left, lang, approximation), _abstracted(right, lang, approximation)
    made = align(*sides, plural=plural)
    claims = [
        Claims(regex, told, side.confidence, side.approximate)
        for regex, told, side in zip((made.left, made.right), made.readings, sides, strict=True)
    ]
    partial = any(side.partial for side in sides)
    return ClaimPair("text", claims[0], claims[1], made.symbols, made.formulas, partial)


def one(text: str, *, lang: str = "en") -> Claims | Reading | None:
    """What one sentence claims, in the benchmark's notation if it asks for lines; None if nothing can be read.

    Of a sentence that is too long to be read whole, it is a `Reading` that says so and has no expression.
    """
    asked = read(text)
    sure = asked.confidence >= _CERTAIN or _is_about_lines(text, lang)
    if asked.regex and sure and asked.whole and _understood(text, lang):
        return Claims(asked.regex, asked.reading, round(asked.confidence, 3))
    made = _abstracted(text, lang, "range")
    if made.partial:
        return Reading(None, 0.0, TOO_LONG, whole=False)
    return Claims(made.regex, made.sentence, made.confidence, made.approximate) if made.confidence else None


def differing(left: Findings, right: Findings) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the quantifiers and logical relations stand that the other sentence does not have."""
    ours, theirs = Counter(map(_said, left)), Counter(map(_said, right))
    return _extra(left, ours - theirs), _extra(right, theirs - ours)


def _said(finding: Finding) -> tuple[object, ...]:
    # "3" and "exactly 3" say the same; so do all that have the same bounds.
    return (finding.kind,) if finding.unit is None else (finding.unit, finding.low, finding.high)


def _extra(findings: Findings, extra: Counter[tuple[object, ...]]) -> list[tuple[int, int]]:
    """The last ones of each kind: those before them have their counterparts."""
    spans = []
    for finding in reversed(findings.all):
        said = _said(finding)
        if extra[said] > 0:
            extra[said] -= 1
            spans.append((finding.start, finding.end))
    return spans[::-1]


def _asks_for_lines(text: str, lang: str) -> bool:
    if not _is_about_lines(text, lang):
        return False
    found = _plainly(text)
    return found.confidence >= _SURE and found.whole and _understood(text, lang)


def _understood(text: str, lang: str) -> bool:
    """Whether no quantifier and no logic is among the words of a request that its reading leaves out."""
    unknown = frozenset(cut(text).unknown)
    return not unknown or all(
        unknown.isdisjoint(Words(text[each.start : each.end]).words) for each in find(text, lang=lang)
    )


def _is_about_lines(text: str, lang: str) -> bool:
    check_language(lang)
    return not COLLECTIONS.isdisjoint(Words(text[:_BEGINNING]).words)


@lru_cache(maxsize=2048)
def _plainly(text: str) -> Reading:
    # What came back is worded otherwise and may have no precedent; both are to be read by the same rules.
    return read(text, by_precedent=False)


@lru_cache(maxsize=2048)
def _abstracted(text: str, lang: str, approximation: Approximation) -> Abstraction:
    return abstract(text, lang=lang, approximation=approximation)


def _claims(reading: Reading) -> Claims:
    regex = reading.regex or ""
    while (shorter := _ALONE.sub(r"\1", regex)) != regex:
        regex = shorter
    return Claims(regex, reading.reading, round(reading.confidence, 3))


def _read(text: str, plural: Plural) -> Reading:
    """The reading of a request, its plurals as singulars or as two or more."""
    if plural == "ignore":
        return _plainly(_outside_quotes(lambda part: _PLURAL.sub(r"\1", part), text))
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
    made = _plainly(hidden)
    if made.regex is None:
        return made
    told = _MASK.sub(lambda found: f"{nouns[found[0]]}s" if found[0] in nouns else found[0], made.reading)
    return Reading(_several(made.regex, nouns), made.confidence, told, made.whole)


def _outside_quotes(change: Callable[[str], str], text: str) -> str:
    made, last = [], 0
    for quoted in QUOTED.finditer(text):
        made += [change(text[last : quoted.start()]), quoted[0]]
        last = quoted.end()
    return "".join((*made, change(text[last:])))


def _several(regex: str, nouns: dict[str, str]) -> str:
    """The expression with two or more for every plural, or one where it is counted or denied."""
    tokens = regex.split(" ")
    made = []
    denied = [False]
    for at, token in enumerate(tokens):
        if token == "(":
            denied.append(denied[-1] or tokens[at - 1 : at] == ["~"])
        elif token == ")":
            denied.pop()
        noun = nouns.get(token)
        if noun is None:
            made.append(token)
            continue
        atom = _plainly(noun).regex or "."
        alone = tokens[at - 1 : at] == ["("] and tokens[at + 1 : at + 2] == [")"]
        counted = alone and not _COUNTS.isdisjoint(tokens[at + 2 : at + 3])
        made.append(atom if counted or denied[-1] else f"( {atom} ) {{ 2 , }}")
    return " ".join(made)
