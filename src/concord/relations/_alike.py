"""How alike two sentences' claims are: SemMT's similarities (section 3.4), with d where languages are a poor measure.

In ordinary text d compares claim by claim (`concord.text.logic.comparing` says why). In requests for lines that differ
only in counts, d is at most what their numbers have in common: nearly every short word of `X{,30}` is one of `X{,3}`.
Either way d is 1 only if the expressions are equal, too. In text that is not enough: what contains only sugar is
written like what has sugar, and two conditions, of which no word breaks both, like any other two.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from concord.automata import Measure, Similarities, TooComplex, Unreadable, read, similarity
from concord.errors import Refused
from concord.text.claims import Both
from concord.text.logic.comparing import agreement
from concord.text.logic.overlap import Bounds, overlap

_NEARLY = 1 - 1e-9
_OFTEN = {"+": (1.0, inf), "*": (0.0, inf)}


class _Counted(NamedTuple):
    """An expression without its counts, and the counts by their place in it."""

    rest: tuple[str, ...]
    counts: dict[int, Bounds]


def alike(found: Both, *, measure: Measure = "geometric", k: float = 0.5) -> Similarities:
    """The similarities of two sentences; refused where their claims cannot be compared in whole.

    >>> from concord.text.claims import both
    >>> alike(both("At least 3 dogs barked.", "3 or more dogs barked.")).equal
    True
    """
    if found.partial:
        raise Refused("too complex: a sentence claims more, or in a more nested way, than can be compared")
    left, right = found.left.regex, found.right.regex
    try:
        made = similarity(left, right, measure=measure, k=k)
    except (TooComplex, Unreadable) as error:
        raise Refused(str(error)) from None
    if measure == "paper" or (made.equal and found.way == "lines"):
        return made
    d = agreement(*found.formulas) if found.way == "text" else min(made.d, by_counts(left, right))
    if made.equal and d == 1:
        return made
    d = min(d, _NEARLY)
    return Similarities(made.r, d, k * made.r + (1 - k) * d, equal=False)


def by_counts(left: str, right: str) -> float:
    """What the numbers of two expressions have in common that differ in nothing else; 1 where they do.

    >>> by_counts("X{3,}", "X{30,}") < 0.2, by_counts("X", "Y")
    (True, 1.0)
    """
    ours, theirs = _counted(left), _counted(right)
    if ours.rest != theirs.rest:
        return 1.0
    made = 1.0
    for place in ours.counts.keys() | theirs.counts.keys():
        made *= overlap(ours.counts.get(place, (1, 1)), theirs.counts.get(place, (1, 1)))
    return made


def _counted(expression: str) -> _Counted:
    rest: list[str] = []
    counts: dict[int, Bounds] = {}
    for token in read(expression).tokens:
        bounds = _bounds(token, rest)
        if bounds is None:
            rest.append(token)
        else:
            counts[len(rest)] = bounds
    return _Counted(tuple(rest), counts)


def _bounds(token: str, rest: list[str]) -> Bounds | None:
    """The bounds of a count; `.*` is a gap and counts nothing."""
    if token in _OFTEN:
        return None if rest[-1] == "." else _OFTEN[token]
    if not token.startswith("{"):
        return None
    low, comma, high = token[1:-1].partition(",")
    least = float(low or 0)
    return least, float(high) if high else inf if comma else least
