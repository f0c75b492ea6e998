"""Training of a comparator by the labels of a relation's cases, for use in later runs.

The words in which labelled translations differ are found with the alignments that each run has stored, so nothing is
translated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord import plugins
from concord.analyses.detection.labelled_rows import VERDICTS, labelled_rows
from concord.comparator import Aligned, Labelled, compare, fit
from concord.comparator.dictionaries import used_by
from concord.comparator.serialisation import evidence_for, load, with_pairs
from concord.errors import UserError
from concord.model import PAPER, ROLES, Direction, Text
from concord.plain_data import plain
from concord.plural import plural
from concord.relations._judgement import compared_texts
from concord.relations._protocol import load_relation
from concord.store import RunRecord, Workspace
from concord.store.comparators import Comparator, Comparators, Learnt

Kind = tuple[str, Direction]


@dataclass(frozen=True, slots=True)
class Fitting:
    """A comparator fitted to labels: how well it ranks cases that it has not seen, and how well the rule does.

    The areas are those under the ROC curve, and `margin` is the gain that chance alone exceeds once in twenty times.
    `used` says whether later runs use it.
    """

    relation: str
    direction: Direction
    runs: tuple[int, ...]
    labels: int
    wrong: int
    area: float
    area_of_rule: float
    margin: float
    used: bool
    name: str
    notes: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        names = {"area": "auc", "area_of_rule": "auc_of_rule"}
        facts = plain(self) | {"direction": "-".join(self.direction)}
        return {names.get(name, name): value for name, value in facts.items()}


def fitted(
    store: Workspace, runs: Sequence[int], relation: str = "", glossary: str = "", synonyms: str = ""
) -> Fitting:
    """Fit a comparator to the labelled cases of runs of one relation and direction, and store it in the workspace.

    `relation` selects among the runs; `glossary` and `synonyms` are the files that the runs used, if any.
    """
    records = _of_one_kind([store.run(number) for number in dict.fromkeys(runs)], store, relation)
    rows, left = labelled_rows(store, [record.id for record in records])
    judged = [(row, VERDICTS[said.verdict]) for row, said in rows if PAPER in row["scores"]]
    labelled = [case for record in records for case in _compared(store, record, judged, (glossary, synonyms))]
    if not labelled:
        raise UserError(
            f"no case of run {_listed(records)} is labelled. `concord label export` writes a table to fill in"
        )
    if other_kinds := len(rows) - len(judged):
        left["of a kind that Concord's comparison does not judge"] += other_kinds
    learnt = fit(labelled)
    wrong = sum(case.wrong for case in labelled)
    name, direction = _kind(records[0])
    areas = learnt.area, learnt.area_of_rule
    comparator = Comparator(name, direction, learnt.dump(), *areas, len(labelled), wrong, learnt.margin)
    Comparators(store).keep(comparator)
    return Fitting(
        name,
        direction,
        tuple(record.id for record in records),
        len(labelled),
        wrong,
        comparator.area,
        comparator.area_of_rule,
        comparator.margin,
        comparator.better,
        comparator.name,
        tuple(f"{plural(count, 'case')} left out: {why}" for why, count in left.items()),
    )


def forgotten(store: Workspace, relation: str) -> list[Direction]:
    """Remove the fitted comparators of a relation, so that the rule judges it again; returns their directions."""
    if not relation:
        raise UserError("name the relation whose fitted comparison is to be forgotten: --forget --relation rti")
    name = plugins.parse("relations", relation).name
    gone = Comparators(store).forget(name)
    if not gone:
        raise UserError(
            f"labels have taught nothing about {name} in {store.path} (`concord tune --fit` does); there is nothing to"
            " forget"
        )
    return gone


def _of_one_kind(records: Sequence[RunRecord], store: Workspace, relation: str) -> list[RunRecord]:
    name = plugins.parse("relations", relation).name if relation else ""
    ours = [record for record in records if name in ("", record.relation) and Learnt(store).load(record.id) is not None]
    if not ours:
        of_relation = f" of {name}" if name else ""
        raise UserError(
            f"none of these runs{of_relation} was judged by the comparator, which is what labels teach. Runs:"
            f" {_listed(records)}. `concord run` with a relation that it judges, such as rti, makes one"
        )
    kinds: dict[Kind, list[RunRecord]] = {}
    for record in ours:
        kinds.setdefault(_kind(record), []).append(record)
    if len(kinds) > 1:
        listed = "; ".join(f"{name} {'-'.join(langs)}: {_listed(runs)}" for (name, langs), runs in kinds.items())
        raise UserError(
            "a comparator is for one relation and direction. Choose runs by number, or with --relation, among:"
            f" {listed}"
        )
    return ours


def _kind(record: RunRecord) -> Kind:
    return record.relation, (record.source, record.target)


def _listed(records: Sequence[RunRecord]) -> str:
    return ",".join(str(record.id) for record in records)


def _compared(
    store: Workspace, record: RunRecord, judged: Sequence[tuple[Mapping[str, Any], bool]], files: tuple[str, str]
) -> Iterator[Labelled]:
    """The differing words of each labelled case of one run, with its label and its sentence."""
    known = load_relation(record.relation)
    own = [(row, wrong) for row, wrong in judged if row["run"] == record.id]
    texts = [compared_texts([Text(**row[role]) for role in ROLES], known.traits.compared) for row, _ in own]
    fours = [(four, wrong, row["text"]) for four, (row, wrong) in zip(texts, own, strict=True)]
    aligned = _aligned(store, record, files, known.compares_backward)
    aligned = with_pairs(aligned, [pair for (a, b, c, d), _, _ in fours for pair in ((a, c), (b, d))])
    for four, wrong, sentence in fours:
        yield Labelled(compare(*four, aligned).words, wrong, sentence)


def _aligned(store: Workspace, record: RunRecord, files: tuple[str, str], turned: bool) -> Aligned:
    langs = (record.target, record.source) if turned else (record.source, record.target)
    evidence = evidence_for(langs, *files, used_by(record.signature), turned=turned)
    return load(Learnt(store).load(record.id) or b"", evidence)
