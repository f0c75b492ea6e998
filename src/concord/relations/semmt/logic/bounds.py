"""Quantities that are told in two places, with what they count in between, as one: "3 metres or more"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.amounts import Quantity, bounded, within
from concord.relations.semmt.logic.english import ROLES
from concord.relations.semmt.logic.kinds import Bound
from concord.relations.semmt.logic.quantifier_spans import Finding
from concord.relations.semmt.logic.stretches import Item, stretch
from concord.relations.semmt.logic.words import Words

_NOUN = 5
"""The most words of what is counted between the two places."""
_REACH = 8
"""The most items that tell of one quantity."""
_STOPS = frozenset(".!?")
_JOINTS = frozenset(("comma", "conjunction"))
_COMPARABLE = frozenset(("number", "share", "range", "times"))


class SplitQuantity(NamedTuple):
    """A quantity, how many items tell it, their words, the words of what it counts, and what else stands behind."""

    finding: Finding
    size: int
    words: str
    counted: str
    behind: str = ""


Rule = Callable[[Sequence[Item]], SplitQuantity | None]


def with_bounds(row: list[Item]) -> list[Item]:
    """The row with one item for every quantity, and one behind it for what that counts.

    "10 litres or more and 20 litres or less" are two bounds before they are a range.
    """
    return _once(_once(row, _BOUNDS), (_both_ends,))


def _once(row: list[Item], rules: Sequence[Rule]) -> list[Item]:
    joined: list[Item] = []
    index = 0
    while index < len(row):
        quantity = _split_quantity(row[index : index + _REACH], rules)
        if quantity is None:
            joined.append(row[index])
            index += 1
            continue
        joined += _items(quantity)
        index += quantity.size
    return joined


def _items(quantity: SplitQuantity) -> list[Item]:
    counted, behind = quantity.counted, quantity.behind
    if behind and counted[-1:] in _STOPS:
        counted, behind = counted[:-1], behind + counted[-1]
    joined = [Item(quantity.finding.kind, quantity.words, quantity.finding), *stretch(counted, 0, len(counted))]
    return [*joined, Item("words", behind)] if behind else joined


def _split_quantity(row: Sequence[Item], rules: Sequence[Rule]) -> SplitQuantity | None:
    """What the first items tell together, if they are a quantity and a noun."""
    if len(row) < 2 or row[1].phrase is None or _quantity(row[0]) is None:
        return None
    return next(filter(None, (rule(row) for rule in rules)), None)


def _both_ends(row: Sequence[Item]) -> SplitQuantity | None:
    """At least 3 metres and at most 5 metres of rope; more than 2 people but fewer than 5."""
    second = _second(row) if _is_noun(row[1]) else None
    first, last = _quantity(row[0]), None if second is None else _quantity(row[second])
    range_ = None if first is None or last is None else within(first, last)
    if second is None or range_ is None:
        return None
    noun, behind = (
        row[1].text,
        row[second + 1].text if second + 1 < len(row) and row[second + 1].phrase is not None else "",
    )
    words, following = Words(noun).words, Words(behind).words
    finding, size = _with_quantity(row[0], range_), second + 1 + bool(behind)
    if not behind:
        return SplitQuantity(finding, size, row[0].text, noun, _joined(row[2 : second + 1]))
    split = SplitQuantity(finding, size, _joined(row[: second + 1]), behind)
    if following[: len(words)] == words:
        return split
    same = len(words) == 1 and following[0] in ROLES["auxiliary"]
    return split._replace(counted=f"{noun} {behind}") if same else None


def _second(row: Sequence[Item]) -> int | None:
    """Where the second bound stands behind "and" or "but", with no more than an auxiliary verb before it."""
    index, joined = 2, False
    while index < len(row) and (
        row[index].kind in _JOINTS or row[index].silent or (joined and _is_auxiliary(row[index]))
    ):
        joined = joined or row[index].kind == "conjunction"
        index += 1
    return index if joined and index < len(row) else None


def _is_auxiliary(item: Item) -> bool:
    return item.phrase is not None and ROLES["auxiliary"].issuperset(item.text.lower().split())


def _or_more(row: Sequence[Item]) -> SplitQuantity | None:
    """3 metres or more."""
    if len(row) < 4 or row[2].finding is None or row[3].phrase is None or row[0].kind not in _COMPARABLE:
        return None
    if not _is_noun(row[1]):
        return None
    following = Words(f"{row[2].text} {row[3].text}")
    compared = phrase_index.BEHIND.match(following.words, 0)
    if compared is None or not _ends(following.words[compared[0] :]):
        return None
    end = following.end(compared[0] - 1)
    noun = row[1].text + following.text[end:]
    return SplitQuantity(_compared(row[0], compared[1]), 4, row[0].text, noun, following.text[:end])


def _at_least(row: Sequence[Item]) -> SplitQuantity | None:
    """3 metres at least."""
    words = Words(row[1].text)
    told = enumerate(words.words[: _NOUN + 1])
    at = next((at for at, word in told if at and word == "at"), None)
    compared = None if at is None or row[0].kind not in _COMPARABLE else phrase_index.BEHIND.match(words.words, at)
    if at is None or compared is None or not _ends(words.words[compared[0] :]):
        return None
    begin, end = words.end(at - 1), words.end(compared[0] - 1)
    noun = words.text[:begin] + words.text[end:]
    return SplitQuantity(_compared(row[0], compared[1]), 2, row[0].text, noun, words.text[begin:end].strip())


def _out_of(row: Sequence[Item]) -> SplitQuantity | None:
    """30 people out of 100, one person in five."""
    part, whole = _quantity(row[0]), _quantity(row[2]) if len(row) > 2 else None
    if (
        not _is_noun(row[1])
        or part is None
        or whole is None
        or {row[0].kind, row[2].kind} != {"number"}
        or not part.low < whole.low
    ):
        return None
    words = row[1].text.split()
    if words[-1].lower() == "the":
        words.pop()
    behind = row[3].text if len(row) > 3 and row[3].phrase is not None else ""
    if len(words) > 2 and words[-1].lower() == "of" and words[-2].lower() == "out":
        noun = words[:-2]
    elif len(words) == 2 and words[-1].lower() == "in" and part.low == 1:
        if not _ends(Words(behind).words):
            return None
        noun = words[:-1]
    else:
        return None
    value = 100 * part.low / whole.low
    finding = _with_quantity(row[0], part._replace(kind="share", unit="share", low=value, high=value))
    return SplitQuantity(finding, 3 + bool(behind), _joined(row[:3]), f"{' '.join(noun)} {behind}".strip())


_BOUNDS: tuple[Rule, ...] = (_or_more, _at_least, _out_of)


def _is_noun(item: Item) -> bool:
    return len(item.text.split()) <= _NOUN


def _joined(row: Sequence[Item]) -> str:
    return " ".join(item.text for item in row)


def _ends(words: list[str]) -> bool:
    """Whether no noun follows, so that what was told is told of the noun before."""
    return not words or any(words[0] in ROLES[role] for role in ("auxiliary", "behind_part", "goes_on"))


def _quantity(item: Item) -> Quantity | None:
    finding = item.finding
    if finding is None or finding.unit is None or finding.low is None or finding.high is None:
        return None
    return Quantity(0, finding.kind, finding.unit, finding.low, finding.high, finding.approximate)


def _compared(item: Item, bound: Bound) -> Finding:
    amount = _quantity(item)
    assert amount is not None
    return _with_quantity(item, bounded(amount, bound, signed=amount.unit == "negative"))


def _with_quantity(item: Item, quantity: Quantity) -> Finding:
    assert item.finding is not None
    approximate = quantity.approximate
    return item.finding._replace(
        kind=quantity.kind,
        unit=quantity.unit,
        low=quantity.low,
        high=quantity.high,
        approximate=approximate,
        bare=False,
    )
