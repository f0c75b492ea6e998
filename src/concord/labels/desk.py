"""What an annotator sees while labelling: the current case, the queues, the other annotators, and stale labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.labels.queues import Queue, QueuePlace, Samples
from concord.labels.sheets import LONGEST_NAME
from concord.store import RunRecord, Workspace
from concord.store.case_keys import outputs_id
from concord.store.label_rows import outputs_of

if TYPE_CHECKING:  # it brings numpy along
    from concord.labels.agreement import AgreementReport, Places, Verdicts

LISTED_STALE = 50
"""How many stale labels the page where labelling begins lists."""


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """A queue, and how many of its cases this annotator has labelled, and how many anybody has."""

    queue: Queue
    annotator: str
    labelled: int
    labelled_by_anybody: int

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        queue = self.queue
        facts = {name: getattr(queue, name) for name in ("name", "size", "population", "runs", "seed", "flagged")}
        counts = {"annotator": self.annotator, "said": self.labelled, "said_by_anybody": self.labelled_by_anybody}
        return {**facts, "created": queue.created, **counts, "strata": [asdict(stratum) for stratum in queue.strata]}


@dataclass(frozen=True, slots=True)
class Turn:
    """A case shown to one annotator for labelling: the row, this annotator's label, and their progress in the queue.

    `place` and `row` are None when no case is left to label; `row` alone is None if its case has changed since it was
    drawn. A case that is looked up by itself has neither `progress` nor `place`. `other_labels` are other people's
    labels; they are empty until this annotator has labelled the case. `before` are this annotator's labels of other
    outputs of the case. `taken_back` is how many labels `redo_label` would bring back.
    """

    progress: QueueProgress | None = None
    place: QueuePlace | None = None
    row: dict[str, Any] | None = None
    label: Label | None = None
    other_labels: tuple[Label, ...] = ()
    before: tuple[Label, ...] = ()
    taken_back: int = 0

    @property
    def judged(self) -> str:
        """The hash of the outputs that this annotator sees; empty where there is no case."""
        return outputs_id(outputs_of(self.row)) if self.row else ""


def queue_turn(store: Workspace, name: str, annotator: str, place: int | None, after: int) -> Turn:
    """The case at a place of a queue, or the next one after it that this annotator has not labelled."""
    samples = Samples(store)
    queue = samples.get(name)
    who = checked_name(annotator)
    progress = queue_progress(samples, queue, who)
    if place is not None:
        entry = samples.entry_at(queue, place)
        if entry is None:
            raise UserError(f"the queue '{name}' has cases 1 to {queue.size:,}, and no {place}")
    else:
        entry = samples.next(queue, who, after) or samples.next(queue, who)
    if entry is None:
        return Turn(progress, taken_back=Labels(store).taken_back(who))
    return with_labels(store, Turn(progress, entry, samples.row(entry)), entry.case, entry.outputs, who)


def queue_progress(samples: Samples, queue: Queue, annotator: str) -> QueueProgress:
    """How many cases of a queue this annotator, and anybody, has labelled."""
    labelled = samples.labelled(queue, annotator) if annotator else 0
    return QueueProgress(queue, annotator, labelled, samples.labelled(queue))


def with_labels(store: Workspace, turn: Turn, case: str, outputs: str, annotator: str) -> Turn:
    """The turn with the labels of its case; other people's labels only once this annotator has given theirs."""
    labels = Labels(store).of_case(case)
    mine = [label for label in labels if label.annotator == annotator]
    current = next((label for label in mine if label.outputs == outputs), None)
    theirs = tuple(label for label in labels if label.outputs == outputs and label.annotator != annotator)
    before = tuple(label for label in mine if label.outputs != outputs)
    taken_back = Labels(store).taken_back(annotator)
    return replace(turn, label=current, other_labels=theirs if current else (), before=before, taken_back=taken_back)


def checked_name(annotator: str) -> str:
    """The annotator's name without surrounding blanks. UserError if it is empty or too long."""
    name = annotator.strip()
    if not name or len(name) > LONGEST_NAME:
        raise UserError(f"say who you are: a name of at most {LONGEST_NAME} characters")
    return name


def check_unchanged(labels: Labels, new: Label, since: str) -> None:
    """Refuse a label if this annotator has labelled the case after `since`, as in another window."""
    for label in labels.of_case(new.case):
        if (label.annotator, label.outputs) == (new.annotator, new.outputs) and label.created != since:
            raise UserError(
                f"you have said '{label.verdict}' of this case meanwhile, in another window. Look at it again"
            )


@dataclass(frozen=True, slots=True)
class LabellingDesk:
    """What an annotator needs before labelling: the queues, all annotators, their agreement, and stale labels.

    `labels` counts each label once for every run that has its case; `stale_labels` counts those whose outputs the run
    does not have, and `stale` are the first of them. `taken_back` is how many labels `redo_label` would bring back.
    """

    runs: list[RunRecord]
    queues: list[QueueProgress]
    annotators: list[str]
    agreement: AgreementReport | None
    labels: int
    stale: list[Stale]
    stale_labels: int = 0
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Stale:
    """A label of outputs that its case does not have in a run, and the place of the case in that run."""

    case: str
    run: int
    position: int
    repetition: int
    annotator: str
    verdict: str
    segment: str = ""


def labelling_desk(store: Workspace, runs: Sequence[int], annotator: str) -> LabellingDesk:
    """The queues of a workspace, and the labels of the cases of these runs."""
    from concord.labels.agreement import measure_agreement, read_verdicts

    samples, labels = Samples(store), Labels(store)
    verdicts, places = read_verdicts(labels, runs)
    count, stale = _stale(verdicts, places)
    first = [replace(label, segment=_segment(store, label)) for label in stale[:LISTED_STALE]]
    queues = [queue_progress(samples, queue, annotator) for queue in samples.all()]
    names = labels.annotators()
    agreement = measure_agreement(verdicts, places) if len(names) > 1 and runs else None
    taken_back = labels.taken_back(annotator)
    return LabellingDesk(store.runs(), queues, names, agreement, count, first, len(stale), taken_back)


def _stale(verdicts_of: Verdicts, places: Places) -> tuple[int, list[Stale]]:
    """The number of labels of the cases of each run, and the labels whose outputs the run does not have."""
    count, stale = 0, []
    for run, cases in places.items():
        for (case, outputs), verdicts in verdicts_of.items():
            if case not in cases:
                continue
            count += len(verdicts)
            if outputs not in cases[case]:
                position, repetition, _ = min(cases[case].values())
                stale += [Stale(case, run, position, repetition, *verdict) for verdict in verdicts.items()]
    return count, sorted(stale, key=lambda label: (label.run, label.position))


def _segment(store: Workspace, label: Stale) -> str:
    query = "SELECT segment FROM checks WHERE run = ? AND position = ? AND repetition = ?"
    (segment,) = store.first(query, (label.run, label.position, label.repetition)) or ("",)
    return str(segment)
