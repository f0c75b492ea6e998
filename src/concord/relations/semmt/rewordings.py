"""Rewordings of a sentence that claim the same: synonyms of nouns, numbers and relational adverbs (SemMT, section 4.1).

The paper has people check its mutants; here a rewording is kept if its expression has the same language.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from concord.errors import Refused
from concord.language.codes import base
from concord.language.numbers.english import SMALL
from concord.relations.semmt.claims import both
from concord.relations.semmt.similarity import alike

_WORDS = "|".join(SMALL[2:])
_NUMBER = rf"(?:\d+|{_WORDS})"
_COMPARED = "".join(
    rf"(?<!\b{words} )" for words in ("at least", "at most", "than", "up to", "no", "not", "about", "only", "exactly")
)
"""Nothing stands before a comparison that compares already."""
_COUNTED = (
    r"(?= (?:of (?:the|us|them|my|our)\b|or more times|(?:[a-z]+ )?(?!thirds|quarters|fifths|is|was|has)[a-z]{2,}s\b))"
)
"""What stands behind a number that counts something, and tells it from dates, times and numbers of chapters."""
_APART = r"(?<![\w.,:$€£-])(?<!\bin )(?<!\bat )(?<!\bpast )(?<!paragraph )(?<!article )(?<!section )(?<!page )"
Change = Callable[[re.Match[str]], str]


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rewording, and what was put for what."""

    words: str
    change: str


def _as(written: str) -> Change:
    return lambda found: found.expand(written)


_ADVERBS: tuple[tuple[str, Change], ...] = (
    (rf"{_COMPARED}\b({_NUMBER}) or more\b", _as(r"at least \1")),
    (rf"{_COMPARED}\bat least ({_NUMBER}) times\b(?! or)", _as(r"\1 or more times")),
    (rf"{_COMPARED}\bat least ({_NUMBER})\b(?! or (?:more|less|fewer)\b)", _as(r"no fewer than \1")),
    (rf"\b(?:no|not) more than ({_NUMBER})\b", _as(r"at most \1")),
    (rf"\bat most ({_NUMBER})\b", _as(r"no more than \1")),
    (rf"\bup to ({_NUMBER})\b", _as(r"no more than \1")),
    (r"\bmore than (?=\d|half\b|a\b)", _as("over ")),
    (
        rf"(?:\A|(?<=\bin )|(?<=\bfor )|(?<=\bof )|(?<=\bby )|(?<=\bwith )|(?<=\bto ))over ({_NUMBER})\b",
        _as(r"more than \1"),
    ),
    (r"\bless than (?=\d)", _as("under ")),
    (r"\bfewer than (?=\d)", _as("less than ")),
    (r"\bnearly (?=\d|all\b|every\b)", _as("almost ")),
    (r"\balmost (?=\d|all\b|every\b)", _as("nearly ")),
    (r"\b(?:about|around|roughly) (?=\d)", _as("approximately ")),
    (r"\bin front of\b", _as("before")),
    (r"\bexcept for\b", _as("apart from")),
)
_NUMBERS: tuple[tuple[str, Change], ...] = (
    (rf"{_APART}(?-i:{_WORDS}){_COUNTED}", lambda found: str(SMALL.index(found[0].lower()))),
    (rf"{_APART}(?:[2-9]|1[0-2]){_COUNTED}", lambda found: SMALL[int(found[0])]),
    (r"(?<=\d) ?%", _as(" percent")),
)
_NOUNS: tuple[tuple[str, Change], ...] = (
    (r"\bnobody\b", _as("no one")),
    (r"\beverybody\b", _as("everyone")),
    (r"\beveryone\b", _as("everybody")),
)
_NOUNS_OF_LINES: tuple[tuple[str, Change], ...] = (
    (r"\bupper[ -]?case letter", _as("capital letter")),
    (r"\bcapital letter", _as("uppercase letter")),
    (r"\blower[ -]case letter", _as("lowercase letter")),
    (r"(?<!\bnumber of )(?<!\bnumbers of )\bdigit(?=s?\b)", _as("number")),
    (r"\bnumber(?=s?\b(?! of))", _as("digit")),
    (r"\blines\b", _as("rows")),
    (r"\brows\b", _as("lines")),
)
_KINDS = (_ADVERBS, _NUMBERS, _NOUNS_OF_LINES, _NOUNS)


def reworded(text: str, *, lang: str = "en", most: int = 2) -> list[Rewording]:
    """Up to so many rewordings, each of another kind where there are several; none where the language has no rules.

    >>> [each.words for each in reworded("At least 3 dogs barked.")]
    ['No fewer than 3 dogs barked.', 'At least three dogs barked.']
    """
    if most < 1 or base(lang) != "en":
        return []
    waiting = deque(_sound(text, rules, lang) for rules in _KINDS)
    found: list[Rewording] = []
    while waiting and len(found) < most:
        kind = waiting.popleft()
        mutant = next(kind, None)
        if mutant is not None:
            found.append(mutant)
            waiting.append(kind)
    return found


def _sound(text: str, rules: tuple[tuple[str, Change], ...], lang: str) -> Iterator[Rewording]:
    for pattern, change in rules:
        found = re.search(pattern, text, re.IGNORECASE)
        if found is None:
            continue
        if rules is _NUMBERS and _is_named(text[: found.start()]):
            continue
        put = change(found)
        if found[0][:1].isupper() or (found.start() == 0 and text[:1].isdecimal()):
            put = put[:1].upper() + put[1:]
        words = _with_article(text[: found.start()], put) + put + text[found.end() :]
        if words != text and _claims_the_same(text, words, lang, of_lines=rules is _NOUNS_OF_LINES):
            yield Rewording(words, f"{found[0].strip()} → {put.strip()}")


def _is_named(before: str) -> bool:
    """Whether a name stands before the number: "Flight 12"; the first word of a sentence has a capital anyway."""
    return bool(re.search(r"[\w,;] [A-Z][\w-]*\.? \Z|\A(?:Flight|Bus|Room|Train|Route|Channel|Gate) \Z", before))


def _with_article(before: str, put: str) -> str:
    right = "an" if put[:1].lower() in "aeiou" else "a"
    return re.sub(r"\ban?(?= \Z)", right, before) if put[:1].isalpha() else before


def _claims_the_same(text: str, other: str, lang: str, *, of_lines: bool) -> bool:
    found = both(text, other, lang=lang, plural="strict")
    if (of_lines and found.way != "lines") or not found.left.regex:
        return False
    try:
        return alike(found).equal
    except Refused:
        return False
