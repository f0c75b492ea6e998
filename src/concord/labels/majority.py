"""What the people who labelled a case say together: the verdict of most of them; a tie is undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from concord.labels.labels import Label

UNDECIDED = "undecided"
_WRONG = {
    "source output": ("source_output",),
    "follow-up output": ("follow_up_output",),
    "both": ("source_output", "follow_up_output"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`said` is a verdict, `undecided`, or empty where nobody judged these outputs; `stale`: but others were judged.

    `wrong` are the roles of the outputs that are wrong, as more than half of those say who call it an error
    and name a side; categories likewise.
    """

    said: str = ""
    stale: bool = False
    wrong: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


def verdict(labels: Sequence[Label], outputs: str) -> Verdict:
    """What a case's labels come to for these outputs."""
    present = [label for label in labels if label.outputs == outputs]
    if not present:
        return Verdict(stale=bool(labels))
    said = majority(each.verdict for each in present)
    if said != "error":
        return Verdict(said)
    agreeing = [each for each in present if each.verdict == said]
    return Verdict(
        said,
        wrong=_most(_WRONG[each.wrong] for each in agreeing if each.wrong),
        categories=_most(each.categories for each in agreeing if each.categories),
    )


def majority(verdicts: Iterable[str]) -> str:
    """What most say, of whom there must be some; a tie is undecided."""
    counts = Counter(verdicts).most_common(2)
    return UNDECIDED if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]


def _most(named: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """What more than half of the lists have."""
    lists = list(named)
    counts = Counter(name for each in lists for name in each)
    return tuple(sorted(name for name, count in counts.items() if 2 * count > len(lists)))
