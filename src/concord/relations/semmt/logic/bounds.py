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


class Told(NamedTuple):
    """A quantity, how many items tell it, their words, the words of what it counts, and what else stands behind."""

    finding: Finding
    size: int
    words: str
    counted: str
    behind: str = ""


Rule = Callable[[Sequence[Item]], Told | None]


def with_bounds(row: list[Item]) -> list[Item]:
    """The row with one item for every quantity, and one behind it for what that counts.

    "10 litres or more and 20 litres or less" are two bounds before they are a range.
    """
    return _once(_once(row, _BOUNDS), (_both_ends,))


def _once(row: list[Item], rules: Sequence[Rule]) -> list[Item]:
    made: list[Item] = []
    at = 0
    while at < len(row):
        told = _told(row[at : at + _REACH], rules)
        if told is None:
            made.append(row[at])
            at += 1
            continue
        made += _items(told)
        at += told.size
    return made


def _items(told: Told) -> list[Item]:
    counted, behind = told.counted, told.behind
    if behind and counted[-1:] in _STOPS:
        counted, behind = counted[:-1], behind + counted[-1]
    made = [Item(told.finding.kind, told.words, told.finding), *stretch(counted, 0, len(counted))]
    return [*made, Item("words", behind)] if behind else made


def _told(row: Sequence[Item], rules: Sequence[Rule]) -> Told | None:
    """What the first items tell together, if they are a quantity and a noun."""
    if len(row) < 2 or row[1].phrase is None or _quantity(row[0]) is None:
        return None
    return next(filter(None, (rule(row) for rule in rules)), None)


def _both_ends(row: Sequence[Item]) -> Told | None:
    """At least 3 metres and at most 5 metres of rope; more than 2 people but fewer than 5."""
    at = _second(row) if _is_noun(row[1]) else None
    first, last = _quantity(row[0]), None if at is None else _quantity(row[at])
    both = None if first is None or last is None else within(first, last)
    if at is None or both is None:
        return None
    noun, behind = row[1].text, row[at + 1].text if at + 1 < len(row) and row[at + 1].phrase is not None else ""
    words, others = Words(noun).words, Words(behind).words
    finding, size = _found(row[0], both), at + 1 + bool(behind)
    if not behind:
        return Told(finding, size, row[0].text, noun, _joined(row[2 : at + 1]))
    told = Told(finding, size, _joined(row[: at + 1]), behind)
    if others[: len(words)] == words:
        return told
    same = len(words) == 1 and others[0] in ROLES["auxiliary"]
    return told._replace(counted=f"{noun} {behind}") if same else None


def _second(row: Sequence[Item]) -> int | None:
    """Where the second bound stands behind "and" or "but", with no more than an auxiliary verb before it."""
    at, joined = 2, False
    while at < len(row) and (row[at].kind in _JOINTS or row[at].silent or (joined and _is_auxiliary(row[at]))):
        joined = joined or row[at].kind == "conjunction"
        at += 1
    return at if joined and at < len(row) else None


def _is_auxiliary(item: Item) -> bool:
    return item.phrase is not None and ROLES["auxiliary"].issuperset(item.text.lower().split())


def _or_more(row: Sequence[Item]) -> Told | None:
    """3 metres or more."""
    if len(row) < 4 or row[2].finding is None or row[3].phrase is None or row[0].kind not in _COMPARABLE:
        return None
    if not _is_noun(row[1]):
        return None
    found = Words(f"{row[2].text} {row[3].text}")
    compared = phrase_index.BEHIND.at(found.words, 0)
    if compared is None or not _ends(found.words[compared[0] :]):
        return None
    end = found.end(compared[0] - 1)
    noun = row[1].text + found.text[end:]
    return Told(_compared(row[0], compared[1]), 4, row[0].text, noun, found.text[:end])


def _at_least(row: Sequence[Item]) -> Told | None:
    """3 metres at least."""
    words = Words(row[1].text)
    told = enumerate(words.words[: _NOUN + 1])
    at = next((at for at, word in told if at and word == "at"), None)
    compared = None if at is None or row[0].kind not in _COMPARABLE else phrase_index.BEHIND.at(words.words, at)
    if at is None or compared is None or not _ends(words.words[compared[0] :]):
        return None
    begin, end = words.end(at - 1), words.end(compared[0] - 1)
    noun = words.text[:begin] + words.text[end:]
    return Told(_compared(row[0], compared[1]), 2, row[0].text, noun, words.text[begin:end].strip())


def _out_of(row: Sequence[Item]) -> Told | None:
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
    finding = _found(row[0], part._replace(kind="share", unit="share", low=value, high=value))
    return Told(finding, 3 + bool(behind), _joined(row[:3]), f"{' '.join(noun)} {behind}".strip())


_BOUNDS: tuple[Rule, ...] = (_or_more, _at_least, _out_of)


def _is_noun(item: Item) -> bool:
    return len(item.text.split()) <= _NOUN


def _joined(row: Sequence[Item]) -> str:
    return " ".join(item.text for item in row)


def _ends(words: list[str]) -> bool:
    """Whether no noun follows, so that what was told is told of the noun before."""
    return not words or any(words[0] in ROLES[each] for each in ("auxiliary", "behind_part", "goes_on"))


def _quantity(item: Item) -> Quantity | None:
    found = item.finding
    if found is None or found.unit is None or found.low is None or found.high is None:
        return None
    return Quantity(0, found.kind, found.unit, found.low, found.high, found.approximate)


def _compared(item: Item, bound: Bound) -> Finding:
    amount = _quantity(item)
    assert amount is not None
    return _found(item, bounded(amount, bound, signed=amount.unit == "negative"))


def _found(item: Item, made: Quantity) -> Finding:
    assert item.finding is not None
    rough = made.approximate
    return item.finding._replace(
        kind=made.kind, unit=made.unit, low=made.low, high=made.high, approximate=rough, bare=False
    )
