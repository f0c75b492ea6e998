"""The comparator that labels teach: what people say of a relation's cases, learnt and kept for later runs.

The words in which labelled translations differ are found again by what each run had learnt about words, so that
nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord import plugins
from concord.analyses.detection.labelled_rows import labelled_rows
from concord.comparator import Aligned, Labelled, compare, fit
from concord.comparator.dictionaries import used_by
from concord.comparator.serialisation import evidence_for, load, with_pairs
from concord.errors import UserError
from concord.model import PAPER, ROLES, Direction, Text
from concord.plain_data import plain
from concord.plural import plural
from concord.relations._judgement import asked
from concord.relations._protocol import roles, turned
from concord.store import RunRecord, Workspace
from concord.store.alignment_blobs import Learnt
from concord.store.comparators import Comparator, Comparators

Kind = tuple[str, Direction]


@dataclass(frozen=True, slots=True)
class Fitting:
    """A relation's comparator as labels taught it: how well it ranks cases that it has not seen, and the rule does.

    The areas are those under the ROC curve, and `margin` is the gain that chance alone exceeds once in twenty times.
    `used` says whether later runs are judged by it.
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
        made = plain(self) | {"direction": "-".join(self.direction)}
        return {names.get(name, name): value for name, value in made.items()}


def fitted(
    store: Workspace, runs: Sequence[int], relation: str = "", glossary: str = "", synonyms: str = ""
) -> Fitting:
    """Fit a comparator to the labelled cases of runs of one relation and direction, and keep it in the workspace.

    `relation` chooses among the runs; `glossary` and `synonyms` are the files that they were given, if they were.
    """
    records = _of_one_kind([store.run(number) for number in dict.fromkeys(runs)], store, relation)
    rows, left = labelled_rows(store, [record.id for record in records])
    said = [(row, wrong) for row, wrong in rows if PAPER in row["scores"]]
    labelled = [each for record in records for each in _compared(store, record, said, (glossary, synonyms))]
    if not labelled:
        raise UserError(
            f"no case of run {_listed(records)} is labelled. `concord label export` writes a table to fill in"
        )
    if others := len(rows) - len(said):
        left["of a kind that Concord's comparison does not judge"] += others
    learnt = fit(labelled)
    wrong = sum(each.wrong for each in labelled)
    name, direction = _kind(records[0])
    areas = learnt.area, learnt.area_of_rule
    made = Comparator(name, direction, learnt.dump(), *areas, len(labelled), wrong, learnt.margin)
    Comparators(store).keep(made)
    return Fitting(
        name,
        direction,
        tuple(record.id for record in records),
        len(labelled),
        wrong,
        made.area,
        made.area_of_rule,
        made.margin,
        made.better,
        made.name,
        tuple(f"{plural(count, 'case')} left out: {why}" for why, count in left.items()),
    )


def forgotten(store: Workspace, relation: str) -> list[Direction]:
    """Remove what labels taught about a relation, so that the rule judges it again; gives the directions."""
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
        of = f" of {name}" if name else ""
        raise UserError(
            f"none of these runs{of} was judged by Concord's comparison, which is what labels teach. Runs:"
            f" {_listed(records)}. `concord run` with {name or 'RELATION'},comparison=concord makes one"
        )
    kinds: dict[Kind, list[RunRecord]] = {}
    for each in ours:
        kinds.setdefault(_kind(each), []).append(each)
    if len(kinds) > 1:
        listed = "; ".join(f"{which} {'-'.join(way)}: {_listed(of)}" for (which, way), of in kinds.items())
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
    store: Workspace, record: RunRecord, said: Sequence[tuple[Mapping[str, Any], bool]], files: tuple[str, str]
) -> Iterator[Labelled]:
    """The labelled cases of one run as words, each with its verdict and the sentence it comes from."""
    compared = roles(record.relation)
    own = [(row, wrong) for row, wrong in said if row["run"] == record.id]
    texts = [asked([Text(**row[role]) for role in ROLES], compared) for row, _ in own]
    fours = [(four, wrong, row["text"]) for four, (row, wrong) in zip(texts, own, strict=True)]
    aligned = _aligned(store, record, files, turned(record.relation))
    aligned = with_pairs(aligned, [pair for (a, b, c, d), _, _ in fours for pair in ((a, c), (b, d))])
    for four, wrong, sentence in fours:
        yield Labelled(compare(*four, aligned).words, wrong, sentence)


def _aligned(store: Workspace, record: RunRecord, files: tuple[str, str], turned: bool) -> Aligned:
    langs = (record.target, record.source) if turned else (record.source, record.target)
    evidence = evidence_for(langs, *files, used_by(record.signature), turned=turned)
    return load(Learnt(store).load(record.id) or b"", evidence)
