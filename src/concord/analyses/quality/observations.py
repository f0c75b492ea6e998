"""Observations by system and sentence: which relations hold, the suspicion, and the translation."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concord.language.codes import direction
from concord.stats.bootstrap_sentences import Floats, Integers

Booleans = NDArray[np.bool_]
FLAGGED, HELD = 1, 2


@dataclass(frozen=True, slots=True)
class ObservedSentence:
    """A sentence, identified by its text and domain. A sentence that a corpus has twice counts once."""

    text: str
    domain: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of verdicts: a relation, or a part of it such as its sentence granularity."""

    relation: str
    part: str = ""

    @property
    def name(self) -> str:
        return f"{self.relation} {self.part}".strip()


@dataclass(frozen=True, slots=True)
class ScoreFamily:
    """Columns that make one score together: the parts of a relation, or all relations without parts."""

    name: str
    columns: tuple[int, ...]

    @property
    def mean(self) -> str:
        """The name of the mean of its columns over sentences in which all of them were tested.

        Systems are ranked by another mean: that of the columns' rates, each over its own sentences.
        """
        return f"{self.name} (all tested)"


@dataclass(frozen=True, slots=True)
class Patterns:
    """Which columns of a family hold, as bits, for every system, sentence and repetition.

    The repetitions of one sentence share a weight of 1.
    """

    bits: Integers
    system: Integers
    sentence: Integers
    weight: Floats


@dataclass(slots=True)
class Observed:
    """The observations of one direction; `satisfied` and `similar` (1 − suspicion) are column × system × sentence.

    Both are means over repetitions, NaN where nothing was tested. `ArrayReader` leaves out `similar` and all texts.
    """

    source: str
    target: str
    runs: list[int] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    written_as: dict[str, set[str]] = field(default_factory=dict)
    """The systems by how the user wrote them."""
    sentences: list[ObservedSentence] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    legend: dict[str, str] = field(default_factory=dict)
    """The options that short names mean, for relations that were run with several options."""
    satisfied: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    similar: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    verdicts: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0, 0, 0), dtype=np.uint8))
    """Column × system × sentence × repetition: HELD if all cases hold, else FLAGGED; 0 without a verdict.

    The first repetition is that of a run without repetitions, whose one verdict counts for every repetition of others.
    """
    domain_names: list[str] = field(default_factory=list)
    domain_of: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """The domain of each sentence, by its number among the names."""
    outputs: dict[tuple[int, int], str] = field(default_factory=dict)
    references: dict[int, str] = field(default_factory=dict)
    positions: dict[tuple[str, int], int] = field(default_factory=dict)
    """The sentence at each position of each corpus."""
    mixed: set[str] = field(default_factory=set)
    """The names that several corpora share: they have different sentences at one position."""
    ids: dict[str, set[int]] = field(default_factory=dict)
    """The sentences that an id of a corpus means."""
    untested: dict[str, int] = field(default_factory=dict)
    """By corpus, the number of positions without a case, whose sentences are unknown."""
    notes: list[str] = field(default_factory=list)

    @property
    def direction(self) -> str:
        return direction(self.source, self.target)

    @property
    def domains(self) -> list[str]:
        """The names of the domains, if there are several; sentences without a domain belong to none."""
        names = {self.domain_names[number] for number in np.unique(self.domain_of).tolist()}
        return sorted(names - {""}) if len(names) > 1 else []

    def inside(self, domain: str) -> Booleans:
        """Which sentences belong to a domain; all of them belong to ""."""
        if not domain:
            return np.ones(len(self.domain_of), dtype=bool)
        return np.asarray(self.domain_of == self.domain_names.index(domain))

    def families(self) -> list[ScoreFamily]:
        by_relation: dict[str, list[int]] = {}
        for number, column in enumerate(self.columns):
            by_relation.setdefault(column.relation if column.part else "", []).append(number)
        alone = by_relation.pop("", [])
        with_parts = [ScoreFamily(relation, tuple(numbers)) for relation, numbers in by_relation.items()]
        name = ", ".join(self.columns[number].name for number in alone)
        return [*with_parts, *([ScoreFamily(name, tuple(alone))] if alone else [])]

    def patterns(self, family: ScoreFamily) -> Patterns:
        """The patterns of a family, without sentences and repetitions in which a column was not tested."""
        columns = self.verdicts[list(family.columns)]
        every, own = columns[..., :1], columns[..., 1:]
        single: Booleans = np.asarray((every > 0).all(axis=0))
        verdicts = np.concatenate([every, np.where(own > 0, own, every)], axis=-1)
        shared: Booleans = np.asarray((verdicts > 0).all(axis=0))
        # If no column was repeated, the one verdict counts; else it only fills in for columns without repetitions.
        shared[..., 1:] &= ~single
        shared[..., :1] &= single
        system, sentence, repetition = np.nonzero(shared)
        bits = np.zeros(len(system), dtype=np.int64)
        for bit, column in enumerate(verdicts):
            bits |= (column[system, sentence, repetition] == HELD).astype(np.int64) << bit
        return Patterns(bits, system, sentence, 1 / shared.sum(axis=-1)[system, sentence])
