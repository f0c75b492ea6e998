"""Synonyms of the user's own: a file with a group of words in every line, a tab between them."""

from __future__ import annotations

from pathlib import Path

from concord.comparator.dictionaries import read_lines
from concord.errors import UserError

Group = tuple[str, ...]


def read_synonyms(path: str) -> tuple[Group, ...]:
    """The groups of a file: words that can stand for each other, two or more in a line; `#` begins a comment."""
    groups: list[Group] = []
    for number, line in enumerate(read_lines(Path(path), "file of synonyms"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = tuple(dict.fromkeys(each.strip() for each in line.split("\t") if each.strip()))
        _checked(words, f"{path}, line {number}")
        groups.append(words)
    if not groups:
        raise UserError(
            f"the file of synonyms {path} holds none: write two or more words in a line, a tab between them"
        )
    return tuple(groups)


def _checked(words: Group, where: str) -> None:
    if len(words) < 2:
        raise UserError(f"{where}: '{words[0]}' stands alone. A line has two or more synonyms, a tab between them")
    for word in words:
        if len(word.split()) > 1:
            raise UserError(
                f"{where}: '{word}' is several words; translations are compared word by word. Write one word between"
                " two tabs; expressions belong in a glossary (--glossary)"
            )
