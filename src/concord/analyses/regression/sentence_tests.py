"""Exact tests on the sentences of paired runs: one of each relation, and the joint test of all relations together.

The tests are sign tests on sentences (McNemar's exact test), since the cases of one sentence are not independent. The
joint test decides whether a system is worse: a sentence is worse if more relations flag it than before, and better if
fewer do. A relation counts only for the sentences that both of its runs have judged. The tests of the relations say
where the difference is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from concord.analyses.regression.run_pairs import RunPair
from concord.language.codes import direction
from concord.stats.sign_test import holm, sign_test
from concord.store.verdict_arrays import Booleans, Hashes, Integers

Sentences = tuple[Hashes, Booleans]
"""The ascending hashes of sentences, and whether each is flagged."""
NO_SENTENCE: Sentences = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=bool)


@dataclass(frozen=True, slots=True)
class Tested:
    """The sentences that were judged in both runs, those flagged in one alone, and p (None without sentences)."""

    sentences: int
    newly_flagged: int
    no_longer_flagged: int
    p: float | None
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class SentenceChanges:
    """The sentences that both runs of a pair have judged, at one granularity.

    `change` is 1 for a sentence that is newly flagged, -1 for one that is no longer flagged, and otherwise 0.
    """

    pair: RunPair
    granularity: str
    sentence: Hashes
    change: NDArray[np.int8]

    @property
    def tested(self) -> Tested:
        newly, no_longer = _signs(self.change)
        p = sign_test(newly, no_longer) if len(self.sentence) else None
        return Tested(len(self.sentence), newly, no_longer, p)


@dataclass(frozen=True, slots=True)
class RelationTest:
    """The test of one relation, at one granularity, on the runs `before` and `after`."""

    relation: str
    granularity: str
    before: int
    after: int
    tested: Tested

    @property
    def name(self) -> str:
        """`mgmt (word)`"""
        return f"{self.relation} ({self.granularity})" if self.granularity else self.relation


@dataclass(frozen=True, slots=True)
class JointTest:
    """Whether a system is worse in one direction: the sentences that more, or fewer, relations flag than before.

    `adjusted` is p adjusted for all joint tests made together (Holm). `relations` has the test of each relation, whose
    adjusted p names the relations that differ and decides nothing.
    """

    system_before: str
    system: str
    source_lang: str
    target_lang: str
    sentences: int
    worse: int
    better: int
    p: float | None
    adjusted: float | None
    relations: list[RelationTest]

    @property
    def name(self) -> str:
        """`rtt, rti en→es`"""
        return f"{', '.join(self.relation_names)} {self.direction}"

    @property
    def direction(self) -> str:
        return direction(self.source_lang, self.target_lang)

    @property
    def relation_names(self) -> list[str]:
        return list(dict.fromkeys(test.relation for test in self.relations))

    @property
    def runs(self) -> list[tuple[int, int]]:
        """Each earlier run with its later one."""
        return list(dict.fromkeys((test.before, test.after) for test in self.relations))


Test = TypeVar("Test", Tested, JointTest)


def sentence_changes(pair: RunPair, granularity: str, before: Sentences, after: Sentences) -> SentenceChanges:
    """How the sentences changed that both runs have judged."""
    first, second = shared(before[0], after[0])
    was, now = before[1][first].astype(np.int8), after[1][second].astype(np.int8)
    return SentenceChanges(pair, granularity, before[0][first], now - was)


def shared(first: Hashes, second: Hashes) -> tuple[Integers, Integers]:
    """The indices in each of two ascending arrays of the values that both have."""
    if len(first) == len(second) and np.array_equal(first, second):
        return np.arange(len(first)), np.arange(len(first))
    if not len(first) or not len(second):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    nearest = np.minimum(np.searchsorted(first, second), len(first) - 1)
    matched = np.flatnonzero(first[nearest] == second)
    return nearest[matched], matched


def relation_tests(changes: Sequence[SentenceChanges]) -> list[Tested]:
    """The test of each relation and granularity, with p-values adjusted for all of them."""
    return _adjusted([change.tested for change in changes])


def joint_tests(changes: Sequence[SentenceChanges]) -> list[JointTest]:
    """A joint test for each direction, system and corpus, with p-values adjusted for all joint tests."""
    subjects: dict[tuple[str, ...], list[tuple[SentenceChanges, Tested]]] = {}
    for change, test in zip(changes, relation_tests(changes), strict=True):
        subjects.setdefault(_subject(change.pair), []).append((change, test))
    return _adjusted([_joint(rows) for rows in subjects.values()])


def _adjusted(tests: Sequence[Test]) -> list[Test]:
    p = iter(holm([test.p for test in tests if test.p is not None]))
    return [test if test.p is None else replace(test, adjusted=next(p)) for test in tests]


def _subject(pair: RunPair) -> tuple[str, ...]:
    """What the runs of one joint test have in common."""
    run = pair.after
    return run.source, run.target, run.system, pair.before.system, run.corpus


def _joint(rows: Sequence[tuple[SentenceChanges, Tested]]) -> JointTest:
    sentences, sentence_of = np.unique(np.concatenate([change.sentence for change, _ in rows]), return_inverse=True)
    changes = np.concatenate([change.change for change, _ in rows])
    worse, better = _signs(np.bincount(sentence_of, changes, minlength=len(sentences)))
    p = sign_test(worse, better) if len(sentences) else None
    pair = rows[0][0].pair
    where = (pair.before.system, pair.after.system, pair.after.source, pair.after.target)
    relations = [
        RelationTest(change.pair.after.relation, change.granularity, change.pair.before.id, change.pair.after.id, test)
        for change, test in rows
    ]
    return JointTest(*where, len(sentences), worse, better, p, None, relations)


def _signs(changes: NDArray[Any]) -> tuple[int, int]:
    """How many changes are for the worse, and how many for the better."""
    return int(np.count_nonzero(changes > 0)), int(np.count_nonzero(changes < 0))
