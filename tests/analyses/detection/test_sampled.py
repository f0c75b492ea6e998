"""The labelled part of a queue stands for all cases of its runs, however far people got."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.detection.queue_sample import sampled
from concord.labels.labels import Label, Labels
from concord.labels.queues import Samples
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

FACTS = {
    "signature": "rti|en-es",
    "relation": "rti",
    "settings": {"d": 0},
    "system": "table",
    "source": "en",
    "target": "es",
    "corpus": "c#1",
    "seed": 1,
}


def case(at):
    """Every fifth case is flagged; of the flagged every other is wrong, of the rest every tenth."""
    words = f"thing {at}"
    texts = Text(f"I see {words}.", "en"), Text(words, "en"), Text(f"Veo {words}.", "es"), Text(words, "es")
    return Case(*texts, texts[2:], 0.9 if at % 5 == 0 else at / 1000, 0.5)


def queue_labels(path, name, annotator=""):
    with Workspace(path) as workspace:
        return sampled(workspace, Samples(workspace).get(name), annotator)


def is_wrong(position):
    return position % 10 == 0 if position % 5 == 0 else position % 10 == 3


@pytest.fixture
def path(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as workspace:
        run = workspace.begin(FACTS)
        outcomes = [Outcome(Segment(f"s{at}", Text("I see.", "en"), at), cases=[case(at)]) for at in range(300)]
        workspace.add(run, outcomes)
    return tmp_path / "w.sqlite"


def label(path, name, count, annotator="ana", verdict=lambda wrong: "error" if wrong else "correct"):
    with Workspace(path) as workspace:
        samples = Samples(workspace)
        places = samples.places(samples.get(name))[:count]
        labels = [Label(p.case, annotator, verdict(is_wrong(p.position)), p.outputs) for p in places]
        Labels(workspace).save([each for each in labels if each.verdict])


def test_a_census_says_exactly_what_is_true(path):
    api.draw_queue(path, [], name="q", size=300)
    label(path, "q", 300)
    found, notes = api.estimate(path, "q")
    assert found.precision.value == found.precision.low == found.precision.high == 0.5
    assert found.recall.value == pytest.approx(30 / 60)
    assert (found.base_rate.value, found.cases, notes) == (pytest.approx(0.2), pytest.approx(300), [])


def test_weights_are_of_what_is_labelled_and_not_of_what_was_drawn(path):
    queue = api.draw_queue(path, [], name="q", size=80)
    label(path, "q", 40)
    found = queue_labels(path, "q")
    assert len(found.bug) == 40
    assert found.weight.sum() == pytest.approx(300)
    for number, stratum in enumerate(queue.strata):
        assert found.weight[found.stratum == number].sum() == pytest.approx(stratum.population)
    assert list(found.notes) == ["40 of 80 cases left out: not labelled yet"]


def test_a_bad_test_is_no_bug_and_a_tie_is_left_out(path):
    api.draw_queue(path, [], name="q", size=80)
    label(path, "q", 80, verdict=lambda wrong: "bad test")
    assert not queue_labels(path, "q").bug.any()
    label(path, "q", 3, annotator="ben", verdict=lambda wrong: "error")
    found = queue_labels(path, "q")
    assert (len(found.bug), list(found.notes)) == (77, ["3 of 80 cases left out: undecided"])
    assert queue_labels(path, "q", annotator="ben").bug.all()


def test_a_stratum_that_nobody_looked_at_is_named(path):
    api.draw_queue(path, [], name="q", size=80)
    label(path, "q", 80, verdict=lambda wrong: "error" if wrong else "")
    with Workspace(path) as workspace:
        samples = Samples(workspace)
        flagged = {place.case for place in samples.places(samples.get("q")) if place.band == 0}
        keys = ", ".join(f"x'{case}'" for case in flagged)
        workspace._db.execute(f"DELETE FROM labels WHERE case_key NOT IN ({keys})")
    found = queue_labels(path, "q")
    assert any("3 strata, with 240 cases, have no decided label" in note for note in found.notes)


def test_labels_outside_the_queue_do_not_count(path):
    api.draw_queue(path, [], name="q", size=20)
    api.draw_queue(path, [], name="other", size=300)
    label(path, "other", 300)
    assert len(queue_labels(path, "q").bug) == 20
