"""Fit the weights of the sentence-to-expression grammar on the part of NL-RX that `nl_regex.py` does not hold out.

    python reproduce/nl_regex_weights.py FOLDER > src/concord/text/regex/weights.json

The likelihood of all bracketings with the published language is maximised, with a quadratic penalty on the weights.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from nl_regex import FILE, Pair, said_up_to, same, split
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from concord.text.regex.grammar import Item, bracketings
from concord.text.regex.meaning import meaning
from concord.text.regex.phrases import cut
from concord.text.regex.scoring import used
from concord.text.regex.writing import expression

PENALTY, SMALLEST, WAYS = 1.0, 0.02, 60
VERBS = {"containing": ".*{}.*", "starting with": "({})(.*)", "ending with": "(.*)({})"}
JOINTS = {"and": "({})&({})", "or": "({})|({})", "and not": "({})&(~({}))"}
REPEATED = 3


def ours() -> list[Pair]:
    """What the benchmark has too little of: verbs joined with verbs, as in `containing X and not ending with Y`."""
    return [
        (f"lines {one} a vowel {joint} {other} <M0>", both.format(first.format("[<VOW>]"), second.format("<M0>")))
        for one, first in VERBS.items()
        for joint, both in JOINTS.items()
        for other, second in VERBS.items()
        if one != other
    ] * REPEATED


def examples(file: Path) -> Counter[tuple[tuple[Item, ...], tuple[bool, ...]]]:
    """The bracketings of each sentence with those that are right, and how often that comes up."""
    found: Counter[tuple[tuple[Item, ...], tuple[bool, ...]]] = Counter()
    ways: dict[tuple[tuple[str, str], ...], tuple[Item, ...]] = {}
    for sentence, regex in [pair for pair in split(file)[1] if not said_up_to(pair)] + ours():
        phrases = cut(sentence).phrases
        signs = tuple((phrase.kind, phrase.key) for phrase in phrases)
        if signs not in ways:
            ways[signs] = tuple(bracketings(signs, lambda *_: 0.0, beam=WAYS))
        right = tuple(same(expression(meaning(item, phrases)), regex) for item in ways[signs])
        if any(right) and not all(right):
            found[ways[signs], right] += 1
    return found


def fit(found: Counter[tuple[tuple[Item, ...], tuple[bool, ...]]]) -> dict[str, float]:
    names: dict[str, int] = {}
    rows, columns, right, starts = [], [], [], []
    for items, ok in found:
        starts.append(len(right))
        for item in items:
            for name in used(item):
                rows.append(len(right) + items.index(item))
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
    return {name: round(float(best[at]), 2) for name, at in sorted(names.items()) if abs(best[at]) >= SMALLEST}


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], FILE).is_file():
        sys.exit(f"{__doc__}\nThere must be {FILE} in FOLDER.")
    print(json.dumps(fit(examples(Path(sys.argv[1], FILE))), indent=0))
