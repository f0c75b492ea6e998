"""Fits the score of substitutes to readers' verdicts: `python -m models.lexicon.score`.

`fitting.tsv` holds what two blind readers said of sentences with one word replaced, of which they saw the sentences
alone; words of another meaning were among them. `verdicts.tsv` is older: words that mean much the same, in places of
the bundled corpus, with one reader for each. Older readers were asked for natural sentences and are stricter, and the
author knew the rules, so each of the two has a base of its own, and the author's verdicts count a quarter.

It prints the weights that `_ranker.py` holds and what cross-validation finds, where a sentence is on one side of a fold
only. The least score is chosen on one half of the sentences, and the other half tells what it is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from concord.corpus import demo
from concord.language.english.lexicon import lexicon
from concord.language.parse.concord_en import Parser
from concord.language.substitutes._ranker import SAFER, WEIGHTS, Judge, NearForms
from concord.language.substitutes._slot import NAMES, Place, SlottedSentence
from concord.language.substitutes.lexicon import _closed
from concord.language.trees import Tree
from concord.model import Text

HERE = Path(__file__).parent
RELATIONS = [name for name in SAFER if name != "antonym"]
GROUPS = ("new", "old", "author")
AUTHORS_PART = 0.25
RIDGE = 1.0
FOLDS, SHUFFLES = 10, 5
LEAST = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
WANTED = 0.85


@dataclass(frozen=True, slots=True)
class Verdict:
    """One substitute that was judged: where, by whom, what speaks for it, and the share of readers who accepted it."""

    sentence: str
    group: str
    evidence: tuple[float, ...]
    accepted: float


def main() -> None:
    found = [*new_verdicts(), *old_verdicts()]
    print(f"verdicts on places that are open today: {dict(Counter(each.group for each in found))}")
    rows, accepted, importance = _columns(found)
    weights = fitted(rows, accepted, importance)
    names = [*WEIGHTS, *RELATIONS, *GROUPS[1:]]
    print("  ".join(f"{name} {value:.2f}" for name, value in zip(names, weights, strict=True)))
    scores = held_out(rows, accepted, importance, [each.sentence for each in found])
    for group in GROUPS[:2]:
        mine = np.array([each.group == group for each in found])
        print(f"{group} readers, {mine.sum()} verdicts, area {area(scores[mine], accepted[mine]):.3f}")
        _print_kept(scores[mine], accepted[mine])
    _print_halves(found, scores, accepted)


def _print_kept(scores: np.ndarray, accepted: np.ndarray) -> None:
    for least in LEAST:
        kept = scores >= least
        print(f"  {least:.2f}  kept {kept.sum():3} of {len(scores)}  accepted {accepted[kept].mean():.1%}")


def _print_halves(found: list[Verdict], scores: np.ndarray, accepted: np.ndarray) -> None:
    new = [at for at, each in enumerate(found) if each.group == "new"]
    sentences = sorted({found[at].sentence for at in new})
    for one in (0, 1):
        half = [at for at in new if sentences.index(found[at].sentence) % 2 == one]
        rest = [at for at in new if sentences.index(found[at].sentence) % 2 != one]
        least = next((least for least in LEAST if accepted[half][scores[half] >= least].mean() >= WANTED), LEAST[-1])
        kept = np.array(rest)[scores[rest] >= least]
        print(f"chosen on one half: {least:.2f}; of the other {len(kept)} of {len(rest)} are kept,", end=" ")
        print(f"of which readers accepted {accepted[kept].mean():.1%}")


def new_verdicts() -> Iterator[Verdict]:
    """Those of two blind readers on words that fit."""
    lines = [line.split("\t") for line in (HERE / "fitting.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    sentences = list(dict.fromkeys(sentence for sentence, *_ in lines))
    trees = _parsed({sentence: Text(sentence, "en") for sentence in sentences})
    for sentence, start, _, word, *readers in lines:
        if evidence := _evidence(trees[sentence], int(start), word):
            yield Verdict(sentence, "new", evidence, sum(said == "yes" for said in readers) / len(readers))


def old_verdicts() -> Iterator[Verdict]:
    """Those on words that mean much the same."""
    segments = {segment.id: segment.text for segment in demo()}
    trees = _parsed(segments)
    for line in (HERE / "verdicts.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        segment, start, _, word, accepted, reader = line.split("\t")
        if evidence := _evidence(trees[segment], int(start), word):
            group = "author" if reader == "author" else "old"
            yield Verdict(segments[segment].words, group, evidence, float(accepted == "yes"))


def _parsed(texts: dict[str, Text]) -> dict[str, Tree]:
    trees = dict(zip(texts, Parser().parse(list(texts.values())), strict=True))
    return {name: tree for name, tree in trees.items() if isinstance(tree, Tree)}


def _evidence(tree: Tree, start: int, word: str) -> tuple[float, ...] | None:
    """The features of a word in a place; None if today's rules leave it out, or it is a name or a number."""
    known, sentence = lexicon(), SlottedSentence(tree)
    place = Place(sentence, next(at for at, leaf in enumerate(sentence.leaves) if leaf.start == start))
    if place.tag == "CD" or place.tag in NAMES or _closed(place):
        return None
    judge = Judge(place, known, Counter())
    found = []
    for original in known.forms(place.word, place.tag):
        near = NearForms(known, original)
        indices = judge.in_place(near, original)
        features = judge.features(near, original, indices)
        for at, index in enumerate(indices.tolist()):
            form, relation = near.related(index)
            if form.word.lower() == word.lower():
                values = [float(np.broadcast_to(features[name], len(indices))[at]) for name in WEIGHTS]
                found.append((*values, *(float(relation == name) for name in RELATIONS)))
    semantic = list(WEIGHTS).index("semantic")
    return max(found, key=lambda values: values[semantic], default=None)


def _columns(found: list[Verdict]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    groups = np.array([[float(each.group == group) for group in GROUPS[1:]] for each in found])
    rows = np.column_stack([np.array([each.evidence for each in found]), groups])
    importance = np.array([AUTHORS_PART if each.group == "author" else 1.0 for each in found])
    return rows, np.array([each.accepted for each in found]), importance


def fitted(rows: np.ndarray, accepted: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method; all weights but the base are drawn towards 0."""
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


def held_out(rows: np.ndarray, accepted: np.ndarray, importance: np.ndarray, sentences: list[str]) -> np.ndarray:
    """The score that each would have had if its sentence had not been seen, as today's readers judge."""
    as_new = rows.copy()
    as_new[:, -(len(GROUPS) - 1) :] = 0.0
    names = np.array(sentences)
    evidence = np.zeros(len(rows))
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(np.unique(names))
        for fold in range(FOLDS):
            out = np.isin(names, order[fold::FOLDS])
            evidence[out] += as_new[out] @ fitted(rows[~out], accepted[~out], importance[~out]) / SHUFFLES
    return 1 / (1 + np.exp(-evidence))


def area(scores: np.ndarray, accepted: np.ndarray) -> float:
    """The area under the curve: how often an accepted one scores higher than another."""
    yes, no = scores[accepted > 0.5], scores[accepted <= 0.5]
    return float((yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2)


if __name__ == "__main__":
    main()
