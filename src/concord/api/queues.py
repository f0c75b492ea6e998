"""Labelling case by case: queues, labels, undo and redo, and agreement."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.errors import UserError
from concord.labels.desk import (
    LabellingDesk,
    QueueProgress,
    Turn,
    check_unchanged,
    checked_name,
    labelling_desk,
    queue_progress,
    queue_turn,
    with_labels,
)
from concord.labels.labels import CATEGORIES, KINDS, SEVERITIES, SIDES, Label, Labels, Undone
from concord.labels.queues import LARGEST, Queue, Samples
from concord.labels.sheets import LONGEST_NAME, LONGEST_TEXT, SheetReader
from concord.model import ROLES
from concord.runs.select import Chosen, select
from concord.store import Workspace
from concord.store.case_prefix import full_key
from concord.store.label_rows import VERDICTS, outputs_of

if TYPE_CHECKING:  # they bring numpy along
    from concord.labels.agreement import AgreementReport
    from concord.stats.stratified_estimates import Estimates

__all__ = [
    "CATEGORIES", "KINDS", "LARGEST", "LONGEST_NAME", "LONGEST_TEXT", "ROLES", "SEVERITIES", "SIDES", "VERDICTS",
    "Label", "Turn",
    "agreement", "case_turn", "desk", "draw_queue", "enlarge_queue", "estimate", "forget_queue",
    "queue_place", "queues", "redo_label", "say", "turn", "undo_label",
]  # fmt: skip
SIZE = 100


def draw_queue(
    workspace: str | Path, runs: Chosen = (), *, name: str, size: int = SIZE, seed: int = 0, flagged: float = 0.5
) -> Queue:
    """Draw `size` cases of runs to be labelled: a proportion of flagged ones, and the others by bands of suspicion."""
    with Workspace(workspace, create=False) as store:
        numbers = select(store, runs, measured=True)
        return Samples(store).draw(name.strip(), numbers, size=size, seed=seed, flagged=flagged)


def enlarge_queue(workspace: str | Path, name: str, size: int) -> Queue:
    """Draw more cases for a queue, up to this size."""
    with Workspace(workspace, create=False) as store:
        return Samples(store).enlarge(name.strip(), size)


def forget_queue(workspace: str | Path, name: str) -> None:
    """Delete a queue; labels stay."""
    with Workspace(workspace, create=False) as store:
        Samples(store).forget(name.strip())


def queues(workspace: str | Path, *, annotator: str = "") -> list[QueueProgress]:
    """Every queue, the newest first, and how many of its cases are labelled."""
    with Workspace(workspace, create=False) as store:
        return [queue_progress(Samples(store), queue, annotator) for queue in Samples(store).all()]


def turn(workspace: str | Path, name: str, annotator: str, *, place: int | None = None, after: int = 0) -> Turn:
    """The case at `place` of a queue, or the next case after `after` that the annotator has not labelled.

    After the end, the search continues from the beginning, so that skipped cases come again.
    """
    with Workspace(workspace, create=False) as store:
        return queue_turn(store, name, annotator, place, after)


def case_turn(
    workspace: str | Path, case: str, annotator: str, *, run: int | None = None, repetition: int | None = None
) -> Turn:
    """One case, without a queue, and what the annotator said of it."""
    from concord.api.findings import case as found_case

    row = found_case(workspace, case, run=run, repetition=repetition).row
    with Workspace(workspace, create=False) as store:
        return with_labels(store, Turn(row=row), row["case"], outputs_of(row), checked_name(annotator))


def desk(workspace: str | Path, *, annotator: str = "") -> LabellingDesk:
    """The start page of labelling; labels and agreement are those of the latest runs of each kind."""
    with Workspace(workspace, create=False) as store:
        return labelling_desk(store, select(store, ()) if store.runs() else [], annotator)


def say(workspace: str | Path, cells: Mapping[str, Any], *, annotator: str = "", since: str | None = None) -> Label:
    """Store one label: `case`, `judged` (the id of the outputs, if the case has several) and the columns of a sheet.

    The case may be any unambiguous prefix of its key. `since` is the time of the label that this one is to replace,
    empty if there was none: a label that was made in between, as in another window, is an error and so is not lost.
    """
    with Workspace(workspace, create=False) as store:
        labels = Labels(store)
        line = {**cells, "case": full_key(store, str(cells.get("case", "")))}
        label = SheetReader(labels, annotator.strip()).label(line)
        if label is None:
            raise UserError("there is no verdict. Choices: error, correct, bad test")
        if since is not None:
            check_unchanged(labels, label, since)
        labels.save([label])
        return label


def undo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Undone]:
    """Undo what an annotator saved last (a label or, without `single`, a sheet); earlier labels hold again."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).undo(checked_name(annotator), single=single)


def redo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Label]:
    """Redo what an annotator undid last, unless they have labelled something since."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).redo(checked_name(annotator), single=single)


def queue_place(workspace: str | Path, name: str, label: Label) -> int | None:
    """The place of a label's case in a queue; None if the queue does not have it."""
    with Workspace(workspace, create=False) as store:
        drawn = Samples(store).find(Samples(store).get(name), label.case, label.outputs)
        return drawn.place if drawn else None


def agreement(workspace: str | Path, runs: Chosen = (), *, queue: str = "") -> "AgreementReport":
    """The agreement of annotators on the cases of these runs, or of a queue, and the cases on which they disagree."""
    from concord.labels.agreement import measure_agreement, read_verdicts

    with Workspace(workspace, create=False) as store:
        within = Samples(store).get(queue) if queue else None
        verdicts, places = read_verdicts(Labels(store), within.runs if within else select(store, runs))
        if within:
            drawn = {(place.case, place.outputs) for place in Samples(store).places(within)}
            verdicts = {unit: votes for unit, votes in verdicts.items() if unit in drawn}
    return measure_agreement(verdicts, places)


def estimate(workspace: str | Path, name: str, *, annotator: str = "") -> "tuple[Estimates, list[str]]":
    """Estimates of precision, recall, base rate and F for all cases of a queue's runs, and notes on them."""
    from concord.analyses.detection.queue_sample import sampled
    from concord.stats.stratified_estimates import estimates

    with Workspace(workspace, create=False) as store:
        labels = sampled(store, Samples(store).get(name), annotator.strip())
    return estimates(labels.flagged, labels.bug, labels.weight, labels.stratum), list(labels.notes)
