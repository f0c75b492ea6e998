"""Labelling one case after another: queues, what is said, what is taken back, and how far people agree."""

from __future__ import annotations

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
from concord.store.case_prefix import whole_name
from concord.store.label_rows import VERDICTS, outputs_of

if TYPE_CHECKING:  # they bring numpy along
    from concord.analyses.detection.queue_sample import Sampled
    from concord.labels.agreement import AgreementReport
    from concord.stats.stratified_estimates import Estimates

__all__ = [
    "CATEGORIES", "KINDS", "LARGEST", "LONGEST_NAME", "LONGEST_TEXT", "ROLES", "SEVERITIES", "SIDES", "VERDICTS",
    "Label", "Turn",
    "agreement", "annotators", "case_turn", "desk", "draw_queue", "enlarge_queue", "estimate", "forget_queue",
    "queue_labels", "queue_place", "queues", "redo_label", "say", "turn", "undo_label",
]  # fmt: skip
SIZE = 100


def draw_queue(
    workspace: str | Path, runs: Chosen = (), *, name: str, size: int = SIZE, seed: int = 0, flagged: float = 0.5
) -> Queue:
    """Draw cases of runs to be labelled: so many, this part of them flagged ones, the others by bands of suspicion."""
    with Workspace(workspace, create=False) as store:
        return Samples(store).draw(name.strip(), select(store, runs), size=size, seed=seed, flagged=flagged)


def enlarge_queue(workspace: str | Path, name: str, size: int) -> Queue:
    """Draw more cases for a queue, up to this size."""
    with Workspace(workspace, create=False) as store:
        return Samples(store).enlarge(name.strip(), size)


def forget_queue(workspace: str | Path, name: str) -> None:
    """Remove a queue; labels stay."""
    with Workspace(workspace, create=False) as store:
        Samples(store).forget(name.strip())


def queues(workspace: str | Path, *, annotator: str = "") -> list[QueueProgress]:
    """Every queue, the newest first, and how far people are with it."""
    with Workspace(workspace, create=False) as store:
        return [queue_progress(Samples(store), each, annotator) for each in Samples(store).all()]


def turn(workspace: str | Path, name: str, annotator: str, *, place: int | None = None, after: int = 0) -> Turn:
    """The case at a place of a queue, or the next one after it that this person has not judged.

    Past the end it goes on from the beginning: cases that were skipped come again.
    """
    with Workspace(workspace, create=False) as store:
        return queue_turn(store, name, annotator, place, after)


def case_turn(
    workspace: str | Path, case: str, annotator: str, *, run: int | None = None, repetition: int | None = None
) -> Turn:
    """One case by itself before one person."""
    from concord.api.findings import finding

    row = finding(workspace, case, run=run, repetition=repetition).row
    with Workspace(workspace, create=False) as store:
        return with_labels(store, Turn(row=row), row["case"], outputs_of(row), checked_name(annotator))


def desk(workspace: str | Path, *, annotator: str = "") -> LabellingDesk:
    """Where labelling begins; labels and agreement are those of the latest runs of each kind."""
    with Workspace(workspace, create=False) as store:
        return labelling_desk(store, select(store, ()) if store.runs() else [], annotator)


def say(workspace: str | Path, said: Mapping[str, Any], *, annotator: str = "", since: str | None = None) -> Label:
    """Keep one label: `case`, `judged` (the mark of the outputs, where there are several) and what a sheet has.

    The case may be named by as many digits as no other case begins with. `since` is when the label was made that this
    one is to replace, empty if there was none: another that came in between, as from another window, is not lost.
    """
    with Workspace(workspace, create=False) as store:
        labels = Labels(store)
        named = {**said, "case": whole_name(store, str(said.get("case", "")))}
        made = SheetReader(labels, annotator.strip()).label(named)
        if made is None:
            raise UserError("there is no verdict. Choices: error, correct, bad test")
        if since is not None:
            check_unchanged(labels, made, since)
        labels.save([made])
        return made


def undo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Undone]:
    """Take back what a person saved last (a label or, without `single`, a sheet); what was before holds again."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).undo(checked_name(annotator), single=single)


def redo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Label]:
    """Say again what a person took back last, unless they have said something else since."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).redo(checked_name(annotator), single=single)


def queue_place(workspace: str | Path, name: str, label: Label) -> int | None:
    """Where the case of a label stands in a queue, if it is in it."""
    with Workspace(workspace, create=False) as store:
        found = Samples(store).find(Samples(store).get(name), label.case, label.outputs)
        return found.place if found else None


def annotators(workspace: str | Path) -> list[str]:
    """Everybody who has labelled anything."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).annotators()


def agreement(workspace: str | Path, runs: Chosen = (), *, queue: str = "") -> AgreementReport:
    """How far people agree on the cases of these runs, or of a queue, and which cases they do not agree on."""
    from concord.labels.agreement import measure_agreement, read_verdicts

    with Workspace(workspace, create=False) as store:
        within = Samples(store).get(queue) if queue else None
        said, places = read_verdicts(Labels(store), within.runs if within else select(store, runs))
        if within:
            wanted = {(place.case, place.outputs) for place in Samples(store).places(within)}
            said = {unit: verdicts for unit, verdicts in said.items() if unit in wanted}
    return measure_agreement(said, places)


def queue_labels(workspace: str | Path, name: str, *, annotator: str = "") -> Sampled:
    """The decided cases of a queue with their weights, as arrays."""
    from concord.analyses.detection.queue_sample import sampled

    with Workspace(workspace, create=False) as store:
        return sampled(store, Samples(store).get(name), annotator.strip())


def estimate(workspace: str | Path, name: str, *, annotator: str = "") -> tuple[Estimates, list[str]]:
    """Precision, recall, base rate and F of what was flagged, for all cases of a queue's runs; and what to know."""
    from concord.stats.stratified_estimates import estimates

    found = queue_labels(workspace, name, annotator=annotator)
    return estimates(found.flagged, found.bug, found.weight, found.stratum), list(found.notes)
