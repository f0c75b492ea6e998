"""Build the automaton of an expression: nondeterministic fragments without empty moves, then the subset construction.

`\\b` looks at its neighbours, so what a part of an expression matches depends on the kind of the character before it
and of the one after it (1 for word characters). A fragment therefore has one start state for each kind of preceding
character, and a bit mask at each end says for which kinds of following characters it holds. Every state is entered by
characters of one kind only. Expressions without `\\b` have one kind, and nothing of this costs them anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from concord.relations.semmt.automata import expression as tree
from concord.relations.semmt.automata.alphabet import Alphabet
from concord.relations.semmt.automata.automaton import DEAD, TransitionTable, minimal
from concord.relations.semmt.automata.limits import MOST_POSITIONS, MOST_STATES, StepBudget, TooComplex

Row = list[int]
"""For each class of characters the set of states it leads to, as a bit mask."""
_JOINING = 40
"""Steps for joining two fragments even if they are empty, so that `(){999999999}` is given up soon."""


@dataclass(slots=True)
class Fragment:
    """A part of the automaton: rows to start from, whether it may be empty, and where it may end."""

    starts: list[Row]
    empty: list[int]
    ends: dict[int, int]


class Builder:
    """Builds the minimal automaton of one tree; all fragments share one numbering of states."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.kinds = range(max(alphabet.kinds) + 1)
        self.always = (1 << len(self.kinds)) - 1
        self.allowed = [
            [class_ for class_, kind in enumerate(alphabet.kinds) if mask >> kind & 1]
            for mask in range(self.always + 1)
        ]
        self.rows: list[Row] = []
        self.entered: list[int] = []
        self.budget = StepBudget()

    def table(self, node: tree.Tree, *, whole: bool = False) -> TransitionTable:
        """The automaton of a tree; `whole` if no characters surround it, so that only one context is left."""
        negated = isinstance(node, tree.Not)
        inside = node.part if isinstance(node, tree.Not) else node
        nodes = inside.parts if isinstance(inside, tree.Both) else (inside,)
        parts = []
        for part in nodes:
            before = len(self.rows)
            fragment = self.fragment(part)
            parts.append((fragment, (1 << len(self.rows)) - (1 << before)))
        return _Subsets(self, parts, negated, whole).table()

    def fragment(self, node: tree.Tree) -> Fragment:
        match node:
            case tree.Symbols():
                return self._symbols(self.alphabet.sets[node])
            case tree.Boundary():
                return Fragment([self._nowhere() for _ in self.kinds], [0b10, 0b01], {})
            case tree.Sequence(parts):
                return self._sequence(parts)
            case tree.Either(parts):
                return self._either([self.fragment(part) for part in parts])
            case tree.Repetition(part, least, most):
                return self._repeat(part, least, most)
            case _:
                return self._settled(self.table(node))

    def _state(self, kind: int) -> int:
        if len(self.rows) >= MOST_POSITIONS:
            raise TooComplex("positions", MOST_POSITIONS)
        self.rows.append(self._nowhere())
        self.entered.append(kind)
        return len(self.rows) - 1

    def _nowhere(self) -> Row:
        self.budget.spend(self.alphabet.size)
        return [0] * self.alphabet.size

    def _symbols(self, classes: Sequence[int]) -> Fragment:
        row, states = self._nowhere(), dict[int, int]()
        for class_ in classes:
            kind = self.alphabet.kinds[class_]
            if kind not in states:
                states[kind] = self._state(kind)
            row[class_] = 1 << states[kind]
        return Fragment([row for _ in self.kinds], [0 for _ in self.kinds], dict.fromkeys(states.values(), self.always))

    def _nothing(self) -> Fragment:
        return Fragment([self._nowhere() for _ in self.kinds], [self.always for _ in self.kinds], {})

    def _sequence(self, parts: Sequence[tree.Tree]) -> Fragment:
        if not parts:
            return self._nothing()
        sequence = self.fragment(parts[0])
        for part in parts[1:]:
            sequence = self._joined(sequence, self.fragment(part))
        return sequence

    def _joined(self, first: Fragment, second: Fragment) -> Fragment:
        self.budget.spend(_JOINING + len(second.ends))
        self._lead(first.ends, second.starts)
        starts = []
        for row, more, mask in zip(first.starts, second.starts, first.empty, strict=True):
            starts.append(self._merged(row, more, mask) if mask else row)
        empty = [a & b for a, b in zip(first.empty, second.empty, strict=True)]
        ends = dict(second.ends)
        for state, mask in first.ends.items():
            if mask & second.empty[self.entered[state]]:
                ends[state] = mask & second.empty[self.entered[state]]
        return Fragment(starts, empty, ends)

    def _lead(self, ends: dict[int, int], starts: list[Row]) -> None:
        """Connect the ends of one fragment to the starts of another."""
        for state, mask in ends.items():
            self.rows[state] = self._merged(self.rows[state], starts[self.entered[state]], mask)

    def _merged(self, row: Row, more: Row, mask: int) -> Row:
        self.budget.spend(len(row))
        merged = row.copy()
        for class_ in self.allowed[mask]:
            merged[class_] |= more[class_]
        return merged

    def _either(self, parts: list[Fragment]) -> Fragment:
        starts = [self._nowhere() for _ in self.kinds]
        empty = [0 for _ in self.kinds]
        ends: dict[int, int] = {}
        for part in parts:
            starts = [self._merged(a, b, self.always) for a, b in zip(starts, part.starts, strict=True)]
            empty = [a | b for a, b in zip(empty, part.empty, strict=True)]
            ends |= part.ends
        return Fragment(starts, empty, ends)

    def _repeat(self, part: tree.Tree, least: int, most: int | None) -> Fragment:
        repeated = self._nothing()
        if most is None:
            repeated = self.fragment(part)
            self._lead(repeated.ends, repeated.starts)
            if not least:
                repeated.empty = [self.always for _ in self.kinds]
            least = most = max(least - 1, 0)
        for remaining in range(most, 0, -1):
            repeated = self._joined(self.fragment(part), repeated)
            if remaining > least:
                repeated.empty = [self.always for _ in self.kinds]
        return repeated

    def _settled(self, table: TransitionTable) -> Fragment:
        """A finished automaton as a fragment of a larger one."""
        states = [self._state(kind) for kind in table.entered]
        for state, row in zip(states, table.rows, strict=True):
            self.budget.spend(len(row))
            self.rows[state] = [0 if target == DEAD else 1 << states[target] for target in row]
        starts = [self.rows[states[start]] if start != DEAD else self._nowhere() for start in table.starts]
        empty = [table.ends[start] if start != DEAD else 0 for start in table.starts]
        ends = {state: mask for state, mask in zip(states, table.ends, strict=True) if mask}
        return Fragment([row.copy() for row in starts], empty, ends)


class _Subsets:
    """The subset construction. Several parts run side by side and must all accept, which is what `&` means."""

    def __init__(self, builder: Builder, parts: list[tuple[Fragment, int]], negated: bool, whole: bool) -> None:
        self.builder, self.parts, self.negated, self.whole = builder, parts, negated, whole
        self.numbers: dict[tuple[int, int], int] = {}
        self.subsets = TransitionTable([], [], [], [])
        self.waiting: list[Row] = []

    def table(self) -> TransitionTable:
        for kind in [0] if self.whole else self.builder.kinds:
            row = self.builder._nowhere()
            for part, _ in self.parts:
                row = self.builder._merged(row, part.starts[kind], self.builder.always)
            self.subsets.starts.append(self._new(row, self._agreed([part.empty[kind] for part, _ in self.parts]), kind))
        kinds = self.builder.alphabet.kinds
        for row in self.waiting:
            self.subsets.rows.append([self._target(states, kind) for states, kind in zip(row, kinds, strict=True)])
        return minimal(self.subsets, self.builder.budget)

    def _agreed(self, masks: list[int]) -> int:
        agreed = self.builder.always
        for mask in masks:
            agreed &= mask
        agreed = self.builder.always ^ agreed if self.negated else agreed
        return agreed & 1 if self.whole else agreed

    def _new(self, row: Row, ends: int, kind: int) -> int:
        if len(self.waiting) >= MOST_STATES:
            raise TooComplex("states", MOST_STATES)
        self.waiting.append(row)
        self.subsets.ends.append(ends)
        self.subsets.entered.append(0 if self.whole else kind)
        return len(self.waiting) - 1

    def _target(self, states: int, kind: int) -> int:
        if not all(states & mask for _, mask in self.parts):
            if not self.negated:
                return DEAD
            states = 0
        key = (states, kind)
        if key not in self.numbers:
            self.numbers[key] = self._explored(states, kind)
        return self.numbers[key]

    def _explored(self, states: int, kind: int) -> int:
        row, masks = self.builder._nowhere(), [0] * len(self.parts)
        rows, spend = self.builder.rows, 0
        left = states
        while left:
            low = left & -left
            left ^= low
            state = low.bit_length() - 1
            row = [a | b for a, b in zip(row, rows[state], strict=True)]
            spend += len(row)
            for number, (part, _) in enumerate(self.parts):
                masks[number] |= part.ends.get(state, 0)
        self.builder.budget.spend(spend)
        return self._new(row, self._agreed(masks), kind)
