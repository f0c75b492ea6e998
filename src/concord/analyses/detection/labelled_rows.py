"""Labelled rows with their scores, from a table or from the runs of a workspace."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from concord.analyses.detection.columns import almost_numbers, as_numbers, cure, numbers_rows, read_columns
from concord.analyses.detection.error_kinds import judged_forward, kinds_of
from concord.analyses.detection.label_column import SHEET, label_of, read_labels
from concord.analyses.detection.training_overlap import taught, taught_notes
from concord.corpus.files import File, open_file
from concord.errors import UnknownName, UserError
from concord.labels.labels import Labels
from concord.labels.majority import Verdict, verdict
from concord.labels.sheets import COLUMNS
from concord.plural import plural
from concord.stats.detection import RULES, Booleans, Rule, Score
from concord.store import RunRecord, Workspace
from concord.store.label_rows import outputs_of

VERDICTS = {"error": True, "correct": False, "bad test": False}
WORSE: dict[str, Rule] = {"lower-is-worse": "≤", "higher-is-worse": "≥"}
ABOVE: Rule = ">"
"""The rule that flags a suspicion, unless the relation has another one."""
SUSPICION = "suspicion"
OURS = frozenset({"case", "run", "relation", SUSPICION, "threshold"})
"""The columns by which a table that Concord wrote is recognised: a label sheet, or exported rows."""
BESIDE = frozenset({*COLUMNS, "position", "repetition", "number", "rank"}) - {SUSPICION}
"""The other columns of such a table."""
_HIGHER = f"worse when higher, since Concord wrote this table: {SUSPICION}"


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Rows with a label; `notes` say what was left out, `relation` is the relation of the runs that they come from.

    `kinds` are the kinds of error of each row, where they are known.
    """

    name: str
    bug: Booleans
    scores: Sequence[Score]
    notes: Sequence[str] = ()
    relation: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    kinds: Sequence[frozenset[str]] = ()


def requested_scores(texts: Sequence[str]) -> dict[str, Rule]:
    """The rule of each score, by name, from texts such as `DFA` or `distance:higher-is-worse`."""
    rules: dict[str, Rule] = {}
    for text in texts:
        name, _, direction = text.rpartition(":")
        if direction in WORSE and name:
            rules[name] = WORSE[direction]
        elif name and direction.endswith("-worse"):
            raise UnknownName("direction of a score", direction, WORSE)
        else:
            rules[text] = WORSE["lower-is-worse"]
    return rules


# -- a table -----------------------------------------------------------------------------------------


def read_labelled(
    path: Path, label: str = "label", scores: Sequence[str] = (), kinds: str = "", forward: str = ""
) -> LabelledRows:
    """The rows of a CSV, TSV or JSONL file; by default every column of numbers is a score, and lower is worse.

    `kinds` names the column with the kinds of error, and `forward` the one that says which output is wrong, if the way
    there is judged alone.

    A column that only numbers the rows is a score only if it is named. In a table that Concord wrote, higher suspicion
    is worse, and Concord's other columns are scores only if they are named; in its label sheets the verdict is the
    label, and rows without a verdict are left out.
    """
    requested = requested_scores(scores)
    file = open_file(path)
    lines, columns = read_columns(file, path)
    for name in (label_of(label, columns), *requested, *filter(None, (kinds, forward))):
        if name not in columns:
            raise UnknownName("column", name, columns)
    labels = read_labels(file, lines, label, columns)
    table = _Table(
        file,
        [lines[row] for row in labels.rows],
        {name: [cells[row] for row in labels.rows] for name, cells in columns.items()},
    )
    ours = columns.keys() >= OURS or columns.keys() >= SHEET
    said = {label_of(label, columns), *filter(None, (kinds, forward))}
    rest = {name: WORSE["lower-is-worse"] for name in columns if name not in said}
    rules = _ours(requested or rest, scores) if ours else requested or rest
    score_columns, notes = _scores(table, rules, explicit=bool(requested))
    rows = LabelledRows(
        path.name,
        np.array(labels.bug, dtype=bool),
        score_columns,
        [*labels.notes, *notes],
        kinds=_kinds(table, [kinds] if kinds else ["categories", "kinds"] if ours else []),
    )
    rows = judged_forward(rows, table.columns[forward]) if forward else rows
    rows = _usable(rows, explicit=bool(requested))
    remarks = [_taken(rows.scores)] if not requested else [_HIGHER] if rules.get(SUSPICION) == ABOVE else []
    return replace(rows, notes=[*rows.notes, *remarks])


@dataclass(frozen=True, slots=True)
class _Table:
    """The labelled rows of a file: the numbers of their lines, and the cells of each column."""

    file: File
    lines: Sequence[int]
    columns: Mapping[str, Sequence[Any]]


def _kinds(table: _Table, columns: Sequence[str]) -> list[frozenset[str]]:
    cells = [table.columns[name] for name in columns if name in table.columns]
    return [frozenset[str]().union(*map(kinds_of, row)) for row in zip(*cells, strict=True)]


def _scores(table: _Table, rules: Mapping[str, Rule], *, explicit: bool) -> tuple[list[Score], list[str]]:
    """The columns that are scores, and notes on likely ones; an `explicit` one must be numbers."""
    scores, notes = list[Score](), list[str]()
    for name, rule in rules.items():
        cells = table.columns[name]
        values = as_numbers(cells)
        if isinstance(values, int):
            line, cell = table.lines[values], cells[values]
            if explicit:
                raise table.file.error(line, f"{cell!r} in column '{name}' is not a number. {cure(cell)}")
            notes += almost_numbers(name, line, cell, cells)
        elif not explicit and numbers_rows(name, values):
            notes.append(f"{name} is left out: it numbers the rows. If it is a score, name all scores: --score {name}")
        else:
            scores.append(Score(name, values, rule))
    return scores, notes


def _ours(rules: Mapping[str, Rule], scores: Sequence[str]) -> dict[str, Rule]:
    """The rules for a table that Concord wrote: without its other columns, and with the runs' rule for suspicion.

    Columns that are named stay, and so does a direction that is given with the name.
    """
    adapted = {name: rule for name, rule in rules.items() if scores or name not in BESIDE}
    if SUSPICION in adapted and (not scores or SUSPICION in scores):
        adapted[SUSPICION] = ABOVE
    return adapted


def _taken(scores: Sequence[Score]) -> str:
    lower = [score.name for score in scores if score.rule != ABOVE]
    parts = [f"worse when lower: {', '.join(lower)}"] if lower else []
    parts += [_HIGHER] if len(lower) < len(scores) else []
    return f"columns of numbers taken for scores, {'; '.join(parts)}"


# -- runs --------------------------------------------------------------------------------------------


def labelled_runs(
    store: Workspace, runs: Sequence[int], scores: Sequence[str] = (), *, forward: bool = False
) -> LabelledRows:
    """The labelled cases of runs of one relation: suspicion, as runs judge it, and every score of the cases.

    With `forward`, the way there is judged alone.
    """
    requested = requested_scores(scores)
    records = [store.run(number) for number in dict.fromkeys(runs)]
    one_scale(records)
    agreed, left = labelled_rows(store, [record.id for record in records])
    bug = np.array([VERDICTS[majority.verdict] for _, majority in agreed], dtype=bool)
    rows = [{SUSPICION: row["suspicion"], **row["scores"]} for row, _ in agreed]
    if not agreed:
        raise UserError("no case of these runs is labelled. `concord label export` writes a table to fill in")
    names = dict.fromkeys(name for row in rows for name in row)
    for name in requested:
        if name not in names:
            raise UnknownName("score", name, names)
    directions = {name: rule for name, rule in requested.items() if name not in scores}
    first = records[0]
    columns = [
        Score(
            name,
            np.array([row.get(name, math.nan) for row in rows], dtype=np.float64),
            RULES[first.facts.operator]
            if name == SUSPICION
            else directions.get(name) or WORSE[first.facts.worse(name) or "lower-is-worse"],
        )
        for name in requested or names
    ]
    notes = [f"{plural(count, 'case')} left out: {why}" for why, count in left.items()]
    notes += _guessed([score for score in columns if score.name not in (SUSPICION, *directions)], first)
    notes += taught_notes(store, records)
    name = f"run {', '.join(str(record.id) for record in records)}: {first.relation}"
    kinds = [frozenset((*majority.categories, *majority.kinds)) for _, majority in agreed]
    labelled = LabelledRows(name, bug, columns, notes, first.relation, first.question, kinds)
    if forward:
        sides = ["source" if "source_output" in m.wrong else "followup" if m.wrong else "" for _, m in agreed]
        labelled = judged_forward(labelled, sides)
    return _usable(labelled, explicit=bool(requested))


def _guessed(scores: Sequence[Score], run: RunRecord) -> list[str]:
    """A note on scores whose direction is not known."""
    names = [score.name for score in scores if run.facts.worse(score.name) is None]
    text = f"taken to be worse when lower, since {run.relation} does not say: {', '.join(names)}"
    return [f"{text}. Otherwise: --score {names[0]}:higher-is-worse"] if names else []


def scale_of(run: RunRecord) -> str:
    """An identifier of the scale of a run's suspicions: the relation, its options, and what labels taught."""
    return json.dumps([run.relation, run.question, taught(run)], sort_keys=True, default=str)


def one_scale(runs: Sequence[RunRecord]) -> None:
    """UserError if the suspicions of these runs are not on one scale."""
    kinds: dict[str, list[str]] = {}
    for run in runs:
        kinds.setdefault(scale_of(run), []).append(str(run.id))
    if len(kinds) > 1:
        groups = "; ".join(",".join(kind) for kind in kinds.values())
        raise UserError(f"suspicions of different relations or options are on different scales. Choose among: {groups}")


def labelled_rows(store: Workspace, runs: Sequence[int]) -> tuple[list[tuple[dict[str, Any], Verdict]], Counter[str]]:
    """The rows that people agree on, each case and its outputs once, with what they say; and why not others."""
    labels = Labels(store).of_runs(runs)
    counted: set[tuple[str, str]] = set()
    agreed, left = list[tuple[dict[str, Any], Verdict]](), Counter[str]()
    for row in store.rows(runs):
        if "case" not in row or (row["case"], outputs_of(row)) in counted:
            continue
        counted.add((row["case"], outputs_of(row)))
        majority = verdict(labels.get(row["case"], ()), outputs_of(row))
        if majority.verdict in VERDICTS:
            agreed.append((row, majority))
        else:
            left[majority.verdict or ("labels are stale" if majority.stale else "not labelled")] += 1
    return agreed, left


# -- both --------------------------------------------------------------------------------------------


def _usable(rows: LabelledRows, *, explicit: bool) -> LabelledRows:
    """The rows without scores that cannot be judged. UserError if such a score is `explicit`, or if none is left."""
    if rows.bug.all() or not rows.bug.any():
        which = "correct" if rows.bug.all() else "a bug"
        raise UserError(
            f"{rows.name}: none of {plural(len(rows.bug), 'row')} is {which}. An evaluation needs both kinds"
        )
    usable, notes = list[Score](), list(rows.notes)
    for score in rows.scores:
        if len(np.unique(rows.bug[score.has_value])) == 2:
            usable.append(score)
        elif explicit:
            raise UserError(f"{rows.name}: the score '{score.name}' is missing for all bugs or for all correct rows")
        else:
            notes.append(f"{score.name} is left out: it is missing for all bugs or for all correct rows")
    if not usable:
        why = f" ({notes[0]})" if notes else ""
        raise UserError(f"{rows.name} has no column of numbers to evaluate{why}. Name one: --score COLUMN")
    return replace(rows, scores=usable, notes=notes)
