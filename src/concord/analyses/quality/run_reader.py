"""Reads runs into observations by system and sentence."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from concord.analyses.quality.array_reader import ArrayReader, Load, RunReader
from concord.analyses.quality.observations import Column, Observed, ObservedSentence
from concord.errors import NOT_JUDGED, UserError, command
from concord.language.codes import direction
from concord.plural import plural
from concord.signature import option_text
from concord.store import RunRecord, Workspace
from concord.store.verdict_arrays import PART

Row = Mapping[str, Any]


def observed(store: Workspace, runs: Sequence[int], load: Load | None = None) -> list[Observed]:
    """The observations of runs by direction; each run is read once, in arrays and without texts if `load` is given."""
    records = [store.run(number) for number in dict.fromkeys(runs)]
    directions: dict[tuple[str, str], list[RunRecord]] = {}
    for record in records:
        directions.setdefault((record.source, record.target), []).append(record)
    return [_observed(store, group, load) for group in directions.values()]


def _observed(store: Workspace, records: Sequence[RunRecord], load: Load | None) -> Observed:
    written = _written(records)
    _each_once(records, written)
    labels = _numbered(records, written)
    obs = Observed(records[0].source, records[0].target, [record.id for record in records])
    reading = ArrayReader(store, obs, load) if load else _RowReader(store, obs)
    for record in records:
        reading.run(record, labels[record.id])
    unfinished = [record for record in records if record.finished is None]
    if not any(cells.size for cells in reading.cells):
        raise _without_cases(records, unfinished, reading.errors, store.path)
    reading.finish()
    obs.notes += _never_tested(obs, reading.untested)
    if reading.errors:
        failed = plural(reading.errors, "check ended in an error and is", "checks ended in an error and are")
        obs.notes.insert(0, f"{obs.direction}: {failed} left out")
    names = {labels[record.id]: written[record.id] for record in records}
    obs.legend = {name: words for name, words in names.items() if name != words}
    notes = [*_judged_otherwise(records), *([_unfinished(unfinished)] if unfinished else [])]
    obs.notes += [f"{obs.direction}: {note}" for note in notes]
    return obs


def _without_cases(
    records: Sequence[RunRecord], unfinished: Sequence[RunRecord], errors: int, path: object
) -> UserError:
    numbers = ",".join(str(record.id) for record in records)
    noun, have = ("runs", "have") if len(records) > 1 else ("run", "has")
    why = []
    if unfinished:
        why.append(_unfinished(unfinished).capitalize())
    if errors:
        why.append(f"`{command(f'show {numbers} --errors', path)}` says what failed")
    reason = ". ".join(why) or "No sentence could be tested with these options"
    where = direction(records[0].source, records[0].target)
    return UserError(f"{noun} {numbers} ({where}) {have} no case. {reason}. Or name other runs")


def _unfinished(records: Sequence[RunRecord]) -> str:
    """A note on which runs did not finish, and how to continue them."""
    listed = ", ".join(f"{record.id} ({record.relation} on {record.given or record.system})" for record in records)
    noun, them = ("runs", "them") if len(records) > 1 else ("run", "it")
    return f"{noun} {listed} did not finish: run the same command again to continue {them}"


def _written(records: Sequence[RunRecord]) -> dict[int, str]:
    """The relation of each run, with those of its options in which runs of that relation differ."""
    return {
        record.id: ",".join([record.relation, *(f"{name}={option_text(record.settings[name])}" for name in differ)])
        for record, differ in _differing(records)
    }


def _numbered(records: Sequence[RunRecord], written: Mapping[int, str]) -> dict[int, str]:
    """A short name for each run: its relation, with "·2", "·3" and so on for other options of the same relation."""
    kinds: dict[str, list[str]] = {}
    for record in records:
        variants = kinds.setdefault(record.relation, [])
        if written[record.id] not in variants:
            variants.append(written[record.id])
    indices = [(record, kinds[record.relation].index(written[record.id])) for record in records]
    return {record.id: record.relation + (f"·{index + 1}" if index else "") for record, index in indices}


def _differing(records: Sequence[RunRecord]) -> Iterator[tuple[RunRecord, list[str]]]:
    for record in records:
        alike = [run.settings for run in records if run.relation == record.relation]
        yield record, [name for name in record.settings if any(s.get(name) != record.settings[name] for s in alike)]


def _judged_otherwise(records: Sequence[RunRecord]) -> list[str]:
    """Notes on runs that differ in a threshold, whose scores are not comparable."""
    names = {
        record.relation: set(record.facts.thresholds).intersection(differ) for record, differ in _differing(records)
    }
    return [
        f"runs of {relation} differ in {', '.join(sorted(options))}, so each is a score of its own;"
        " systems are compared by runs that are judged in the same way"
        for relation, options in names.items()
        if options
    ]


def _each_once(records: Sequence[RunRecord], labels: Mapping[int, str]) -> None:
    first_runs: dict[tuple[str, str, str], int] = {}
    for record in records:
        earlier = first_runs.setdefault((labels[record.id], record.system, record.corpus), record.id)
        if earlier != record.id:
            raise UserError(
                f"runs {earlier} and {record.id} are both of {labels[record.id]} on {record.system} with"
                f" {record.corpus}. Name one of them"
            )


class _RowReader(RunReader):
    """Reads the rows of runs, with the texts in them."""

    def __init__(self, store: Workspace, obs: Observed) -> None:
        super().__init__(store, obs)
        self._sentences: dict[ObservedSentence, int] = {}

    def run(self, record: RunRecord, label: str) -> None:
        store, obs = self.store, self.obs
        system = self.systems.setdefault(record.system, len(self.systems))
        obs.written_as.setdefault(record.given, set()).add(record.system)
        name = record.corpus.partition("#")[0]
        obs.untested[name] = max(obs.untested.get(name, 0), store.positions_without_cases(record.id))
        alone = store.repetitions(record.id) == 1
        checked: set[tuple[int, int]] = set()
        cells: list[tuple[float, ...]] = []
        for (position, repetition), rows in groupby(
            store.rows([record.id]), lambda row: (row["position"], row["repetition"])
        ):
            check_rows = list(rows)
            cases = [row for row in check_rows if row["error"] is None]
            self.errors += any(row["error"] and not row["error"].startswith(NOT_JUDGED) for row in check_rows)
            self._count_untested(cases, label)
            sentence = self._sentence((cases or check_rows)[0], (name, position))
            if cases and (sentence, repetition) not in checked:
                checked.add((sentence, repetition))
                cells += self._check(cases, system, sentence, label, 0 if alone else repetition + 1)
        self.cells.append(np.array(cells, dtype=np.float64).reshape(-1, 6).T)

    def _count_untested(self, rows: Sequence[Row], label: str) -> None:
        for part, why in (reason for row in rows for reason in row["evidence"].get("untested", {}).items()):
            # What follows a semicolon is specific to the sentence.
            self.untested.setdefault(Column(label, part), Counter())[why.partition(";")[0]] += 1

    def _sentence(self, row: Row, position: tuple[str, int]) -> int:
        obs = self.obs
        sentence = self._sentences.setdefault(ObservedSentence(row["text"], row["domain"]), len(self._sentences))
        obs.ids.setdefault(row["segment"], set()).add(sentence)
        if obs.positions.setdefault(position, sentence) != sentence:
            obs.mixed.add(position[0])
        if row["reference"]:
            obs.references.setdefault(sentence, row["reference"])
        return sentence

    def _check(
        self, rows: Sequence[Row], system: int, sentence: int, label: str, repetition: int
    ) -> Iterator[tuple[float, ...]]:
        """The cells of one check of one sentence, one for each column."""
        cases: dict[Column, list[Row]] = {}
        for row in rows:
            cases.setdefault(Column(label, row["factors"].get(PART, "")), []).append(row)
            output = _output(row)
            if output is not None:
                self.obs.outputs.setdefault((system, sentence), output)
        for column, column_rows in cases.items():
            number = self.columns.setdefault(column, len(self.columns))
            satisfied = sum(not row["flagged"] for row in column_rows) / len(column_rows)
            suspicion = sum(float(row["suspicion"]) for row in column_rows) / len(column_rows)
            yield number, system, sentence, repetition, satisfied, 1 - suspicion

    def finish(self) -> None:
        obs = self.obs
        obs.sentences = list(self._sentences)
        obs.domain_names = list(dict.fromkeys(sentence.domain for sentence in obs.sentences))
        domains = {name: number for number, name in enumerate(obs.domain_names)}
        obs.domain_of = np.array([domains[sentence.domain] for sentence in obs.sentences], dtype=np.int64)
        super().finish()


def _never_tested(obs: Observed, untested: Mapping[Column, Counter[str]]) -> Iterator[str]:
    """A note for each column that was tested on no sentence, with the most frequent reason."""
    for column, reasons in untested.items():
        if column not in obs.columns:
            ((why, times),) = reasons.most_common(1)
            reason = f"{times:,} of {plural(reasons.total(), 'time')}: {why}"
            yield f"{obs.direction}: {column.name} was tested on no sentence ({reason})"


def _output(row: Row) -> str | None:
    """The translation of the sentence itself, whichever role it has in the case."""
    sentence = (row["text"], row["source_lang"], row["target_lang"])
    for role in ("source", "follow_up"):
        text, output = row[role], row[f"{role}_output"]
        if (text["words"], text["lang"], output["lang"]) == sentence:
            return str(output["words"])
    return None
