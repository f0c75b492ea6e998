"""Two abstractions over common symbols: phrases are matched by the words they stand for.

The expressions of a sentence and of what came back from a round trip can be compared only if a symbol means the same
in both. Claims are written in one order, since a translation may turn clauses around without changing what they say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from concord.errors import UnknownName
from concord.relations.semmt.logic.abstraction import Abstraction, named, shown
from concord.relations.semmt.logic.containment_verbs import without_verbs
from concord.relations.semmt.logic.formula import (
    Atom,
    Both,
    Either,
    Formula,
    Order,
    Repeat,
    ValueScale,
    symbols,
    written,
)
from concord.relations.semmt.logic.phrase_match import Pair, matched
from concord.relations.semmt.logic.phrases import SymbolPhrase, singular
from concord.relations.semmt.logic.quantifier_spans import table
from concord.relations.semmt.logic.words import Words

Plural = Literal["ignore", "strict"]
_EMPTY = SymbolPhrase("")


@dataclass(frozen=True, slots=True)
class AlignedExpressions:
    """Two expressions over the same symbols.

    `symbols` gives the words on both sides ("" where a side has none), `formulas` are what the two are written from.
    `readings` are the sentences with these symbols; phrases of which nothing is claimed have none.
    """

    left: str
    right: str
    symbols: dict[str, tuple[str, str]]
    formulas: tuple[Formula | None, Formula | None] = (None, None)
    readings: tuple[str, str] = ("", "")

    @property
    def equal(self) -> bool:
        """Whether both expressions are written alike; two unlike ones may still describe the same language."""
        return self.left == self.right


def align(left: Abstraction, right: Abstraction, *, plural: Plural = "ignore") -> AlignedExpressions:
    """Write the expressions of two abstractions over common symbols and one scale.

    With `plural="strict"`, a phrase that is the other's plural is written as one or more of it; by default number is
    ignored, because many languages do not mark it (Cao et al. 2021, section 5.2).

    >>> from concord.relations.semmt.logic import abstract
    >>> made = align(abstract("At least 3 dogs barked."), abstract("3 or more dogs barked."))
    >>> made.left, made.right
    ('X{3,}', 'X{3,}')
    """
    if plural not in ("ignore", "strict"):
        raise UnknownName("way to treat number", plural, ("ignore", "strict"))
    pairs, recognised = matched(left, right)
    ours, theirs = _renumbered(left, pairs, 0), _renumbered(right, pairs, 1)
    if ours is not None and theirs is not None:
        ours, theirs = without_verbs(ours, theirs, recognised)
    both = [(_phrase(left, one), _phrase(right, other)) for one, other in pairs]
    if plural == "strict":
        small = table(left.lang).edges
        ours = ours and _pluralised(ours, {at for at, (a, b) in enumerate(both) if _is_plural(a, b, small)})
        theirs = theirs and _pluralised(theirs, {at for at, (a, b) in enumerate(both) if _is_plural(b, a, small)})
    phrases = [one if one.text or one.fixed else other for one, other in both]
    names = named(phrases, plain=any(each.fixed for each in phrases))
    scale = ValueScale(each for each in (ours, theirs) if each is not None)
    return AlignedExpressions(
        "" if ours is None else written(ours, names, scale),
        "" if theirs is None else written(theirs, names, scale),
        {name: (a.text, b.text) for name, (a, b) in zip(names, both, strict=True) if not (a.fixed or b.fixed)},
        (ours, theirs),
        (_reading(left, pairs, 0, names), _reading(right, pairs, 1, names)),
    )


def _reading(side: Abstraction, pairs: list[Pair], which: int, names: list[str]) -> str:
    own = {symbol: name for pair, name in zip(pairs, names, strict=True) if (symbol := pair[which]) is not None}
    return shown(side.row, own)


def _phrase(side: Abstraction, symbol: int | None) -> SymbolPhrase:
    return _EMPTY if symbol is None else side.phrases[symbol]


def _renumbered(side: Abstraction, pairs: list[Pair], which: int) -> Formula | None:
    numbers = {pair[which]: at for at, pair in enumerate(pairs)}
    return None if side.formula is None else _mapped(side.formula, numbers)


def _mapped(formula: Formula, numbers: dict[int | None, int]) -> Formula:
    if isinstance(formula, Atom):
        return Atom(numbers[formula.symbol])
    if isinstance(formula, Both | Either):
        parts = sorted((_mapped(each, numbers) for each in formula.parts), key=_place)
        return replace(formula, parts=tuple(parts))
    if isinstance(formula, Order):
        return Order(_mapped(formula.first, numbers), _mapped(formula.then, numbers))
    return replace(formula, part=_mapped(formula.part, numbers))


def _place(formula: Formula) -> tuple[int, str]:
    return min(symbols(formula)), repr(formula)


def _pluralised(formula: Formula, plurals: set[int]) -> Formula:
    """One or more of each phrase that is a plural and is not counted anyway."""
    if isinstance(formula, Atom):
        return Repeat(formula, 1.0, inf, "count") if formula.symbol in plurals else formula
    if isinstance(formula, Repeat):
        return formula
    if isinstance(formula, Both | Either):
        return replace(formula, parts=tuple(_pluralised(each, plurals) for each in formula.parts))
    if isinstance(formula, Order):
        return Order(_pluralised(formula.first, plurals), _pluralised(formula.then, plurals))
    return replace(formula, part=_pluralised(formula.part, plurals))


def _is_plural(one: SymbolPhrase, other: SymbolPhrase, small: frozenset[str]) -> bool:
    """Whether a phrase is the plural of another, differing in nothing else."""
    words = [each for each in Words(one.text).words if each not in small]
    others = [each for each in Words(other.text).words if each not in small]
    return (
        len(words) == len(others)
        and words != others
        and all(ours == theirs or singular(ours) == theirs for ours, theirs in zip(words, others, strict=True))
    )
