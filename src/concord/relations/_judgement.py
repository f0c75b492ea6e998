"""The comparator's judgement of cases, in place of a paper's own comparison."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from concord.model import PAPER, PROBABILITY, ROLES, Case, Roles, Text
from concord.relations._spans import place

if TYPE_CHECKING:  # it brings numpy along, which the paper's comparisons can do without
    from concord.comparator import Blame, Comparison

SURE = 0.5
"""The largest suspicion that is not flagged."""
EQUAL = "equal"
"""The score, 1, of a case whose translations are equal and must not be, which the comparator cannot object to."""
Four = tuple[Text, Text, Text, Text]


class Explain(Protocol):
    """The comparator's service: is the difference of two translations explained by that of the texts?"""

    def each(self, fours: Sequence[Four]) -> Awaitable[list[Comparison]]: ...


def compared_texts(texts: Sequence[Text], compared: Roles = ROLES) -> Four:
    """The texts of a case that the comparator reads: two texts, and the translation of each."""
    one, other, of_one, of_other = (texts[ROLES.index(role)] for role in compared)
    return one, other, of_one, of_other


async def explained(cases: Sequence[Case], explain: Explain, threshold: float, compared: Roles = ROLES) -> list[Case]:
    """The cases as the comparator judges them."""
    fours = [compared_texts([getattr(case, role) for role in ROLES], compared) for case in cases]
    comparisons = await explain.each(fours)
    return [judged(case, comparison, threshold, compared) for case, comparison in zip(cases, comparisons, strict=True)]


def judged(case: Case, comparison: Comparison, threshold: float, compared: Roles = ROLES) -> Case:
    """The case with the comparator's suspicion in place of the paper's, and the words that are to blame."""
    case.scores[PAPER] = case.suspicion
    case.suspicion = max(comparison.suspicion, case.scores.get(EQUAL, 0.0))
    if EQUAL not in case.scores:
        case.scores[PROBABILITY] = comparison.probability
    case.threshold = threshold
    case.evidence["blamed"] = blamed = [_blamed_word(blame, compared) for blame in comparison.blames]
    marked: dict[str, list[list[int]]] = {role: [] for role in compared[2:]}
    for blame in blamed:
        marked[blame["role"]].append([blame["start"], blame["end"]])
    case.evidence["marked"] = case.evidence.get("marked", {}) | {side: sorted(spans) for side, spans in marked.items()}
    # What the paper's comparison finds in the texts that we compare is not what ours finds.
    if kept := [span for span in case.evidence.pop("places", ()) if span["role"] not in marked]:
        case.evidence["places"] = kept
    return case


def _blamed_word(blame: Blame, compared: Roles) -> dict[str, Any]:
    """A blame as evidence: the word, its source word and its counterpart, each with its role and span."""
    side = 1 if blame.side == "follow_up" else 0
    evidence: dict[str, Any] = {"word": blame.word, **place(compared[2 + side], (blame.start, blame.end))}
    if blame.source_span:
        evidence |= {"of": blame.source_word, "of_place": place(compared[side], blame.source_span)}
    if blame.counterpart_span:
        counterpart = place(compared[3 - side], blame.counterpart_span)
        evidence |= {"instead": blame.counterpart, "instead_place": counterpart}
    return {**evidence, "why": blame.why, "suspicion": blame.suspicion}
