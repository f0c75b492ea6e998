"""Systems against the first one named, the baseline: which sentences fail newly, which no longer."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concord.report.summary import Summary
from concord.stats.sign import holm, sign_test
from concord.store import RunRecord, Workspace

COLUMNS = ("system", "baseline", "from→to", "relation", "segments", "newly violated", "no longer violated", "p")


@dataclass(frozen=True, slots=True)
class Against:
    """One system beside the baseline, on the segments that both could do.

    `p` is the sign test's, adjusted for all comparisons made together (Holm).
    """

    system: str
    baseline: str
    relation: str
    source_lang: str
    target_lang: str
    segments: int
    newly_violated: int
    no_longer_violated: int
    p: float

    def plain(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def against(workspace: Workspace, summaries: Sequence[Summary]) -> list[Against]:
    """Every run of another system beside the baseline's run of the same kind; empty for a single system."""
    if not summaries:
        return []
    baseline = summaries[0].run.system
    first = {_kind(each.run): each.run for each in reversed(summaries) if each.run.system == baseline}
    pairs = [(first[_kind(each.run)], each.run) for each in summaries if _kind(each.run) in first]
    rows = [_beside(workspace, a, b) for a, b in pairs if b.system != baseline]
    return [dataclasses.replace(row, p=p) for row, p in zip(rows, holm([row.p for row in rows]), strict=True)]


def said(row: Against) -> tuple[object, ...]:
    """The cells of a row below COLUMNS."""
    p = "<0.001" if row.p < 0.001 else f"{row.p:.3f}"
    way = f"{row.source_lang}→{row.target_lang}"
    found = (row.segments, row.newly_violated, row.no_longer_violated)
    return (row.system, row.baseline, way, row.relation, *found, p)


def _kind(run: RunRecord) -> tuple[str, ...]:
    return run.relation, str(run.settings), run.source, run.target, run.corpus


def _beside(workspace: Workspace, a: RunRecord, b: RunRecord) -> Against:
    pairs = workspace.paired(a.id, b.id)
    newly, no_longer = pairs[False, True], pairs[True, False]
    names = (b.system, a.system, b.relation, b.source, b.target)
    return Against(*names, pairs.total(), newly, no_longer, sign_test(newly, no_longer))
