"""How well the sentences of NL-RX can be read at all: how often sentences of the same form have labels that disagree.

    python reproduce/nl_regex_bound.py FOLDER

Only the part that `nl_regex.py` does not hold out is looked at. Sentences of one form differ in nothing but synonyms,
strings, classes and numbers. A table with one reading for each form bounds what a model of the form can reach: from
above if it is chosen on the very sentences it is judged on, from below if on the others. Many sentences were made from
others by the benchmark's authors, with other words for the same and other counts, and share their label; what names
the same things in the same form, and so may be such a twin, is left out of the others. Last, the weights themselves
are judged on each fifth after being fitted on the other four.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import NamedTuple

from nl_regex import FILE, said, slipped, split
from nl_regex_weights import Example, fit, judged, ours

from concord.relations.semmt.regex.phrases import Phrase, cut
from concord.relations.semmt.regex.weights import used

FOLDS, SEED = 5, 1


class Judged(NamedTuple):
    """A sentence in phrases, and which of its bracketings are right."""

    phrases: list[Phrase]
    example: Example


def row(one: Judged) -> Hashable:
    return tuple((phrase.kind, phrase.key) for phrase in one.phrases)


def row_and_counts(one: Judged) -> Hashable:
    return row(one), tuple((min(phrase.low, 2), phrase.high is None) for phrase in one.phrases)


def row_and_atoms(one: Judged) -> Hashable:
    return row(one), tuple(phrase.atom for phrase in one.phrases)


def votes(group: list[Judged]) -> list[int]:
    """How many of the sentences each bracketing is right for; all have the same bracketings."""
    return [sum(right) for right in zip(*(one.example[1] for one in group), strict=True)]


def grouped(sentences: list[Judged], key: Callable[[Judged], Hashable]) -> list[list[Judged]]:
    found: dict[Hashable, list[Judged]] = defaultdict(list)
    for one in sentences:
        found[key(one)].append(one)
    return list(found.values())


def on_the_same(sentences: list[Judged], form: Callable[[Judged], Hashable]) -> int:
    return sum(max(votes(group), default=0) for group in grouped(sentences, form))


def on_the_others(sentences: list[Judged], form: Callable[[Judged], Hashable]) -> int:
    right = 0
    for group in grouped(sentences, form):
        all_votes = votes(group)
        for twins in grouped(group, row_and_atoms):
            theirs = votes(twins)
            others = [every - own for every, own in zip(all_votes, theirs, strict=True)]
            right += theirs[others.index(max(others))] if others else 0
    return right


def crosswise(sentences: list[Judged], apart: Callable[[Judged], Hashable]) -> int:
    """How many are read rightly by weights that were fitted without them; what is alike is never torn apart."""
    groups = grouped(sentences, apart)
    random.Random(SEED).shuffle(groups)
    extra = [judged(pair) for pair in ours()]
    right = 0
    for fold in range(FOLDS):
        seen = [one.example for at, group in enumerate(groups) if at % FOLDS != fold for one in group]
        weights = fit(seen + extra)
        right += sum(read_rightly(one.example, weights) for group in groups[fold::FOLDS] for one in group)
    return right


def read_rightly(example: Example, weights: dict[str, float]) -> bool:
    items, right = example
    scores = [sum(weights.get(name, 0.0) for name in used(item)) for item in items]
    return bool(items) and right[scores.index(max(scores))]


def main(file: Path) -> None:
    others = split(file)[1]
    sentences = [Judged(cut(slipped(pair[0])).phrases, judged(pair)) for pair in others]
    print(f"{len(sentences):,} sentences; the slip of `up to six` is taken over")
    readable = sum(any(one.example[1]) for one in sentences)
    print(f"any reading: {said(readable, len(sentences))}")
    sizes = Counter(len(twins) > 1 for twins in grouped(sentences, row_and_atoms) for _ in twins)
    print(f"twins: {said(sizes[True], len(sentences))}")
    for name, form in (("phrases", row), ("phrases and the kinds of their counts", row_and_counts)):
        print(f"a table by {name}, {len(grouped(sentences, form)):,} forms")
        print(f"  chosen on the same sentences: {said(on_the_same(sentences, form), len(sentences))}")
        print(f"  chosen on the others, without twins: {said(on_the_others(sentences, form), len(sentences))}")
    for name, apart in (("each sentence by itself", id), ("twins together", row_and_atoms)):
        right = crosswise(sentences, apart)
        print(f"the weights, fitted on four fifths, on the other, {name}: {said(right, len(sentences))}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], FILE).is_file():
        sys.exit(f"{__doc__}\nThere must be {FILE} in FOLDER.")
    main(Path(sys.argv[1], FILE))
