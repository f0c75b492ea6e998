"""The cosine of sentence vectors: by hand with vectors that are known, and for real with the packaged model."""

from __future__ import annotations

import importlib
import inspect

import pytest

from concord import metrics, plugins
from concord.errors import Missing, UnknownName, UserError
from concord.metrics import embedding
from concord.model import Text

PLANAR = """
\"\"\"Planar: a text is an angle in degrees.\"\"\"
import math
import numpy as np

asked = []


class Encoder:
    id = "planar"

    def __init__(self, *, argument: str = "0"):
        self.turned = float(argument)

    def version(self):
        return "1"

    def languages(self):
        return None

    def embed(self, texts):
        asked.append([text.words for text in texts])
        angles = [math.radians(float(text.words)) for text in texts]
        return np.array([[math.cos(each), math.sin(each)] for each in angles], dtype=np.float32)
"""
CAT, SITTING, MARKET = (
    Text(words, "en") for words in ("A cat sits on the mat", "A cat is sitting on a mat", "The stock market fell")
)


@pytest.fixture
def planar(guest):
    """An encoder whose cosines are known; what it was asked, batch by batch."""
    embedding._choice.cache_clear()
    guest("encoders", "planar", PLANAR)
    asked = plugins.load("encoders", "planar").asked
    asked.clear()
    yield asked
    embedding._choice.cache_clear()


def degrees(angle):
    return Text(str(angle), "en")


@pytest.mark.parametrize(("angle", "expected"), [(60, 0.5), (45, 0.5**0.5), (90, 0.0), (120, 0.0), (360, 1.0)])
def test_values_by_hand(planar, angle, expected):
    value = embedding.similarity(degrees(0), degrees(angle), encoder="planar")
    assert value == pytest.approx(expected, abs=1e-6)
    assert 0 <= value <= 1


def test_a_batch_is_one_question_in_which_each_text_stands_once(planar):
    pairs = [(degrees(0), degrees(60)), (degrees(60), degrees(0)), (degrees(0), degrees(0)), (degrees(0), degrees(90))]
    assert embedding.similarity_many(pairs, encoder="planar") == pytest.approx([0.5, 0.5, 1, 0], abs=1e-6)
    assert [sorted(batch) for batch in planar] == [["0", "60", "90"]]


@pytest.mark.parametrize(("a", "b", "expected"), [("", " \n", 1.0), ("", "1", 0.0), ("1", "\t", 0.0), ("1", "1", 1.0)])
def test_what_is_known_without_an_encoder_is_not_asked(planar, a, b, expected):
    assert embedding.similarity(Text(a, "en"), Text(b, "en"), encoder="planar") == expected
    assert planar == []


def test_no_pairs_are_no_values(planar):
    assert embedding.similarity_many([], encoder="planar") == []


def test_an_encoder_that_knows_all_languages_compares_two(planar):
    assert embedding.similarity(Text("0", "en"), Text("60", "zh"), encoder="planar") == pytest.approx(0.5)


def test_it_is_found_by_name_with_the_encoder_and_its_model(planar):
    assert metrics.similarity("embedding:encoder=planar:model=7", degrees(0), degrees(60)) == pytest.approx(0.5)
    assert embedding._choice("planar:7").require("en").turned == 7


@pytest.mark.large
def test_the_packaged_model_finds_like_meanings_alike():
    near, far, same = metrics.similarity_many("embedding", [(CAT, SITTING), (CAT, MARKET), (CAT, CAT)])
    assert same == 1.0
    assert near > 0.9
    assert far < 0.2


@pytest.mark.large
def test_the_packaged_model_is_symmetric():
    assert embedding.similarity(CAT, SITTING) == embedding.similarity(SITTING, CAT)


@pytest.mark.large
def test_a_batch_is_its_pairs_one_by_one():
    pairs = [(CAT, SITTING), (MARKET, CAT), (CAT, Text("", "en")), (SITTING, MARKET)]
    alone = [embedding.similarity(*pair) for pair in pairs]
    assert embedding.similarity_many(pairs) == pytest.approx(alone, abs=1e-5)


@pytest.mark.large
def test_a_language_that_the_encoder_does_not_know_is_said_with_a_cure():
    with pytest.raises(
        UserError, match=r"none of the embedded encoders knows 'es'.*:encoder=es=sentence_transformers:model=MODEL"
    ):
        embedding.similarity(CAT, Text("Un gato", "es"))


@pytest.mark.large
def test_english_of_any_country_is_english():
    assert embedding.similarity(Text(CAT.words, "en-GB"), SITTING) == embedding.similarity(CAT, SITTING)


def test_an_unknown_encoder_is_answered_with_the_nearest_one():
    with pytest.raises(UnknownName, match="Did you mean 'minilm'"):
        embedding.similarity(CAT, MARKET, encoder="minilmm")


def test_a_missing_extra_is_said_even_where_no_vector_is_needed(monkeypatch):
    embedding._choice.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Missing, match=r"pip install 'concord-mt\[semantic\]'"):
        embedding.similarity(CAT, CAT)


def test_it_states_its_paper_its_range_and_its_options():
    documentation = inspect.getdoc(embedding)
    assert any(character.isdigit() for character in documentation.splitlines()[0])
    assert "Range [0, 1]" in documentation
    assert {option.name: option.default for option in plugins.parameters(embedding.similarity)} == {
        "encoder": "auto",
        "model": "",
    }
