"""An experiment is made side by side, continues where it stopped, and survives a system that gives up."""

from __future__ import annotations

import pytest

from concord import api
from concord.errors import Exhausted, Unauthorised, UserError
from concord.model import Limits, System
from concord.store import Workspace


class Partial(System):
    """Knows some directions only, and gives up after so many texts."""

    id = "partial"
    limits = Limits(texts=4, in_flight=1)

    def __init__(self, known, quota=10**9, name="partial"):
        self.id = name
        self.sent = []
        self.quota = quota
        self._known = known

    async def translate(self, texts, source, target):
        if len(self.sent) + len(texts) > self.quota:
            raise Exhausted("the quota is used up")
        self.sent += [(text, source, target) for text in texts]
        return [f"{target} {text}" for text in texts]

    async def directions(self):
        return self._known


ALL = {(a, b) for a in ("en", "es", "ca", "gl") for b in ("es", "ca", "gl", "en") if a != b}


def rows(path="concord.sqlite"):
    with Workspace(path, create=False) as store:
        return list(store.rows([run.id for run in store.runs()]))


def test_every_system_gets_the_same_sentences_on_the_same_paths(experiment):
    experiment()
    found = {}
    for row in rows():
        found.setdefault(row["system"], []).append((row["position"], row["text"], row["factors"]["path"]))
    first, second = found.values()
    assert first == second
    assert len(first) == 60


def test_no_text_is_sent_twice_and_the_direct_translation_serves_as_a_pivot(experiment):
    system = Partial(ALL)
    experiment(replications=40, systems=[system])
    assert len(system.sent) == len(set(system.sent))
    assert len(system.sent) < 3 * 240


@pytest.mark.usefixtures("toy_languages")
def test_run_again_it_sends_nothing(experiment):
    system = Partial(ALL)
    file = experiment(systems=[system])
    before = len(system.sent)
    summaries, ended = api.run_experiment(file, systems=[system])
    assert (len(system.sent), ended) == (before, [])
    assert summaries[0].cases == 60


@pytest.mark.usefixtures("toy_languages")
def test_a_quota_that_ends_one_system_leaves_the_others_whole_and_can_be_continued(experiment):
    poor, rich = Partial(ALL, quota=100, name="poor"), Partial(ALL, name="rich")
    file = experiment(systems=[poor, rich])
    summaries, ended = api.run_experiment(file, systems=[poor, rich])
    assert [str(each) for each in ended] == ["the quota is used up"]
    assert {each.run.system: each.run.finished is not None for each in summaries} == {"poor": False, "rich": True}
    found = api.analyse_experiment(file)
    assert any("poor is not finished" in note for note in found.notes)
    assert {mean.level for mean in found.analysis.compared.overall["system"].means} == {"poor", "rich"}
    poor.quota = 10**9
    summaries, ended = api.run_experiment(file, systems=[poor, rich])
    assert ended == []
    assert {each.cases for each in summaries} == {60}
    assert len(poor.sent) == len(set(poor.sent))


@pytest.mark.usefixtures("toy_languages")
def test_paths_that_a_system_cannot_do_are_left_out_and_said(experiment):
    able, lacking = Partial(ALL, name="able"), Partial(ALL - {("ca", "gl")}, name="lacking")
    file = experiment(systems=[able, lacking])
    found = api.analyse_experiment(file)
    assert "lacking cannot do: ca→gl" in found.notes
    assert any("Left out, because not every system has" in note and "ca→gl" in note for note in found.notes)
    assert len(found.observed) == 100
    assert all(mean.mean == mean.mean for mean in found.analysis.compared.overall["system"].means)


def test_a_system_that_can_do_nothing_of_it_is_said_before_anything_is_sent(experiment):
    able, useless = Partial(ALL, name="able"), Partial({("en", "es")}, name="useless")
    with pytest.raises(UserError, match="useless can do none of the paths"):
        experiment(systems=[able, useless])
    assert able.sent == []


@pytest.mark.usefixtures("toy_languages")
def test_a_round_trip_is_a_path_to_the_source(experiment):
    system = Partial(ALL)
    experiment(3, 'pivots = ["ca"]', targets=("en", "es"), systems=[system])
    trips = [row for row in rows() if row["source_output"]["lang"] == "en"]
    assert len(rows()) == 6
    assert len(trips) == 3
    assert all(row["source_output"]["words"] == row["text"] for row in trips)
    assert ("en", "en") not in {(source, target) for _, source, target in system.sent}


def test_a_dry_run_tells_what_will_be_sent_and_sends_nothing(experiment):
    system = Partial(ALL)
    file = experiment(systems=[system])
    told = api.dry_run_experiment(file, workspace="another.sqlite")
    made, _ = api.run_experiment(file, workspace="another.sqlite")
    assert [each.texts for each in told] == [each.run.sent for each in made]


def test_an_experiment_that_was_not_run_says_so(experiment):
    file = experiment()
    file.write_text(file.read_text().replace("replications = 10", "replications = 11"))
    with pytest.raises(UserError, match="no run of the experiment small as it is written now"):
        api.analyse_experiment(file)


def test_a_system_that_the_file_no_longer_names_is_not_analysed(experiment):
    file = experiment(5)
    assert {each.run.system for each in api.analyse_experiment(file).runs} == {
        "fake",
        "faulty:fake,kind=drop_word,rate=0.5,seed=0",
    }
    file.write_text(file.read_text().replace(', "faulty:fake,kind=drop_word,rate=0.5"', ""))
    assert {each.run.system for each in api.analyse_experiment(file).runs} == {"fake"}


def test_another_source_language_is_another_experiment(experiment, tmp_path):
    (tmp_path / "corpus.txt").write_text("One.\nTwo.\n")
    file = experiment(2, 'corpus = "corpus.txt"')
    file.write_text(file.read_text() + 'source = "de"\n')
    with pytest.raises(UserError, match="no run of the experiment"):
        api.analyse_experiment(file)


@pytest.mark.usefixtures("toy_languages")
def test_at_random_systems_are_compared_over_the_pivots_that_both_have(experiment):
    able, lacking = Partial(ALL, name="able"), Partial(ALL - {("ca", "gl")}, name="lacking")
    file = experiment(40, 'allocation = "random"', systems=[able, lacking])
    found = api.analyse_experiment(file)
    paths = {name: {each.path for each in found.observed if each.system == name} for name in ("able", "lacking")}
    assert paths["able"] == paths["lacking"]
    assert "ca→gl" not in paths["able"]


@pytest.mark.usefixtures("toy_languages")
def test_a_system_that_hardly_began_does_not_take_the_others_paths_with_it(experiment):
    stub, whole = Partial(ALL, quota=16, name="stub"), Partial(ALL, name="whole")
    file = experiment(40, systems=[stub, whole, Partial(ALL, name="other")])
    found = api.analyse_experiment(file)
    if any(each.system == "stub" for each in found.observed):
        pytest.fail("the stub takes part")
    assert {mean.level for mean in found.analysis.compared.overall["system"].means} == {"whole", "other"}
    assert len(found.observed) == 480


class Silent(Partial):
    async def directions(self):
        raise Unauthorised("the key is wrong")


def test_a_system_that_does_not_tell_its_languages_leaves_the_others_alone(experiment):
    file = experiment(3, systems=[Partial(ALL, name="able")])
    summaries, ended = api.run_experiment(file, systems=[Silent(ALL, name="silent"), Partial(ALL, name="able")])
    assert [str(each) for each in ended] == ["the key is wrong"]
    assert [each.run.system for each in summaries] == ["able"]
    with pytest.raises(Unauthorised):
        api.run_experiment(file, systems=[Silent(ALL, name="silent")])
