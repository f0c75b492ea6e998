"""Notes for runs whose comparator was fitted to labels: measures on the same labels are too good."""

import re
from collections.abc import Sequence

from concord.language.codes import direction
from concord.plural import plural
from concord.store import RunRecord, Workspace
from concord.store.comparators import Comparators


def taught(run: RunRecord) -> list[str]:
    """The names of the fitted comparators in a run's signature; each has a scale of its own."""
    return re.findall(r"\+fitted@\w+", run.signature)


def taught_notes(store: Workspace, runs: Sequence[RunRecord]) -> list[str]:
    """A note on each comparator that judged these runs and was fitted to labels of their kind.

    It has seen such labels, so measures on them are better than those on new cases would be.
    """
    notes = dict[str, None]()
    for run in runs:
        comparator = Comparators(store).get(run.relation, (run.source, run.target)) if taught(run) else None
        if comparator and f"+{comparator.name}" in taught(run):
            kind = f"{comparator.relation} {direction(*comparator.direction)}"
            note = (
                f"the labels that these figures rest on have taught {comparator.name}, as far as they were among the"
                f" {plural(comparator.labels, 'labelled case')} of {kind} that it learnt from, and flatter it: on cases"
                f" that it had not seen its AUC was {comparator.area:.3f}"
            )
            notes[note] = None
    return list(notes)
