"""How alike two sentences' claims are: SemMT's similarities (section 3.4), with d where languages are a poor measure.

In ordinary text d compares claim by claim (`logic.claim_similarity` says why). In requests for lines that differ in
counts only, d is at most what their numbers have in common: nearly every short word of `X{,30}` is one of `X{,3}`.
Either way d is 1 only if the expressions are equal, too. In text that is not enough: what contains only sugar is
written like what has sugar, and two conditions, of which no word breaks both, like any other two. Nor is it in
requests: no line is a number and also seven vowels, or two, and every line starts with at most two vowels, or nine.
Where a request joins several things, or comes to no line, the empty one or all lines, its parts are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, prod
from typing import NamedTuple

from concord.errors import Refused
from concord.relations.semmt.automata import (
    Expression,
    Language,
    Measure,
    Similarities,
    TooComplex,
    Unreadable,
    language,
    language_similarity,
    read,
    similarity,
)
from concord.relations.semmt.automata import expression as trees
from concord.relations.semmt.claims import TOO_LONG, ClaimPair
from concord.relations.semmt.logic.claim_similarity import agreement
from concord.relations.semmt.logic.overlap import Bounds, overlap

_NEARLY = 1 - 1e-9
_Joined = trees.Both[trees.Tree] | trees.Either[trees.Tree]
_OFTEN = {"+": (1.0, inf), "*": (0.0, inf)}


class _Counted(NamedTuple):
    """An expression without its counts, and the counts by their place in it."""

    rest: tuple[str, ...]
    counts: dict[int, Bounds]


def alike(found: ClaimPair, *, measure: Measure = "geometric", k: float = 0.5) -> Similarities:
    """The similarities of two sentences; refused where their claims cannot be compared in whole.

    >>> from concord.relations.semmt.claims import both
    >>> alike(both("At least 3 dogs barked.", "3 or more dogs barked.")).equal
    True
    """
    if found.partial:
        raise Refused(TOO_LONG)
    left, right = found.left.regex, found.right.regex
    try:
        made = similarity(left, right, measure=measure, k=k)
        if measure == "paper":
            return made
        d = agreement(*found.formulas) if found.way == "text" else _of_requests(left, right, made)
    except (TooComplex, Unreadable) as error:
        raise Refused(str(error)) from None
    if made.equal and d == 1:
        return made
    d = min(d, _NEARLY)
    return Similarities(made.r, d, k * made.r + (1 - k) * d, equal=False)


def _of_requests(left: str, right: str, made: Similarities) -> float:
    if left == right:
        return 1.0
    one, other = read(left), read(right)
    if not (made.equal or _is_bare(language(one)) or _is_bare(language(other))):
        return min(made.d, by_counts(left, right))
    d = by_parts(one.tree, other.tree, otherwise=made.r if made.equal else made.d)
    return 1.0 if d == 1 else min(d, by_counts(left, right))


def by_parts(one: trees.Tree, other: trees.Tree, *, otherwise: float) -> float:
    """What the parts of two expressions have in common, where the languages do not tell; else what these have.

    Of parts that nothing but the empty line fits and that cannot be put side by side, nothing is known: `otherwise`.

    >>> by_parts(read("X & Y{7,}").tree, read("Y{,2} & X").tree, otherwise=0.8)
    0.0
    """
    if one == other:
        return 1.0
    d = language_similarity(_expression(one), _expression(other))
    bare = _is_bare(language(_expression(one))) or _is_bare(language(_expression(other)))
    if isinstance(one, trees.Both) and isinstance(other, trees.Both) and (d == 1 or bare):
        return _side_by_side(one, other, d, otherwise)
    if d < 1:
        return min(d, _in_number(one, other))
    if isinstance(one, trees.Either) and isinstance(other, trees.Either):
        return _side_by_side(one, other, d, otherwise)
    if isinstance(one, trees.Not) and isinstance(other, trees.Not):
        return by_parts(one.part, other.part, otherwise=otherwise)
    if not _is_trivial(language(_expression(one))):
        return d
    if isinstance(one, trees.Repetition) and isinstance(other, trees.Repetition):
        return overlap(_times(one), _times(other)) * by_parts(one.part, other.part, otherwise=otherwise)
    if isinstance(one, trees.Sequence) and isinstance(other, trees.Sequence) and len(one.parts) == len(other.parts):
        return prod(by_parts(*pair, otherwise=otherwise) for pair in zip(one.parts, other.parts, strict=True))
    return otherwise if bare else d


def _side_by_side(one: _Joined, other: _Joined, d: float, otherwise: float) -> float:
    """The product over parts that are joined in any order, each with the likest one that is left."""
    ours, theirs = list(_flat(one)), list(_flat(other))
    if len(ours) != len(theirs):
        return otherwise if d < 1 or _is_bare(language(_expression(one))) else d
    made = 1.0
    for part in ours:
        likeness = [by_parts(part, each, otherwise=otherwise) for each in theirs]
        made *= max(likeness)
        del theirs[likeness.index(max(likeness))]
    return made


def _flat(joined: _Joined) -> Iterator[trees.Tree]:
    for part in joined.parts:
        if isinstance(part, trees.Both | trees.Either) and type(part) is type(joined):
            yield from _flat(part)
        else:
            yield part


def _in_number(one: trees.Tree, other: trees.Tree) -> float:
    if isinstance(one, trees.Repetition) and isinstance(other, trees.Repetition) and one.part == other.part:
        return overlap(_times(one), _times(other))
    return 1.0


def _times(repeat: trees.Repetition) -> Bounds:
    return repeat.least, inf if repeat.most is None else repeat.most


def _expression(tree: trees.Tree) -> Expression:
    # Languages are remembered by the tokens of their expressions, and a part has none of its own.
    return Expression((repr(tree),), tree)


def _is_trivial(found: Language) -> bool:
    """Whether it has no word, none but the empty one, or all of them."""
    return len(found.rows) == 1 and len(set(found.rows[0])) == 1


def _is_bare(found: Language) -> bool:
    """Whether it has no word but perhaps the empty one."""
    return _is_trivial(found) and found.rows[0][0] != 0


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
