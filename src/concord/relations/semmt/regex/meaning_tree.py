"""What a request means: a small tree, and the tree of a bracketing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from concord.relations.semmt.regex.grammar import ChartItem
from concord.relations.semmt.regex.phrases import WORD, RequestPhrase


class Meaning(NamedTuple):
    """An operation on meanings; an atom has its expression and its name, `times` its bounds."""

    what: str
    parts: tuple[Meaning, ...] = ()
    atom: str = ""
    name: str = ""
    low: int = 0
    high: int | None = None


ONLY = "only"
"""The name of a `contain` that stands for `containing only X`, which the benchmark often takes for `containing X`."""

_SAME = frozenset({"have", "only", "either", "both"})
_GAP = Meaning("atom", atom=". *", name="anything")
_ALIKE = {"ended": "end", "then": "sequence", "before": "sequence", "beside": "sequence"}


def meaning(item: ChartItem, phrases: Sequence[RequestPhrase], negated: bool = False) -> Meaning:
    """The meaning of a bracketing. Under a negation `X and not Y` denies both at once, as the benchmark has it.

    Nor does it deny a plural as it denies `at least once`: "not vowels" is `~ ( X ) +`, the other `~ ( ( X ) + )`.
    """
    phrase, rule = phrases[item.at], _ALIKE.get(item.rule, item.rule)
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
    several = first.parts if first.what == "list" else (first,)
    if rule == "but":
        return Meaning("and", (*several, last if negated else Meaning("not", (last,))))
    return Meaning(rule, (*several, last))


def _countable(part: Meaning) -> Meaning:
    """One of what is counted; words are counted wherever they stand."""
    single = one(part)
    return Meaning("contain", (single,)) if single.atom == WORD else single


def one(part: Meaning) -> Meaning:
    """The thing itself, where it was said in the plural."""
    return part.parts[0] if is_some(part) else part


def depth(node: Meaning) -> int:
    """How many levels a meaning has."""
    return 1 + max((depth(part) for part in node.parts), default=0)


def is_some(part: Meaning) -> bool:
    """Whether it says `one or more`, as a plural does."""
    return part.what == "times" and (part.low, part.high) == (1, None)


def plain(node: Meaning) -> Meaning:
    """A simpler tree with the same language, so that bracketings that come to the same are seen to."""
    parts = tuple(plain(part) for part in node.parts)
    what = node.what
    if what in ("and", "or"):
        return Meaning(what, tuple(leaf for part in parts for leaf in (part.parts if part.what == what else (part,))))
    if what in ("contain", "start", "end"):
        inner = one(parts[0])
        if inner.what != "sequence":
            return Meaning(what, (inner,))
        return inner if what == "start" else Meaning("sequence", (_GAP, *inner.parts))
    if what == "sequence":
        return Meaning("sequence", (*_steps(one(parts[0]), first=True), *_steps(one(parts[1]), first=False)))
    if is_some(node) and (parts[0].what in ("start", "end", "sequence") or _surrounded(parts[0])):
        return parts[0]
    return node._replace(parts=parts)


def _surrounded(part: Meaning) -> bool:
    """Whether there is anything on both sides of all that it contains; around `X or Y` there is on the outer ones."""
    return part.what == "contain" and part.parts[0].what not in ("and", "or")


def _steps(part: Meaning, *, first: bool) -> tuple[Meaning, ...]:
    if part.what in ("sequence", "start"):
        return part.parts
    if part.what == "end" or _surrounded(part):
        return (_GAP, *part.parts) if first else part.parts
    return (part,)
