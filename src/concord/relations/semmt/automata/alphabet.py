"""The characters of a language, cut into the classes that an expression tells apart.

The universe is the 95 printable ASCII characters, and every other symbol (`<M0>`, `é`) that an expression mentions.
Symbols that this expression does not mention, but another one may, belong to a class as well, so that languages of
different expressions can be compared.
"""

import string
from collections import Counter
from dataclasses import dataclass, field

from concord.relations.semmt.automata.expression import Boundary, Expression, Not, Repetition, Symbols, Tree
from concord.relations.semmt.automata.limits import MOST_SYMBOLS, TooComplex

PRINTABLE = "".join(map(chr, range(32, 127)))
ALPHANUMERIC = string.ascii_letters + string.digits
_STRANGERS = ("<no word>", "<word>")
"""The symbols that no class mentions: those that are no word characters, and those that are."""


def is_word(symbol: str) -> bool:
    """Whether `\\b` sees a word character in it; a quoted string `<M0>` counts as one."""
    return len(symbol) > 1 or symbol.isalnum() or symbol == "_"


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Classes 0 … size − 1 and which of them every symbol belongs to.

    `kinds` says of each class whether it holds word characters; without `\\b` it is 0 for all of them. `mentioned` are
    the symbols that the expression mentions, `sets` the classes that make up each of its sets of symbols.
    """

    size: int
    classes: dict[str, int]
    kinds: tuple[int, ...]
    mentioned: frozenset[str] = field(compare=False)
    sets: dict[Symbols, tuple[int, ...]] = field(compare=False)

    def class_of(self, symbol: str) -> int:
        """The class of a symbol."""
        return self.classes.get(symbol, self.classes[_STRANGERS[is_word(symbol)]])


def alphabet(expression: Expression) -> Alphabet:
    """The coarsest classes with which the expression can be decided."""
    sets, bounded = _collect(expression.tree)
    mentioned = frozenset[str]().union(*(symbols.members for symbols in sets))
    own = sorted(mentioned.difference(PRINTABLE))
    if len(own) > MOST_SYMBOLS:
        raise TooComplex("symbols", MOST_SYMBOLS)
    universe = [*PRINTABLE, *_STRANGERS, *own]
    words = tuple(symbol != _STRANGERS[0] and is_word(symbol) for symbol in universe)
    inside = {symbols: tuple((one in symbols.members) != symbols.outside for one in universe) for symbols in sets}
    # In any fixed order of the sets: the classes are numbered by it, and the states of an automaton by its classes.
    told_apart = sorted({*inside.values(), *([words] if bounded else [])}, key=lambda members: members[::-1])
    by_symbol = [tuple(members[index] for members in told_apart) for index in range(len(universe))]
    numbers = {members: number for number, members in enumerate(sorted(set(by_symbol), reverse=True))}
    classes = [numbers[members] for members in by_symbol]
    kinds = dict(zip(classes, words, strict=True))
    return Alphabet(
        len(numbers),
        dict(zip(universe, classes, strict=True)),
        tuple(int(bounded and kinds[number]) for number in range(len(numbers))),
        mentioned,
        {
            symbols: tuple(sorted({number for number, member in zip(classes, members, strict=True) if member}))
            for symbols, members in inside.items()
        },
    )


def shared(a: Alphabet, b: Alphabet, universe: str) -> Counter[tuple[int, int]]:
    """How many symbols lie in each pair of classes: those of the universe, and what either expression adds."""
    mentioned = a.mentioned | b.mentioned
    printable = [symbol for symbol in PRINTABLE if symbol in universe or symbol in mentioned]
    symbols = [*printable, *sorted(mentioned.difference(PRINTABLE))]
    return Counter((a.class_of(symbol), b.class_of(symbol)) for symbol in symbols)


def strangers(a: Alphabet, b: Alphabet) -> Counter[tuple[int, int]]:
    """The same as `shared`, with one more symbol of each kind that neither expression mentions."""
    return shared(a, b, PRINTABLE) + Counter((a.classes[symbol], b.classes[symbol]) for symbol in _STRANGERS)


def _collect(tree: Tree) -> tuple[set[Symbols], bool]:
    sets: set[Symbols] = set()
    bounded, waiting = False, [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Symbols):
            sets.add(node)
        elif isinstance(node, Boundary):
            bounded = True
        elif isinstance(node, Not | Repetition):
            waiting.append(node.part)
        else:
            waiting.extend(node.parts)
    return sets, bounded
