"""Collect the precedents of the sentence-to-expression grammar, from the part of NL-RX that is not held out.

    python -m models.regex.precedents FOLDER > src/concord/relations/semmt/regex/precedents.json

For every form with the same things named in it: the bracketing that is right for most of its sentences, unless the
one that the shipped weights prefer is right for as many. Run it after `models.regex.weights`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from reproduce.nl_regex import FILE, Pair, slipped, split

from concord.relations.semmt.regex.grammar import ChartItem
from concord.relations.semmt.regex.phrases import cut
from concord.relations.semmt.regex.precedents import request_key, ruling
from concord.relations.semmt.regex.weights import used
from models.regex.weights import Example, judged


def precedents(pairs: Iterable[Pair], weights: Mapping[str, float]) -> dict[str, str]:
    """Cases with the ruling that overrules the weights."""
    alike: dict[str, list[Example]] = defaultdict(list)
    for pair in pairs:
        alike[request_key(cut(slipped(pair[0])).phrases)].append(judged(pair))
    overruled = {key: _overruling(examples, weights) for key, examples in sorted(alike.items())}
    return {key: ruling(item) for key, item in overruled.items() if item is not None}


def _overruling(examples: list[Example], weights: Mapping[str, float]) -> ChartItem | None:
    items = examples[0][0]
    votes = [sum(right) for right in zip(*(right for _, right in examples), strict=True)]
    scores = [sum(weights.get(name, 0.0) for name in used(item)) for item in items]
    order = sorted(range(len(items)), key=lambda at: (-votes[at], -scores[at]))
    if not items or votes[order[0]] == votes[scores.index(max(scores))]:
        return None
    return items[order[0]]


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], FILE).is_file():
        sys.exit(f"{__doc__}\nThere must be {FILE} in FOLDER.")
    shipped = json.loads(files("concord.relations.semmt.regex").joinpath("weights.json").read_text(encoding="utf-8"))
    print(json.dumps(precedents(split(Path(sys.argv[1], FILE))[1], shipped), indent=0))
