"""Pages of cases of several runs, from one case to the next ones or the ones before.

Runs take turns by rank (or what else the cases are ordered by), then by number.
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concord.errors import UserError
from concord.store.finding_filter import SORTS, Wanted
from concord.store.index.filter import Ordered

_FORM = struct.Struct(">Bdqq")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Cursor:
    """A case that a page begins after or, going back, ends before."""

    sort: str
    reverse: bool
    back: bool
    major: float
    run: int
    place: int

    def __str__(self) -> str:
        kind = SORTS.index(self.sort) * 4 + self.reverse * 2 + self.back
        return base64.urlsafe_b64encode(_FORM.pack(kind, self.major, self.run, self.place)).decode().rstrip("=")


def read_cursor(text: str, wanted: Wanted) -> Cursor | None:
    if not text:
        return None
    try:
        if len(text) > _LONGEST:
            raise ValueError
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        kind, major, run, place = _FORM.unpack(packed)
        found = Cursor(SORTS[kind // 4], bool(kind & 2), bool(kind & 1), major, run, place)
    except (ValueError, binascii.Error, struct.error, IndexError):
        found = None
    if found is None or math.isnan(found.major) or (found.sort, found.reverse) != (wanted.sort, wanted.reverse):
        raise UserError("this is not the address of a page in this order; begin with the first page")
    return found


@dataclass(frozen=True, slots=True)
class CasePage:
    """Cases by the number of their list and their place; how many are before them and in all; where to go on."""

    picked: Sequence[tuple[int, int]]
    before: int
    total: int
    next: str
    previous: str


def page(lists: Sequence[Ordered], wanted: Wanted, after: str, limit: int) -> CasePage:
    """A page of the cases of several runs."""
    cursor = read_cursor(after, wanted)
    cuts = [0 if cursor is None else _cut(each, cursor) for each in lists]
    back = cursor is not None and cursor.back
    entries = []
    for number, (each, cut) in enumerate(zip(lists, cuts, strict=True)):
        window = slice(max(0, cut - limit), cut) if back else slice(cut, cut + limit)
        run = each.sign * each.columns.run
        pairs = zip(each.major[window].tolist(), each.places[window].tolist(), strict=True)
        entries += [(major, run, place, number) for major, place in pairs]
    entries.sort()
    entries = entries[-limit:] if back else entries[:limit]
    before = sum(cuts) - (len(entries) if back else 0)
    total = sum(len(each.places) for each in lists)
    picked = [(number, lists[number].sign * place) for _, _, place, number in entries]
    return CasePage(
        picked,
        before,
        total,
        _named(entries[-1], wanted, False) if entries and before + len(entries) < total else "",
        _named(entries[0], wanted, True) if entries and before else "",
    )


def _cut(each: Ordered, cursor: Cursor) -> int:
    """How many cases of a list come before a cursor's page, or up to its end if it goes back."""
    run, other = each.sign * each.columns.run, cursor.run
    start = int(np.searchsorted(each.major, cursor.major, "left"))
    end = int(np.searchsorted(each.major, cursor.major, "right"))
    if run != other:
        return end if run < other else start
    tied = each.places[start:end]
    return start + int(np.count_nonzero(tied < cursor.place if cursor.back else tied <= cursor.place))


def _named(entry: tuple[float, int, int, int], wanted: Wanted, back: bool) -> str:
    major, run, place, _ = entry
    return str(Cursor(wanted.sort, wanted.reverse, back, major, run, place))
