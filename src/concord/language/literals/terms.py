"""Terms that are not to be translated: a user's list of names, brands and commands."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from concord.errors import UserError
from concord.language.literals.find import Literal
from concord.language.literals.match import Found
from concord.model import Text

LARGEST = 5_000_000


def read_terms(path: str) -> tuple[str, ...]:
    """The file's lines, the longest terms first; empty lines, and lines that begin with `#`, are skipped."""
    if not path:
        return ()
    try:
        state = Path(path).stat()
    except OSError as error:
        raise UserError(f"the terms {path} cannot be read: {error.strerror}") from None
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _read(path: str, written: int, size: int) -> tuple[str, ...]:
    """What the file says, for as long as it was not written again."""
    if size > LARGEST:
        raise _too_large(path)
    try:
        # The size of a device or a pipe is told as nothing, so that what is read is bounded too.
        with Path(path).open("rb") as file:
            held = file.read(LARGEST + 1)
        if len(held) > LARGEST:
            raise _too_large(path)
        lines = held.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"the terms {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"the terms {path} are not UTF-8: {error.reason} at byte {error.start}") from None
    found = dict.fromkeys(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not found:
        raise UserError(f"{path} holds no term: write one a line")
    return tuple(sorted(found, key=lambda term: (-len(term), term)))


def _too_large(path: str) -> UserError:
    return UserError(f"{path} is larger than {LARGEST // 1_000_000} MB; name a file of terms, one a line")


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
