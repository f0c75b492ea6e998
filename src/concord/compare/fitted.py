"""A fitted comparator: small nets over the words in which translations differ, learnt from a user's labels."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concord.compare import rule
from concord.compare._net import Bags, Booleans, Floats, Ints, Net, learn, noisy_or, surprise
from concord.compare.left_over import LeftOver
from concord.errors import UserError

FORMAT = 3
"""Another one whenever the rule or the features change: what was learnt from others is of no use then."""
NETS = 10
FOLDS = 5
DECAYS = (1e-3, 3e-3, 1e-2)
"""How strongly large weights may be held back: which of these, the pairs that are learnt from say themselves."""
TRIED = 2
"""How many nets try each of them."""
LEAST_OF_EACH = 10
ALIKE = 0.6
FAR = 10


@dataclass(frozen=True, slots=True)
class Labelled:
    """The words in which two translations differ, whether the pair was judged wrong, and the sentence it came from.

    Pairs that come from one sentence have one `group`; they are never learnt from and tested on at once.
    """

    words: tuple[LeftOver, ...]
    wrong: bool
    group: str


@dataclass(frozen=True, eq=False)
class Fitted:
    """Nets whose answers are averaged. `better` says whether they ranked unseen pairs better than the rule does.

    `area` and `area_of_rule` are the areas under the ROC curve on pairs of sentences that were held out.
    """

    middle: Floats
    scale: Floats
    nets: tuple[Net, ...]
    area: float
    area_of_rule: float

    @property
    def better(self) -> bool:
        return self.area > self.area_of_rule

    def suspicions(self, words: Sequence[LeftOver]) -> list[float]:
        """How likely each word is wrong."""
        if not words:
            return []
        return [float(each) for each in self(np.array(features(words)))]

    def __call__(self, rows: Floats) -> Floats:
        """How likely each word is wrong, by its features."""
        scaled = (rows - self.middle) / self.scale
        return np.asarray(np.mean([net(scaled) for net in self.nets], axis=0))

    def dump(self) -> bytes:
        """Everything as a file of numpy's, for `load`; equal models make equal bytes."""
        held = io.BytesIO()
        parts: dict[str, Any] = {
            f"net{at}_{part}": each for at, net in enumerate(self.nets) for part, each in enumerate(net.weights)
        }
        areas = np.array([self.area, self.area_of_rule])
        np.savez(held, format=np.array(FORMAT), middle=self.middle, scale=self.scale, areas=areas, **parts)
        return held.getvalue()


def load(data: bytes) -> Fitted:
    """The model that `Fitted.dump` wrote."""
    if not data.startswith(b"PK"):
        raise UserError("this is no fitted comparator that Concord has stored. Fit it again")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        if int(file["format"]) != FORMAT:
            raise UserError(
                f"this fitted comparator has format {int(file['format'])}; this Concord reads {FORMAT}. Fit it again:"
                " concord tune --fit --relation NAME, or have it forgotten: --forget"
            )
        count = sum(name.endswith("_0") for name in file.files)
        nets = tuple(
            Net((file[f"net{at}_0"], file[f"net{at}_1"], file[f"net{at}_2"], file[f"net{at}_3"])) for at in range(count)
        )
        area, of_rule = file["areas"].tolist()
        return Fitted(file["middle"], file["scale"], nets, area, of_rule)


def fit(labelled: Sequence[Labelled], *, seed: int = 0) -> Fitted:
    """A comparator from labelled pairs, with how well it does on sentences that it has not seen."""
    wrong = np.array([each.wrong for each in labelled], bool)
    least = min(int(wrong.sum()), int((~wrong).sum()))
    groups = len({each.group for each in labelled})
    if least < LEAST_OF_EACH or groups < FOLDS:
        raise UserError(
            f"{len(labelled)} labelled pairs, {int(wrong.sum())} of them wrong, from {groups} sentences, are too few"
            f" to learn from: {LEAST_OF_EACH} wrong and {LEAST_OF_EACH} right ones from {FOLDS} sentences are the"
            " least. Label more"
        )
    held_out = held_out_suspicions(labelled, seed=seed)
    by_rule = np.array([rule.total(each.words) for each in labelled])
    learnt = _learnt(_bags(labelled), [each.group for each in labelled], seed)
    return replace(learnt, area=_area(held_out, wrong), area_of_rule=_area(by_rule, wrong))


def held_out_suspicions(labelled: Sequence[Labelled], *, seed: int = 0) -> Floats:
    """The suspicion of every pair by nets that have learnt from the pairs of other sentences.

    These pairs alone also say how strongly the nets are held back.
    """
    groups = [each.group for each in labelled]
    return _held_out(_bags(labelled), groups, seed, lambda bags, of: _learnt(bags, of, seed))


def _learnt(bags: Bags, groups: Sequence[str], seed: int) -> Fitted:
    decay = min(DECAYS, key=lambda each: _surprise(bags, groups, seed, each))
    return _nets(bags, range(seed, seed + NETS), decay)


def _surprise(bags: Bags, groups: Sequence[str], seed: int, decay: float) -> float:
    """How surprising the labels of held-out pairs are to nets that were held back so strongly."""
    tried = range(seed, seed + TRIED)
    return surprise(_held_out(bags, groups, seed, lambda inside, _: _nets(inside, tried, decay)), bags.wrong)


def _held_out(bags: Bags, groups: Sequence[str], seed: int, taught: Callable[[Bags, list[str]], Fitted]) -> Floats:
    fold = folds(groups, seed)
    found = np.zeros(len(bags))
    for held in range(FOLDS):
        inside, outside = np.flatnonzero(fold != held), np.flatnonzero(fold == held)
        known, tested = taught(bags.of(inside), [groups[at] for at in inside.tolist()]), bags.of(outside)
        found[outside] = noisy_or(known(tested.rows), tested.starts)
    return found


def _nets(bags: Bags, seeds: Iterable[int], decay: float) -> Fitted:
    middle, scale = bags.rows.mean(axis=0), bags.rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    scaled = Bags((bags.rows - middle) / scale, bags.starts, bags.wrong)
    return Fitted(middle, scale, tuple(learn(scaled, seed, decay) for seed in seeds), 0.0, 0.0)


def folds(groups: Sequence[str], seed: int) -> Ints:
    """The part that every pair is held out with; the pairs of a group in the same one."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {name: int(at) % FOLDS for name, at in zip(names, order, strict=True)}
    return np.array([fold[group] for group in groups])


def features(words: Sequence[LeftOver]) -> list[list[float]]:
    """What a net is told of the words of a pair: each by itself, and in the company of the others."""
    by_rule = [rule.suspicion(word) for word in words]
    unexplained = [1 - rule.explained(word) for word in words]
    total = rule.total(words)
    made = []
    for at, word in enumerate(words):
        beside = [share for other, share in zip(words, unexplained, strict=True) if other.side == word.side]
        across = [(share, other) for other, share in zip(words, unexplained, strict=True) if other.side != word.side]
        made.append([
            *_features(word), by_rule[at], word.spaced, total,
            max(by_rule[:at] + by_rule[at + 1 :], default=0.0), sum(beside) / 5, sum(share for share, _ in across) / 5,
            max((share * other.rarity for share, other in across), default=0.0), len(words) / 20,
        ])  # fmt: skip
    return made


def _features(word: LeftOver) -> list[float]:
    alike = max((each.link for each in word.counterparts if each.like > ALIKE), default=0.0)
    unlike = max((each.link for each in word.counterparts if each.like <= ALIKE / 2), default=0.0)
    return [
        word.rarity, word.function, word.number, word.negation, word.moved, word.side,
        word.changed_link, word.changed_word, word.changed_near, word.changed_share,
        word.shared_link, word.shared_word, word.link, word.counterpart_link, alike, unlike,
        word.like, word.like_left, word.like_spare, word.covered, word.beside / 2, len(word.word) / 10,
        1 / (1 + word.left), math.log(1 + word.length) / 4,
        rule.explained(word), rule.resembled(word), rule.weight(word),
        word.changed_place, word.copy, word.again, min(word.jumped, FAR) / FAR, word.crossed,
    ]  # fmt: skip


def _bags(labelled: Sequence[Labelled]) -> Bags:
    rows = np.array([row for each in labelled for row in features(each.words)], float)
    starts = np.concatenate([[0], np.cumsum([len(each.words) for each in labelled])]).astype(np.int64)
    return Bags(rows, starts, np.array([each.wrong for each in labelled], bool))


def _area(values: Floats, wrong: Booleans) -> float:
    """The area under the ROC curve: how often a wrong pair is more suspicious than a right one, ties half."""
    bad, good = np.sort(values[wrong]), np.sort(values[~wrong])
    below, not_above = np.searchsorted(good, bad), np.searchsorted(good, bad, side="right")
    return float((below + not_above).sum() / (2 * len(bad) * len(good)))
