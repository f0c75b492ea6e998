"""The similarity of the claims of two sentences, claim by claim.

The languages of two sequences of claims are a poor measure: almost all words are in the complements of both "not all"
and "no", and an addition to a long sentence hardly shows. So claims about the same things are paired and compared by
their kind. The similarity of a claim and its denial is 0, that of two quantities is the overlap of their ranges (0 if
one is a share and the other a number), and the similarity of the whole is the product of its parts.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import prod, sqrt

from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.formula import Atom, Formula, Inside, Only, Repeat, parts, rebuilt, symbols
from concord.relations.semmt.logic.kinds import COUNTED, Move
from concord.relations.semmt.logic.overlap import overlap

_CONTAINED = 0.5
"""The similarity of two claims of which only one says that something contains the phrase."""
_GROWN = frozenset(("times", "ratio"))
"""Units that count as equal: what has grown five times has grown fivefold."""
_SHARED = frozenset(("count", "share"))
_OPPOSED: tuple[set[Move], ...] = ({"by", "to"}, {"more", "less"})
_SYMBOL = re.compile(r"symbol=\d+")


def agreement(left: Formula | None, right: Formula | None) -> float:
    """The similarity of two formulas over common symbols: 0 to 1, and less than 1 if any claim has changed.

    >>> agreement(Not(Atom(0)), Not(Inside(Atom(0)))), agreement(Not(Atom(0)), Atom(0))
    (1.0, 0.0)
    """
    if left is None or right is None:
        return float(left is right)
    return _alike(plain(left), plain(right))


def plain(formula: Formula) -> Formula:
    """The formula in a normal form.

    "None of X" and "does not contain X" become not X; "neither X nor Y" becomes not (X or Y).
    """
    if isinstance(formula, Both):
        return Both(tuple(part for claim in formula.parts for part in _several(plain(claim))))
    rebuilt_formula = rebuilt(formula, plain)
    if isinstance(rebuilt_formula, Not) or (isinstance(rebuilt_formula, Repeat) and rebuilt_formula.high == 0):
        return _denied(rebuilt_formula.part)
    if isinstance(rebuilt_formula, Inside) and not isinstance(rebuilt_formula.part, Atom | Either | Both):
        return rebuilt_formula.part
    return rebuilt_formula


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
    return prod((_alike(*pair) for pair in zip(parts(left), parts(right), strict=True)), start=1.0)


def _contained(left: Formula, right: Formula) -> float:
    """The similarity of "contains X" with "X", whose quantifiers and logic are those of X."""
    for container, content in ((left, right), (right, left)):
        if isinstance(container, Inside) and not isinstance(content, Not | Only):
            return _CONTAINED * _alike(container.part, content)
    return 0.0


def _counted(left: Formula, right: Formula) -> float:
    ours, theirs = _repeat(left), _repeat(right)
    if ours is None or theirs is None:
        return _only_one(left, right)
    units, vague = {ours.unit, theirs.unit}, ours.vague and theirs.vague
    if units <= _SHARED and vague and ours.low == theirs.low == 0:
        # "Few" and "not many" are small numbers, "hardly any" is a small share, of which nobody knows the whole.
        return _alike(ours.part, theirs.part)
    if ours.unit != theirs.unit and not (units <= COUNTED or units <= _GROWN):
        return 0.0
    if {ours.move, theirs.move} in _OPPOSED:
        return 0.0
    same = overlap((ours.low, ours.high), (theirs.low, theirs.high), share=ours.unit == "share")
    # The table of vague words is only a convention, so the overlap of two of them says less.
    return (sqrt(same) if vague else same) * _alike(ours.part, theirs.part)


def _only_one(left: Formula, right: Formula) -> float:
    """The similarity of "only X" with "exactly one X", as in "only one shelf"; 0 for other formulas."""
    for exclusive, counted in ((left, right), (right, left)):
        if isinstance(exclusive, Only) and _is_one(counted):
            return max(_alike(exclusive.part, part) for part in parts(counted))
    return 0.0


def _is_one(formula: Formula) -> bool:
    return isinstance(formula, Repeat) and formula.low == formula.high == 1 and formula.unit in COUNTED


def _repeat(formula: Formula) -> Repeat | None:
    """The repetition of a formula; a phrase without a number counts as one."""
    if isinstance(formula, Repeat):
        return formula
    return None if isinstance(formula, Not | Only) else Repeat(formula, 1.0, 1.0, "count")


def _several(formula: Formula) -> Sequence[Formula]:
    return formula.parts if isinstance(formula, Both) else (formula,)


def _together(ours: Sequence[Formula], theirs: Sequence[Formula]) -> float:
    """The similarity of two sets of claims that all hold; a claim that only one side has lowers it.

    Claims that differ only in their symbols are the same claim in other words.
    """
    similarity, left_alone, right_alone = _matched(ours, theirs, bare=False)
    left_shapes, right_shapes = Counter(map(_shape, left_alone)), Counter(map(_shape, right_alone))
    missed = (left_shapes - right_shapes) + (right_shapes - left_shapes)
    for claim in (*left_alone, *right_alone):
        if missed[_shape(claim)] > 0:
            similarity *= _CONTAINED if isinstance(claim, Inside) else float(_says_little(claim))
    return similarity


def _alternatives(ours: Sequence[Formula], theirs: Sequence[Formula]) -> float:
    similarity, left_alone, _ = _matched(ours, theirs, bare=True)
    return similarity * (len(ours) - len(left_alone)) / max(len(ours), len(theirs))


def _says_little(formula: Formula) -> bool:
    """Whether a claim is only "X" or "one X", where "one" may mean "a"."""
    return _is_one(formula) or isinstance(formula, Atom)


def _shape(formula: Formula) -> str:
    return _SYMBOL.sub("", repr(formula))


def _matched(
    ours: Sequence[Formula], theirs: Sequence[Formula], *, bare: bool
) -> tuple[float, list[Formula], list[Formula]]:
    """The product of the similarities of paired claims, and the claims of either side without a counterpart.

    With `bare`, a phrase without a claim counts as well, as it does among alternatives.
    """
    scored = []
    for left_index, left_claim in enumerate(ours):
        for right_index, right_claim in enumerate(theirs):
            common = _common(left_claim, right_claim)
            same = _alike(left_claim, right_claim) if common else 0.0
            if same or (common and (bare or not (_says_little(left_claim) or _says_little(right_claim)))):
                scored.append((same, common, left_index, right_index))
    scored.sort(key=lambda score: (-score[0], -score[1], *score[2:]))
    similarity = 1.0
    taken: tuple[set[int], set[int]] = (set(), set())
    for same, _, left_index, right_index in scored:
        if left_index not in taken[0] and right_index not in taken[1]:
            similarity *= same
            taken[0].add(left_index)
            taken[1].add(right_index)
    left_alone, right_alone = (
        [claim for index, claim in enumerate(side) if index not in matched_indices]
        for side, matched_indices in zip((ours, theirs), taken, strict=True)
    )
    return similarity, left_alone, right_alone


def _common(left: Formula, right: Formula) -> float:
    left_symbols, right_symbols = set(symbols(left)), set(symbols(right))
    return len(left_symbols & right_symbols) / len(left_symbols | right_symbols)
