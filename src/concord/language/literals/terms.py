"""Terms that must not be translated: a user's list of names, brands and commands."""

import re
from functools import lru_cache

from concord.errors import UserError
from concord.language.literals.find import Literal
from concord.language.literals.match import LiteralChange
from concord.language.user_file import UserFile, user_file
from concord.model import Text

LARGEST = 5_000_000


def read_terms(path: str) -> tuple[str, ...]:
    """The file's lines, the longest terms first; empty lines, and lines that begin with `#`, are skipped."""
    return _read(user_file("file of terms", path)) if path else ()


@lru_cache(maxsize=8)
def _read(file: UserFile) -> tuple[str, ...]:
    lines = file.lines(LARGEST, "name a file of terms, one a line")
    terms = dict.fromkeys(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not terms:
        raise UserError(f"{file.path} holds no term: write one a line")
    return tuple(sorted(terms, key=lambda term: (-len(term), term)))


def lost_terms(source: Text, output: Text, terms: tuple[str, ...]) -> list[LiteralChange]:
    """The terms of a text that its translation lacks; the translation may add an ending to a term.

    A term that the translation has less often is not sure to be lost, as a pronoun may replace it.
    """
    if not terms:
        return []
    spans_of: dict[str, list[tuple[int, int]]] = {}
    for match in _pattern(terms).finditer(source.words):
        spans_of.setdefault(match[0], []).append(match.span())
    changes = []
    for term, spans in spans_of.items():
        count = output.words.count(term)
        if count < len(spans):
            lost = Literal("term", term, *spans[count], frozenset())
            changes.append(LiteralChange("missing", lost, None, sure=count == 0))
    return changes


@lru_cache(maxsize=8)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, terms)) + r")(?!\w)")
