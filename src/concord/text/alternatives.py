"""Alternatives: a user's lists of translations that are as good as each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from concord.errors import UserError
from concord.model import Text
from concord.text.units import Unit, Units, joined, units

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


@lru_cache(maxsize=8)
def read_alternatives(path: str, lang: str) -> Alternatives:
    """The file's lines, each of two or more translations with a tab between them; no file has none.

    Empty lines, and lines that begin with `#`, are skipped. A translation that stands in two lines joins them.
    """
    if not path:
        return NONE
    first: dict[Forms, Forms] = {}
    for number, line in enumerate(_lines(Path(path)), 1):
        if not line.strip() or line.startswith("#"):
            continue
        forms = [tuple(units(Text(each, lang)).forms) for each in line.split("\t") if each.strip()]
        forms = [each for each in forms if each]
        if len(forms) < 2:
            raise UserError(f"{path}, line {number}: a line holds two or more translations with a tab between them")
        _join(first, forms)
    return Alternatives(first, max((len(each) for each in first), default=0))


def _join(first: dict[Forms, Forms], forms: Sequence[Forms]) -> None:
    known = {first[each] for each in forms if each in first}
    chosen = min(known) if known else forms[0]
    if len(known) > 1:
        first.update({each: chosen for each, old in first.items() if old in known})
    first.update(dict.fromkeys(forms, chosen))


def _lines(path: Path) -> list[str]:
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path} is larger than {LARGEST // 1_000_000} MB; alternatives are held in memory")
        return path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"the alternatives {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"the alternatives {path} are not UTF-8: {error.reason} at byte {error.start}") from None
