"""Quantities that are told in two places, with what they count in between, as one: "3 metres or more"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from concord.text.logic.amounts import Quantity, bounded, within
from concord.text.logic.finding import Finding
from concord.text.logic.stretches import Item, stretch
from concord.text.logic.tables import Bound, Language
from concord.text.logic.words import Words

_NOUN = 5
"""The most words of what is counted between the two places."""
_REACH = 6
"""The most items that tell of one quantity."""
_JOINTS = frozenset(("comma", "conjunction"))
_COMPARABLE = frozenset(("number", "share", "range", "times"))


class Told(NamedTuple):
    """A quantity, how many items tell it, their words, and the words of what it counts."""

    finding: Finding
    size: int
    words: str
    counted: str


def with_bounds(row: list[Item], language: Language) -> list[Item]:
    """The row with one item for every quantity, and one behind it for what that counts."""
    made: list[Item] = []
    at = 0
    while at < len(row):
        told = _told(row[at : at + _REACH], language)
        if told is None:
            made.append(row[at])
            at += 1
            continue
        made += [
            Item(told.finding.kind, told.words, told.finding),
            *stretch(told.counted, 0, len(told.counted), language),
        ]
        at += told.size
    return made


def _told(row: Sequence[Item], language: Language) -> Told | None:
    """What the first items tell together, if they are a quantity and a noun."""
    if len(row) < 2 or row[1].phrase is None or _quantity(row[0]) is None or len(row[1].text.split()) > _NOUN:
        return None
    return next(filter(None, (rule(row, language) for rule in _RULES)), None)


def _both_ends(row: Sequence[Item], language: Language) -> Told | None:
    """At least 3 metres and at most 5 metres of rope; more than 2 people but fewer than 5."""
    at = 2
    while at < len(row) and row[at].kind in _JOINTS and at < 4:
        at += 1
    if at == 2 or at == len(row) or row[at - 1].kind != "conjunction":
        return None
    first, last = _quantity(row[0]), _quantity(row[at])
    both = None if first is None or last is None else within(first, last)
    noun, behind = row[1].text, row[at + 1].text if at + 1 < len(row) and row[at + 1].phrase is not None else ""
    if both is None:
        return None
    words, others = Words(noun).words, Words(behind).words
    told = Told(_found(row[0], both), at + 1 + bool(behind), _joined(row[: at + 1]), behind or noun)
    if not behind or others[: len(words)] == words:
        return told
    same = len(words) == 1 and others[0] in language.roles["auxiliary"]
    return told._replace(counted=f"{noun} {behind}") if same else None


def _or_more(row: Sequence[Item], language: Language) -> Told | None:
    """3 metres or more."""
    if len(row) < 4 or row[2].finding is None or row[3].phrase is None or row[0].kind not in _COMPARABLE:
        return None
    found = Words(f"{row[2].text} {row[3].text}")
    compared = language.compiled.behind.at(found.words, 0)
    if compared is None or not _ends(found.words[compared[0] :], language):
        return None
    end = found.end(compared[0] - 1)
    told = f"{_joined(row[:2])} {found.text[:end]}"
    return Told(_compared(row[0], compared[1]), 4, told, row[1].text + found.text[end:])


def _at_least(row: Sequence[Item], language: Language) -> Told | None:
    """3 metres at least."""
    words = Words(row[1].text)
    at = next((at for at in range(1, len(words.words)) if words.words[at] in language.roles["at"]), None)
    compared = None if at is None or row[0].kind not in _COMPARABLE else language.compiled.behind.at(words.words, at)
    if at is None or compared is None or not _ends(words.words[compared[0] :], language):
        return None
    begin, end = words.end(at - 1), words.end(compared[0] - 1)
    told = f"{row[0].text} {words.text[:end]}"
    return Told(_compared(row[0], compared[1]), 2, told, words.text[:begin] + words.text[end:])


def _out_of(row: Sequence[Item], language: Language) -> Told | None:
    """30 people out of 100, one person in five."""
    part, whole = _quantity(row[0]), _quantity(row[2]) if len(row) > 2 else None
    if part is None or whole is None or {row[0].kind, row[2].kind} != {"number"} or not part.low < whole.low:
        return None
    words, roles = row[1].text.split(), language.roles
    if words[-1].lower() in roles["the"]:
        words.pop()
    behind = row[3].text if len(row) > 3 and row[3].phrase is not None else ""
    if len(words) > 2 and words[-1].lower() in roles["part_of"] and words[-2].lower() in roles["out_of"]:
        noun = words[:-2]
    elif len(words) == 2 and words[-1].lower() in roles["of"] - roles["part_of"] and part.low == 1:
        if not _ends(Words(behind).words, language):
            return None
        noun = words[:-1]
    else:
        return None
    value = 100 * part.low / whole.low
    finding = _found(row[0], part._replace(kind="share", unit="share", low=value, high=value))
    return Told(finding, 3 + bool(behind), _joined(row[:3]), f"{' '.join(noun)} {behind}".strip())


_RULES: tuple[Callable[[Sequence[Item], Language], Told | None], ...] = (_both_ends, _or_more, _at_least, _out_of)


def _joined(row: Sequence[Item]) -> str:
    return " ".join(item.text for item in row)


def _ends(words: list[str], language: Language) -> bool:
    """Whether no noun follows, so that what was told is told of the noun before."""
    roles = language.roles
    return not words or any(words[0] in roles[each] for each in ("auxiliary", "behind_part", "goes_on", "part_of"))


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
