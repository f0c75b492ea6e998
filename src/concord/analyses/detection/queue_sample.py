"""The labelled cases of a queue as arrays: which are flagged, which are bugs, and the weight of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concord.analyses.detection.labelled_rows import VERDICTS
from concord.labels.labels import Labels
from concord.labels.majority import verdict
from concord.labels.queues import Queue, Samples
from concord.plural import plural
from concord.stats.detection import Booleans, Floats, Integers
from concord.store import Workspace


@dataclass(frozen=True, slots=True)
class Sampled:
    """Decided cases of a queue. `weight` is how many cases of its stratum each represents; a bad test is no bug.

    `notes` say what is left out, and how many cases are in strata without a decided label, which allow no estimate.
    """

    flagged: Booleans
    bug: Booleans
    weight: Floats
    stratum: Integers
    notes: Sequence[str]


def sampled(store: Workspace, queue: Queue, annotator: str = "") -> Sampled:
    """The decided cases of a queue, by all annotators or by one.

    A queue is in random order, so the labelled cases of a stratum are a random sample of it, even if labelling is
    unfinished.
    """
    samples, labels = Samples(store), Labels(store).of_runs(queue.runs)
    rows, left = [], Counter[str]()
    order = {(stratum.run, stratum.band): number for number, stratum in enumerate(queue.strata)}
    for entry in samples.places(queue):
        of_case = [label for label in labels.get(entry.case, ()) if annotator in ("", label.annotator)]
        outcome = verdict(of_case, entry.outputs).verdict
        row = samples.row(entry) if outcome in VERDICTS else None
        if row is None or (entry.run, entry.band) not in order:
            left[outcome if outcome not in VERDICTS else "gone"] += 1
            continue
        rows.append(((entry.run, entry.band), row["flagged"], VERDICTS[outcome]))
    decided = Counter(stratum for stratum, *_ in rows)
    weights = {(s.run, s.band): s.population / decided[s.run, s.band] for s in queue.strata if decided[s.run, s.band]}
    return Sampled(
        flagged=np.array([flagged for _, flagged, _ in rows], dtype=bool),
        bug=np.array([bug for _, _, bug in rows], dtype=bool),
        weight=np.array([weights[stratum] for stratum, *_ in rows], dtype=np.float64),
        stratum=np.array([order[stratum] for stratum, *_ in rows], dtype=np.int64),
        notes=_notes(queue, left, decided),
    )


def _notes(queue: Queue, left: Counter[str], decided: Counter[tuple[int, int]]) -> list[str]:
    words = {"": "not labelled yet", "undecided": "undecided", "gone": "no longer as drawn"}
    notes = [f"{count:,} of {plural(queue.size, 'case')} left out: {words[why]}" for why, count in sorted(left.items())]
    empty = [stratum for stratum in queue.strata if not decided[stratum.run, stratum.band]]
    if empty:
        cases = plural(sum(stratum.population for stratum in empty), "case")
        notes.append(
            plural(
                len(empty),
                f"stratum, with {cases}, has no decided label; the estimates are without it",
                f"strata, with {cases}, have no decided label; the estimates are without them",
            )
        )
    return notes
