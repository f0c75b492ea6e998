"""How alike what two sentences claim is, claim by claim.

The languages of two sequences of claims are a poor measure: all but a few words are in both complements of "not all"
and of "no", and what is added to a long sentence hardly shows. So claims about the same are put side by side and
compared by their kind: a claim and its denial have nothing in common, quantities have what their ranges have in
common (none if one is a share and the other a number), and the whole is the product of its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import sqrt

from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.formula import Atom, Formula, Inside, Only, Repeat, parts, rebuilt, symbols
from concord.relations.semmt.logic.kinds import COUNTED, Move
from concord.relations.semmt.logic.overlap import overlap

_CONTAINED = 0.5
"""What is left of a claim if a phrase is no longer said to be contained in something."""
_GROWN = frozenset(("times", "ratio"))
"""What has grown five times has grown fivefold."""
_SHARED = frozenset(("count", "share"))
_OPPOSED: tuple[set[Move], ...] = ({"by", "to"}, {"more", "less"})
_SYMBOL = re.compile(r"symbol=\d+")


def agreement(left: Formula | None, right: Formula | None) -> float:
    """How far two formulas over common symbols claim the same: 0 to 1, and less than 1 if any claim has changed.

    >>> agreement(Not(Atom(0)), Not(Inside(Atom(0)))), agreement(Not(Atom(0)), Atom(0))
    (1.0, 0.0)
    """
    if left is None or right is None:
        return float(left is right)
    return _alike(plain(left), plain(right))


def plain(formula: Formula) -> Formula:
    """The formula with one form for what says the same.

    None of X is not X, and so is not to contain X; neither X nor Y is not (X or Y).
    """
    if isinstance(formula, Both):
        return Both(tuple(part for each in formula.parts for part in _several(plain(each))))
    made = rebuilt(formula, plain)
    if isinstance(made, Not) or (isinstance(made, Repeat) and made.high == 0):
        return _denied(made.part)
    if isinstance(made, Inside) and not isinstance(made.part, Atom | Either | Both):
        return made.part
    return made


def _denied(part: Formula) -> Formula:
    if isinstance(part, Not):
        return part.part
    if isinstance(part, Inside):
        return _denied(part.part)
    return Both(tuple(map(_denied, part.parts))) if isinstance(part, Either) else Not(part)


def _alike(left: Formula, right: Formula) -> float:
    if left == right:
        return 1.0
    if isinstance(left, Both) or isinstance(right, Both):
        return _together(_several(left), _several(right))
    if isinstance(left, Either) and isinstance(right, Either):
        return _alternatives(left.parts, right.parts)
    if isinstance(left, Repeat) or isinstance(right, Repeat):
        return _counted(left, right)
    if type(left) is not type(right):
        return _contained(left, right)
    if isinstance(left, Atom):
        return 0.0
    made = 1.0
    for one, other in zip(parts(left), parts(right), strict=True):
        made *= _alike(one, other)
    return made


def _contained(left: Formula, right: Formula) -> float:
    """Of "contains X" and "X" the quantifiers and the logic are those of X."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Inside) and not isinstance(other, Not | Only):
            return _CONTAINED * _alike(one.part, other)
    return 0.0


def _counted(left: Formula, right: Formula) -> float:
    ours, theirs = _repeat(left), _repeat(right)
    if ours is None or theirs is None:
        return _only_one(left, right)
    units = {ours.unit, theirs.unit}
    if units <= _SHARED and ours.vague and theirs.vague and ours.low == theirs.low == 0:
        # "Few" and "not many" are small numbers, "hardly any" is a small share, of which nobody knows the whole.
        return _alike(ours.part, theirs.part)
    if ours.unit != theirs.unit and not (units <= COUNTED or units <= _GROWN):
        return 0.0
    if {ours.move, theirs.move} in _OPPOSED:
        return 0.0
    same = overlap((ours.low, ours.high), (theirs.low, theirs.high), share=ours.unit == "share")
    # The table of vague words is no more than an agreement, so what two of them share says less.
    return (sqrt(same) if ours.vague and theirs.vague else same) * _alike(ours.part, theirs.part)


def _only_one(left: Formula, right: Formula) -> float:
    """ "Only one shelf" is only a shelf."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Only) and _is_one(other):
            return max(_alike(one.part, part) for part in parts(other))
    return 0.0


def _is_one(formula: Formula) -> bool:
    return isinstance(formula, Repeat) and formula.low == formula.high == 1 and formula.unit in COUNTED


def _repeat(formula: Formula) -> Repeat | None:
    """A phrase of which no number is given is one."""
    if isinstance(formula, Repeat):
        return formula
    return None if isinstance(formula, Not | Only) else Repeat(formula, 1.0, 1.0, "count")


def _several(formula: Formula) -> Sequence[Formula]:
    return formula.parts if isinstance(formula, Both) else (formula,)


def _together(ours: Sequence[Formula], theirs: Sequence[Formula]) -> float:
    """Claims that hold together: one that the other side does not have is missed.

    But those that differ only in what they speak of are the same claim in other words.
    """
    made, lone, others = _matched(ours, theirs, bare=False)
    here, there = Counter(map(_shape, lone)), Counter(map(_shape, others))
    missed = (here - there) + (there - here)
    for each in (*lone, *others):
        if missed[_shape(each)] > 0:
            made *= _CONTAINED if isinstance(each, Inside) else float(_says_little(each))
    return made


def _alternatives(ours: Sequence[Formula], theirs: Sequence[Formula]) -> float:
    made, lone, _ = _matched(ours, theirs, bare=True)
    return made * (len(ours) - len(lone)) / max(len(ours), len(theirs))


def _says_little(formula: Formula) -> bool:
    """ "One" may be "a"."""
    return _is_one(formula) or isinstance(formula, Atom)


def _shape(formula: Formula) -> str:
    return _SYMBOL.sub("", repr(formula))


def _matched(
    ours: Sequence[Formula], theirs: Sequence[Formula], *, bare: bool
) -> tuple[float, list[Formula], list[Formula]]:
    """How alike the claims are that speak of the same, and those of either side without a counterpart.

    `bare` if a phrase by itself counts, as it does among alternatives.
    """
    scored = []
    for at, one in enumerate(ours):
        for place, other in enumerate(theirs):
            common = _common(one, other)
            same = _alike(one, other) if common else 0.0
            if same or (common and (bare or not (_says_little(one) or _says_little(other)))):
                scored.append((same, common, at, place))
    scored.sort(key=lambda each: (-each[0], -each[1], *each[2:]))
    made = 1.0
    taken: tuple[set[int], set[int]] = (set(), set())
    for same, _, at, place in scored:
        if at not in taken[0] and place not in taken[1]:
            made *= same
            taken[0].add(at)
            taken[1].add(place)
    lone, others = (
        [each for at, each in enumerate(side) if at not in done]
        for side, done in zip((ours, theirs), taken, strict=True)
    )
    return made, lone, others


def _common(one: Formula, other: Formula) -> float:
    first, second = set(symbols(one)), set(symbols(other))
    return len(first & second) / len(first | second)
