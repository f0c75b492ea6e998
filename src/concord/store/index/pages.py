"""Cursor pagination of the cases of several runs.

The cases of all runs are merged by their sort value, such as the rank, then by the number of the run.
"""

import base64
import binascii
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concord.errors import UserError
from concord.store.finding_filter import SORTS, Filter
from concord.store.index.filter import Ordered

_FORM = struct.Struct(">Bdqq")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Cursor:
    """The case after which a page begins or, going back, before which it ends."""

    sort: str
    reverse: bool
    back: bool
    major: float
    run: int
    case: int

    def __str__(self) -> str:
        kind = SORTS.index(self.sort) * 4 + self.reverse * 2 + self.back
        return base64.urlsafe_b64encode(_FORM.pack(kind, self.major, self.run, self.case)).decode().rstrip("=")


def read_cursor(text: str, filters: Filter) -> Cursor | None:
    if not text:
        return None
    try:
        if len(text) > _LONGEST:
            raise ValueError
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        kind, major, run, case = _FORM.unpack(packed)
        cursor = Cursor(SORTS[kind // 4], bool(kind & 2), bool(kind & 1), major, run, case)
    except (ValueError, binascii.Error, struct.error, IndexError):
        cursor = None
    if cursor is None or math.isnan(cursor.major) or (cursor.sort, cursor.reverse) != (filters.sort, filters.reverse):
        raise UserError("this is not the address of a page in this order; begin with the first page")
    return cursor


@dataclass(frozen=True, slots=True)
class CasePage:
    """Cases as (number of their list, index in it), how many precede them and exist, and the cursors of other pages."""

    picked: Sequence[tuple[int, int]]
    before: int
    total: int
    next: str
    previous: str


def page(lists: Sequence[Ordered], filters: Filter, after: str, limit: int) -> CasePage:
    """A page of the cases of several runs."""
    cursor = read_cursor(after, filters)
    cuts = [0 if cursor is None else _cut(ordered, cursor) for ordered in lists]
    back = cursor is not None and cursor.back
    entries = []
    for number, (ordered, cut) in enumerate(zip(lists, cuts, strict=True)):
        window = slice(max(0, cut - limit), cut) if back else slice(cut, cut + limit)
        run = ordered.sign * ordered.columns.run
        pairs = zip(ordered.major[window].tolist(), ordered.cases[window].tolist(), strict=True)
        entries += [(major, run, case, number) for major, case in pairs]
    entries.sort()
    entries = entries[-limit:] if back else entries[:limit]
    before = sum(cuts) - (len(entries) if back else 0)
    total = sum(len(ordered.cases) for ordered in lists)
    picked = [(number, lists[number].sign * case) for _, _, case, number in entries]
    return CasePage(
        picked,
        before,
        total,
        _cursor(entries[-1], filters, False) if entries and before + len(entries) < total else "",
        _cursor(entries[0], filters, True) if entries and before else "",
    )


def _cut(ordered: Ordered, cursor: Cursor) -> int:
    """How many cases of a list precede a cursor's page or, going back, the end of that page."""
    run = ordered.sign * ordered.columns.run
    start = int(np.searchsorted(ordered.major, cursor.major, "left"))
    end = int(np.searchsorted(ordered.major, cursor.major, "right"))
    if run != cursor.run:
        return end if run < cursor.run else start
    tied = ordered.cases[start:end]
    return start + int(np.count_nonzero(tied < cursor.case if cursor.back else tied <= cursor.case))


def _cursor(entry: tuple[float, int, int, int], filters: Filter, back: bool) -> str:
    return str(Cursor(filters.sort, filters.reverse, back, *entry[:3]))
