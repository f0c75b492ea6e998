"""The Jaccard index of two languages whose words have geometrically distributed lengths and uniform characters."""

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
    """The masses of the words of both and of either, up to a common factor, by eliminating all states but the first.

    Every quantity is positive and nothing is subtracted but a self-loop from one, so nothing cancels. A state's
    mass is kept relative to how likely the state is reached (`likely`, a power of two, by which nothing is rounded).
    """
    moves, before = _scaled(pair, going_on / pair.symbols, likely)
    largest = max(likely[state] for state in pair.either)
    either = {state: math.ldexp(1.0, min(likely[state] - largest, 0)) for state in pair.either}
    both = {state: either[state] for state in pair.both}
    budget = StepBudget()
    for state in range(len(moves) - 1, 0, -1):
        leading = moves[state]
        share = 1.0 / (1.0 - leading.pop(state, 0.0))
        budget.spend(len(before[state]) * (1 + len(leading)))
        for source in before[state]:
            if source >= state:
                continue
            weight = moves[source].pop(state) * share
            for masses in (both, either):
                if mass := masses.get(state):
                    masses[source] = masses.get(source, 0.0) + weight * mass
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
        scales = {target: math.ldexp(1.0, likely[source] - likely[target]) for target in leading}
        moves.append({target: size * chance * scales[target] for target, size in leading.items()})
        for target in leading:
            before[target].add(source)
    return moves, before


def _likelihoods(pair: Product, going_on: float) -> list[int]:
    """The exponent of the power of two nearest to the probability of the likeliest path to each state (Dijkstra)."""
    step = -math.log2(going_on / pair.symbols)
    costs: dict[int, float] = {}
    waiting = [(0.0, 0)]
    while waiting:
        cost, state = heapq.heappop(waiting)
        if state in costs:
            continue
        costs[state] = cost
        for target, size in pair.moves[state].items():
            if target not in costs:
                heapq.heappush(waiting, (cost + step - math.log2(size), target))
    return [-round(costs[state]) for state in range(len(pair.moves))]
