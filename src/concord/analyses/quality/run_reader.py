"""Runs read into what is known of each system and sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

import numpy as np

from concord.analyses.quality.observations import BROKEN, HELD, Column, Observed, ObservedSentence
from concord.errors import UserError, command
from concord.language.codes import direction
from concord.plural import plural
from concord.signature import option_text
from concord.store import RunRecord, Workspace

PART = "granularity"
"""The factor by which one relation makes several scores, as `mgmt` does."""

Row = Mapping[str, Any]


def observed(store: Workspace, runs: Sequence[int]) -> list[Observed]:
    """The runs by direction, each read once."""
    return by_direction(store, runs, lambda made: _Reading(store, made))


class RunReader(Protocol):
    """What makes of runs, one after the other, what is known of each system and sentence."""

    errors: int

    def run(self, record: RunRecord, label: str) -> None: ...

    @property
    def has_cases(self) -> bool: ...

    def done(self) -> Observed: ...


def by_direction(store: Workspace, runs: Sequence[int], reader: Callable[[Observed], RunReader]) -> list[Observed]:
    """What a reader, one for each direction, makes of the runs."""
    records = [store.run(number) for number in dict.fromkeys(runs)]
    directions: dict[tuple[str, str], list[RunRecord]] = {}
    for record in records:
        directions.setdefault((record.source, record.target), []).append(record)
    return [_observed(store, together, reader) for together in directions.values()]


def _observed(store: Workspace, records: Sequence[RunRecord], reader: Callable[[Observed], RunReader]) -> Observed:
    written = _written(records)
    _each_once(records, written)
    labels = _numbered(records, written)
    reading = reader(Observed(records[0].source, records[0].target, [each.id for each in records]))
    for record in records:
        reading.run(record, labels[record.id])
    unfinished = [each for each in records if each.finished is None]
    if not reading.has_cases:
        raise _without_cases(records, unfinished, reading.errors, store.path)
    made = reading.done()
    if reading.errors:
        failed = plural(reading.errors, "check ended in an error and is", "checks ended in an error and are")
        made.notes.insert(0, f"{made.direction}: {failed} left out")
    found = {labels[each.id]: written[each.id] for each in records}
    made.legend = {name: words for name, words in found.items() if name != words}
    notes = [*_judged_otherwise(records), *([_unfinished(unfinished)] if unfinished else [])]
    made.notes += [f"{made.direction}: {note}" for note in notes]
    return made


def _without_cases(
    records: Sequence[RunRecord], unfinished: Sequence[RunRecord], errors: int, path: object
) -> UserError:
    numbers = ",".join(str(record.id) for record in records)
    some, have = ("runs", "have") if len(records) > 1 else ("run", "has")
    why = []
    if unfinished:
        why.append(_unfinished(unfinished).capitalize())
    if errors:
        why.append(f"`{command(f'show {numbers} --errors', path)}` says what failed")
    told = ". ".join(why) or "No sentence could be tested with these options"
    where = direction(records[0].source, records[0].target)
    return UserError(f"{some} {numbers} ({where}) {have} no case. {told}. Or name other runs")


def _unfinished(records: Sequence[RunRecord]) -> str:
    """Which runs are to be continued; the command that began one continues it."""
    named = ", ".join(f"{record.id} ({record.relation} on {record.given or record.system})" for record in records)
    some, them = ("runs", "them") if len(records) > 1 else ("run", "it")
    return f"{some} {named} did not finish: run the same command again to continue {them}"


def _written(records: Sequence[RunRecord]) -> dict[int, str]:
    """The relation of each run, with those of its options in which runs of that relation differ."""
    return {
        record.id: ",".join([record.relation, *(f"{name}={option_text(record.settings[name])}" for name in differ)])
        for record, differ in _differing(records)
    }


def _numbered(records: Sequence[RunRecord], written: Mapping[int, str]) -> dict[int, str]:
    """Short names: the relation, and a number from the second of its options on."""
    kinds: dict[str, list[str]] = {}
    for record in records:
        known = kinds.setdefault(record.relation, [])
        if written[record.id] not in known:
            known.append(written[record.id])
    places = {each.id: kinds[each.relation].index(written[each.id]) for each in records}
    return {each.id: each.relation + (f"·{places[each.id] + 1}" if places[each.id] else "") for each in records}


def _differing(records: Sequence[RunRecord]) -> Iterator[tuple[RunRecord, list[str]]]:
    for record in records:
        alike = [each.settings for each in records if each.relation == record.relation]
        yield record, [name for name in record.settings if any(s.get(name) != record.settings[name] for s in alike)]


def _judged_otherwise(records: Sequence[RunRecord]) -> list[str]:
    """A word on runs that differ in a threshold: their scores are not those of one relation."""
    names = {
        record.relation: set(record.facts.thresholds).intersection(differ) for record, differ in _differing(records)
    }
    return [
        f"runs of {relation} differ in {', '.join(sorted(found))}, so each is a score of its own;"
        " systems are compared by runs that are judged alike"
        for relation, found in names.items()
        if found
    ]


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

    def __init__(self, store: Workspace, made: Observed) -> None:
        self._store, self._made = store, made
        self._systems: dict[str, int] = {}
        self._sentences: dict[ObservedSentence, int] = {}
        self._columns: dict[Column, int] = {}
        self._cells: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
        self._marks: dict[tuple[int, int, int, int], int] = {}
        self._untested: dict[Column, Counter[str]] = {}
        self.errors = 0

    def run(self, record: RunRecord, label: str) -> None:
        store, made = self._store, self._made
        system = self._systems.setdefault(record.system, len(self._systems))
        made.given.setdefault(record.given, set()).add(record.system)
        name = record.corpus.partition("#")[0]
        made.untested[name] = max(made.untested.get(name, 0), store.positions_without_cases(record.id))
        alone = store.repetitions(record.id) == 1
        known: set[tuple[int, int]] = set()
        for (position, number), rows in groupby(
            store.rows([record.id]), lambda row: (row["position"], row["repetition"])
        ):
            found = list(rows)
            cases = [row for row in found if row["error"] is None]
            self.errors += len(found) - len(cases)
            sentence = self._sentence((cases or found)[0], (name, position))
            if cases and (sentence, number) not in known:
                known.add((sentence, number))
                self._check(cases, system, sentence, label, 0 if alone else number + 1)

    def _sentence(self, row: Row, place: tuple[str, int]) -> int:
        made = self._made
        sentence = self._sentences.setdefault(ObservedSentence(row["text"], row["domain"]), len(self._sentences))
        made.ids.setdefault(row["segment"], set()).add(sentence)
        if made.positions.setdefault(place, sentence) != sentence:
            made.mixed.add(place[0])
        if row["reference"]:
            made.references.setdefault(sentence, row["reference"])
        return sentence

    def _check(self, rows: Sequence[Row], system: int, sentence: int, label: str, repetition: int) -> None:
        """One check of one sentence: its cases by column."""
        made = self._made
        cases: dict[Column, list[Row]] = {}
        for row in rows:
            cases.setdefault(Column(label, row["factors"].get(PART, "")), []).append(row)
            for part, why in row["evidence"].get("untested", {}).items():
                # Behind a semicolon stands what is particular to the sentence.
                self._untested.setdefault(Column(label, part), Counter())[why.partition(";")[0]] += 1
            output = _output(row)
            if output is not None:
                made.outputs.setdefault((system, sentence), output)
        for column, found in cases.items():
            at = (self._columns.setdefault(column, len(self._columns)), system, sentence)
            held = [not row["violated"] for row in found]
            suspicion = sum(float(row["suspicion"]) for row in found) / len(found)
            self._marks[*at, repetition] = HELD if all(held) else BROKEN
            self._cells.setdefault(at, []).append((sum(held) / len(held), 1 - suspicion))

    @property
    def has_cases(self) -> bool:
        return bool(self._cells)

    def done(self) -> Observed:
        made = self._made
        made.systems, made.sentences = list(self._systems), list(self._sentences)
        made.columns = list(self._columns)
        shape = (len(made.columns), len(made.systems), len(made.sentences))
        made.satisfied, made.similar = np.full(shape, np.nan), np.full(shape, np.nan)
        for at, values in self._cells.items():
            made.satisfied[at], made.similar[at] = np.mean(values, axis=0)
        repeated = sorted({repetition for *_, repetition in self._marks} - {0})
        numbers = {repetition: number for number, repetition in enumerate([0, *repeated])}
        made.marks = np.zeros((*shape, len(numbers)), dtype=np.uint8)
        for (*place, repetition), mark in self._marks.items():
            made.marks[*place, numbers[repetition]] = mark
        made.domain_names = list(dict.fromkeys(sentence.domain for sentence in made.sentences))
        domains = {name: number for number, name in enumerate(made.domain_names)}
        made.domain_of = np.array([domains[sentence.domain] for sentence in made.sentences], dtype=np.int64)
        made.notes += never_tested(made, self._untested)
        return made


def never_tested(made: Observed, untested: Mapping[Column, Counter[str]]) -> Iterator[str]:
    """A word on parts that have no score at all, with the reason that was given most."""
    for column, reasons in untested.items():
        if column not in made.columns:
            ((why, times),) = reasons.most_common(1)
            told = f"{times:,} of {plural(reasons.total(), 'time')}: {why}"
            yield f"{made.direction}: {column.name} was tested on no sentence ({told})"


def _output(row: Row) -> str | None:
    """The translation of the sentence itself, whichever part of the case it was."""
    wanted = (row["text"], row["source_lang"], row["target_lang"])
    for role in ("source", "follow_up"):
        given, output = row[role], row[f"{role}_output"]
        if (given["words"], given["lang"], output["lang"]) == wanted:
            return str(output["words"])
    return None
