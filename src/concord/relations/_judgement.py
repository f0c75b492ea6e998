"""Judging pairs by what explains their difference, in the place of a paper's own comparison."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from concord.model import PAPER, PROBABILITY, ROLES, Case, Text
from concord.relations._options import share
from concord.relations._spans import place
from concord.signature import option_text

if TYPE_CHECKING:  # it brings numpy along, which the paper's comparisons can do without
    from concord.comparator import Blame, Comparison

By = Literal["concord", "paper"]
SURE = 0.5
"""The largest suspicion that is not flagged."""
EQUAL = "equal"
"""The score, 1, of a case whose translations are equal and must not be, which our comparison cannot object to."""
Four = tuple[Text, Text, Text, Text]
Roles = tuple[str, str, str, str]
USUAL: Roles = (ROLES[0], ROLES[1], ROLES[2], ROLES[3])


class Explain(Protocol):
    """How far what differs between two translations is explained by what differs between the texts."""

    def each(self, fours: Sequence[Four]) -> Awaitable[list[Comparison]]: ...


def needing(*services: str) -> Callable[..., set[str]]:
    """A relation's `needs`: these services, and what explains differences where our comparison is wanted."""

    def needs(*, comparison: By, **_: object) -> set[str]:
        return {*services, "explain"} if comparison == "concord" else set(services)

    return needs


def asked(texts: Sequence[Text], compared: Roles = USUAL) -> Four:
    """What `explain` is asked about the four texts of a case."""
    one, other, of_one, of_other = (texts[ROLES.index(role)] for role in compared)
    return one, other, of_one, of_other


def check_threshold(relation: str, comparison: By, threshold: float | None) -> None:
    """Our suspicion is a share, whatever the paper's is."""
    if comparison == "concord" and threshold is not None:
        share(relation, threshold)


def undecided(comparison: By, options: Mapping[str, tuple[object, object]]) -> list[str]:
    """A note on each option of the paper's comparison, with its default, that is set where ours judges.

    >>> undecided("concord", {"metric": ("bleu", "lcs")})
    ['metric=bleu decides nothing: it makes the score `paper` alone. To judge by it: comparison=paper']
    """
    if comparison == "paper":
        return []
    return [
        f"{name}={option_text(value)} decides nothing: it makes the score `{PAPER}` alone. To judge by it:"
        " comparison=paper"
        for name, (value, default) in options.items()
        if value != default
    ]


async def explained(
    cases: Sequence[Case], explain: Explain | None, threshold: float | None, compared: Roles = USUAL
) -> list[Case]:
    """The cases by our comparison; as they are, by the paper's, where nothing explains."""
    if explain is None:
        return list(cases)
    found = await explain.each([asked([getattr(case, role) for role in ROLES], compared) for case in cases])
    return [judged(case, each, threshold, compared) for case, each in zip(cases, found, strict=True)]


def judged(case: Case, found: Comparison, threshold: float | None, compared: Roles = USUAL) -> Case:
    """The case with our suspicion in place of the paper's, and the words that are to blame."""
    case.scores[PAPER] = case.suspicion
    case.suspicion = max(found.suspicion, case.scores.get(EQUAL, 0.0))
    if EQUAL not in case.scores:
        case.scores[PROBABILITY] = found.probability
    case.threshold = SURE if threshold is None else threshold
    case.evidence["blamed"] = blamed = [_told(blame, compared) for blame in found.blames]
    marked: dict[str, list[list[int]]] = {role: [] for role in compared[2:]}
    for blame in blamed:
        marked[blame["role"]].append([blame["start"], blame["end"]])
    case.evidence["marked"] = case.evidence.get("marked", {}) | {side: sorted(at) for side, at in marked.items()}
    # What the paper's comparison finds in the texts that we compare is not what ours finds.
    if kept := [each for each in case.evidence.pop("places", ()) if each["role"] not in marked]:
        case.evidence["places"] = kept
    return case


def _told(blame: Blame, compared: Roles) -> dict[str, Any]:
    """A blame as evidence: each of its words with the place, a role and a span, where it stands."""
    at = 1 if blame.side == "follow_up" else 0
    told: dict[str, Any] = {"word": blame.word, **place(compared[2 + at], (blame.start, blame.end))}
    if blame.source_span:
        told |= {"of": blame.source_word, "of_place": place(compared[at], blame.source_span)}
    if blame.counterpart_span:
        told |= {"instead": blame.counterpart, "instead_place": place(compared[3 - at], blame.counterpart_span)}
    return {**told, "why": blame.why, "suspicion": blame.suspicion}
