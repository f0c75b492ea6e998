"""The scope of "not": the quantity after its verb, or only the verb if the quantity is a duration or a deadline."""

from collections.abc import Sequence

from concord.relations.semmt.logic.english import ROLES
from concord.relations.semmt.logic.stretches import Item

_TURNED = frozenset(("more_than", "less_than", "vague"))
"""What is denied with the verb: what is not used for more than 3 days is used for 3 days at most."""
_NOUN = 3
"""The number of words after a number in which a span of time is looked for: "two full working days"."""


def duration(row: Sequence[Item], *, perfect: bool) -> int | None:
    """The index of a quantity that a "not" leaves as it is: "not drive for at least 24 hours", "within 30 days".

    With `perfect`, the quantity is a duration in which nothing happened: "has not rained for more than 3 days".
    """
    for index in range(1, len(row)):
        if _is_kept(row, index, perfect):
            return index
    return None


def is_perfect(row: Sequence[Item], negation: Item) -> bool:
    """Whether a "not" follows "has" or "had"."""
    position = next((index for index, item in enumerate(row) if item is negation), 0)
    words = [_last(row[position - 1]) if position else "", negation.text.lower().replace("’", "'")]
    return not ROLES["perfect"].isdisjoint(words)


def _is_kept(row: Sequence[Item], index: int, perfect: bool) -> bool:
    finding, last = row[index].quantity, _last(row[index - 1])
    if finding is None or row[index - 1].phrase is None:
        return False
    if last in ROLES["moment"] or row[index].text.partition(" ")[0].lower() in ROLES["moment"] | {"inside"}:
        return True
    counted = row[index + 1].text.lower().rstrip(".,;:!?").split()[:_NOUN] if index + 1 < len(row) else []
    if last not in ROLES["adjunct"] or ROLES["spans"].isdisjoint(counted):
        return False
    return perfect or finding.kind not in _TURNED


def _last(item: Item) -> str:
    return item.text.lower().split()[-1] if item.text.strip() else ""
