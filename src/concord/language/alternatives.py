"""Alternatives: a user's lists of translations that are as good as each other."""

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
    """For every alternative, as a row of forms, the first one of its line."""

    first: Mapping[Forms, Forms]
    longest: int

    def settled(self, found: Units) -> Units:
        """The units with every alternative, the longest ones first, as one unit named after the first of its line."""
        if not self.first:
            return found
        made: list[Unit] = []
        empty: set[int] = set()
        at = 0
        while at < len(found):
            size = self._size(found, at)
            if size:
                chosen = " ".join(self.first[tuple(found.forms[at : at + size])])
                start, end = found[at].start, found[at + size - 1].end
                made.append(Unit(chosen, chosen, start, end))
            else:
                empty.update({len(made)} if at in found.empty else ())
                made.append(found[at])
            at += size or 1
        return joined(made, frozenset(empty))

    def _size(self, found: Units, at: int) -> int:
        for size in range(min(self.longest, len(found) - at), 0, -1):
            if tuple(found.forms[at : at + size]) in self.first:
                return size
        return 0


NONE = Alternatives({}, 0)


def read_alternatives(path: str, lang: str) -> Alternatives:
    """The file's lines, each of two or more translations with a tab between them; no file has none.

    Empty lines, and lines that begin with `#`, are skipped. A translation that stands in two lines joins them.
    """
    return _read(user_file("file of alternatives", path), lang) if path else NONE


@lru_cache(maxsize=8)
def _read(file: UserFile, lang: str) -> Alternatives:
    groups: dict[Forms, Forms] = {}
    for number, line in enumerate(file.lines(LARGEST, "alternatives are held in memory"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        forms = [tuple(units(Text(each, lang)).forms) for each in line.split("\t") if each.strip()]
        forms = [form for form in forms if form]
        if len(forms) < 2:
            raise UserError(
                f"{file.path}, line {number}: a line holds two or more translations with a tab between them"
            )
        _join(groups, forms)
    first = {group: _leader(groups, group) for group in groups}
    return Alternatives(first, max((len(each) for each in first), default=0))


def _join(groups: dict[Forms, Forms], forms: Sequence[Forms]) -> None:
    """Every translation points at another of its group, or at itself if it leads it."""
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
