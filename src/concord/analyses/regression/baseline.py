"""Systems against the baseline, the first system that is named: sentences that are newly or no longer flagged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concord.plain_data import PlainData
from concord.runs.summary import Summary
from concord.stats.sign_test import holm, p_value_text, sign_test
from concord.store import RunRecord

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.columns import Array
    from concord.store.index.reader import Reader

    Verdicts = Mapping[str, tuple[Array, Array]]

COLUMNS = ("system", "baseline", "from→to", "relation", "segments", "newly flagged", "no longer flagged", "p (Holm)")
NOTE = (
    "Segments: those that both systems have a case of. p: exact sign test on the segments where only one of them is"
    " flagged, adjusted for all rows (Holm)."
)


@dataclass(frozen=True, slots=True)
class Against(PlainData):
    """One system against the baseline, on the segments that were judged in both.

    `granularity` is that of the cases, for a relation with several. `p` is the sign test's, adjusted for all
    comparisons made together (Holm); it is None where no segment was judged in both.
    """

    system: str
    baseline: str
    relation: str
    granularity: str
    source_lang: str
    target_lang: str
    segments: int
    newly_violated: int
    no_longer_violated: int
    p: float | None

    @property
    def name(self) -> str:
        """`mgmt (word)`"""
        return f"{self.relation} ({self.granularity})" if self.granularity else self.relation

    @property
    def direction(self) -> str:
        return f"{self.source_lang}→{self.target_lang}"


def against(reader: Reader, summaries: Sequence[Summary]) -> list[Against]:
    """Every run of another system against the baseline's run of the same kind; empty for a single system."""
    if not summaries:
        return []
    baseline = summaries[0].run.system
    first = {_kind(summary.run): summary.run for summary in reversed(summaries) if summary.run.system == baseline}
    pairs = [(first[_kind(summary.run)], summary.run) for summary in summaries if _kind(summary.run) in first]
    pairs = [(a, b) for a, b in pairs if b.system != baseline]
    paired = {run.id for pair in pairs for run in pair}
    verdicts = {run.id: columns.verdicts() for run, columns in reader.indexed if run.id in paired}
    return _adjusted([row for a, b in pairs for row in _compare(a, b, verdicts[a.id], verdicts[b.id])])


def table_rows(rows: Sequence[Against]) -> list[tuple[object, ...]]:
    """The rows below COLUMNS, without comparisons that have no segment in common."""
    facts = ("system", "baseline", "direction", "name", "segments", "newly_violated", "no_longer_violated")
    return [(*(getattr(row, name) for name in facts), p_value_text(row.p)) for row in rows if row.p is not None]


def not_compared(rows: Sequence[Against]) -> list[str]:
    """A note for each comparison that has no segment in common."""
    return [
        f"{row.name} {row.direction}: {row.system} is not compared with {row.baseline}, as no segment was judged in"
        " both"
        for row in rows
        if row.p is None
    ]


def _kind(run: RunRecord) -> tuple[str, ...]:
    return run.relation, str(run.settings), run.source, run.target, run.corpus


def _compare(a: RunRecord, b: RunRecord, before: Verdicts, after: Verdicts) -> Iterator[Against]:
    import numpy as np

    none = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
    # Systems without any case get one note, not one for each granularity.
    for part in dict.fromkeys([*before, *after]) if before and after else [""]:
        (first, first_flags), (second, second_flags) = before.get(part, none), after.get(part, none)
        shared, in_first, in_second = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        was, is_now = first_flags[in_first], second_flags[in_second]
        newly, no_longer = int(np.count_nonzero(is_now & ~was)), int(np.count_nonzero(was & ~is_now))
        names = (b.system, a.system, b.relation, part, b.source, b.target)
        p = sign_test(newly, no_longer) if len(shared) else None
        yield Against(*names, len(shared), newly, no_longer, p)


def _adjusted(rows: Sequence[Against]) -> list[Against]:
    adjusted = iter(holm([row.p for row in rows if row.p is not None]))
    return [row if row.p is None else replace(row, p=next(adjusted)) for row in rows]
