"""The desk of whoever labels: the case before them, the queues, who else labels, and labels that are stale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.labels.queues import Queue, QueuePlace, Samples
from concord.labels.sheets import LONGEST_NAME
from concord.store import RunRecord, Workspace
from concord.store.hashes import outputs_id
from concord.store.label_rows import outputs_of

if TYPE_CHECKING:  # it brings numpy along
    from concord.labels.agreement import Agreed, Places, Verdicts

SHOWN = 50
"""So many stale labels are shown where labelling begins."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A queue, and of how many of its cases this person, and anybody, has said something."""

    queue: Queue
    annotator: str
    said: int
    said_by_anybody: int

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        queue = self.queue
        facts = {name: getattr(queue, name) for name in ("name", "size", "population", "runs", "seed", "flagged")}
        said = {"annotator": self.annotator, "said": self.said, "said_by_anybody": self.said_by_anybody}
        return {**facts, "created": queue.created, **said, "strata": [asdict(each) for each in queue.strata]}


@dataclass(frozen=True, slots=True)
class Turn:
    """A case of a queue before one person: the row, what this person said of it, and how far they are.

    `place` and `row` are None when there is nothing left to say; a row alone is None if its case is no longer as it
    was drawn. A case that is looked up by itself has neither `reached` nor `place`. `others` are other people's words,
    and are only there once this person has spoken. `before` are this person's words on other outputs of the case.
    `taken_back` is how many labels `redo_label` would bring back.
    """

    reached: Reached | None = None
    place: QueuePlace | None = None
    row: dict[str, Any] | None = None
    label: Label | None = None
    others: tuple[Label, ...] = ()
    before: tuple[Label, ...] = ()
    taken_back: int = 0

    @property
    def judged(self) -> str:
        """The mark of the outputs that are before this person; empty where there is no case."""
        return outputs_id(outputs_of(self.row)) if self.row else ""


def queue_turn(store: Workspace, name: str, annotator: str, place: int | None, after: int) -> Turn:
    """The case at a place of a queue, or the next one after it that this person has not judged."""
    samples = Samples(store)
    queue = samples.named(name)
    who = checked_name(annotator)
    progress = reached(samples, queue, who)
    if place is not None:
        found = samples.at(queue, place)
        if found is None:
            raise UserError(f"the queue '{name}' has cases 1 to {queue.size:,}, and no {place}")
    else:
        found = samples.next(queue, who, after) or samples.next(queue, who)
    if found is None:
        return Turn(progress, taken_back=Labels(store).taken_back(who))
    return with_labels(store, Turn(progress, found, samples.row(found)), found.case, found.outputs, who)


def reached(samples: Samples, queue: Queue, annotator: str) -> Reached:
    """How far this person, and anybody, is with a queue."""
    said = samples.said(queue, annotator) if annotator else 0
    return Reached(queue, annotator, said, samples.said(queue))


def with_labels(store: Workspace, made: Turn, case: str, outputs: str, annotator: str) -> Turn:
    """The turn with what was said of the case; other people's words only for whoever has spoken."""
    labels = Labels(store).of_case(case)
    mine = [each for each in labels if each.annotator == annotator]
    label = next((each for each in mine if each.outputs == outputs), None)
    others = [each for each in labels if each.outputs == outputs and each.annotator != annotator]
    before = tuple(each for each in mine if each.outputs != outputs)
    again = Labels(store).taken_back(annotator)
    return replace(made, label=label, others=tuple(others) if label else (), before=before, taken_back=again)


def checked_name(annotator: str) -> str:
    """The name of somebody who labels, without blanks around it."""
    name = annotator.strip()
    if not name or len(name) > LONGEST_NAME:
        raise UserError(f"say who you are: a name of at most {LONGEST_NAME} characters")
    return name


def check_unchanged(labels: Labels, made: Label, since: str) -> None:
    """Refuse a label where this person has judged the case after `since`, as in another window."""
    for each in labels.of_case(made.case):
        if (each.annotator, each.outputs) == (made.annotator, made.outputs) and each.created != since:
            raise UserError(
                f"you have said '{each.verdict}' of this case meanwhile, in another window. Look at it again"
            )


@dataclass(frozen=True, slots=True)
class LabellingDesk:
    """What somebody who is going to label wants to see: queues, who else labels, agreement, labels that are stale.

    `labels` counts each label for every run that has its case; `stale_labels` those of outputs that it lacks there, and
    `stale` are the first of these. `taken_back` is how many labels `redo_label` would bring back.
    """

    runs: list[RunRecord]
    queues: list[Reached]
    annotators: list[str]
    agreed: Agreed | None
    labels: int
    stale: list[Stale]
    stale_labels: int = 0
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Stale:
    """A label of outputs that its case does not have in a run, and where the case stands there."""

    case: str
    run: int
    position: int
    repetition: int
    annotator: str
    verdict: str
    segment: str = ""


def labelling_desk(store: Workspace, runs: Sequence[int], annotator: str) -> LabellingDesk:
    """What there is to label and what was said of the cases of these runs."""
    from concord.labels.agreement import agreed, read_verdicts

    samples, labels = Samples(store), Labels(store)
    said, places = read_verdicts(labels, runs)
    count, stale = _stale(said, places)
    first = [replace(each, segment=_segment(store, each)) for each in stale[:SHOWN]]
    queues = [reached(samples, each, annotator) for each in samples.all()]
    names = labels.annotators()
    agreement = agreed(said, places) if len(names) > 1 and runs else None
    again = labels.taken_back(annotator)
    return LabellingDesk(store.runs(), queues, names, agreement, count, first, len(stale), again)


def _stale(said: Verdicts, places: Places) -> tuple[int, list[Stale]]:
    """How many labels there are of the cases of each run, and those of outputs that the case nowhere has there."""
    count, stale = 0, []
    for run, cases in places.items():
        for (case, outputs), verdicts in said.items():
            if case not in cases:
                continue
            count += len(verdicts)
            if outputs not in cases[case]:
                position, repetition, _ = min(cases[case].values())
                stale += [Stale(case, run, position, repetition, *item) for item in verdicts.items()]
    return count, sorted(stale, key=lambda each: (each.run, each.position))


def _segment(store: Workspace, label: Stale) -> str:
    query = "SELECT segment FROM checks WHERE run = ? AND position = ? AND repetition = ?"
    (found,) = store.first(query, (label.run, label.position, label.repetition)) or ("",)
    return str(found)
