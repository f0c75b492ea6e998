"""Groups of flagged cases: those of one segment, or those that one translation explains.

A flagged case says that one of two translations is wrong, but not which. If several cases of a segment share a
translation, that one explains them all, so the fewest translations that explain every case are the likeliest
to be wrong (greedy set cover).
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

PAIRS = {"source_output": "source", "follow_up_output": "follow_up"}
Row = Mapping[str, Any]


class Translation(NamedTuple):
    """A text and the system's translation of it."""

    lang: str
    words: str
    output_lang: str
    output: str


@dataclass(frozen=True, slots=True)
class Group:
    """Flagged cases of one segment, the worst first.

    `translation` explains them all, and `rival` is another one that would explain them just as well.
    """

    rows: Sequence[Row]
    translation: Translation | None = None
    rival: Translation | None = None

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        explaining = {"translation": self.translation, "rival": self.rival}
        return {
            "run": self.rows[0]["run"],
            "segment": self.rows[0]["segment"],
            "text": self.rows[0]["text"],
            **{name: translation._asdict() for name, translation in explaining.items() if translation is not None},
            "rows": list(self.rows),
        }


def translations(row: Row) -> dict[str, Translation]:
    """The two translations of a case by the role of their outputs; both may be the same."""
    texts = {output: (row[source], row[output]) for output, source in PAIRS.items()}
    return {role: Translation(a["lang"], a["words"], b["lang"], b["words"]) for role, (a, b) in texts.items()}


def by_segment(rows: Sequence[Row]) -> list[Group]:
    """The rows of each segment of each run, in the order of `rows`, which have the worst first."""
    segments: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        segments.setdefault((row["run"], row["position"]), []).append(row)
    return [Group(cases) for cases in segments.values()]


def by_translation(rows: Sequence[Row]) -> list[Group]:
    """The fewest translations that explain the rows of each segment; the group of the worst row comes first."""
    groups = [group for segment in by_segment(rows) for group in _explained(segment.rows)]
    order = {id(row): number for number, row in enumerate(rows)}
    return sorted(groups, key=lambda group: order[id(group.rows[0])])


def _explained(rows: Sequence[Row]) -> Iterator[Group]:
    of_row = [set(translations(row).values()) for row in rows]
    unexplained: dict[Translation, set[int]] = {}
    for index, row in enumerate(rows):
        for translation in translations(row).values():
            unexplained.setdefault(translation, set()).add(index)

    def entry(translation: Translation) -> tuple[int, float, int, Translation]:
        indices = unexplained[translation]
        return -len(indices), -sum(rows[index]["suspicion"] for index in indices), order[translation], translation

    order = {translation: number for number, translation in enumerate(unexplained)}
    heap = [entry(translation) for translation in unexplained]
    heapq.heapify(heap)
    while heap:
        count, _, _, translation = heapq.heappop(heap)
        indices = sorted(unexplained[translation])
        if not indices or -count != len(indices):
            continue  # some of its cases have been explained since; its later entry counts
        shared = set.intersection(*(of_row[index] for index in indices)) - {translation}
        yield Group([rows[index] for index in indices], translation, min(shared, key=order.__getitem__, default=None))
        for touched in {touched for index in indices for touched in of_row[index]}:
            unexplained[touched].difference_update(indices)
            if unexplained[touched]:
                heapq.heappush(heap, entry(touched))
