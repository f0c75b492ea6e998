"""The majority verdict of the people who labelled a case; a tie is undecided."""

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
    """The majority of several labels.

    `verdict` is empty where nobody judged these outputs; then `stale` says whether other outputs were judged. `wrong`
    are the roles of the wrong outputs, named by more than half of those labels that say `error` and name a side;
    `categories` and `kinds` likewise.
    """

    verdict: str = ""
    stale: bool = False
    wrong: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def verdict(labels: Sequence[Label], outputs: str) -> Verdict:
    """The majority of those labels of a case that judge these outputs."""
    present = [label for label in labels if label.outputs == outputs]
    if not present:
        return Verdict(stale=bool(labels))
    most = majority(label.verdict for label in present)
    if most != "error":
        return Verdict(most)
    agreeing = [label for label in present if label.verdict == most]
    return Verdict(
        most,
        wrong=_most(_WRONG[label.wrong] for label in agreeing if label.wrong),
        categories=_most(label.categories for label in agreeing if label.categories),
        kinds=_most(label.kinds for label in agreeing if label.kinds),
    )


def majority(verdicts: Iterable[str]) -> str:
    """The most frequent of the verdicts, of which there is at least one; a tie is undecided."""
    counts = Counter(verdicts).most_common(2)
    return UNDECIDED if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]


def _most(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The names that more than half of the groups have."""
    lists = list(groups)
    counts = Counter(name for names in lists for name in names)
    return tuple(sorted(name for name, count in counts.items() if 2 * count > len(lists)))
