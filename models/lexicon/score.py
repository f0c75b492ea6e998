"""Fits the score of substitutes to readers' verdicts: `python -m models.lexicon.score`.

`verdicts.tsv` holds, for places of the bundled corpus, what stood there, what was put there, whether a reader
accepted it, and which reader. The author's verdicts count a quarter of the blind readers' and have a base of their
own, for the author knew the rules. Opposites, which only those get who ask for them, are left out. It prints the
weights that `_judge.py` holds, and what cross-validation finds, where a sentence is on one side of a fold only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from concord.corpus import demo
from concord.language.english.lexicon import WordForm, lexicon
from concord.language.parse.concord_en import Parser
from concord.language.substitutes import NATURAL
from concord.language.substitutes._neighbours import neighbours
from concord.language.substitutes._ranker import MOST_LOST, OWNINGS, Judge, NearForms
from concord.language.substitutes._slot import NAMES, VERBS, Place, SlottedSentence
from concord.language.substitutes.lexicon import _closed
from concord.language.trees import Tree

VERDICTS = Path(__file__).with_name("verdicts.tsv")
WEIGHTS = ("BASE", "COSINE", "SEMANTIC", "PLAIN", "STRANGENESS", "RARER", "VERB", "BEFORE_OF", "OWNED", "NEIGHBOURS")
SAFER = "co-hyponym"
AUTHOR, AUTHORS_PART = "author", 0.25
RIDGE = 1.0
FOLDS, SHUFFLES = 10, 5
LEAST = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One substitute that was judged: where, what speaks for it, and what a reader said."""

    segment: str
    evidence: tuple[float, ...]
    accepted: bool
    author: bool


def main() -> None:
    found = list(verdicts())
    rows, accepted, author, groups = _columns(found)
    blind = ~author
    weights = _fitted(rows, accepted, author)
    print(f"{len(found)} verdicts on places that are open today, {blind.sum()} of them blind")
    print("  ".join(f"{name} {value:.2f}" for name, value in zip((*WEIGHTS, SAFER, AUTHOR), weights, strict=True)))
    scores = _held_out(rows, accepted, author, groups)
    for least in LEAST:
        kept = blind & (scores >= least)
        print(f"{least:.2f}  kept {kept.sum():3} of {blind.sum()}  accepted {accepted[kept].mean():.1%}")


def verdicts() -> Iterator[Verdict]:
    """Those on words, not on names and numbers, whose place and word pass today's rules."""
    segments = {segment.id: segment.text for segment in demo()}
    trees = dict(zip(segments, Parser().parse(list(segments.values())), strict=True))
    for line in VERDICTS.read_text().splitlines()[1:]:
        segment, start, _, word, accepted, reader = line.split("\t")
        tree = trees[segment]
        assert isinstance(tree, Tree)
        if evidence := _evidence(tree, int(start), word):
            yield Verdict(segment, evidence, accepted == "yes", reader == AUTHOR)


def _evidence(tree: Tree, start: int, word: str) -> tuple[float, ...] | None:
    known, sentence = lexicon(), SlottedSentence(tree)
    place = Place(sentence, next(at for at, leaf in enumerate(sentence.leaves) if leaf.start == start))
    if place.tag == "CD" or place.tag in NAMES or _closed(place):
        return None
    judge = Judge(place, known, Counter())
    found = [
        (original, form, kind, float(near.cosines[index]))
        for original in known.forms(place.word, place.tag)
        for near in [NearForms(known, original)]
        for index in judge.in_place(near, original).tolist()
        for form, kind in [near.related(index)]
        if form.word.lower() == word.lower() and kind in NATURAL
    ]
    return _features(place, *max(found, key=lambda each: known.semantic_similarity(*each[:2]))) if found else None


def _features(place: Place, original: WordForm, form: WordForm, kind: str, cosine: float) -> tuple[float, ...]:
    known, word = lexicon(), form.word
    suits = known.similarity_to_mean(np.array([original.number, form.number]), known.mean(place.context()))
    rarer = math.log(((known.rank(word) or 0) + 501) / ((known.rank(place.word) or 0) + 501))
    return (
        1.0,
        cosine,
        known.semantic_similarity(original, form),
        float(known.meanings.plainness[original.lemma]),
        max(0.0, float(suits[0] - suits[1])),
        max(0.0, rarer),
        float(place.tag in VERBS),
        float(place.word_at(1) == "of"),
        float(known.topic(original) == OWNINGS),
        max(neighbours().lost(place.word, word, place.word_at(-1), place.word_at(1)), MOST_LOST),
        float(kind == SAFER),
    )


def _columns(found: list[Verdict]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    author = np.array([each.author for each in found])
    rows = np.column_stack([np.array([each.evidence for each in found]), author])
    return rows, np.array([each.accepted for each in found]), author, np.array([each.segment for each in found])


def _fitted(rows: np.ndarray, accepted: np.ndarray, author: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method; all weights but the base are drawn towards 0."""
    importance = np.where(author, AUTHORS_PART, 1.0)
    scale = np.maximum(rows.std(axis=0), 1e-9)
    scale[0] = 1.0
    scaled = rows / scale
    ridge = np.diag([0.0] + [RIDGE] * (rows.shape[1] - 1))
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (importance * (accepted - chance)) - ridge @ weights
        curve = (scaled * (importance * chance * (1 - chance))[:, None]).T @ scaled + ridge
        weights += np.linalg.solve(curve, slope)
    return weights / scale


def _held_out(rows: np.ndarray, accepted: np.ndarray, author: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The score that each would have had if its sentence had not been seen, as a blind reader's."""
    as_blind = rows.copy()
    as_blind[:, -1] = 0.0
    evidence, sentences = np.zeros(len(rows)), np.unique(groups)
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(sentences)
        for fold in range(FOLDS):
            out = np.isin(groups, order[fold::FOLDS])
            evidence[out] += as_blind[out] @ _fitted(rows[~out], accepted[~out], author[~out]) / SHUFFLES
    return 1 / (1 + np.exp(-evidence))


if __name__ == "__main__":
    main()
