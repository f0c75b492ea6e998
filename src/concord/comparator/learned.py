"""A fitted comparator: small nets that correct the rule on words in which translations differ, learnt from labels.

What the nets say of a word and what the rule says are averaged. How much the nets count is what explains labels best
that they have not seen: little where there are few labels, and most where there are thousands.
"""

from __future__ import annotations

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
"""Another one whenever the rule or the features change: what was learnt from others is of no use then."""
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

    Pairs that come from one sentence have one `group`; they are never learnt from and tested on at once.
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
        """How likely each word is wrong, by what the nets and the rule say."""
        ruled = _odds_by_rule(by_rule) + self.shift
        return chance(self.share * log_odds(by_nets) + (1 - self.share) * ruled)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Nets whose answers are averaged, and blended with the rule's.

    `better` says whether they ranked unseen pairs better than the rule does, by more than chance alone makes.
    `area` and `area_of_rule` are the areas under the ROC curve on pairs of sentences that were held out, and `margin`
    is how much greater the one must be: chance alone makes more once in twenty times.
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
        return [float(each) for each in self(np.array(features(words)))]

    def __call__(self, rows: Floats) -> Floats:
        """How likely each word is wrong, by its features."""
        return self.blend(_said(self.nets, (rows - self.middle) / self.scale), rows[:, BY_RULE])

    def dump(self) -> bytes:
        """Everything as a file of numpy's, for `load`; equal models make equal bytes."""
        held = io.BytesIO()
        parts: dict[str, Any] = {
            f"net{at}_{part}": each for at, net in enumerate(self.nets) for part, each in enumerate(net.weights)
        }
        numbers = np.array([self.blend.share, self.blend.shift, self.area, self.area_of_rule, self.margin])
        np.savez(held, format=np.array(FORMAT), middle=self.middle, scale=self.scale, numbers=numbers, **parts)
        return held.getvalue()


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
        if sum(each.file_size for each in parts.infolist()) > LONGEST_VALUE:  # whoever packed it may be a stranger
            raise ValueError
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
        share, shift, *areas = file["numbers"].tolist()
        return Fitted(file["middle"], file["scale"], nets, Blend(share, shift), *areas)


def fit(labelled: Sequence[Labelled], *, seed: int = 0) -> Fitted:
    """A comparator from labelled pairs, with how well it does on sentences that it has not seen."""
    wrong = np.array([each.wrong for each in labelled], bool)
    least = min(int(wrong.sum()), int((~wrong).sum()))
    groups = len({each.group for each in labelled})
    if least < LEAST_OF_EACH or groups < FOLDS:
        raise UserError(
            f"{plural(len(labelled), 'labelled pair')}, {int(wrong.sum())} of them wrong, from"
            f" {plural(groups, 'sentence')}: too few to learn from. {LEAST_OF_EACH} wrong and {LEAST_OF_EACH} right"
            f" ones from {FOLDS} sentences are the least. Label more"
        )
    bags, fold = _bags(labelled), folds([each.group for each in labelled], seed)
    unseen = _unseen(bags, fold, seed)
    learnt, ruled = _held_out(bags, fold, unseen), np.array([rule.total(each.words) for each in labelled])
    areas = _area(learnt, wrong), _area(ruled, wrong), _margin(labelled, learnt, ruled, seed)
    return Fitted(*_scales(bags), _nets(bags, seed), _blend(bags, unseen), *areas)


def held_out_suspicions(labelled: Sequence[Labelled], *, seed: int = 0) -> Floats:
    """The suspicion of every pair by what the pairs of other sentences have taught."""
    bags, fold = _bags(labelled), folds([each.group for each in labelled], seed)
    return _held_out(bags, fold, _unseen(bags, fold, seed))


def _unseen(bags: Bags, fold: Ints, seed: int) -> Floats:
    """How likely each word is wrong, by nets that have not seen its part."""
    part, said = np.repeat(fold, np.diff(bags.starts)), np.zeros(len(bags.rows))
    for held in range(FOLDS):
        inside = bags.of(np.flatnonzero(fold != held))
        middle, scale = _scales(inside)
        said[part == held] = _said(_nets(inside, seed), (bags.rows[part == held] - middle) / scale)
    return said


def _held_out(bags: Bags, fold: Ints, unseen: Floats) -> Floats:
    """The suspicion of every pair; how much the nets count, the other parts say."""
    part, found = np.repeat(fold, np.diff(bags.starts)), np.zeros(len(bags))
    for held in range(FOLDS):
        known, asked = np.flatnonzero(fold != held), np.flatnonzero(fold == held)
        blend = _blend(bags.of(known), unseen[part != held])
        tested = bags.of(asked)
        found[asked] = noisy_or(blend(unseen[part == held], tested.rows[:, BY_RULE]), tested.starts)
    return found


def _blend(bags: Bags, by_nets: Floats) -> Blend:
    """The blend to which the labels are the least surprising."""
    by_rule = bags.rows[:, BY_RULE]
    shift = _shift(by_rule, bags)
    blends = [Blend(share, shift) for share in SHARES]
    return min(blends, key=lambda each: surprise(noisy_or(each(by_nets, by_rule), bags.starts), bags.wrong))


def _shift(by_rule: Floats, bags: Bags) -> float:
    """What makes as many pairs wrong by the rule, in the mean, as are labelled so."""
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        said = noisy_or(chance(_odds_by_rule(by_rule) + middle), bags.starts)
        low, high = (middle, high) if said.mean() < bags.wrong.mean() else (low, middle)
    return low


def _odds_by_rule(suspicions: Floats) -> Floats:
    return log_odds(np.clip(suspicions, LEAST_BY_RULE, 1 - LEAST_BY_RULE))


def _nets(bags: Bags, seed: int) -> tuple[Net, ...]:
    middle, scale = _scales(bags)
    scaled = Bags((bags.rows - middle) / scale, bags.starts, bags.wrong)
    return tuple(learn(scaled, seed + at) for at in range(NETS))


def _scales(bags: Bags) -> tuple[Floats, Floats]:
    scale = bags.rows.std(axis=0)
    return bags.rows.mean(axis=0), np.where(scale > 0, scale, 1.0)


def _said(nets: Sequence[Net], rows: Floats) -> Floats:
    return np.asarray(np.mean([net(rows) for net in nets], axis=0))


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
            by_rule[at], *_features(word), word.spaced, total,
            max(by_rule[:at] + by_rule[at + 1 :], default=0.0), sum(beside) / 5, sum(share for share, _ in across) / 5,
            max((share * other.rarity for share, other in across), default=0.0), len(words) / 20,
        ])  # fmt: skip
    return made


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
        word.of_function, word.there, *(name in word.classes for name in CLASSES),
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


def _margin(labelled: Sequence[Labelled], learnt: Floats, ruled: Floats, seed: int) -> float:
    """The gain in area that chance alone exceeds once in twenty times, by drawing the sentences anew."""
    wrong = np.array([each.wrong for each in labelled], bool)
    members: dict[str, list[int]] = {}
    for at, each in enumerate(labelled):
        members.setdefault(each.group, []).append(at)
    groups = [np.array(member) for member in members.values()]
    rng = np.random.default_rng(seed)
    gains = []
    for _ in range(DRAWS):
        drawn = np.concatenate([groups[integer] for integer in rng.integers(0, len(groups), len(groups))])
        bad = wrong[drawn]
        if bad.any() and not bad.all():
            gains.append(_area(learnt[drawn], bad) - _area(ruled[drawn], bad))
    return ONE_IN_TWENTY * float(np.std(gains))
