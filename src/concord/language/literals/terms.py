"""Terms that are not to be translated: a user's list of names, brands and commands."""

from __future__ import annotations

import re
from functools import lru_cache

from concord.errors import UserError
from concord.language.literals.find import Literal
from concord.language.literals.match import Found
from concord.language.user_file import UserFile, user_file
from concord.model import Text

LARGEST = 5_000_000


def read_terms(path: str) -> tuple[str, ...]:
    """The file's lines, the longest terms first; empty lines, and lines that begin with `#`, are skipped."""
    return _read(user_file("file of terms", path)) if path else ()


@lru_cache(maxsize=8)
def _read(file: UserFile) -> tuple[str, ...]:
    lines = file.lines(LARGEST, "name a file of terms, one a line")
    found = dict.fromkeys(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not found:
        raise UserError(f"{file.path} holds no term: write one a line")
    return tuple(sorted(found, key=lambda term: (-len(term), term)))


def lost_terms(source: Text, output: Text, terms: tuple[str, ...]) -> list[Found]:
    """The terms of a text that its translation lacks; an ending may be added to a term.

    One that the translation has, but not as often, may only have given way to a pronoun.
    """
    if not terms:
        return []
    places: dict[str, list[tuple[int, int]]] = {}
    for found in _pattern(terms).finditer(source.words):
        places.setdefault(found[0], []).append(found.span())
    made = []
    for term, spans in places.items():
        kept = output.words.count(term)
        if kept < len(spans):
            lost = Literal("term", term, *spans[kept], frozenset())
            made.append(Found("missing", lost, None, sure=kept == 0))
    return made


@lru_cache(maxsize=8)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, terms)) + r")(?!\w)")
