"""What runs say of each system and sentence: which relations hold, how suspicious it is, and its translation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from concord.errors import UserError
from concord.plugins import plain
from concord.report.wording import direction
from concord.stats.sentence_draws import Floats, Integers
from concord.store import RunRecord, Workspace

PART = "granularity"
"""The factor by which one relation makes several scores, as `mgmt` does."""

Row = Mapping[str, Any]
Place = tuple[int, int, int]
"""A column, a system and a sentence, by number."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a corpus. One that stands there twice counts once."""

    id: str
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
class Family:
    """Columns that make one score together: the parts of a relation, or all relations that have none."""

    name: str
    columns: tuple[int, ...]

    @property
    def mean(self) -> str:
        """The name of the score that is the mean of its columns."""
        return f"mean of {self.name}" if ", " in self.name else self.name


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
    sentences: list[Sentence] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    satisfied: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    similar: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    verdicts: dict[Place, list[bool]] = field(default_factory=dict)
    outputs: dict[tuple[int, int], str] = field(default_factory=dict)
    references: dict[int, str] = field(default_factory=dict)
    positions: dict[tuple[str, int], int] = field(default_factory=dict)
    """The sentence at each position of each corpus."""
    untested: dict[str, int] = field(default_factory=dict)
    """By corpus, how many checks gave no case, so that nothing is known of their sentences."""
    notes: list[str] = field(default_factory=list)

    @property
    def direction(self) -> str:
        return direction(self.source, self.target)

    @property
    def domains(self) -> list[str]:
        """The domains by name, if there is more than one."""
        found = sorted({each.domain for each in self.sentences})
        return found if len(found) > 1 else []

    def families(self) -> list[Family]:
        by_relation: dict[str, list[int]] = {}
        for number, column in enumerate(self.columns):
            by_relation.setdefault(column.relation if column.part else "", []).append(number)
        alone = by_relation.pop("", [])
        made = [Family(relation, tuple(numbers)) for relation, numbers in by_relation.items()]
        name = ", ".join(self.columns[each].name for each in alone)
        return [*made, *([Family(name, tuple(alone))] if alone else [])]

    def patterns(self, family: Family) -> Patterns:
        """Sentences in which a column was not tested are left out. A run with fewer repetitions begins anew."""
        found = list(self._patterns(family))
        bits, system, sentence, weight = zip(*found, strict=True) if found else ((), (), (), ())
        return Patterns(
            np.array(bits, dtype=np.int64),
            np.array(system, dtype=np.int64),
            np.array(sentence, dtype=np.int64),
            np.array(weight, dtype=np.float64),
        )

    def _patterns(self, family: Family) -> Iterator[tuple[int, int, int, float]]:
        for system in range(len(self.systems)):
            for sentence in range(len(self.sentences)):
                said = [self.verdicts.get((column, system, sentence), []) for column in family.columns]
                times = max(map(len, said)) if all(said) else 0
                for repetition in range(times):
                    held = (each[repetition % len(each)] << bit for bit, each in enumerate(said))
                    yield sum(held), system, sentence, 1 / times


def observed(store: Workspace, runs: Sequence[int]) -> list[Observed]:
    """The runs by direction, each read once."""
    records = [store.run(number) for number in dict.fromkeys(runs)]
    directions: dict[tuple[str, str], list[RunRecord]] = {}
    for record in records:
        directions.setdefault((record.source, record.target), []).append(record)
    return [_observed(store, together) for together in directions.values()]


def _observed(store: Workspace, records: Sequence[RunRecord]) -> Observed:
    labels = _labels(records)
    _each_once(records, labels)
    reading = _Reading(Observed(records[0].source, records[0].target, [each.id for each in records]))
    for record in records:
        reading.run(store, record, labels[record.id])
    return reading.done()


def _labels(records: Sequence[RunRecord]) -> dict[int, str]:
    """The relation of each run, with those of its options in which runs of that relation differ."""
    found = {}
    for record in records:
        alike = [each.settings for each in records if each.relation == record.relation]
        differ = [name for name in record.settings if any(each.get(name) != record.settings[name] for each in alike)]
        found[record.id] = ",".join([record.relation, *(f"{name}={plain(record.settings[name])}" for name in differ)])
    return found


def _each_once(records: Sequence[RunRecord], labels: Mapping[int, str]) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for record in records:
        earlier = seen.setdefault((labels[record.id], record.system, record.corpus), record.id)
        if earlier != record.id:
            raise UserError(
                f"runs {earlier} and {record.id} are both of {labels[record.id]} on {record.system} with"
                f" {record.corpus}. Name one of them"
            )


class _Reading:
    """Rows on their way into arrays."""

    def __init__(self, made: Observed) -> None:
        self._made = made
        self._systems: dict[str, int] = {}
        self._sentences: dict[Sentence, int] = {}
        self._columns: dict[Column, int] = {}
        self._cells: dict[Place, list[tuple[float, float]]] = {}
        self._errors = 0

    def run(self, store: Workspace, record: RunRecord, label: str) -> None:
        made = self._made
        system = self._systems.setdefault(record.system, len(self._systems))
        name = record.corpus.partition("#")[0]
        made.untested[name] = max(made.untested.get(name, 0), store.tally(record.id)["bare"])
        for (position, _), rows in groupby(store.rows([record.id]), lambda row: (row["position"], row["repetition"])):
            self._check(list(rows), system, label, (name, position))

    def _check(self, rows: list[Row], system: int, label: str, place: tuple[str, int]) -> None:
        """One check of one sentence: its cases by column, or an error."""
        first, made = rows[0], self._made
        key = Sentence(first["segment"], first["text"], first["domain"])
        sentence = self._sentences.setdefault(key, len(self._sentences))
        made.positions[place] = sentence
        if first["reference"]:
            made.references.setdefault(sentence, first["reference"])
        if first["error"] is not None:
            self._errors += 1
            return
        cases: dict[Column, list[Row]] = {}
        for row in rows:
            cases.setdefault(Column(label, row["factors"].get(PART, "")), []).append(row)
            output = _output(row)
            if output is not None:
                made.outputs.setdefault((system, sentence), output)
        for column, found in cases.items():
            at = (self._columns.setdefault(column, len(self._columns)), system, sentence)
            held = [not row["violated"] for row in found]
            suspicion = sum(float(row["suspicion"]) for row in found) / len(found)
            made.verdicts.setdefault(at, []).append(all(held))
            self._cells.setdefault(at, []).append((sum(held) / len(held), 1 - suspicion))

    def done(self) -> Observed:
        made = self._made
        made.systems, made.sentences = list(self._systems), list(self._sentences)
        made.columns = list(self._columns)
        if not self._cells:
            raise UserError(
                f"runs {', '.join(map(str, made.runs))} ({made.direction}) have no case."
                " `concord show --errors` says why; run again, or name other runs"
            )
        shape = (len(made.columns), len(made.systems), len(made.sentences))
        made.satisfied, made.similar = np.full(shape, np.nan), np.full(shape, np.nan)
        for at, values in self._cells.items():
            made.satisfied[at], made.similar[at] = np.mean(values, axis=0)
        if self._errors:
            made.notes.append(f"{made.direction}: {self._errors:,} checks ended in an error and are left out")
        return made


def _output(row: Row) -> str | None:
    """The translation of the sentence itself, whichever part of the case it was."""
    wanted = (row["text"], row["source_lang"], row["target_lang"])
    for role in ("source", "follow_up"):
        given, output = row[role], row[f"{role}_output"]
        if (given["words"], given["lang"], output["lang"]) == wanted:
            return str(output["words"])
    return None
