"""The Jaccard index of two languages when words are drawn by a geometric law over lengths and evenly by character."""

from __future__ import annotations

import heapq
import math

from concord.relations.semmt.automata.languages import Language, Product, product
from concord.relations.semmt.automata.limits import StepBudget

GOING_ON = 0.5
"""The probability p that a word goes on by one more character; a word of length n is drawn with (1 − p)·pⁿ."""
_FAINT = 1e-280


def jaccard(a: Language, b: Language, *, going_on: float = GOING_ON) -> float:
    """The probability of a word of both, divided by that of a word of either; 1 if neither has words."""
    pair = product(a, b)
    if not pair.both:
        return 0.0 if pair.either else 1.0
    both, either = _masses(pair, going_on, [0] * len(pair.moves))
    if either < _FAINT:
        # After some hundred prescribed characters nothing is left of a floating-point number.
        both, either = _masses(pair, going_on, _likelihoods(pair, going_on))
    return both / either


def _masses(pair: Product, going_on: float, likely: list[int]) -> tuple[float, float]:
    """The masses of the words of both and of either, up to a common factor: all states but the first are eliminated.

    Every quantity is positive and nothing is subtracted but a self-loop from one, so nothing cancels. A state's
    mass is kept relative to how likely the state is reached (`likely`, a power of two, by which nothing is rounded).
    """
    moves, before = _scaled(pair, going_on / pair.symbols, likely)
    largest = max(likely[at] for at in pair.either)
    either = {at: math.ldexp(1.0, min(likely[at] - largest, 0)) for at in pair.either}
    both = {at: either[at] for at in pair.both}
    budget = StepBudget()
    for state in range(len(moves) - 1, 0, -1):
        leading = moves[state]
        share = 1.0 / (1.0 - leading.pop(state, 0.0))
        budget.spend(len(before[state]) * (1 + len(leading)))
        for source in before[state]:
            if source >= state:
                continue
            weight = moves[source].pop(state) * share
            _give(both, source, state, weight)
            _give(either, source, state, weight)
            row = moves[source]
            for target, chance in leading.items():
                row[target] = row.get(target, 0.0) + weight * chance
                before[target].add(source)
    return both.get(0, 0.0), either.get(0, 0.0)


def _scaled(pair: Product, chance: float, likely: list[int]) -> tuple[list[dict[int, float]], list[set[int]]]:
    """The probabilities of all moves, relative to how likely their ends are, and where every state is entered from."""
    before: list[set[int]] = [set() for _ in pair.moves]
    moves = []
    for source, leading in enumerate(pair.moves):
        here = likely[source]
        moves.append({to: size * chance * math.ldexp(1.0, here - likely[to]) for to, size in leading.items()})
        for target in leading:
            before[target].add(source)
    return moves, before


def _give(masses: dict[int, float], source: int, state: int, weight: float) -> None:
    mass = masses.get(state)
    if mass:
        masses[source] = masses.get(source, 0.0) + weight * mass


def _likelihoods(pair: Product, going_on: float) -> list[int]:
    """About which power of two the probability of the likeliest way into each state is (Dijkstra)."""
    step = -math.log2(going_on / pair.symbols)
    done: dict[int, float] = {}
    waiting = [(0.0, 0)]
    while waiting:
        cost, state = heapq.heappop(waiting)
        if state in done:
            continue
        done[state] = cost
        for target, size in pair.moves[state].items():
            if target not in done:
                heapq.heappush(waiting, (cost + step - math.log2(size), target))
    return [-round(done[state]) for state in range(len(pair.moves))]
