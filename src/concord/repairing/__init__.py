"""Repair: of translations that disagree, the odd one is mended after the others (TransRepair, Sun et al., ICSE 2020).

The sentence and its mutants, each with one word replaced, should be translated alike. Where two disagree, the one
that agrees less with all the others (or that the model itself holds to be less probable) is taken for the odd one.
Another translation, the best first, lends its wording: the words that translate its own replaced word give way to
those that stand for that word in the odd translation. What comes out is offered if it passes the test that failed.

Nothing is translated: everything is in the rows of a run. Which words translate which is learnt from the run's own
pairs. With more mutants of each sentence (`count=3`) it is clearer which translation is the odd one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Literal

from concord.errors import UserError
from concord.relations._set_aside import Cut, Measure, compared, measure
from concord.repairing.mending import Forms, Mender, Repair, Repairs, Suspect
from concord.repairing.versions import Family, Version
from concord.store import RunRecord, Workspace
from concord.text.align import Model, fit

__all__ = ["By", "Family", "Forms", "Mender", "Repair", "Repairs", "Version", "repairs"]

By = Literal["agreement", "probability"]
RELATIONS = ("transrepair", "cat")
NOTED = "log_probability"
"""Under this name an adapter notes how probable its model holds an answer to be."""


def repairs(store: Workspace, run: RunRecord, by: By = "agreement", forms: Forms | None = None) -> Repairs:
    """What can be offered for the violated cases of a run.

    `forms` analyses a translation, so that no word takes the place of one of another gender or number.
    """
    if run.relation not in RELATIONS:
        raise UserError(f"run {run.id} is of {run.relation}; repair is for runs of {' and '.join(RELATIONS)}")
    rows = [row for row in store.rows([run.id]) if not row["error"]]
    likely = _probabilities(store.notes(run.system), run) if by == "probability" else None
    made = Repairs()
    if any(row["violated"] for row in rows):
        places = groupby(rows, lambda row: (row["position"], row["repetition"]))
        families = [Family.of(list(each)) for _, each in places]
        alike = measure(run.settings["metric"], run.settings["corpus"], run.target)
        mender = Mender(alike, _aligned(families, run), _suspecting(run, families, alike), likely, forms)
        for family in families:
            mender.mend(family, made)
    return made


def _suspecting(run: RunRecord, families: Iterable[Family], alike: Measure) -> Suspect:
    """The test that a mended translation has to pass: the run's own."""
    if run.settings.get("comparison", "paper") == "paper":
        return lambda x, y, of_x, of_y: 1 - compared(Cut(of_x).words, Cut(of_y).words, alike).similarity
    from concord.compare import align, compare, gather

    pairs = [(each.text, each.output) for family in families for each in family.versions]
    known = align(pairs, gather((run.source, run.target)))
    return lambda x, y, of_x, of_y: compare(x, y, of_x, of_y, known).suspicion


def _aligned(families: Iterable[Family], run: RunRecord) -> Model:
    """Which words translate which, learnt from every pair of the run, each once."""
    versions = {(each.text, each.output): each for family in families for each in family.versions}
    pairs = [(each.source.words, each.target.words) for each in versions.values()]
    return fit(pairs, langs=(run.source, run.target))


def _probabilities(notes: Iterator[Mapping[str, Any]], run: RunRecord) -> dict[str, float]:
    way = (run.source, run.target)
    told = [note for note in notes if NOTED in note and (note["source_lang"], note["target_lang"]) == way]
    if not told:
        raise UserError(f"{run.system} does not tell how probable its answers are; rank them by agreement instead")
    return {note["text"]: float(note[NOTED]) for note in told}
