"""Rewordings of a sentence that claim the same: synonyms of nouns, numbers and relational adverbs (SemMT, section 4.1).

In the paper, people check the mutants. Here a rewording is used if its expression has the same language.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from concord.errors import Refused
from concord.language.codes import base
from concord.language.numbers.english import SMALL
from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.similarity import claim_similarities

_WORDS = "|".join(SMALL[2:])
_NUMBER = rf"(?:\d+|{_WORDS})"
_COMPARED = "".join(
    rf"(?<!\b{words} )" for words in ("at least", "at most", "than", "up to", "no", "not", "about", "only", "exactly")
)
"""No other comparison may precede a number that is compared."""
_COUNTED = (
    r"(?= (?:of (?:the|us|them|my|our)\b|or more times|(?:[a-z]+ )?(?!thirds|quarters|fifths|is|was|has)[a-z]{2,}s\b))"
)
"""What follows a number that counts something, and not a date, a time or the number of a chapter."""
_APART = r"(?<![\w.,:$€£-])(?<!\bin )(?<!\bat )(?<!\bpast )(?<!paragraph )(?<!article )(?<!section )(?<!page )"
Change = str | Callable[[re.Match[str]], str]
"""What replaces a match: a template, or a function."""


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rewording of a sentence, and the substitution that made it."""

    words: str
    change: str


_ADVERBS: tuple[tuple[str, Change], ...] = (
    (rf"{_COMPARED}\b({_NUMBER}) or more\b", r"at least \1"),
    (rf"{_COMPARED}\bat least ({_NUMBER}) times\b(?! or)", r"\1 or more times"),
    (rf"{_COMPARED}\bat least ({_NUMBER})\b(?! or (?:more|less|fewer)\b)", r"no fewer than \1"),
    (rf"\b(?:no|not) more than ({_NUMBER})\b", r"at most \1"),
    (rf"\bat most ({_NUMBER})\b", r"no more than \1"),
    (rf"\bup to ({_NUMBER})\b", r"no more than \1"),
    (r"\bmore than (?=\d|half\b|a\b)", "over "),
    (
        rf"(?:\A|(?<=\bin )|(?<=\bfor )|(?<=\bof )|(?<=\bby )|(?<=\bwith )|(?<=\bto ))over ({_NUMBER})\b",
        r"more than \1",
    ),
    (r"\bless than (?=\d)", "under "),
    (r"\bfewer than (?=\d)", "less than "),
    (r"\bnearly (?=\d|all\b|every\b)", "almost "),
    (r"\balmost (?=\d|all\b|every\b)", "nearly "),
    (r"\b(?:about|around|roughly) (?=\d)", "approximately "),
    (r"\bin front of\b", "before"),
    (r"\bexcept for\b", "apart from"),
)
_NUMBERS: tuple[tuple[str, Change], ...] = (
    (rf"{_APART}(?-i:{_WORDS}){_COUNTED}", lambda match: str(SMALL.index(match[0].lower()))),
    (rf"{_APART}(?:[2-9]|1[0-2]){_COUNTED}", lambda match: SMALL[int(match[0])]),
    (r"(?<=\d) ?%", " percent"),
)
_NOUNS: tuple[tuple[str, Change], ...] = (
    (r"\bnobody\b", "no one"),
    (r"\beverybody\b", "everyone"),
    (r"\beveryone\b", "everybody"),
)
_NOUNS_OF_LINES: tuple[tuple[str, Change], ...] = (
    (r"\bupper[ -]?case letter", "capital letter"),
    (r"\bcapital letter", "uppercase letter"),
    (r"\blower[ -]case letter", "lowercase letter"),
    (r"(?<!\bnumber of )(?<!\bnumbers of )\bdigit(?=s?\b)", "number"),
    (r"\bnumber(?=s?\b(?! of))", "digit"),
    (r"\blines\b", "rows"),
    (r"\brows\b", "lines"),
)
_KINDS = (_ADVERBS, _NUMBERS, _NOUNS_OF_LINES, _NOUNS)


def reworded(text: str, *, lang: str = "en", most: int = 2) -> list[Rewording]:
    """Up to `most` rewordings, each of another kind where there are several; none where the language has no rules.

    >>> [rewording.words for rewording in reworded("At least 3 dogs barked.")]
    ['No fewer than 3 dogs barked.', 'At least three dogs barked.']
    """
    if most < 1 or base(lang) != "en":
        return []
    waiting = deque(_same_claims_by(text, rules, lang) for rules in _KINDS)
    rewordings: list[Rewording] = []
    while waiting and len(rewordings) < most:
        kind = waiting.popleft()
        mutant = next(kind, None)
        if mutant is not None:
            rewordings.append(mutant)
            waiting.append(kind)
    return rewordings


def _same_claims_by(text: str, rules: tuple[tuple[str, Change], ...], lang: str) -> Iterator[Rewording]:
    for pattern, change in rules:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        if rules is _NUMBERS and _follows_a_name(text[: match.start()]):
            continue
        substitute = match.expand(change) if isinstance(change, str) else change(match)
        if match[0][:1].isupper() or (match.start() == 0 and text[:1].isdecimal()):
            substitute = substitute[:1].upper() + substitute[1:]
        words = _with_article(text[: match.start()], substitute) + substitute + text[match.end() :]
        if words != text and _claims_the_same(text, words, lang, of_lines=rules is _NOUNS_OF_LINES):
            yield Rewording(words, f"{match[0].strip()} → {substitute.strip()}")


def _follows_a_name(before: str) -> bool:
    """Whether a name precedes the number: "Flight 12"; the first word of a sentence has a capital anyway."""
    return bool(re.search(r"[\w,;] [A-Z][\w-]*\.? \Z|\A(?:Flight|Bus|Room|Train|Route|Channel|Gate) \Z", before))


def _with_article(before: str, substitute: str) -> str:
    right = "an" if substitute[:1].lower() in "aeiou" else "a"
    return re.sub(r"\ban?(?= \Z)", right, before) if substitute[:1].isalpha() else before


def _claims_the_same(text: str, rewording: str, lang: str, *, of_lines: bool) -> bool:
    pair = claim_pair(text, rewording, lang=lang, plural="strict")
    if (of_lines and pair.read_as != "lines") or not pair.left.regex:
        return False
    try:
        return claim_similarities(pair).equal
    except Refused:
        return False
