"""Which half of a round trip is to blame, judged by other systems (Cao et al. 2021, SemMT, section 5.4).

A translation that is unlike those of the other systems is likely to be wrong. For every flagged round trip, both the
translation and the back-translation are compared with those of the other systems, and this agreement is compared with
the usual one, that of correct round trips. If the agreement of the translation has fallen at least as much as that of
the back-translation, the forward trip is blamed, otherwise the backward trip; if neither has fallen, neither is.

Each system's back-translation is one of its own translation, since that is what runs store: a mistake of the forward
trip lowers the agreement of the backward trip as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from concord.errors import UserError
from concord.labels.labels import SIDES, Label, Labels
from concord.metrics import similarity
from concord.model import Text
from concord.plain_data import plain
from concord.store import RunRecord, Workspace
from concord.store.label_rows import outputs_of

Row = Mapping[str, Any]
Trip = Literal["forward", "backward"]
TripVerdict = Literal["forward", "backward", "untold"]
METRICS = ("levenshtein", "bleu", "chrf")
FEWEST = 3
_NOTHING = 1e-9
"""The largest difference of two means that rounding explains."""
_TRIPS: tuple[Trip, ...] = ("forward", "backward")
_WRONG: dict[str, Trip] = {SIDES[0]: "forward", SIDES[1]: "backward", SIDES[2]: "forward"}
"""If both outputs are wrong, the forward trip made the mistake."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """One flagged round trip: its agreement with the other systems on both trips, and the trip to blame, by metric.

    The blame is `untold` if the agreement is as usual, or better, on both trips.
    """

    row: Row
    forward: Mapping[str, float]
    backward: Mapping[str, float]
    blame: Mapping[str, TripVerdict]
    label: Trip | None

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        row = self.row
        texts = {"source": row["source"], "intermediate": row["source_output"], "back": row["follow_up_output"]}
        facts = {name: row[name] for name in ("run", "system", "segment", "case", "suspicion")}
        agreement = {"forward": dict(self.forward), "backward": dict(self.backward), "blame": dict(self.blame)}
        return facts | {name: text["words"] for name, text in texts.items()} | agreement | {"label": self.label}


@dataclass(frozen=True, slots=True)
class Wrong:
    """The round trips that people say are wrong on one way: how many, how many are blamed rightly, mean agreement."""

    among: int
    right: int
    forward: float | None = None
    backward: float | None = None


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual agreement of a system's correct round trips with other systems, and that of wrong ones (table 6).

    `wrong` has, for either trip, all round trips that people have labelled so, flagged or not; `untold` counts as
    blamed wrongly.
    """

    run: int
    system: str
    metric: str
    forward: float
    backward: float
    wrong: Mapping[Trip, Wrong] = field(default_factory=dict)

    @property
    def among(self) -> int:
        return sum(wrong.among for wrong in self.wrong.values())

    @property
    def accuracy(self) -> float | None:
        return sum(wrong.right for wrong in self.wrong.values()) / self.among if self.among else None

    def plain(self) -> dict[str, Any]:
        facts = {name: plain(getattr(self, name)) for name in self.__slots__}
        return facts | {"among": self.among, "accuracy": self.accuracy}


@dataclass(slots=True)
class TripBlame:
    """The usual agreement by system and metric, every flagged round trip, and how many could not be compared."""

    usual: list[Usual] = field(default_factory=list)
    blamed: list[Blamed] = field(default_factory=list)
    untold: int = 0


def blame(workspace: Workspace, runs: Sequence[int], metrics: Sequence[str] = METRICS) -> TripBlame:
    """Blame a trip for each flagged case of these runs; nothing is translated."""
    records = [workspace.run(run) for run in runs]
    labels = Labels(workspace).of_runs(runs)
    result = TripBlame()
    for group in _groups(records):
        trips = {record.id: _round_trips(workspace, record) for record in group}
        for record in group:
            rivals = [trips[rival.id] for rival in group if rival.system != record.system]
            system = _system(record, trips[record.id], rivals, labels, metrics)
            usual = system.usual()
            blamed = list(system.blamed(usual)) if usual else []
            result.blamed += blamed
            result.usual += _usual_rows(system, usual)
            result.untold += sum(row["flagged"] for row in trips[record.id].values()) - len(blamed)
    return result


def _groups(records: Sequence[RunRecord]) -> Iterator[list[RunRecord]]:
    """The runs of each relation, corpus and direction; of each system the last run that was named."""
    groups: dict[tuple[str, ...], dict[str, RunRecord]] = {}
    for record in records:
        kind = (record.relation, record.corpus, record.source, record.target)
        groups.setdefault(kind, {})[record.system] = record
    for (relation, corpus, source, target), systems in groups.items():
        if len(systems) < FEWEST:
            runs = ", ".join(f"{name} (run {record.id})" for name, record in systems.items())
            cure = f", or leave {'it' if len(systems) == 1 else 'them'} out" if len(groups) > 1 else ""
            raise UserError(
                f"to say which trip is to blame, {FEWEST} systems or more are needed; of {corpus} {source}→{target} "
                f"there are round trips of {relation} by {runs}. Run others on the same corpus: "
                f"concord run … --relation {relation} --system OTHER --to {target}{cure}"
            )
        yield list(systems.values())


def _round_trips(workspace: Workspace, record: RunRecord) -> dict[str, Row]:
    """The round trips of a run by source text; of a text that recurs, the first."""
    trips: dict[str, Row] = {}
    for row in workspace.rows([record.id]):
        if row["error"] is None:
            if row["follow_up"] != row["source_output"] or row["follow_up_output"]["lang"] != row["source"]["lang"]:
                raise UserError(f"run {record.id} ({record.relation}) made no round trips. Name runs of rtt or semmt")
            trips.setdefault(row["source"]["words"], row)
    return trips


@dataclass(frozen=True, slots=True)
class _System:
    """The round trips of one system that enough other systems have made too, with their agreement and labels."""

    record: RunRecord
    rows: Mapping[str, Row]
    agreement: Mapping[str, Mapping[str, tuple[float, float]]]
    labels: Mapping[str, str | None]

    def usual(self) -> dict[str, tuple[float, float]]:
        """The mean agreement on correct round trips, by metric: labelled correct, or unlabelled and not flagged."""
        right = [
            words
            for words, label in self.labels.items()
            if label == "correct" or not (label or self.rows[words]["flagged"])
        ]
        return {metric: _mean([pairs[words] for words in right]) for metric, pairs in self.agreement.items() if right}

    def blamed(self, usual: Mapping[str, tuple[float, float]]) -> Iterator[Blamed]:
        """Every flagged round trip, the worst first."""
        for words, row in sorted(self.rows.items(), key=lambda pair: -float(pair[1]["suspicion"])):
            if row["flagged"]:
                agreement = {metric: by_text[words] for metric, by_text in self.agreement.items()}
                forward, backward = ({metric: pair[trip] for metric, pair in agreement.items()} for trip in (0, 1))
                trips = {metric: blamed_trip(pair, usual[metric]) for metric, pair in agreement.items()}
                yield Blamed(row, forward, backward, trips, _WRONG.get(self.labels[words] or ""))


def _system(
    record: RunRecord,
    own: Mapping[str, Row],
    rivals: Sequence[Mapping[str, Row]],
    labels: Mapping[str, Sequence[Label]],
    metrics: Sequence[str],
) -> _System:
    answers = {words: [rival[words] for rival in rivals if words in rival] for words in own}
    rows = {words: row for words, row in own.items() if len(answers[words]) >= FEWEST - 1}
    agreement = {
        metric: {words: _agreement(metric, row, answers[words]) for words, row in rows.items()} for metric in metrics
    }
    return _System(record, rows, agreement, {words: _labelled(row, labels) for words, row in rows.items()})


def _usual_rows(system: _System, usual: Mapping[str, tuple[float, float]]) -> Iterator[Usual]:
    for metric, correct in usual.items():
        wrong = {trip: _wrong(system, metric, correct, trip) for trip in _TRIPS}
        yield Usual(system.record.id, system.record.system, metric, *correct, wrong)


def _wrong(system: _System, metric: str, usual: tuple[float, float], trip: Trip) -> Wrong:
    labelled = [words for words, label in system.labels.items() if _WRONG.get(label or "") == trip]
    pairs = [system.agreement[metric][words] for words in labelled]
    right = sum(blamed_trip(pair, usual) == trip for pair in pairs)
    return Wrong(len(pairs), right, *(_mean(pairs) if pairs else ()))


def _agreement(metric: str, row: Row, rivals: Sequence[Row]) -> tuple[float, float]:
    """The mean similarity of a translation, and of its back-translation, to those of other systems."""
    forward, backward = (
        fmean(similarity(metric, Text(**rival[role]), Text(**row[role])) for rival in rivals)
        for role in ("source_output", "follow_up_output")
    )
    return forward, backward


def _mean(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    forward, backward = zip(*pairs, strict=True)
    return fmean(forward), fmean(backward)


def blamed_trip(agreement: tuple[float, float], usual: tuple[float, float]) -> TripVerdict:
    """The trip on which the agreement has fallen at least as much as on the other one.

    >>> blamed_trip((0.39, 0.66), usual=(0.50, 0.64)), blamed_trip((0.42, 0.54), usual=(0.50, 0.64))
    ('forward', 'backward')
    """
    forward, backward = (before - now for before, now in zip(usual, agreement, strict=True))
    if max(forward, backward) <= _NOTHING:
        return "untold"
    return "forward" if forward >= backward else "backward"


def _labelled(row: Row, labels: Mapping[str, Sequence[Label]]) -> str | None:
    """The label of these outputs: `correct`, or the wrong side; None if people differ or say neither."""
    judged = [label for label in labels.get(row["case"], ()) if label.outputs == outputs_of(row)]
    opinions = {label.wrong if label.verdict == "error" else label.verdict for label in judged} - {"", "bad test"}
    return opinions.pop() if len(opinions) == 1 else None
