"""How likely a bracketing is: a small table of weights, fitted to the benchmark's own bracketings.

The score of a rule is the sum of three weights: with both parts, with the left one and with the right one alone; the
exponentials of the scores are proportional to probabilities (a log-linear model of the bracketing given the phrases).
"""

from collections.abc import Mapping
from functools import cache

from concord.relations.semmt.regex.grammar import Score
from concord.relations.semmt.tables import read_table

ANY = "*"


def features(rule: str, left: str, right: str) -> tuple[str, ...]:
    """The names of the weights that a rule with these parts adds up."""
    if not right:
        return (f"{rule} {left}",)
    return (f"{rule} {left} {right}", f"{rule} {left} {ANY}", f"{rule} {ANY} {right}")


def scored_by(weights: Mapping[str, float]) -> Score:
    """A score from a table of weights; a name that is not in it weighs nothing."""
    scores: dict[tuple[str, str, str], float] = {}

    def score(rule: str, left: str, right: str) -> float:
        key = (rule, left, right)
        if key not in scores:
            scores[key] = sum(weights.get(name, 0.0) for name in features(*key))
        return scores[key]

    return score


@cache
def shipped() -> Score:
    """The score from the weights that ship with Concord."""
    return scored_by(read_table(__package__, "weights.json"))
