"""English: its words for numbers, comparisons and logic, and what its vague quantifiers are taken to mean.

Vague quantifiers are read as Cao et al. 2021 read them (SemMT, sections 3.3.5 and 5.3): "a few" is at least 3 in the
generous reading, 1 to 3 in the sparing one, 3 to 25 in between; "several" is at least 5, 1 to 5, and 5 to 25. The other
quantifiers follow that pattern in their usual order (a couple < a few < several < many); "most" and similar words are
percentages, and a majority is the least more than 50. All these numbers are conventions.

The tables are in `english.json`: phrases with commas between them, words with blanks between them, and null for a bound
without end. They are frozen: see the package's docstring.
"""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, TypeVar

from concord.language import word_set
from concord.language.numbers.digits import FRACTIONS
from concord.language.numbers.english import FOLD, MONTHS
from concord.relations.semmt.logic.kinds import Bound, Relation, Unit, Vague, Within
from concord.relations.semmt.tables import read_table

T = TypeVar("T")
_TABLES: dict[str, Any] = read_table(__package__, "english.json")


def _by_phrase(phrases: Iterable[tuple[T, str]]) -> dict[str, T]:
    """The meaning of each phrase, from the phrases of each meaning with commas between them."""
    return {phrase: meaning for meaning, several in phrases for phrase in several.split(", ")}


def _compared(words: str, than: Bound, equal: Bound, opposite: Bound) -> dict[str, Bound]:
    """ "More than", "more than or equal to", "equal to or more than" and "no more than", of each comparative."""
    forms: dict[str, Bound] = {
        "{} than": than,
        "{} than or equal to": equal,
        "equal to or {} than": equal,
        "equal or {} than": equal,
        "no {} than": opposite,
        "not {} than": opposite,
    }
    return {form.format(word): bound for word in words.split() for form, bound in forms.items()}


def _vague(row: Mapping[str, Any]) -> Vague:
    over, under, middle = (_within(*row[reading]) for reading in ("over", "under", "range"))
    return Vague(over, under, middle, row["unit"])


def _within(low: float, high: float | None) -> Within:
    return low, inf if high is None else high


def _changes(table: str) -> dict[str, tuple[Unit, float]]:
    return _by_phrase(((row["unit"], row["value"]), row["phrases"]) for row in _TABLES[table])


SIGNS = {sign: 100 * over / under for sign, (over, under) in FRACTIONS.items()}
"""The signs of fractions, in per cent."""
VAGUE = _by_phrase((_vague(row), row["phrases"]) for row in _TABLES["vague"])
FIXED: dict[str, tuple[str, Unit, float, float]] = _by_phrase(
    ((row["kind"], row["unit"], row["low"], row["high"]), row["phrases"]) for row in _TABLES["fixed"]
)
BASES = _changes("bases")
CHANGES: dict[str, tuple[Unit, float]] = {word: ("ratio", float(times)) for word, times in FOLD.items()}
CHANGES |= _changes("changes")
_COMPARATIVES = [_compared(**row) for row in _TABLES["comparatives"]]
BEFORE: dict[str, Bound] = {phrase: bound for forms in _COMPARATIVES for phrase, bound in forms.items()}
BEFORE |= _by_phrase(_TABLES["before"].items())
BEHIND: dict[str, Bound] = _by_phrase(_TABLES["behind"].items())
RELATIONS: dict[str, Relation] = _by_phrase(_TABLES["relations"].items())
TERMINALS: dict[str, str] = _by_phrase(_TABLES["terminals"].items())
_WHOM = ("", *(f"{whom} " for whom in _TABLES["asked"].split()))
_ASKED = frozenset(f"{verb} {whom}if" for verb in _TABLES["asking"].split() for whom in _WHOM)
"""The "if" that means "whether"."""
IDIOMS = frozenset(_TABLES["idioms"].split(", ")) | _ASKED
"""Phrases that only look like one of the above."""
ROLES = {name: word_set(words) for name, words in _TABLES["roles"].items()}
"""The small words that the rules look for, by their role."""
ROLES["months"] = frozenset((*MONTHS, *(month[:3] for month in MONTHS), "sept"))
CONTRACTIONS = ("n't",)
"""Endings that negate a word."""
COLLECTIONS = ROLES["collection"]
"""Nouns for texts and parts of texts, which contain other things."""
HOLDS = ROLES["holds"]
"""Words that mean inclusion only after a collection or before a quantity."""
EDGES = ROLES["edge"]
"""Words that are cut off at the edges of an abstracted phrase."""
