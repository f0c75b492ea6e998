"""Labelling one case after another: queues, what is said, what is taken back, and how far people agree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.errors import UserError
from concord.labels.labels import Label, Labels, Undone
from concord.labels.sheets import LONGEST_NAME, Reader
from concord.runs.select import Chosen, select
from concord.store import RunRecord, Workspace
from concord.store.case_prefix import whole_name
from concord.store.label_rows import outputs_of

if TYPE_CHECKING:  # they bring numpy along
    from concord.analyses.detection.queue_sample import Sampled
    from concord.labels.agreement import Agreement
    from concord.labels.queues import Place, Queue
    from concord.stats.stratified_estimates import Estimates

SIZE = 100
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
    place: Place | None = None
    row: dict[str, Any] | None = None
    label: Label | None = None
    others: tuple[Label, ...] = ()
    before: tuple[Label, ...] = ()
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Desk:
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


@dataclass(frozen=True, slots=True)
class Disputed:
    """A case on which people disagree: what they judged, who says what, and a run that has the case so, if one has."""

    case: str
    judged: str
    verdicts: Mapping[str, str]
    run: int | None = None
    repetition: int | None = None

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs that were judged, by role."""
        return _texts(self.judged)

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        where = {"run": self.run, "repetition": self.repetition}
        return {"case": self.case, "outputs": self.outputs, "verdicts": dict(self.verdicts), **where}


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far people agree, and where they do not."""

    agreement: Agreement
    disputed: tuple[Disputed, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        made = asdict(self.agreement)
        return made | {"disputed": [each.plain() for each in self.disputed]}


def draw_queue(
    workspace: str | Path, runs: Chosen = (), *, name: str, size: int = SIZE, seed: int = 0, flagged: float = 0.5
) -> Queue:
    """Draw cases of runs to be labelled: so many, this part of them flagged ones, the others by bands of suspicion."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        return Samples(store).draw(name.strip(), select(store, runs), size=size, seed=seed, flagged=flagged)


def enlarge_queue(workspace: str | Path, name: str, size: int) -> Queue:
    """Draw more cases for a queue, up to this size."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        return Samples(store).enlarge(name.strip(), size)


def forget_queue(workspace: str | Path, name: str) -> None:
    """Remove a queue; labels stay."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        Samples(store).forget(name.strip())


def queues(workspace: str | Path, *, annotator: str = "") -> list[Reached]:
    """Every queue, the newest first, and how far people are with it."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        return [_reached(Samples(store), each, annotator) for each in Samples(store).all()]


def turn(workspace: str | Path, name: str, annotator: str, *, place: int | None = None, after: int = 0) -> Turn:
    """The case at a place of a queue, or the next one after it that this person has not judged.

    Past the end it goes on from the beginning: cases that were skipped come again.
    """
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        samples = Samples(store)
        queue = samples.named(name)
        who = _named(annotator)
        reached = _reached(samples, queue, who)
        if place is not None:
            found = samples.at(queue, place)
            if found is None:
                raise UserError(f"the queue '{name}' has cases 1 to {queue.size:,}, and no {place}")
        else:
            found = samples.next(queue, who, after) or samples.next(queue, who)
        if found is None:
            return Turn(reached, taken_back=Labels(store).taken_back(who))
        return _turn(store, reached, found)


def case_turn(
    workspace: str | Path, case: str, annotator: str, *, run: int | None = None, repetition: int | None = None
) -> Turn:
    """One case by itself before one person."""
    from concord.api.findings import finding

    row = finding(workspace, case, run=run, repetition=repetition).row
    with Workspace(workspace, create=False) as store:
        return _said(store, Turn(row=row), row["case"], outputs_of(row), _named(annotator))


def desk(workspace: str | Path, *, annotator: str = "") -> Desk:
    """Where labelling begins; labels and agreement are those of the latest runs of each kind."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        samples, labels, runs = Samples(store), Labels(store), store.runs()
        chosen = select(store, ()) if runs else []
        said, places = _read(labels, chosen)
        count, stale = _stale(said, places)
        first = [replace(each, segment=_segment(store, each)) for each in stale[:SHOWN]]
        reached = [_reached(samples, each, annotator) for each in samples.all()]
        names, again = labels.annotators(), labels.taken_back(annotator)
    agreed = _agreed(said, places) if len(names) > 1 and chosen else None
    return Desk(runs, reached, names, agreed, count, first, len(stale), again)


def say(workspace: str | Path, said: Mapping[str, Any], *, annotator: str = "", since: str | None = None) -> Label:
    """Keep one label: `case`, `judged` (the mark of the outputs, where there are several) and what a sheet has.

    The case may be named by as many digits as no other case begins with. `since` is when the label was made that this
    one is to replace, empty if there was none: another that came in between, as from another window, is not lost.
    """
    with Workspace(workspace, create=False) as store:
        labels = Labels(store)
        named = {**said, "case": whole_name(store, str(said.get("case", "")))}
        made = Reader(labels, annotator.strip()).label(named)
        if made is None:
            raise UserError("there is no verdict. Choices: error, correct, bad test")
        if since is not None:
            _unchanged(labels, made, since)
        labels.save([made])
        return made


def _unchanged(labels: Labels, made: Label, since: str) -> None:
    for each in labels.of_case(made.case):
        if (each.annotator, each.outputs) == (made.annotator, made.outputs) and each.created != since:
            raise UserError(
                f"you have said '{each.verdict}' of this case meanwhile, in another window. Look at it again"
            )


def undo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Undone]:
    """Take back what a person saved last (a label or, without `single`, a sheet); what was before holds again."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).undo(_named(annotator), single=single)


def redo_label(workspace: str | Path, annotator: str, *, single: bool = False) -> list[Label]:
    """Say again what a person took back last, unless they have said something else since."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).redo(_named(annotator), single=single)


def queue_place(workspace: str | Path, name: str, label: Label) -> int | None:
    """Where the case of a label stands in a queue, if it is in it."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        found = Samples(store).of(Samples(store).named(name), label.case, label.outputs)
        return found.place if found else None


def annotators(workspace: str | Path) -> list[str]:
    """Everybody who has labelled anything."""
    with Workspace(workspace, create=False) as store:
        return Labels(store).annotators()


def agreement(workspace: str | Path, runs: Chosen = (), *, queue: str = "") -> Agreed:
    """How far people agree on the cases of these runs, or of a queue, and which cases they do not agree on."""
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        within = Samples(store).named(queue) if queue else None
        chosen = within.runs if within else select(store, runs)
        said, places = _read(Labels(store), chosen)
        if within:
            wanted = {(each.case, each.outputs) for each in Samples(store).places(within)}
            said = {unit: verdicts for unit, verdicts in said.items() if unit in wanted}
    return _agreed(said, places)


def queue_labels(workspace: str | Path, name: str, *, annotator: str = "") -> Sampled:
    """The decided cases of a queue with their weights, as arrays."""
    from concord.analyses.detection.queue_sample import sampled
    from concord.labels.queues import Samples

    with Workspace(workspace, create=False) as store:
        return sampled(store, Samples(store).named(name), annotator.strip())


def estimate(workspace: str | Path, name: str, *, annotator: str = "") -> tuple[Estimates, list[str]]:
    """Precision, recall, base rate and F of what was flagged, for all cases of a queue's runs; and what to know."""
    from concord.stats.stratified_estimates import estimates

    found = queue_labels(workspace, name, annotator=annotator)
    return estimates(found.flagged, found.bug, found.weight, found.stratum), list(found.notes)


_Said = Mapping[tuple[str, str], Mapping[str, str]]
"""Verdicts by annotator, for each case and its outputs."""
_Places = Mapping[int, Mapping[str, Mapping[str, tuple[int, ...]]]]
"""By run, case and outputs: where the case stands in the run with these outputs."""


def _read(labels: Labels, runs: Sequence[int]) -> tuple[_Said, _Places]:
    """What is said of the cases of these runs, whichever outputs of them."""
    places = {run: labels.places(run) for run in runs}
    known = {case for cases in places.values() for case in cases}
    return {unit: verdicts for unit, verdicts in labels.verdicts().items() if unit[0] in known}, places


def _agreed(said: _Said, places: _Places) -> Agreed:
    from concord.labels import agreement as stats

    found = stats.agreement(said)
    disputed = set(found.disputed)
    return Agreed(found, tuple(_disputed(unit, said[unit], places) for unit in said if unit in disputed))


def _disputed(unit: tuple[str, str], verdicts: Mapping[str, str], places: _Places) -> Disputed:
    case, outputs = unit
    for run, cases in places.items():
        if where := cases.get(case, {}).get(outputs):
            return Disputed(case, outputs, verdicts, run, where[1])
    return Disputed(case, outputs, verdicts)


def _stale(said: _Said, places: _Places) -> tuple[int, list[Stale]]:
    """How many labels there are of the cases of each run, and those of outputs that the case nowhere has there."""
    count, stale = 0, []
    for run, cases in places.items():
        for (case, outputs), verdicts in said.items():
            if case not in cases:
                continue
            count += len(verdicts)
            if outputs not in cases[case]:
                position, repetition, _ = min(cases[case].values())
                stale += [Stale(case, run, position, repetition, *each) for each in verdicts.items()]
    return count, sorted(stale, key=lambda each: (each.run, each.position))


def _segment(store: Workspace, label: Stale) -> str:
    query = "SELECT segment FROM checks WHERE run = ? AND position = ? AND repetition = ?"
    (found,) = store.one(query, (label.run, label.position, label.repetition)) or ("",)
    return str(found)


def _reached(samples: Any, queue: Queue, annotator: str) -> Reached:
    said = samples.said(queue, annotator) if annotator else 0
    return Reached(queue, annotator, said, samples.said(queue))


def _turn(store: Workspace, reached: Reached, place: Place) -> Turn:
    from concord.labels.queues import Samples

    made = Turn(reached, place, Samples(store).row(place))
    return _said(store, made, place.case, place.outputs, reached.annotator)


def _said(store: Workspace, made: Turn, case: str, outputs: str, annotator: str) -> Turn:
    """The turn with what was said of the case; other people's words only for whoever has spoken."""
    labels = Labels(store).of_case(case)
    mine = [each for each in labels if each.annotator == annotator]
    label = next((each for each in mine if each.outputs == outputs), None)
    others = [each for each in labels if each.outputs == outputs and each.annotator != annotator]
    before = tuple(each for each in mine if each.outputs != outputs)
    again = Labels(store).taken_back(annotator)
    return replace(made, label=label, others=tuple(others) if label else (), before=before, taken_back=again)


def _named(annotator: str) -> str:
    name = annotator.strip()
    if not name or len(name) > LONGEST_NAME:
        raise UserError(f"say who you are: a name of at most {LONGEST_NAME} characters")
    return name


def _texts(outputs: str) -> dict[str, str]:
    try:
        found = json.loads(outputs)
    except ValueError:
        return {}
    return {str(role): str(words) for role, words in found.items()} if isinstance(found, dict) else {}
