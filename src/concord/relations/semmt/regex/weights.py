"""How likely a bracketing is: a small table of weights, fitted to the benchmark's own bracketings.

The score of a rule is the sum of three weights: with both parts, with the left one and with the right one alone; the
exponentials of the scores are proportional to probabilities (a log-linear model of the bracketing given the phrases).
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from concord.relations.semmt.regex.grammar import ChartItem, Score

ANY = "*"


def features(rule: str, left: str, right: str) -> tuple[str, ...]:
    """The names of the weights that a rule with these parts adds up."""
    if not right:
        return (f"{rule} {left}",)
    return (f"{rule} {left} {right}", f"{rule} {left} {ANY}", f"{rule} {ANY} {right}")


def used(item: ChartItem) -> Iterator[str]:
    """The names of all the weights in a bracketing."""
    if item.parts:
        yield from features(
            f"{item.rule}:{item.label}", item.parts[0].label, item.parts[1].label if item.parts[1:] else ""
        )
        for part in item.parts:
            yield from used(part)


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
    return scored_by(json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8")))
