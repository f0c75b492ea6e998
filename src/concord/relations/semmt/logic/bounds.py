"""Join the two parts of a quantity that stand around what it counts: "3 metres or more"."""

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
"""The most words of the noun between the two parts."""
_REACH = 8
"""The most items of one quantity."""
_STOPS = frozenset(".!?")
_JOINTS = frozenset(("comma", "conjunction"))
_COMPARABLE = frozenset(("number", "share", "range", "times"))


class SplitQuantity(NamedTuple):
    """A joined quantity: its span, its number of items, their words, the counted noun, and the words after that."""

    finding: Finding
    size: int
    words: str
    counted: str
    behind: str = ""


Rule = Callable[[Sequence[Item]], SplitQuantity | None]


def with_bounds(row: list[Item]) -> list[Item]:
    """The items, with each split quantity joined into one item, and the noun that it counts as the next one.

    In "10 litres or more and 20 litres or less", each bound is joined first; then both are joined into a range.
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
    """The quantity that the first items form, if they are a quantity and a noun."""
    if len(row) < 2 or row[1].phrase is None or _quantity(row[0]) is None:
        return None
    return next(filter(None, (rule(row) for rule in rules)), None)


def _both_ends(row: Sequence[Item]) -> SplitQuantity | None:
    """Join "at least 3 metres and at most 5 metres of rope" or "more than 2 people but fewer than 5"."""
    second = _second(row) if _is_noun(row[1]) else None
    first, last = _quantity(row[0]), None if second is None else _quantity(row[second])
    range_ = None if first is None or last is None else within(first, last)
    if second is None or range_ is None:
        return None
    noun, behind = row[1].text, _phrase_text(row, second + 1)
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
    """The index of the second bound after "and" or "but", with at most an auxiliary verb before it."""
    joined = False
    for index, item in enumerate(row[2:], start=2):
        if not (item.kind in _JOINTS or item.silent or (joined and _is_auxiliary(item))):
            return index if joined else None
        joined = joined or item.kind == "conjunction"
    return None


def _is_auxiliary(item: Item) -> bool:
    return item.phrase is not None and ROLES["auxiliary"].issuperset(item.text.lower().split())


def _or_more(row: Sequence[Item]) -> SplitQuantity | None:
    """Join "3 metres or more"."""
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
    """Join "3 metres at least"."""
    words = Words(row[1].text)
    if "at" not in words.words[1 : _NOUN + 1] or row[0].kind not in _COMPARABLE:
        return None
    start = words.words.index("at", 1)
    compared = phrase_index.BEHIND.match(words.words, start)
    if compared is None or not _ends(words.words[compared[0] :]):
        return None
    begin, end = words.end(start - 1), words.end(compared[0] - 1)
    noun = words.text[:begin] + words.text[end:]
    return SplitQuantity(_compared(row[0], compared[1]), 2, row[0].text, noun, words.text[begin:end].strip())


def _out_of(row: Sequence[Item]) -> SplitQuantity | None:
    """Join "30 people out of 100" or "one person in five"."""
    part, whole = _quantity(row[0]), _quantity(row[2]) if len(row) > 2 else None
    if part is None or whole is None or not _is_noun(row[1]):
        return None
    if {row[0].kind, row[2].kind} != {"number"} or not part.low < whole.low:
        return None
    words = row[1].text.split()
    if words[-1].lower() == "the":
        words.pop()
    behind = _phrase_text(row, 3)
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


def _phrase_text(row: Sequence[Item], index: int) -> str:
    return row[index].text if index < len(row) and row[index].phrase is not None else ""


def _is_noun(item: Item) -> bool:
    return len(item.text.split()) <= _NOUN


def _joined(row: Sequence[Item]) -> str:
    return " ".join(item.text for item in row)


def _ends(words: list[str]) -> bool:
    """Whether no noun follows, so that the quantity belongs to the noun before it."""
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
    _, kind, unit, low, high, rough, _ = quantity
    return item.finding._replace(kind=kind, unit=unit, low=low, high=high, approximate=rough, bare=False)
