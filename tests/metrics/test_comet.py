"""COMET with a stand-in for its library: what it is asked, and what is said where it cannot be."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from concord.errors import Missing, UserError
from concord.metrics import comet
from concord.model import Text

SOURCES, FOUND, WANTED = (
    [Text(words, lang) for words in pair]
    for lang, pair in (("de", ("Hallo", "Welt")), ("en", ("Hi", "wörld")), ("en", ("Hello", "world")))
)


@pytest.fixture
def asked(monkeypatch):
    """A library whose model gives a hypothesis the length of what it was told; the questions it was asked."""
    questions = []

    class Model:
        def predict(self, samples, **options):
            questions.append(options)
            return SimpleNamespace(
                scores=[len("".join(each[name] for name in ("src", "mt", "ref"))) / 100 for each in samples]
            )

    def download(name):
        if "/" not in name:
            raise KeyError(f"Model '{name}' not supported by COMET.")
        return f"downloaded {name}"

    def load(path):
        questions.append(path)
        return Model()

    comet._scorer.cache_clear()
    monkeypatch.setitem(sys.modules, "comet", SimpleNamespace(download_model=download, load_from_checkpoint=load))
    monkeypatch.setattr(comet, "device_of", lambda wanted: "cpu")
    yield questions
    comet._scorer.cache_clear()


def test_every_hypothesis_is_scored_with_its_source_and_its_reference(asked):
    assert comet.score_many(SOURCES, FOUND, WANTED) == [0.12, 0.14]
    assert asked == [f"downloaded {comet.MODEL}", {"batch_size": comet.BATCH, "gpus": 0, "progress_bar": False}]


def test_a_model_is_loaded_once(asked):
    comet.score_many(SOURCES, FOUND, WANTED)
    comet.score_many(SOURCES, FOUND, WANTED)
    assert asked.count(f"downloaded {comet.MODEL}") == 1


def test_a_graphics_card_is_used_where_there_is_one(asked, monkeypatch):
    monkeypatch.setattr(comet, "device_of", lambda wanted: "cuda")
    comet.score_many(SOURCES, FOUND, WANTED)
    assert asked[-1]["gpus"] == 1


def test_a_checkpoint_is_loaded_from_its_file(asked):
    comet.score_many(SOURCES, FOUND, WANTED, model="mine/model.ckpt")
    assert asked[0] == "mine/model.ckpt"


def test_nothing_to_score_asks_nothing(asked):
    assert comet.score_many([], [], []) == []
    assert asked == []


def test_lists_of_different_lengths_are_refused(asked):
    with pytest.raises(ValueError, match="shorter"):
        comet.score_many(SOURCES, FOUND[:1], WANTED)


def test_an_unknown_model_is_said_with_the_choices(asked):
    with pytest.raises(UserError, match=r"'comit' cannot be loaded: .*not supported.*Unbabel/wmt22-comet-da.*\.ckpt"):
        comet.score_many(SOURCES, FOUND, WANTED, model="comit")


@pytest.mark.parametrize("module", [None, SimpleNamespace()], ids=["nothing", "another package of that name"])
def test_a_missing_library_is_said_with_the_command_that_installs_it(asked, monkeypatch, module):
    monkeypatch.setitem(sys.modules, "comet", module)
    with pytest.raises(Missing, match=r"COMET \(unbabel-comet\) is not installed.*pip install 'concord-mt\[comet\]'"):
        comet.score_many(SOURCES, FOUND, WANTED)


def test_two_texts_are_not_enough_for_it():
    with pytest.raises(UserError, match="needs the source"):
        comet.similarity(WANTED[0], FOUND[0])
