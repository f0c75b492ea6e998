"""Verbs of containing that came back as others: "contains sugar" and "has sugar" claim the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from concord.relations.semmt.logic.formula import Atom, Both, Either, Formula, Inside, Not, Only, Order, symbols, walk

Lost = Callable[[Inside], bool]


def without_verbs(left: Formula, right: Formula, recognised: frozenset[int]) -> tuple[Formula, Formula]:
    """Two formulas without the containing that only one of them speaks of.

    It must be clear that the other sentence speaks of what is contained: `recognised` are the symbols whose words it
    has. That something is not contained, or nothing else, is a claim of its own and stays.
    """
    here, there = _spoken(left, Inside), _spoken(right, Inside)
    alone = _spoken(left, Only) | _spoken(right, Only)

    def lost(formula: Inside) -> bool:
        held = frozenset(symbols(formula))
        return held <= recognised and (held in here) != (held in there) and held not in alone

    return _stripped(left, lost), _stripped(right, lost)


def _spoken(formula: Formula, kind: type[Inside | Only]) -> set[frozenset[int]]:
    return {frozenset(symbols(each)) for each in walk(formula) if isinstance(each, kind)}


def _stripped(formula: Formula, lost: Lost) -> Formula:
    # A denial stays as it is: not to contain something and not to have it are compared as the same anyway.
    if isinstance(formula, Atom | Not):
        return formula
    if isinstance(formula, Inside) and lost(formula):
        return _stripped(formula.part, lost)
    if isinstance(formula, Both):
        return _joined([_stripped(each, lost) for each in formula.parts])
    if isinstance(formula, Either):
        return replace(formula, parts=tuple(_stripped(each, lost) for each in formula.parts))
    if isinstance(formula, Order):
        return Order(_stripped(formula.first, lost), _stripped(formula.then, lost))
    return replace(formula, part=_stripped(formula.part, lost))


def _joined(parts: list[Formula]) -> Formula:
    """Phrases of which nothing is said any more are left out, unless there is nothing else."""
    claims = [each for each in parts if not isinstance(each, Atom)] or parts[:1]
    return claims[0] if len(claims) == 1 else Both(tuple(claims))
