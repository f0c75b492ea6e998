"""Systems against the first one named, the baseline: which sentences fail newly, which no longer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from concord.plain_data import PlainData
from concord.runs.summary import Summary
from concord.stats.sign_test import holm, said_p, sign_test
from concord.store import RunRecord, Workspace

COLUMNS = ("system", "baseline", "from→to", "relation", "segments", "newly violated", "no longer violated", "p (Holm)")
NOTE = (
    "Segments: those that both systems have a case of. p: exact sign test on the segments where only one of them is"
    " violated, adjusted for all rows (Holm)."
)
PART = "granularity"
"""The factor by which a relation tells its cases apart: what fails nearly always would hide all else of a sentence."""
Verdicts = Mapping[str, Mapping[int, bool]]
"""By part, whether a segment is violated; the part is empty for a relation that makes no difference."""


@dataclass(frozen=True, slots=True)
class Against(PlainData):
    """One system beside the baseline, on the segments that were judged in both.

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
    def way(self) -> str:
        return f"{self.source_lang}→{self.target_lang}"


def against(workspace: Workspace, summaries: Sequence[Summary]) -> list[Against]:
    """Every run of another system beside the baseline's run of the same kind; empty for a single system."""
    if not summaries:
        return []
    baseline = summaries[0].run.system
    first = {_kind(each.run): each.run for each in reversed(summaries) if each.run.system == baseline}
    pairs = [(first[_kind(each.run)], each.run) for each in summaries if _kind(each.run) in first]
    pairs = [(a, b) for a, b in pairs if b.system != baseline]
    verdicts = {run: _verdicts(workspace, run) for run in dict.fromkeys(run.id for pair in pairs for run in pair)}
    return _adjusted([row for a, b in pairs for row in _beside(a, b, verdicts[a.id], verdicts[b.id])])


def told(rows: Sequence[Against]) -> list[tuple[object, ...]]:
    """The rows below COLUMNS; what was not judged in both is none of them."""
    facts = ("system", "baseline", "way", "name", "segments", "newly_violated", "no_longer_violated")
    return [(*(getattr(row, name) for name in facts), said_p(row.p)) for row in rows if row.p is not None]


def untold(rows: Sequence[Against]) -> list[str]:
    """What to say of comparisons that cannot be made."""
    return [
        f"{row.name} {row.way}: {row.system} is not compared with {row.baseline}, as no segment was judged in both"
        for row in rows
        if row.p is None
    ]


def _kind(run: RunRecord) -> tuple[str, ...]:
    return run.relation, str(run.settings), run.source, run.target, run.corpus


def _verdicts(workspace: Workspace, run: int) -> Verdicts:
    """A segment is violated if it has a violated case in more than half of its repetitions that were judged.

    Repetitions of one segment are no further evidence, so they make one verdict.
    """
    found: dict[str, dict[int, dict[int, bool]]] = {}
    for row in workspace.rows([run]):
        if row["error"] is None:
            segment = found.setdefault(row["factors"].get(PART, ""), {}).setdefault(row["position"], {})
            segment[row["repetition"]] = segment.get(row["repetition"], False) or row["violated"]
    return {
        part: {position: sum(each.values()) * 2 > len(each) for position, each in segments.items()}
        for part, segments in found.items()
    }


def _beside(a: RunRecord, b: RunRecord, before: Verdicts, after: Verdicts) -> Iterator[Against]:
    # Of systems that share nothing at all it is enough to say so once.
    for part in dict.fromkeys([*before, *after]) if before and after else [""]:
        here, there = before.get(part, {}), after.get(part, {})
        pairs = Counter((here[position], there[position]) for position in here.keys() & there.keys())
        newly, no_longer = pairs[False, True], pairs[True, False]
        names = (b.system, a.system, b.relation, part, b.source, b.target)
        p = sign_test(newly, no_longer) if pairs else None
        yield Against(*names, pairs.total(), newly, no_longer, p)


def _adjusted(rows: Sequence[Against]) -> list[Against]:
    adjusted = iter(holm([row.p for row in rows if row.p is not None]))
    return [row if row.p is None else replace(row, p=next(adjusted)) for row in rows]
