"""What is known of each system and sentence: which relations hold, how suspicious it is, and its translation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concord.language.codes import direction
from concord.stats.bootstrap_sentences import Floats, Integers

Booleans = NDArray[np.bool_]
EVERY = -1
"""In the place of a repetition: the one verdict of a run without repetitions, which stands for all of another's."""
Place = tuple[int, int, int]
"""A column, a system and a sentence, by number."""


@dataclass(frozen=True, slots=True)
class ObservedSentence:
    """A sentence, by what it says and its domain. One that stands in a corpus twice counts once."""

    text: str
    domain: str


@dataclass(frozen=True, slots=True)
class Column:
    """What is satisfied or not: a relation, or a part of it such as its sentence granularity."""

    relation: str
    part: str = ""

    @property
    def name(self) -> str:
        return f"{self.relation} {self.part}".strip()


@dataclass(frozen=True, slots=True)
class ScoreFamily:
    """Columns that make one score together: the parts of a relation, or all relations that have none."""

    name: str
    columns: tuple[int, ...]

    @property
    def mean(self) -> str:
        """The name of the score that is the mean of its columns, of sentences in which all of them were tested.

        It is not the mean of rates by which systems are ranked, each of which has sentences of its own.
        """
        return f"{self.name} (all tested)"


@dataclass(frozen=True, slots=True)
class Patterns:
    """Which columns of a family hold together: a bit for each, for every system, sentence and repetition.

    The repetitions of one sentence share a weight of 1.
    """

    bits: Integers
    system: Integers
    sentence: Integers
    weight: Floats


@dataclass(slots=True)
class Observed:
    """Everything about one direction; `satisfied` and `similar` (1 − suspicion) are column × system × sentence.

    Both are means over repetitions, NaN where nothing was tested.
    """

    source: str
    target: str
    runs: list[int] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    given: dict[str, set[str]] = field(default_factory=dict)
    """The systems that the user wrote so."""
    sentences: list[ObservedSentence] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    legend: dict[str, str] = field(default_factory=dict)
    """What the names of relations stand for that were run with several options."""
    satisfied: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    similar: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    verdicts: dict[Place, dict[int, bool]] = field(default_factory=dict)
    """By repetition, whether all cases hold."""
    outputs: dict[tuple[int, int], str] = field(default_factory=dict)
    references: dict[int, str] = field(default_factory=dict)
    positions: dict[tuple[str, int], int] = field(default_factory=dict)
    """The sentence at each position of each corpus."""
    mixed: set[str] = field(default_factory=set)
    """The corpora that have different sentences at one position: several have that name."""
    ids: dict[str, set[int]] = field(default_factory=dict)
    """The sentences that an id of a corpus means."""
    untested: dict[str, int] = field(default_factory=dict)
    """By corpus, how many positions gave no case, so that nothing is known of their sentences."""
    notes: list[str] = field(default_factory=list)

    @property
    def direction(self) -> str:
        return direction(self.source, self.target)

    @property
    def domains(self) -> list[str]:
        """The domains by name, if they do not hold the same sentences; those without one are only among all."""
        found = {each.domain for each in self.sentences}
        return sorted(found - {""}) if len(found) > 1 else []

    def inside(self, domain: str) -> Booleans:
        """Which sentences are of a domain; all of them are of ""."""
        return np.array([not domain or each.domain == domain for each in self.sentences], dtype=bool)

    def families(self) -> list[ScoreFamily]:
        by_relation: dict[str, list[int]] = {}
        for number, column in enumerate(self.columns):
            by_relation.setdefault(column.relation if column.part else "", []).append(number)
        alone = by_relation.pop("", [])
        made = [ScoreFamily(relation, tuple(numbers)) for relation, numbers in by_relation.items()]
        name = ", ".join(self.columns[each].name for each in alone)
        return [*made, *([ScoreFamily(name, tuple(alone))] if alone else [])]

    def patterns(self, family: ScoreFamily) -> Patterns:
        """Sentences, and repetitions, in which a column was not tested are left out."""
        found = list(self._patterns(family))
        bits, system, sentence, weight = zip(*found, strict=True) if found else ((), (), (), ())
        return Patterns(
            np.array(bits, dtype=np.int64),
            np.array(system, dtype=np.int64),
            np.array(sentence, dtype=np.int64),
            np.array(weight, dtype=np.float64),
        )

    def _patterns(self, family: ScoreFamily) -> Iterator[tuple[int, int, int, float]]:
        for system in range(len(self.systems)):
            for sentence in range(len(self.sentences)):
                said = [self.verdicts.get((column, system, sentence), {}) for column in family.columns]
                times = _shared(said)
                for repetition in times:
                    held = (each.get(repetition, each.get(EVERY, False)) << bit for bit, each in enumerate(said))
                    yield sum(held), system, sentence, 1 / len(times)


def _shared(said: list[dict[int, bool]]) -> list[int]:
    """The repetitions in which all have a verdict."""
    if not all(said):
        return []
    repeated = [each.keys() for each in said if EVERY not in each]
    return sorted(set.intersection(*map(set, repeated))) if repeated else [EVERY]
