"""The language of an expression: its minimal automaton, membership, and exact counts of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from concord.relations.semmt.automata.alphabet import PRINTABLE, Alphabet, alphabet, shared, strangers
from concord.relations.semmt.automata.builder import Builder
from concord.relations.semmt.automata.expression import Expression
from concord.relations.semmt.automata.limits import MOST_PAIRS, TooComplex
from concord.relations.semmt.automata.table import DEAD


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A set of words, as its minimal automaton. State 0 is the start; what cannot lead to a word is `DEAD`."""

    alphabet: Alphabet
    rows: tuple[tuple[int, ...], ...]
    ends: tuple[bool, ...]

    def accepts(self, word: Sequence[str]) -> bool:
        """Whether a word belongs to it: a text, or a list of symbols such as `["a", "<M0>"]`."""
        state = 0
        for symbol in word:
            state = self.rows[state][self.alphabet.of(symbol)]
            if state == DEAD:
                return False
        return self.ends[state]

    def counts(self, longest: int, universe: str = PRINTABLE) -> list[int]:
        """How many words of length 0, 1, … `longest` it has over the universe and the symbols it mentions."""
        sizes = {ours: size for (ours, _), size in shared(self.alphabet, self.alphabet, universe).items()}
        reached, counts = Counter({0: 1}), []
        for _ in range(longest + 1):
            counts.append(sum(ways for state, ways in reached.items() if self.ends[state]))
            following: Counter[int] = Counter()
            for state, ways in reached.items():
                for at, size in sizes.items():
                    if self.rows[state][at] != DEAD:
                        following[self.rows[state][at]] += ways * size
            reached = following
        return counts


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
    """Whether they have the same words, of whatever symbols."""
    if a.alphabet == b.alphabet:
        # Minimal automata number their states in order of discovery, so the same language has the same table.
        return a.rows == b.rows and a.ends == b.ends
    walked = _walk(a, b, strangers(a.alphabet, b.alphabet))
    return walked.both == walked.either


def _walk(a: Language, b: Language, pairs: Counter[tuple[int, int]]) -> Product:
    rows, others = (*a.rows, (DEAD,) * a.alphabet.size), (*b.rows, (DEAD,) * b.alphabet.size)
    known, order = {(0, 0): 0, (DEAD, DEAD): DEAD}, [(0, 0)]
    moves = []
    for state, other in order:
        row, other_row = rows[state], others[other]
        leading: dict[int, int] = {}
        for (ours, theirs), size in pairs.items():
            key = (row[ours], other_row[theirs])
            target = known.get(key)
            if target is None:
                target = known[key] = len(order)
                order.append(key)
            if target != DEAD:
                leading[target] = leading.get(target, 0) + size
        if len(order) > MOST_PAIRS:
            raise TooComplex("pairs of states", MOST_PAIRS)
        moves.append(leading)
    ends, other_ends = (*a.ends, False), (*b.ends, False)
    either = [at for at, (state, other) in enumerate(order) if ends[state] or other_ends[other]]
    both = [at for at in either if ends[order[at][0]] and other_ends[order[at][1]]]
    return Product(moves, both, either, pairs.total())
