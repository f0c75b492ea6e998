"""What labels have taught the comparison of a run, and what that does to figures on the same labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from concord.language.codes import direction
from concord.plural import plural
from concord.store import RunRecord, Workspace
from concord.store.comparators import Comparator, Comparators


def taught(run: RunRecord) -> list[str]:
    """The names of what labels have taught a comparator, which changes the scale as well."""
    return re.findall(r"\+fitted@\w+", run.signature)


def taught_notes(store: Workspace, runs: Sequence[RunRecord]) -> list[str]:
    """A word on each comparator that judged these runs and that labels of their kind have taught.

    It has seen such labels with their verdicts, so what they say of its runs is better than what new cases would say.
    """
    known = [each for run in runs if taught(run) and (each := _teaching(store, run))]
    return list(dict.fromkeys(map(_flattered, known)))


def _teaching(store: Workspace, run: RunRecord) -> Comparator | None:
    found = Comparators(store).get(run.relation, (run.source, run.target))
    return found if found and f"+{found.name}" in taught(run) else None


def _flattered(found: Comparator) -> str:
    of = f"{found.relation} {direction(*found.direction)}"
    return (
        f"the labels that these figures rest on have taught {found.name}, as far as they were among the"
        f" {plural(found.labels, 'labelled case')} of {of} that it learnt from, and flatter it: on cases that it had"
        f" not seen its AUC was {found.area:.3f}"
    )
