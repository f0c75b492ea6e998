"""The language of an expression: its minimal automaton, membership, and the product of two automata."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from concord.relations.semmt.automata.alphabet import PRINTABLE, Alphabet, alphabet, shared, strangers
from concord.relations.semmt.automata.automaton import DEAD
from concord.relations.semmt.automata.builder import Builder
from concord.relations.semmt.automata.expression import Expression
from concord.relations.semmt.automata.limits import MOST_PAIRS, TooComplex


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A set of words, as its minimal automaton. State 0 is the start; states that lead to no word are `DEAD`."""

    alphabet: Alphabet
    rows: tuple[tuple[int, ...], ...]
    ends: tuple[bool, ...]

    def accepts(self, word: Sequence[str]) -> bool:
        """Whether a language has a word: a text, or a list of symbols such as `["a", "<M0>"]`."""
        state = 0
        for symbol in word:
            state = self.rows[state][self.alphabet.class_of(symbol)]
            if state == DEAD:
                return False
        return self.ends[state]


@lru_cache(maxsize=4096)
def language(expression: Expression) -> Language:
    """The language of an expression; `TooComplex` if its automaton would be too large."""
    classes = alphabet(expression)
    table = Builder(classes).table(expression.tree, whole=True)
    if not table.rows:
        return Language(classes, ((DEAD,) * classes.size,), (False,))
    return Language(classes, tuple(map(tuple, table.rows)), tuple(map(bool, table.ends)))


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """Two automata run side by side from state 0, until neither can accept any more.

    `moves` say for each state how many symbols lead where; `both` and `either` are the states in which both or
    at least one of the two accept; `symbols` is the size of the alphabet.
    """

    moves: list[dict[int, int]]
    both: list[int]
    either: list[int]
    symbols: int


def product(a: Language, b: Language, universe: str = PRINTABLE) -> Product:
    """The two automata side by side, over the universe and the symbols that either mentions."""
    return _walk(a, b, shared(a.alphabet, b.alphabet, universe))


def equal(a: Language, b: Language) -> bool:
    """Whether two languages have the same words."""
    if a.alphabet == b.alphabet:
        # Minimal automata number their states in order of discovery, so the same language has the same table.
        return a.rows == b.rows and a.ends == b.ends
    walked = _walk(a, b, strangers(a.alphabet, b.alphabet))
    return walked.both == walked.either


def _walk(a: Language, b: Language, pairs: Counter[tuple[int, int]]) -> Product:
    a_rows, b_rows = (*a.rows, (DEAD,) * a.alphabet.size), (*b.rows, (DEAD,) * b.alphabet.size)
    numbers, order = {(0, 0): 0, (DEAD, DEAD): DEAD}, [(0, 0)]
    moves = []
    for a_state, b_state in order:
        a_row, b_row = a_rows[a_state], b_rows[b_state]
        leading: dict[int, int] = {}
        for (a_class, b_class), size in pairs.items():
            key = (a_row[a_class], b_row[b_class])
            target = numbers.get(key)
            if target is None:
                target = numbers[key] = len(order)
                order.append(key)
            if target != DEAD:
                leading[target] = leading.get(target, 0) + size
        if len(order) > MOST_PAIRS:
            raise TooComplex("pairs of states", MOST_PAIRS)
        moves.append(leading)
    # The last entry stands for the dead state, which is how DEAD indexes a tuple.
    a_ends, b_ends = (*a.ends, False), (*b.ends, False)
    ends = [(a_ends[a_state], b_ends[b_state]) for a_state, b_state in order]
    both, either = ([state for state, pair in enumerate(ends) if test(pair)] for test in (all, any))
    return Product(moves, both, either, pairs.total())
