"""The meaning of a request as a small tree, and how a bracketing becomes such a tree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from concord.relations.semmt.regex.grammar import ChartItem
from concord.relations.semmt.regex.phrases import WORD, RequestPhrase


class Meaning(NamedTuple):
    """An operation on meanings; an atom has its expression and its name, `times` its bounds."""

    operation: str
    parts: tuple[Meaning, ...] = ()
    atom: str = ""
    name: str = ""
    low: int = 0
    high: int | None = None


ONLY = "only"
"""The name of a `contain` that means `containing only X`, which the benchmark often takes for `containing X`."""

_SAME = frozenset({"have", "only", "either", "both"})
_GAP = Meaning("atom", atom=". *", name="anything")
_ALIKE = {"ended": "end", "then": "sequence", "before": "sequence", "beside": "sequence"}


def meaning(item: ChartItem, phrases: Sequence[RequestPhrase], negated: bool = False) -> Meaning:
    """The meaning of a bracketing. As in the benchmark, a negation of "X but not Y" negates both.

    A negated plural, "not vowels", is `~ ( X ) +`; a negated "at least one vowel" is `~ ( ( X ) + )`.
    """
    phrase, rule = phrases[item.head], _ALIKE.get(item.rule, item.rule)
    if rule == "atom":
        atom = Meaning("atom", atom=phrase.atom, name=phrase.name)
        return Meaning("times", (atom,), low=1) if phrase.plural else atom
    parts = tuple(meaning(part, phrases, negated or rule == "not") for part in item.parts)
    if rule in _SAME:
        return parts[0]
    if rule in ("count", "bound"):
        return Meaning("times", (_countable(parts[0]),), low=phrase.low, high=phrase.high)
    if item.label == "ended word":
        return Meaning("word", (Meaning("end", parts),))
    if rule == "among":
        return Meaning("contain", parts, name=ONLY)
    if rule == "after":
        return Meaning("sequence", parts[::-1])
    if rule == "not" and item.parts[0].rule == "count" and is_some(parts[0]):
        return Meaning("not", (Meaning("group", parts),))
    if rule in ("and", "or", "but", "list"):
        return _joined(rule, parts, negated)
    return Meaning(rule, parts)


def _joined(rule: str, parts: tuple[Meaning, ...], negated: bool) -> Meaning:
    first, last = parts
    earlier = first.parts if first.operation == "list" else (first,)
    if rule == "but":
        return Meaning("and", (*earlier, last if negated else Meaning("not", (last,))))
    return Meaning(rule, (*earlier, last))


def _countable(part: Meaning) -> Meaning:
    """One of what is counted; words are counted anywhere in a line."""
    counted = singular(part)
    return Meaning("contain", (counted,)) if counted.atom == WORD else counted


def singular(part: Meaning) -> Meaning:
    """What a plural is the plural of; any other meaning as it is."""
    return part.parts[0] if is_some(part) else part


def depth(node: Meaning) -> int:
    """How many levels a meaning has."""
    return 1 + max((depth(part) for part in node.parts), default=0)


def is_some(part: Meaning) -> bool:
    """Whether a meaning is `one or more`, as that of a plural is."""
    return part.operation == "times" and (part.low, part.high) == (1, None)


def plain(node: Meaning) -> Meaning:
    """A simpler tree with the same language, by which bracketings with the same meaning are recognised."""
    parts = tuple(plain(part) for part in node.parts)
    operation = node.operation
    if operation in ("and", "or"):
        leaves = (part.parts if part.operation == operation else (part,) for part in parts)
        return Meaning(operation, tuple(chain.from_iterable(leaves)))
    if operation in ("contain", "start", "end"):
        inner = singular(parts[0])
        if inner.operation != "sequence":
            return Meaning(operation, (inner,))
        return inner if operation == "start" else Meaning("sequence", (_GAP, *inner.parts))
    if operation == "sequence":
        return Meaning("sequence", (*_steps(singular(parts[0]), first=True), *_steps(singular(parts[1]), first=False)))
    if is_some(node) and (parts[0].operation in ("start", "end", "sequence") or _surrounded(parts[0])):
        return parts[0]
    return node._replace(parts=parts)


def _surrounded(part: Meaning) -> bool:
    """Whether there is a gap on both sides of what is contained; around `X or Y` there are only the outer two."""
    return part.operation == "contain" and part.parts[0].operation not in ("and", "or")


def _steps(part: Meaning, *, first: bool) -> tuple[Meaning, ...]:
    if part.operation in ("sequence", "start"):
        return part.parts
    if part.operation == "end" or _surrounded(part):
        return (_GAP, *part.parts) if first else part.parts
    return (part,)
