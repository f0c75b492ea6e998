"""Labelled runs are evaluated by the rule that their relation judged them by."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.detection.labelled_rows import SUSPICION, labelled_runs
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, System, Text
from concord.relations._protocol import load_relation
from concord.store import Workspace
from concord.store.label_rows import outputs_of

BACK = {
    "At least three dogs barked.": "At least three dogs barked.",
    "At least four dogs barked.": "At most four dogs barked.",
    "No cat slept in the house.": "No cat slept in the barn.",
    "Both birds sang well today.": "All birds sang today.",
    "Only one horse came home.": "One horse came home.",
}


class Changing(System):
    """Into Spanish the same words, and back others."""

    id = "changing"

    async def translate(self, texts, source, target):
        return [BACK[text] if target == "en" else text for text in texts]


@pytest.fixture
def labelled_with(tmp_path):
    """A labelled run of a relation with options: its suspicion as evaluated, and its rows."""
    (tmp_path / "c.txt").write_text("\n".join(BACK) + "\n")
    place = tmp_path / "w.sqlite"

    def made(relation):
        api.run(tmp_path / "c.txt", relations=[relation], systems=[Changing()], to=["es"], workspace=place)
        with Workspace(place) as store:
            number = store.runs()[-1].id
            rows = [row for row in store.rows([number]) if "case" in row]
            said = [
                Label(row["case"], "ana", "error" if row["suspicion"] else "correct", outputs_of(row)) for row in rows
            ]
            Labels(store).save(said)
            found = labelled_runs(store, [number])
        return next(each for each in found.scores if each.name == SUSPICION), rows

    return made


@pytest.mark.parametrize(("relation", "rule"), [("semmt", "≥"), ("semmt,metric=d", "≥"), ("rtt", ">")])
@pytest.mark.usefixtures("toy_languages")
def test_a_case_on_the_threshold_is_flagged_as_the_run_does(labelled_with, relation, rule):
    _, rows = labelled_with(relation)
    at = sorted({row["suspicion"] for row in rows} - {0.0})[0]
    name, comma, rest = relation.partition(",")
    score, rows = labelled_with(f"{name},threshold={at!r}{comma}{rest}")
    assert score.rule == rule
    assert score.flags(at).tolist() == [row["flagged"] for row in rows]
    assert any(row["suspicion"] == at for row in rows)


@pytest.fixture
def scored(tmp_path):
    """A workspace whose one run, of sit, has a bug and a correct case with scores of every direction."""
    store = Workspace(tmp_path / "scored.sqlite")
    facts = {"signature": "s", "relation": "sit", "settings": {}, "system": "a", "source": "en", "target": "es"}
    run = store.begin(facts | {"corpus": "c", "seed": 1, "facts": load_relation("sit").facts({})})
    source, output = Text("a dog", "en"), Text("un perro", "es")
    for place, bug in enumerate((True, False)):
        high, low = float(bug), float(not bug)
        scores = {"probability": high, "paper": 5 * high, "distance": 5 * high, "chrf": low, "depth": low}
        text = Text(f"a dog {place}", "en")
        case = Case(text, source, output, output, (output, output), high, 0.5, scores=scores)
        store.add(run, [Outcome(Segment(f"s{place}", text, place), 0, cases=[case])])
    store.finish(run)
    rows = [row for row in store.rows([run.id]) if "case" in row]
    Labels(store).save(
        [Label(row["case"], "ana", "error" if row["suspicion"] else "correct", outputs_of(row)) for row in rows]
    )
    with store:
        yield store


def test_scores_are_flagged_in_the_direction_in_which_they_are_shown(scored):
    found = labelled_runs(scored, [1])
    rules = {each.name: each.rule for each in found.scores if each.name != SUSPICION}
    assert rules == {"probability": "≥", "paper": "≥", "distance": "≥", "chrf": "≤", "depth": "≤"}
    assert found.notes == [
        "taken to be worse when lower, since sit does not say: depth. Otherwise: --score depth:higher-is-worse"
    ]


def test_a_direction_that_is_told_holds_and_a_bare_name_keeps_its_own(scored):
    found = labelled_runs(scored, [1], ["probability", "paper:lower-is-worse", "depth:higher-is-worse"])
    assert [each.rule for each in found.scores] == ["≥", "≤", "≥"]
    assert not found.notes
