"""Deterministic automata as plain tables, and the smallest one of the same language."""

from dataclasses import dataclass

from concord.relations.semmt.automata.limits import StepBudget

DEAD = -1
"""The state from which no word is accepted any more; it has no row."""


@dataclass(slots=True)
class TransitionTable:
    """An automaton: the target of each state by class, the contexts in which a state may end a word, and the starts.

    `ends` are bit masks of contexts; `entered` is the kind of the characters that lead to a state.
    """

    rows: list[list[int]]
    ends: list[int]
    entered: list[int]
    starts: list[int]


def minimal(table: TransitionTable, budget: StepBudget) -> TransitionTable:
    """The smallest table of the same language, its starts first and the others in order of discovery."""
    groups = _groups(table, budget)
    names, order = {DEAD: DEAD}, list[int]()

    def name(state: int) -> int:
        group = DEAD if state == DEAD else groups[state]
        if group not in names:
            names[group] = len(order)
            order.append(state)
        return names[group]

    starts = [name(state) for state in table.starts]
    rows = [[name(target) for target in table.rows[state]] for state in order]
    ends, entered = [table.ends[state] for state in order], [table.entered[state] for state in order]
    return TransitionTable(rows, ends, entered, starts)


def _groups(table: TransitionTable, budget: StepBudget) -> list[int]:
    """The group of each state: states of one group accept the same words; those that accept none are dead.

    Groups are split until all members of each lead to the same groups. After a split only the states before those
    that moved can have changed, which makes long chains cheap.
    """
    before = _before(table)
    groups, sizes = _by_end(table, _live(table, before))
    touched = [state for state, group in enumerate(groups) if group != DEAD]
    while touched:
        budget.spend(len(touched) * len(table.rows[0]))
        moved = _split(table, groups, sizes, touched)
        touched = list({source for state in moved for source in before[state] if groups[source] != DEAD})
    return groups


def _by_end(table: TransitionTable, live: list[bool]) -> tuple[list[int], list[int]]:
    names: dict[tuple[int, int], int] = {}
    groups = [
        names.setdefault((end, kind), len(names)) if alive else DEAD
        for end, kind, alive in zip(table.ends, table.entered, live, strict=True)
    ]
    return groups, [groups.count(group) for group in range(len(names))]


def _split(table: TransitionTable, groups: list[int], sizes: list[int], touched: list[int]) -> list[int]:
    """Give new groups to the touched states that no longer belong together, and return the states that moved."""
    # The last entry stands for the dead state, which is how DEAD indexes a list.
    group_of = [*groups, DEAD]
    parts: dict[int, dict[tuple[int, ...], list[int]]] = {}
    for state in touched:
        leading = tuple([group_of[target] for target in table.rows[state]])
        parts.setdefault(groups[state], {}).setdefault(leading, []).append(state)
    moved = []
    for group, alike in parts.items():
        leaving = sorted(alike.values(), key=len)
        if sum(map(len, leaving)) == sizes[group]:
            leaving.pop()
        for states in leaving:
            sizes[group] -= len(states)
            for state in states:
                groups[state] = len(sizes)
            sizes.append(len(states))
            moved += states
    return moved


def _before(table: TransitionTable) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in table.rows]
    for state, row in enumerate(table.rows):
        for target in set(row):
            if target != DEAD:
                before[target].append(state)
    return before


def _live(table: TransitionTable, before: list[list[int]]) -> list[bool]:
    live = [end != 0 for end in table.ends]
    waiting = [state for state, end in enumerate(table.ends) if end]
    while waiting:
        for state in before[waiting.pop()]:
            if not live[state]:
                live[state] = True
                waiting.append(state)
    return live
