"""A fitted comparator: small nets that correct the rule on words in which translations differ, learnt from labels.

What the nets say of a word and what the rule says are averaged. The weight of the nets is the one that explains
held-out labels best: small where there are few labels, large where there are thousands.
"""

import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concord.arithmetic import log_of
from concord.comparator import rule
from concord.comparator._neural_net import (
    Bags,
    Booleans,
    Floats,
    Ints,
    Net,
    chance,
    learn,
    log_odds,
    noisy_or,
    surprise,
)
from concord.comparator.differences import LeftOver
from concord.comparator.word_classes import CLASSES
from concord.database import LONGEST_VALUE
from concord.errors import MALFORMED, UserError
from concord.plural import plural

FORMAT = 5
"""It changes whenever the rule or the features change, because older models are of no use then."""
NETS = 5
FOLDS = 5
SHARES = (0.25, 0.5, 0.75, 1.0)
"""How much nets may count beside the rule."""
BY_RULE = 0
"""The feature that is the rule's suspicion."""
LEAST_BY_RULE = 0.01
LEAST_OF_EACH = 10
ALIKE = 0.6
UNREADABLE = (*MALFORMED, OSError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error)
"""What reading damaged arrays may raise."""
DRAWS, ONE_IN_TWENTY = 200, 1.645


@dataclass(frozen=True, slots=True)
class Labelled:
    """The words in which two translations differ, whether the pair was judged wrong, and the sentence it came from.

    Pairs from the same sentence share a `group`, which is never split between training and test data.
    """

    words: tuple[LeftOver, ...]
    wrong: bool
    group: str


@dataclass(frozen=True, slots=True)
class Blend:
    """How much nets count beside the rule, 0 to 1, and what is added to the rule's log-odds."""

    share: float
    shift: float

    def __call__(self, by_nets: Floats, by_rule: Floats) -> Floats:
        """How likely each word is wrong, by the nets and the rule."""
        ruled = _odds_by_rule(by_rule) + self.shift
        return chance(self.share * log_odds(by_nets) + (1 - self.share) * ruled)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Nets whose answers are averaged, and blended with the rule's.

    `better` says whether they ranked unseen pairs significantly better than the rule does. `area` and `area_of_rule`
    are the areas under the ROC curve on pairs of sentences that were held out, and `margin` is the significant
    difference of the two: chance exceeds it once in twenty times.
    """

    middle: Floats
    scale: Floats
    nets: tuple[Net, ...]
    blend: Blend
    area: float
    area_of_rule: float
    margin: float = 0.0

    @property
    def better(self) -> bool:
        return self.area > max(0.5, self.area_of_rule + self.margin)

    def suspicions(self, words: Sequence[LeftOver]) -> list[float]:
        """How likely each word is wrong."""
        if not words:
            return []
        return [float(chance_wrong) for chance_wrong in self(np.array(features(words)))]

    def __call__(self, rows: Floats) -> Floats:
        """How likely each word is wrong, by its features."""
        return self.blend(_mean_of_nets(self.nets, (rows - self.middle) / self.scale), rows[:, BY_RULE])

    def dump(self) -> bytes:
        """Serialise the model as an .npz file for `load`; equal models give equal bytes."""
        file = io.BytesIO()
        nets = enumerate(net.weights for net in self.nets)
        parts: dict[str, Any] = {f"net{n}_{part}": array for n, net in nets for part, array in enumerate(net)}
        numbers = np.array([self.blend.share, self.blend.shift, self.area, self.area_of_rule, self.margin])
        np.savez(file, format=np.array(FORMAT), middle=self.middle, scale=self.scale, numbers=numbers, **parts)
        return file.getvalue()


def load(data: bytes) -> Fitted:
    """The model that `Fitted.dump` wrote."""
    if not data.startswith(b"PK"):
        raise UserError("this is no fitted comparator that Concord has stored. Fit it again")
    try:
        return _loaded(data)
    except UNREADABLE:
        raise UserError("this fitted comparator is damaged. Fit it again: concord tune --fit, or --forget it") from None


def _loaded(data: bytes) -> Fitted:
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        if sum(part.file_size for part in parts.infolist()) > LONGEST_VALUE:  # whoever packed it may be a stranger
            raise ValueError
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        if int(file["format"]) != FORMAT:
            raise UserError(
                f"this fitted comparator has format {int(file['format'])}; this Concord reads {FORMAT}. Fit it again:"
                " concord tune --fit --relation NAME, or have it forgotten: --forget"
            )
        count = sum(name.endswith("_0") for name in file.files)
        nets = tuple(
            Net((file[f"net{n}_0"], file[f"net{n}_1"], file[f"net{n}_2"], file[f"net{n}_3"])) for n in range(count)
        )
        share, shift, *areas = file["numbers"].tolist()
        return Fitted(file["middle"], file["scale"], nets, Blend(share, shift), *areas)


def fit(labelled: Sequence[Labelled], *, seed: int = 0) -> Fitted:
    """Fit a comparator to labelled pairs, and measure it on held-out sentences."""
    wrong = np.array([pair.wrong for pair in labelled], bool)
    least = min(int(wrong.sum()), int((~wrong).sum()))
    groups = len({pair.group for pair in labelled})
    if least < LEAST_OF_EACH or groups < FOLDS:
        raise UserError(
            f"{plural(len(labelled), 'labelled pair')}, {int(wrong.sum())} of them wrong, from"
            f" {plural(groups, 'sentence')}: too few to learn from. {LEAST_OF_EACH} wrong and {LEAST_OF_EACH} right"
            f" ones from {FOLDS} sentences are the least. Label more"
        )
    bags, fold = _bags(labelled), folds([pair.group for pair in labelled], seed)
    unseen = _unseen(bags, fold, seed)
    learnt, ruled = _held_out(bags, fold, unseen), np.array([rule.total(pair.words) for pair in labelled])
    areas = _area(learnt, wrong), _area(ruled, wrong), _margin(labelled, learnt, ruled, seed)
    return Fitted(*_scales(bags), _nets(bags, seed), _blend(bags, unseen), *areas)


def held_out_suspicions(labelled: Sequence[Labelled], *, seed: int = 0) -> Floats:
    """The suspicion of every pair, by a model fitted to the pairs of other sentences."""
    bags, fold = _bags(labelled), folds([pair.group for pair in labelled], seed)
    return _held_out(bags, fold, _unseen(bags, fold, seed))


def _unseen(bags: Bags, fold: Ints, seed: int) -> Floats:
    """How likely each word is wrong, by nets that have not seen its fold."""
    part, chances = np.repeat(fold, np.diff(bags.starts)), np.zeros(len(bags.rows))
    for fold_out in range(FOLDS):
        inside = bags.subset(np.flatnonzero(fold != fold_out))
        middle, scale = _scales(inside)
        chances[part == fold_out] = _mean_of_nets(_nets(inside, seed), (bags.rows[part == fold_out] - middle) / scale)
    return chances


def _held_out(bags: Bags, fold: Ints, unseen: Floats) -> Floats:
    """The suspicion of every pair, by a blend that was fitted to the other folds."""
    part, suspicions = np.repeat(fold, np.diff(bags.starts)), np.zeros(len(bags))
    for fold_out in range(FOLDS):
        training, held_out = np.flatnonzero(fold != fold_out), np.flatnonzero(fold == fold_out)
        blend = _blend(bags.subset(training), unseen[part != fold_out])
        tested = bags.subset(held_out)
        suspicions[held_out] = noisy_or(blend(unseen[part == fold_out], tested.rows[:, BY_RULE]), tested.starts)
    return suspicions


def _blend(bags: Bags, by_nets: Floats) -> Blend:
    """The blend with the least cross-entropy of the labels."""
    by_rule = bags.rows[:, BY_RULE]
    shift = _shift(by_rule, bags)
    blends = [Blend(share, shift) for share in SHARES]
    return min(blends, key=lambda blend: surprise(noisy_or(blend(by_nets, by_rule), bags.starts), bags.wrong))


def _shift(by_rule: Floats, bags: Bags) -> float:
    """The shift of the rule's log-odds at which the mean probability is the proportion of wrong labels."""
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        predicted = noisy_or(chance(_odds_by_rule(by_rule) + middle), bags.starts)
        low, high = (middle, high) if predicted.mean() < bags.wrong.mean() else (low, middle)
    return low


def _odds_by_rule(suspicions: Floats) -> Floats:
    return log_odds(np.clip(suspicions, LEAST_BY_RULE, 1 - LEAST_BY_RULE))


def _nets(bags: Bags, seed: int) -> tuple[Net, ...]:
    middle, scale = _scales(bags)
    scaled = Bags((bags.rows - middle) / scale, bags.starts, bags.wrong)
    return tuple(learn(scaled, seed + number) for number in range(NETS))


def _scales(bags: Bags) -> tuple[Floats, Floats]:
    scale = bags.rows.std(axis=0)
    return bags.rows.mean(axis=0), np.where(scale > 0, scale, 1.0)


def _mean_of_nets(nets: Sequence[Net], rows: Floats) -> Floats:
    return np.asarray(np.mean([net(rows) for net in nets], axis=0))


def folds(groups: Sequence[str], seed: int) -> Ints:
    """The fold in which each pair is held out; the pairs of a group are in the same fold."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {name: int(rank) % FOLDS for name, rank in zip(names, order, strict=True)}
    return np.array([fold[group] for group in groups])


def features(words: Sequence[LeftOver]) -> list[list[float]]:
    """The features of the words of a pair: of each word by itself, and of the other words."""
    by_rule = [rule.suspicion(word) for word in words]
    unexplained = [1 - rule.explained(word) for word in words]
    total = rule.total(words)
    rows = []
    for index, word in enumerate(words):
        beside = [share for twin, share in zip(words, unexplained, strict=True) if twin.side == word.side]
        across = [(share, twin) for twin, share in zip(words, unexplained, strict=True) if twin.side != word.side]
        rows.append([
            by_rule[index], *_features(word), word.spaced, total,
            max(by_rule[:index] + by_rule[index + 1 :], default=0.0), sum(beside) / 5, sum(s for s, _ in across) / 5,
            max((share * twin.rarity for share, twin in across), default=0.0), len(words) / 20,
        ])  # fmt: skip
    return rows


def _features(word: LeftOver) -> list[float]:
    alike = max((counterpart.link for counterpart in word.counterparts if counterpart.like > ALIKE), default=0.0)
    unlike = max((counterpart.link for counterpart in word.counterparts if counterpart.like <= ALIKE / 2), default=0.0)
    return [
        word.rarity, word.function, word.number, word.negation, word.moved, word.side,
        word.changed_link, word.changed_word, word.changed_near, word.changed_share,
        word.shared_link, word.shared_word, word.link, word.counterpart_link, alike, unlike,
        word.like, word.like_left, word.like_spare, word.covered, word.beside / 2, len(word.word) / 10,
        1 / (1 + word.left), log_of(1 + word.length) / 4,
        rule.explained(word), rule.resembled(word), rule.weight(word),
        word.of_function, word.present, *(name in word.classes for name in CLASSES),
    ]  # fmt: skip


def _bags(labelled: Sequence[Labelled]) -> Bags:
    rows = np.array([row for pair in labelled for row in features(pair.words)], float)
    starts = np.concatenate([[0], np.cumsum([len(pair.words) for pair in labelled])]).astype(np.int64)
    return Bags(rows, starts, np.array([pair.wrong for pair in labelled], bool))


def _area(values: Floats, wrong: Booleans) -> float:
    """The area under the ROC curve: how often a wrong pair is more suspicious than a right one, ties half."""
    bad, good = np.sort(values[wrong]), np.sort(values[~wrong])
    below, not_above = np.searchsorted(good, bad), np.searchsorted(good, bad, side="right")
    return float((below + not_above).sum() / (2 * len(bad) * len(good)))


def _margin(labelled: Sequence[Labelled], learnt: Floats, ruled: Floats, seed: int) -> float:
    """The gain in area that chance alone exceeds once in twenty times, by drawing the sentences anew."""
    wrong = np.array([pair.wrong for pair in labelled], bool)
    members: dict[str, list[int]] = {}
    for index, pair in enumerate(labelled):
        members.setdefault(pair.group, []).append(index)
    groups = [np.array(member) for member in members.values()]
    rng = np.random.default_rng(seed)
    gains = []
    for _ in range(DRAWS):
        drawn = np.concatenate([groups[integer] for integer in rng.integers(0, len(groups), len(groups))])
        bad = wrong[drawn]
        if bad.any() and not bad.all():
            gains.append(_area(learnt[drawn], bad) - _area(ruled[drawn], bad))
    return ONE_IN_TWENTY * float(np.std(gains))
