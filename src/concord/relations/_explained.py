"""Judging pairs by what explains their difference, in the place of a paper's own comparison."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from concord.model import Case, Text

if TYPE_CHECKING:  # it brings numpy along, which the paper's comparisons can do without
    from concord.compare import Blame, Comparison

By = Literal["concord", "paper"]
SURE = 0.5
"""The largest suspicion that is not flagged."""
PAPER = "paper"
"""The score under which a case keeps the suspicion that the paper's comparison has of it."""


class Explain(Protocol):
    """How far what differs between two translations is explained by what differs between the texts."""

    def each(self, fours: Sequence[tuple[Text, Text, Text, Text]]) -> Awaitable[list[Comparison]]: ...


async def explained(cases: Sequence[Case], explain: Explain | None, threshold: float | None) -> list[Case]:
    """The cases by our comparison; as they are, by the paper's, where nothing explains."""
    if explain is None:
        return list(cases)
    found = await explain.each([(x.source, x.follow_up, x.source_output, x.follow_up_output) for x in cases])
    return [judged(case, each, threshold) for case, each in zip(cases, found, strict=True)]


def judged(case: Case, found: Comparison, threshold: float | None) -> Case:
    """The case with our suspicion in place of the paper's, and the words that are to blame."""
    case.scores[PAPER] = case.suspicion
    case.suspicion = found.suspicion
    case.threshold = SURE if threshold is None else threshold
    case.evidence["blamed"] = [_told(blame) for blame in found.blames]
    marked: dict[str, list[list[int]]] = {"source_output": [], "follow_up_output": []}
    for blame in found.blames:
        marked[f"{blame.side}_output"].append([blame.start, blame.end])
    case.evidence["marked"] = case.evidence.get("marked", {}) | {side: sorted(at) for side, at in marked.items()}
    return case


def _told(blame: Blame) -> dict[str, object]:
    told = {"word": blame.word, "of": blame.source_word, "instead": blame.counterpart, "why": blame.why}
    return {**{name: value for name, value in told.items() if value}, "suspicion": blame.suspicion}
