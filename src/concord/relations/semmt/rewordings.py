"""Rewordings of a sentence that claim the same: synonyms of nouns, numbers and relational adverbs (SemMT, section 4.1).

In the paper, people check the mutants. Here a rewording is used if its expression has the same language.

The rules are in `rewordings.json`. Of their pieces, COMPARED says that no other comparison precedes a number that is
compared, and COUNTED what follows a number that counts something, and not a date, a time or the number of a chapter.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from concord.errors import Refused
from concord.language.codes import base
from concord.language.numbers.english import SMALL
from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.similarity import claim_similarities
from concord.relations.semmt.tables import from_pieces, read_table

_TABLES = read_table(__package__, "rewordings.json")
_WORDS = "|".join(SMALL[2:])
_WITH_PIECES = from_pieces(_TABLES["pieces"], {"WORDS": _WORDS, "NUMBER": rf"(?:\d+|{_WORDS})"})
_RULES: dict[str, list[tuple[str, str | None]]] = {
    kind: [(_WITH_PIECES(pattern), change) for pattern, change in rules] for kind, rules in _TABLES["rules"].items()
}
"""Patterns, and the template that replaces a match; None writes a number in words or in figures."""


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rewording of a sentence, and the substitution that made it."""

    words: str
    change: str


def reworded(text: str, *, lang: str = "en", most: int = 2) -> list[Rewording]:
    """Up to `most` rewordings, each of another kind where there are several; none where the language has no rules.

    >>> [rewording.words for rewording in reworded("At least 3 dogs barked.")]
    ['No fewer than 3 dogs barked.', 'At least three dogs barked.']
    """
    if most < 1 or base(lang) != "en":
        return []
    waiting = deque(_same_claims_by(text, kind, lang) for kind in _RULES)
    rewordings: list[Rewording] = []
    while waiting and len(rewordings) < most:
        kind = waiting.popleft()
        mutant = next(kind, None)
        if mutant is not None:
            rewordings.append(mutant)
            waiting.append(kind)
    return rewordings


def _same_claims_by(text: str, kind: str, lang: str) -> Iterator[Rewording]:
    for pattern, change in _RULES[kind]:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        if kind == "numbers" and _follows_a_name(text[: match.start()]):
            continue
        substitute = _other_notation(match[0].lower()) if change is None else match.expand(change)
        if match[0][:1].isupper() or (match.start() == 0 and text[:1].isdecimal()):
            substitute = substitute[:1].upper() + substitute[1:]
        words = _with_article(text[: match.start()], substitute) + substitute + text[match.end() :]
        if words != text and _claims_the_same(text, words, lang, of_lines=kind == "nouns_of_lines"):
            yield Rewording(words, f"{match[0].strip()} → {substitute.strip()}")


def _other_notation(number: str) -> str:
    return str(SMALL.index(number)) if number in SMALL else SMALL[int(number)]


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
