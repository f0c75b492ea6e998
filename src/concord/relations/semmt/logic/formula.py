"""Formulas over abstracted phrases, and how they are written as expressions in the notation of the regex benchmark.

A count becomes `{least,most}`; before it stands `%` if it is a share in per cent, `:` if it is a ratio, `-` if it is
below zero, `/` if it is the step of "every 6 hours"; `!` is "only". Whole numbers up to 100 stand as they are. Larger
ones would need automata of their size, and an expression cannot hold fractions. These are rounded (halves up); where
that would make two values equal or turn a fraction into 0 or 1, and for larger numbers, the rank stands for the value.
The order of all values of one unit is kept, their distance is not (`claim_similarity.py` looks at the values). Formulas
that are compared must be written with one common `ValueScale`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import floor, inf, isclose, isinf

from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.kinds import Move, Unit

LARGEST = 100
"""The largest count that is written without rounding."""
DEEPEST = 12
"""The most levels that a formula may have: nobody means more, and automata pay for each."""
_MARKS: dict[Unit, str] = {"share": "%", "ratio": ":", "negative": "-", "step": "/"}
_ONE_TOKEN = re.compile(r"(?:\[[^\]]*\]|<M\d+>|.)\Z")


@dataclass(frozen=True, slots=True)
class Atom:
    """A phrase, by its number among the symbols of the sentence."""

    symbol: int


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Formula
    low: float
    high: float
    unit: Unit
    vague: bool = False
    # A claim is the same in other words whether it names its change or not.
    move: Move = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Inside:
    """Something contains the part, and perhaps more."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Only:
    """The part and nothing else; `contained` if that is what something contains."""

    part: Formula
    contained: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    first: Formula
    then: Formula


@dataclass(frozen=True, slots=True)
class Starts:
    part: Formula


@dataclass(frozen=True, slots=True)
class Ends:
    part: Formula


Formula = Atom | Repeat | Not["Formula"] | Either["Formula"] | Both["Formula"] | Inside | Only | Order | Starts | Ends


def parts(formula: Formula) -> tuple[Formula, ...]:
    """What a formula is made of."""
    if isinstance(formula, Atom):
        return ()
    if isinstance(formula, Either | Both):
        return formula.parts
    return (formula.first, formula.then) if isinstance(formula, Order) else (formula.part,)


def rebuilt(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """The formula with each of its parts changed."""
    if isinstance(formula, Atom):
        return formula
    if isinstance(formula, Either | Both):
        return replace(formula, parts=tuple(map(change, formula.parts)))
    if isinstance(formula, Order):
        return Order(change(formula.first), change(formula.then))
    return replace(formula, part=change(formula.part))


def walk(formula: Formula) -> Iterator[Formula]:
    """The formula and everything in it, from left to right."""
    yield formula
    for part in parts(formula):
        yield from walk(part)


def depth(formula: Formula) -> int:
    """How many levels a formula has."""
    return 1 + max((depth(part) for part in parts(formula)), default=0)


def symbols(formula: Formula) -> list[int]:
    """The symbols of a formula, each once, in order."""
    return list(dict.fromkeys(part.symbol for part in walk(formula) if isinstance(part, Atom)))


class ValueScale:
    """The whole number that represents a value of a unit in the expressions that are compared."""

    def __init__(self, formulas: Iterable[Formula]) -> None:
        values: dict[Unit, set[float]] = {}
        for formula in formulas:
            for part in walk(formula):
                if isinstance(part, Repeat):
                    values.setdefault(_counted(part.unit), set()).update((part.low, part.high))
        self._ranks = {unit: _ranked(unit_values) for unit, unit_values in values.items()}

    def __call__(self, unit: Unit, value: float) -> int:
        return self._ranks[_counted(unit)][value]


def _counted(unit: Unit) -> Unit:
    """The unit by which a value is written: "5 times" is written like "5"."""
    return "count" if unit == "times" else unit


def _ranked(values: set[float]) -> dict[float, int]:
    finite = sorted(value for value in values if not isinf(value))
    if any(value < LARGEST and _next(value) % 1 for value in finite):
        rounded = [floor(_next(value) + 0.5) for value in finite]
        if all(_is_near(*pair) for pair in zip(finite, rounded, strict=True)) and len(set(rounded)) == len(finite):
            return dict(zip(finite, rounded, strict=True))
        positive = [value for value in finite if value > 0]
        # From 2, because a phrase that is repeated once would look like one without a number.
        return {0.0: 0} | {value: rank for rank, value in enumerate(positive, start=2)}
    large = [value for value in finite if value > LARGEST]
    small = {value: int(_next(value)) for value in finite if value <= LARGEST}
    return small | {value: rank for rank, value in enumerate(large, start=LARGEST + 1)}


def _is_near(value: float, rounded: int) -> bool:
    """Whether a whole number may replace a value; not 1 for 1.2, as a phrase repeated once looks unnumbered."""
    return value <= LARGEST and (value == rounded or rounded > 1)


def _next(value: float) -> float:
    """A bound that is just above or below a whole number, as that of "more than 50%", is written as the next one."""
    near = float(round(value))
    if value == near or not isclose(value, near, rel_tol=1e-12):
        return value
    return near + 1 if value > near else max(near - 1, 1.0)


def written(formula: Formula, names: Sequence[str], scale: ValueScale) -> str:
    """The expression of a formula; `names` gives each symbol its name."""
    match formula:
        case Atom(symbol):
            return names[symbol]
        case Repeat(part, low, high, unit):
            mark = "" if high == 0 else _MARKS.get(unit, "")
            most = inf if isinf(high) else scale(unit, high)
            return mark + _repeated(_grouped(written(part, names, scale)), scale(unit, low), most)
        case Not(part):
            return f"~({written(part, names, scale)})"
        case Either(several):
            return "|".join(_grouped(written(part, names, scale)) for part in several)
        case Both(several):
            return "".join(_apart(written(each, names, scale)) for each in several)
        case Inside(part):
            body = written(part, names, scale)
            return f".*{_grouped(body)}.*" if isinstance(part, Atom | Either | Both | Not) else body
        case Only(part, contained):
            body = written(part, names, scale)
            return body if contained else f"!{_grouped(body)}"
        case Order(first, then):
            return _followed(first, names, scale) + _followed(then, names, scale)
        case Starts(part):
            return f"{_grouped(written(part, names, scale))}.*"
        case Ends(part):
            return f".*{_grouped(written(part, names, scale))}"


def _followed(formula: Formula, names: Sequence[str], scale: ValueScale) -> str:
    expression = written(formula, names, scale)
    return expression if isinstance(formula, Order) else f"{_grouped(expression)}.*"


def _repeated(body: str, low: int, high: float) -> str:
    if high == 0:
        return f"~(.*{body}.*)"
    if low == high == 1:
        return body
    return f"{body}{{{low},}}" if isinf(high) else f"{body}{{{low},{int(high)}}}"


def _apart(expression: str) -> str:
    """The text in parentheses even if it is one letter, because two letters in a row would be a word."""
    return f"({expression})" if expression.isalnum() else _grouped(expression)


def _grouped(expression: str) -> str:
    return expression if _ONE_TOKEN.match(expression) else f"({expression})"
