"""Fit the weights of the sentence-to-expression grammar on the part of NL-RX that is not held out.

    python -m models.regex.weights FOLDER > src/concord/relations/semmt/regex/weights.json

FOLDER is the data folder of `reproduce/nl_regex.py`, which judges by what is held out.
The likelihood of all bracketings with the published language is maximised, with a quadratic penalty on the weights.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from reproduce.nl_regex import FILE, Pair, same, slipped, split
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from concord.relations.semmt.regex.grammar import ChartItem, Sign, bracketings
from concord.relations.semmt.regex.meaning_tree import meaning
from concord.relations.semmt.regex.phrases import cut
from concord.relations.semmt.regex.weights import features
from concord.relations.semmt.regex.writer import expression

PENALTY, WAYS = 1.0, 60
SMALLEST = 0.3
"""Weights that are smaller are left out, and those that are left are fitted anew."""
VERBS = {"containing": ".*{}.*", "starting with": "({})(.*)", "ending with": "(.*)({})"}
JOINTS = {"and": "({})&({})", "or": "({})|({})", "and not": "({})&(~({}))"}
REPEATED = 3

Example = tuple[tuple[ChartItem, ...], tuple[bool, ...]]


def ours() -> list[Pair]:
    """What the benchmark has too little of: verbs joined with verbs, as in `containing X and not ending with Y`."""
    return [
        (f"lines {one} a vowel {joint} {other} <M0>", both.format(first.format("[<VOW>]"), second.format("<M0>")))
        for one, first in VERBS.items()
        for joint, both in JOINTS.items()
        for other, second in VERBS.items()
        if one != other
    ] * REPEATED


@cache
def ways(signs: tuple[Sign, ...]) -> tuple[ChartItem, ...]:
    """All the bracketings of phrases, in an order that owes nothing to weights."""
    return tuple(bracketings(signs, lambda *_: 0.0, beam=WAYS))


def judged(pair: Pair) -> Example:
    """The bracketings of a sentence, and which of them are right."""
    sentence, regex = pair
    phrases = cut(slipped(sentence)).phrases
    items = ways(tuple((phrase.kind, phrase.key) for phrase in phrases))
    return items, tuple(same(expression(meaning(item, phrases)), regex) for item in items)


def used(item: ChartItem) -> Iterator[str]:
    """The names of the weights that a bracketing adds up."""
    if item.parts:
        left, right = item.parts[0], item.parts[1].label if item.parts[1:] else ""
        yield from features(f"{item.rule}:{item.label}", left.label, right)
    for part in item.parts:
        yield from used(part)


def fit(examples: Collection[Example], among: Collection[str] | None = None) -> dict[str, float]:
    """The weights under which the right bracketings are likeliest; of those `among` which there may be any."""
    found = Counter(example for example in examples if any(example[1]) and not all(example[1]))
    names: dict[str, int] = {}
    rows, columns, right, starts = [], [], [], []
    for items, ok in found:
        starts.append(len(right))
        for row, item in enumerate(items, start=len(right)):
            for name in (name for name in used(item) if among is None or name in among):
                rows.append(row)
                columns.append(names.setdefault(name, len(names)))
        right += ok
    table = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(right), len(names)))
    often = np.array(list(found.values()), dtype=float)
    sizes = np.diff([*starts, len(right)])
    good = np.array(right, dtype=float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = table @ weights
        raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        total, hit = np.add.reduceat(raised, starts), np.add.reduceat(raised * good, starts) + 1e-300
        change = raised * np.repeat(often / total, sizes) - raised * good * np.repeat(often / hit, sizes)
        value = -(often * np.log(hit / total)).sum() + PENALTY * weights @ weights / 2
        return value, table.T @ change + PENALTY * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    found = {name: round(float(best[at]), 2) for name, at in sorted(names.items()) if abs(best[at]) >= SMALLEST}
    return found if among is not None else fit(examples, found)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], FILE).is_file():
        sys.exit(f"{__doc__}\nThere must be {FILE} in FOLDER.")
    print(json.dumps(fit(list(map(judged, split(Path(sys.argv[1], FILE))[1] + ours()))), indent=0))
