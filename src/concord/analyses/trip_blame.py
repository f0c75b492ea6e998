"""Which trip of a round trip is to blame, told by other systems (Cao et al. 2021, SemMT, section 5.4).

A translation that is unlike those of the other systems is likely to be wrong. For every suspicious round trip the
agreement with the others is taken on both trips and compared with the usual one, that of round trips which are right:
where it has fallen by more, or by as much, on the way there, the forward trip is blamed, otherwise the way back. Where
it has fallen on neither, the others cannot tell.

What is compared on the way back are the systems' own back translations, each of its own translation, since those are
what runs have kept: a forward mistake lowers that agreement as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from concord.errors import UserError
from concord.labels.labels import SIDES, Label, Labels
from concord.metrics import similarity
from concord.model import Text
from concord.store import RunRecord, Workspace
from concord.store.label_rows import outputs_of

Row = Mapping[str, Any]
Trip = Literal["forward", "backward"]
Told = Literal["forward", "backward", "untold"]
METRICS = ("levenshtein", "bleu", "chrf")
FEWEST = 3
_NOTHING = 1e-9
"""A fall of the agreement that means may have by rounding."""
_WRONG: dict[str, Trip] = {SIDES[0]: "forward", SIDES[1]: "backward", SIDES[2]: "forward"}
"""Where both are wrong, the mistake came in on the way there."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """One suspicious round trip: the agreement with the others on both trips, and the trip to blame, by metric.

    `untold` where the agreement is as usual, or better, on both trips.
    """

    row: Row
    forward: Mapping[str, float]
    backward: Mapping[str, float]
    blame: Mapping[str, Told]
    label: Trip | None

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        row = self.row
        texts = {"source": row["source"], "intermediate": row["source_output"], "back": row["follow_up_output"]}
        place = {name: row[name] for name in ("run", "system", "segment", "case", "suspicion")}
        found = {"forward": dict(self.forward), "backward": dict(self.backward), "blame": dict(self.blame)}
        return place | {name: text["words"] for name, text in texts.items()} | found | {"label": self.label}


@dataclass(frozen=True, slots=True)
class Usual:
    """How alike a system's right round trips are to the others', by one metric, and how often blame agrees with labels.

    `among` are the suspicious round trips that a person has labelled, `right` those of them that are blamed rightly;
    what is untold is not right.
    """

    run: int
    system: str
    metric: str
    forward: float
    backward: float
    among: int
    right: int

    @property
    def accuracy(self) -> float | None:
        return self.right / self.among if self.among else None

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"accuracy": self.accuracy}


@dataclass(slots=True)
class TripBlame:
    """The usual agreement of every system and metric, every suspicious round trip, and what could not be told."""

    usual: list[Usual] = field(default_factory=list)
    blamed: list[Blamed] = field(default_factory=list)
    untold: int = 0


def blame(workspace: Workspace, runs: Sequence[int], metrics: Sequence[str] = METRICS) -> TripBlame:
    """Blame the trips of the violated cases of these runs; nothing is translated."""
    records = [workspace.run(run) for run in runs]
    said = Labels(workspace).of(runs)
    found = TripBlame()
    for together in _groups(records):
        trips = {record.id: _round_trips(workspace, record) for record in together}
        for record in together:
            others = [trips[each.id] for each in together if each.system != record.system]
            system = _system(record, trips[record.id], others, said, metrics)
            usual = system.usual()
            blamed = list(system.blamed(usual)) if usual else []
            found.blamed += blamed
            found.usual += _told(system, usual, blamed)
            found.untold += sum(row["violated"] for row in trips[record.id].values()) - len(blamed)
    return found


def _groups(records: Sequence[RunRecord]) -> Iterator[list[RunRecord]]:
    """The runs of each relation, corpus and direction, one of each system: the last one named."""
    groups: dict[tuple[str, ...], dict[str, RunRecord]] = {}
    for record in records:
        kind = (record.relation, record.corpus, record.source, record.target)
        groups.setdefault(kind, {})[record.system] = record
    for (relation, corpus, source, target), systems in groups.items():
        if len(systems) < FEWEST:
            runs = ", ".join(f"{name} (run {record.id})" for name, record in systems.items())
            others = f", or leave {'it' if len(systems) == 1 else 'them'} out" if len(groups) > 1 else ""
            raise UserError(
                f"to say which trip is to blame, {FEWEST} systems or more are needed; of {corpus} {source}→{target} "
                f"there are round trips of {relation} by {runs}. Run others on the same corpus: "
                f"concord run … --relation {relation} --system OTHER --to {target}{others}"
            )
        yield list(systems.values())


def _round_trips(workspace: Workspace, record: RunRecord) -> dict[str, Row]:
    """The round trips of a run by the text that was sent; texts that recur are the same."""
    found: dict[str, Row] = {}
    for row in workspace.rows([record.id]):
        if row["error"] is None:
            if row["follow_up"] != row["source_output"] or row["follow_up_output"]["lang"] != row["source"]["lang"]:
                raise UserError(f"run {record.id} ({record.relation}) made no round trips. Name runs of rtt or semmt")
            found.setdefault(row["source"]["words"], row)
    return found


@dataclass(frozen=True, slots=True)
class _System:
    """The round trips of one system that enough others have made too, and what is known about each."""

    record: RunRecord
    rows: Mapping[str, Row]
    agreed: Mapping[str, Mapping[str, tuple[float, float]]]
    labels: Mapping[str, str | None]

    def usual(self) -> dict[str, tuple[float, float]]:
        """The mean agreement on round trips that are right, by metric: labelled so, or else not violated."""
        right = [
            words
            for words, label in self.labels.items()
            if label == "correct" or not (label or self.rows[words]["violated"])
        ]
        return {metric: _mean([each[words] for words in right]) for metric, each in self.agreed.items() if right}

    def blamed(self, usual: Mapping[str, tuple[float, float]]) -> Iterator[Blamed]:
        """Every violated round trip, the worst first."""
        for words, row in sorted(self.rows.items(), key=lambda pair: -float(pair[1]["suspicion"])):
            if row["violated"]:
                here = {metric: each[words] for metric, each in self.agreed.items()}
                forward, backward = ({metric: both[way] for metric, both in here.items()} for way in (0, 1))
                trips = {metric: _trip(both, usual[metric]) for metric, both in here.items()}
                yield Blamed(row, forward, backward, trips, _WRONG.get(self.labels[words] or ""))


def _system(
    record: RunRecord,
    own: Mapping[str, Row],
    others: Sequence[Mapping[str, Row]],
    said: Mapping[str, Sequence[Label]],
    metrics: Sequence[str],
) -> _System:
    beside = {words: [each[words] for each in others if words in each] for words in own}
    rows = {words: row for words, row in own.items() if len(beside[words]) >= FEWEST - 1}
    agreed = {
        metric: {words: _agreement(metric, row, beside[words]) for words, row in rows.items()} for metric in metrics
    }
    return _System(record, rows, agreed, {words: _labelled(row, said) for words, row in rows.items()})


def _told(system: _System, usual: Mapping[str, tuple[float, float]], blamed: Sequence[Blamed]) -> Iterator[Usual]:
    known = [each for each in blamed if each.label]
    for metric, (forward, backward) in usual.items():
        right = sum(each.blame[metric] == each.label for each in known)
        yield Usual(system.record.id, system.record.system, metric, forward, backward, len(known), right)


def _agreement(metric: str, row: Row, others: Sequence[Row]) -> tuple[float, float]:
    """How alike a system's translation and its back translation are to those of the others."""
    forward, backward = (
        fmean(similarity(metric, Text(**other[role]), Text(**row[role])) for other in others)
        for role in ("source_output", "follow_up_output")
    )
    return forward, backward


def _mean(agreed: Sequence[tuple[float, float]]) -> tuple[float, float]:
    forward, backward = zip(*agreed, strict=True)
    return fmean(forward), fmean(backward)


def _trip(agreed: tuple[float, float], usual: tuple[float, float]) -> Told:
    forward, backward = (before - now for before, now in zip(usual, agreed, strict=True))
    if max(forward, backward) <= _NOTHING:
        return "untold"
    return "forward" if forward >= backward else "backward"


def _labelled(row: Row, said: Mapping[str, Sequence[Label]]) -> str | None:
    """What people say of these outputs: `correct`, or the side that is wrong; None where they differ or say neither."""
    judged = [each for each in said.get(row["case"], ()) if each.outputs == outputs_of(row)]
    opinions = {each.wrong if each.verdict == "error" else each.verdict for each in judged} - {"", "bad test"}
    return opinions.pop() if len(opinions) == 1 else None
