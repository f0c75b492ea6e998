"""Cases by what they have in common: the segment they come from, or the one translation behind them.

A violated case says that one of two translations is wrong, not which. If several cases of a segment share a
translation, that one explains them all, so the fewest translations that explain every case are the likeliest
to be wrong (greedy set cover).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

PAIRS = {"source_output": "source", "follow_up_output": "follow_up"}
Row = Mapping[str, Any]


class Translation(NamedTuple):
    """A text and what the system made of it."""

    lang: str
    words: str
    output_lang: str
    output: str


@dataclass(frozen=True, slots=True)
class Group:
    """Violated cases of one segment, the worst first.

    `translation` is the one that explains them, and `rival` one that would explain them just as well.
    """

    rows: Sequence[Row]
    translation: Translation | None = None
    rival: Translation | None = None

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        named = {"translation": self.translation, "rival": self.rival}
        return {
            "run": self.rows[0]["run"],
            "segment": self.rows[0]["segment"],
            "text": self.rows[0]["text"],
            **{name: one._asdict() for name, one in named.items() if one is not None},
            "rows": list(self.rows),
        }


def translations(row: Row) -> dict[str, Translation]:
    """The two translations of a case by the role of their outputs; both may be the same."""
    found = {}
    for output, given in PAIRS.items():
        text, made = row[given], row[output]
        found[output] = Translation(text["lang"], text["words"], made["lang"], made["words"])
    return found


def by_segment(rows: Sequence[Row]) -> list[Group]:
    """The rows of each segment of each run, where the rows are given the worst first."""
    found: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        found.setdefault((row["run"], row["position"]), []).append(row)
    return [Group(each) for each in found.values()]


def by_translation(rows: Sequence[Row]) -> list[Group]:
    """The fewest translations that explain the rows of each segment; the group of the worst row comes first."""
    groups = [group for segment in by_segment(rows) for group in _explained(segment.rows)]
    place = {id(row): number for number, row in enumerate(rows)}
    return sorted(groups, key=lambda group: place[id(group.rows[0])])


def _explained(rows: Sequence[Row]) -> Iterator[Group]:
    held = [set(translations(row).values()) for row in rows]
    open_: dict[Translation, set[int]] = {}
    for place, row in enumerate(rows):
        for one in translations(row).values():
            open_.setdefault(one, set()).add(place)

    def entry(one: Translation) -> tuple[int, float, int, Translation]:
        places = open_[one]
        return -len(places), -sum(rows[place]["suspicion"] for place in places), order[one], one

    order = {one: number for number, one in enumerate(open_)}
    heap = [entry(one) for one in open_]
    heapq.heapify(heap)
    while heap:
        count, _, _, one = heapq.heappop(heap)
        places = sorted(open_[one])
        if not places or -count != len(places):
            continue  # some of its cases have been explained since; its later entry counts
        shared = set.intersection(*(held[place] for place in places)) - {one}
        yield Group([rows[place] for place in places], one, min(shared, key=order.__getitem__, default=None))
        for other in {other for place in places for other in held[place]}:
            open_[other].difference_update(places)
            if open_[other]:
                heapq.heappush(heap, entry(other))
