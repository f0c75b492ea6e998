"""Write two abstractions over common symbols; phrases are matched by their words.

The expressions of a sentence and of its back-translation can be compared only if a symbol means the same in both.
Claims are written in one order, because a translation may reorder clauses without changing what they say.
"""

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from concord.errors import UnknownName
from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.abstraction import Abstraction, abstracted_text, symbol_names
from concord.relations.semmt.logic.english import EDGES
from concord.relations.semmt.logic.formula import (
    Atom,
    Formula,
    Inside,
    Only,
    Repeat,
    ValueScale,
    rebuilt,
    symbols,
    walk,
    written,
)
from concord.relations.semmt.logic.phrase_match import Pair, matched
from concord.relations.semmt.logic.phrases import SymbolPhrase, singular
from concord.relations.semmt.logic.words import Words

Plural = Literal["ignore", "strict"]
_EMPTY = SymbolPhrase("")


@dataclass(frozen=True, slots=True)
class AlignedExpressions:
    """Two expressions over the same symbols.

    `symbols` gives the words on both sides ("" where a side has none), `formulas` are what the two are written from.
    `readings` are the sentences with these symbols; phrases without a claim have none.
    """

    left: str
    right: str
    symbols: dict[str, tuple[str, str]]
    formulas: tuple[Formula | None, Formula | None] = (None, None)
    readings: tuple[str, str] = ("", "")


def align(left: Abstraction, right: Abstraction, *, plural: Plural = "ignore") -> AlignedExpressions:
    """Write the expressions of two abstractions over common symbols and one scale.

    With `plural="strict"`, a phrase that is the other's plural is written as one or more of it; by default number is
    ignored, because many languages do not mark it (Cao et al. 2021, section 5.2).

    >>> from concord.relations.semmt.logic import abstract
    >>> aligned = align(abstract("At least 3 dogs barked."), abstract("3 or more dogs barked."))
    >>> aligned.left, aligned.right
    ('X{3,}', 'X{3,}')
    """
    if plural not in ("ignore", "strict"):
        raise UnknownName("way to treat number", plural, ("ignore", "strict"))
    pairs, recognised = matched(left, right)
    ours, theirs = _renumbered(left, pairs, 0), _renumbered(right, pairs, 1)
    if ours is not None and theirs is not None:
        ours, theirs = _without_verbs(ours, theirs, recognised)
    phrase_pairs = [(_phrase(left, a), _phrase(right, b)) for a, b in pairs]
    if plural == "strict":
        ours = ours and _pluralised(ours, {n for n, (a, b) in enumerate(phrase_pairs) if _is_plural(a, b)})
        theirs = theirs and _pluralised(theirs, {n for n, (a, b) in enumerate(phrase_pairs) if _is_plural(b, a)})
    phrases = [a if a.text or a.fixed else b for a, b in phrase_pairs]
    names = symbol_names(phrases, plain=any(phrase.fixed for phrase in phrases))
    scale = ValueScale(formula for formula in (ours, theirs) if formula is not None)
    return AlignedExpressions(
        "" if ours is None else written(ours, names, scale),
        "" if theirs is None else written(theirs, names, scale),
        {name: (a.text, b.text) for name, (a, b) in zip(names, phrase_pairs, strict=True) if not (a.fixed or b.fixed)},
        (ours, theirs),
        (_reading(left, pairs, 0, names), _reading(right, pairs, 1, names)),
    )


def _reading(side: Abstraction, pairs: list[Pair], which: int, names: list[str]) -> str:
    own = {symbol: name for pair, name in zip(pairs, names, strict=True) if (symbol := pair[which]) is not None}
    return abstracted_text(side.row, own)


def _phrase(side: Abstraction, symbol: int | None) -> SymbolPhrase:
    return _EMPTY if symbol is None else side.phrases[symbol]


def _renumbered(side: Abstraction, pairs: list[Pair], which: int) -> Formula | None:
    numbers = {pair[which]: number for number, pair in enumerate(pairs)}
    return None if side.formula is None else _mapped(side.formula, numbers)


def _mapped(formula: Formula, numbers: dict[int | None, int]) -> Formula:
    if isinstance(formula, Atom):
        return Atom(numbers[formula.symbol])
    mapped = rebuilt(formula, lambda part: _mapped(part, numbers))
    if isinstance(mapped, Both | Either):
        return replace(mapped, parts=tuple(sorted(mapped.parts, key=lambda part: (min(symbols(part)), repr(part)))))
    return mapped


def _pluralised(formula: Formula, plurals: set[int]) -> Formula:
    """One or more of each phrase that is a plural and is not counted anyway."""
    if isinstance(formula, Atom):
        return Repeat(formula, 1.0, inf, "count") if formula.symbol in plurals else formula
    if isinstance(formula, Repeat):
        return formula
    return rebuilt(formula, lambda part: _pluralised(part, plurals))


def _is_plural(phrase: SymbolPhrase, singular_phrase: SymbolPhrase) -> bool:
    """Whether a phrase is the plural of another, differing in nothing else."""
    words = [word for word in Words(phrase.text).words if word not in EDGES]
    singular_words = [word for word in Words(singular_phrase.text).words if word not in EDGES]
    return (
        len(words) == len(singular_words)
        and words != singular_words
        and all(ours == theirs or singular(ours) == theirs for ours, theirs in zip(words, singular_words, strict=True))
    )


def _without_verbs(left: Formula, right: Formula, recognised: frozenset[int]) -> tuple[Formula, Formula]:
    """Two formulas without each `Inside` that only one of them has: "contains sugar" came back as "has sugar".

    The other sentence must mention what is contained: `recognised` are the symbols whose words it has. "Does not
    contain" and "contains nothing but" are claims of their own and stay.
    """
    one_sided = _spoken(left, Inside) ^ _spoken(right, Inside)
    alone = _spoken(left, Only) | _spoken(right, Only)
    lost = {contained for contained in one_sided - alone if contained <= recognised}
    return _stripped(left, lost), _stripped(right, lost)


def _spoken(formula: Formula, kind: type[Inside | Only]) -> set[frozenset[int]]:
    return {frozenset(symbols(subformula)) for subformula in walk(formula) if isinstance(subformula, kind)}


def _stripped(formula: Formula, lost: set[frozenset[int]]) -> Formula:
    # A denial stays as it is: not to contain something and not to have it are compared as the same anyway.
    if isinstance(formula, Not):
        return formula
    if isinstance(formula, Inside) and frozenset(symbols(formula)) in lost:
        return _stripped(formula.part, lost)
    if isinstance(formula, Both):
        return _claims([_stripped(part, lost) for part in formula.parts])
    return rebuilt(formula, lambda part: _stripped(part, lost))


def _claims(parts: list[Formula]) -> Formula:
    """Leave out phrases about which nothing is claimed any more, unless there is nothing else."""
    claims = [part for part in parts if not isinstance(part, Atom)] or parts[:1]
    return claims[0] if len(claims) == 1 else Both(tuple(claims))
