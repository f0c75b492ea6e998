"""Alternatives: a user's lists of translations that are equally good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from concord.errors import UserError
from concord.language.comparison_units import Unit, Units, joined, units
from concord.language.user_file import UserFile, user_file
from concord.model import Text

LARGEST = 20_000_000
Forms = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Maps every alternative, as a tuple of forms, to the first one of its line."""

    first: Mapping[Forms, Forms]
    longest: int

    def settled(self, text_units: Units) -> Units:
        """The units, with each alternative (the longest possible) replaced by one unit for the first of its line."""
        if not self.first:
            return text_units
        merged: list[Unit] = []
        empty: set[int] = set()
        index = 0
        while index < len(text_units):
            size = self._match_length(text_units, index)
            if size:
                name = " ".join(self.first[tuple(text_units.forms[index : index + size])])
                start, end = text_units[index].start, text_units[index + size - 1].end
                merged.append(Unit(name, name, start, end))
            else:
                empty.update({len(merged)} if index in text_units.empty else ())
                merged.append(text_units[index])
            index += size or 1
        return joined(merged, frozenset(empty))

    def _match_length(self, text_units: Units, index: int) -> int:
        sizes = range(min(self.longest, len(text_units) - index), 0, -1)
        return next((size for size in sizes if tuple(text_units.forms[index : index + size]) in self.first), 0)


NONE = Alternatives({}, 0)


def read_alternatives(path: str, lang: str) -> Alternatives:
    """The alternatives of a file, whose lines have two or more tab-separated translations; no path gives none.

    Empty lines, and lines that begin with `#`, are skipped. Lines that share a translation are joined.
    """
    return _read(user_file("file of alternatives", path), lang) if path else NONE


@lru_cache(maxsize=8)
def _read(file: UserFile, lang: str) -> Alternatives:
    groups: dict[Forms, Forms] = {}
    for number, line in enumerate(file.lines(LARGEST, "alternatives are held in memory"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        forms = [form for cell in line.split("\t") if (form := tuple(units(Text(cell, lang)).forms))]
        if len(forms) < 2:
            raise UserError(
                f"{file.path}, line {number}: a line holds two or more translations with a tab between them"
            )
        _join(groups, forms)
    first = {group: _leader(groups, group) for group in groups}
    return Alternatives(first, max(map(len, first), default=0))


def _join(groups: dict[Forms, Forms], forms: Sequence[Forms]) -> None:
    """Union-find: every translation points at another of its group, the leader of a group at itself."""
    lead = _leader(groups, forms[0])
    for form in forms:
        groups[_leader(groups, form)] = lead
    groups[lead] = lead


def _leader(groups: dict[Forms, Forms], forms: Forms) -> Forms:
    path = [forms]
    while groups.get(path[-1], path[-1]) != path[-1]:
        path.append(groups[path[-1]])
    groups.update(dict.fromkeys(path, path[-1]))
    return path[-1]
