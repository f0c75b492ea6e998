"""How alike two trees are, by the paths from their roots to their words."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.language.parse._choice import shared_parsers
from concord.language.trees import read_brackets
from concord.metrics import similarity, similarity_many, tree_paths
from concord.metrics.tree_paths import structure
from concord.model import Text


@pytest.fixture(autouse=True)
def parsers_are_made_once():
    with shared_parsers():
        yield


# Paths: S NP DT, S NP NN, S VP VBD (three); and S NP NN, S VP VBD, S VP NP DT, S VP NP NN (four).
SLEPT = read_brackets("(ROOT (S (NP (DT the) (NN cat)) (VP (VBD slept))))")
SAW = read_brackets("(ROOT (S (NP (NN cat)) (VP (VBD saw) (NP (DT a) (NN dog)))))")


def test_lost_and_added_paths_by_hand():
    found = structure(SLEPT, SAW)
    assert found.lost == (("ROOT", "S", "NP", "DT"),)
    assert found.added == (("ROOT", "S", "VP", "NP", "DT"), ("ROOT", "S", "VP", "NP", "NN"))
    assert found.similarity == pytest.approx(1 - (1 / 3 + 2 / 4) / 2)


def test_the_other_way_round_lost_is_added_and_the_likeness_the_same():
    one, other = structure(SLEPT, SAW), structure(SAW, SLEPT)
    assert (one.lost, one.added, one.similarity) == (other.added, other.lost, other.similarity)


def test_words_do_not_matter_nor_how_often_a_path_occurs():
    once = read_brackets("(ROOT (S (NP (JJ red) (NN wine))))")
    twice = read_brackets("(ROOT (S (NP (JJ cold) (JJ white) (NN beer))))")
    assert structure(once, twice).similarity == 1


def test_trees_without_a_common_path_share_nothing():
    assert structure(read_brackets("(ROOT (NP (NN cats)))"), read_brackets("(ROOT (VP (VB run)))")).similarity == 0


LEAVES = st.sampled_from(["(NN a)", "(VB b)", "(DT c)"])
TREES = st.recursive(
    LEAVES, lambda inner: st.builds("({} {})".format, st.sampled_from("SNV"), st.lists(inner, min_size=1).map(" ".join))
).map(lambda brackets: read_brackets(f"(ROOT {brackets})"))


@given(TREES, TREES)
def test_it_is_what_counting_one_by_one_gives(a, b):
    ones, others = set(a.paths()), set(b.paths())
    lost = sum(path not in others for path in ones) / len(ones)
    added = sum(path not in ones for path in others) / len(others)
    found = structure(a, b).similarity
    assert found == pytest.approx(1 - (lost + added) / 2)
    assert 0 <= found <= 1
    assert (found == 1) == (ones == others)


def en(words: str) -> Text:
    return Text(words, "en")


CAT, DOG, OTHER = en("The black cat slept on the mat."), en("A small dog barked at the door."), en("Did they give it?")


def test_as_a_metric_it_parses_the_texts():
    assert similarity("tree_paths", CAT, DOG) == 1
    assert similarity("tree_paths", CAT, OTHER) < 0.5
    assert similarity("tree_paths:parser=concord_en", CAT, OTHER) == similarity("tree_paths", CAT, OTHER)


def test_other_languages_are_parsed_by_apertium():
    one, other = Text("Los gatos negros duermen.", "es"), Text("Los perros blancos comen.", "es")
    assert similarity("tree_paths", one, other) == 1
    assert similarity("tree_paths", one, Text("Duerme.", "es")) < 1


def test_blank_texts_are_like_each_other_alone():
    assert similarity_many("tree_paths", [(en(""), en(" ")), (en(""), CAT), (CAT, CAT)]) == [1, 0, 1]


def test_many_pairs_are_what_they_are_one_by_one():
    pairs = [(CAT, DOG), (CAT, OTHER), (OTHER, CAT)]
    assert similarity_many("tree_paths", pairs) == [similarity("tree_paths", a, b) for a, b in pairs]


def test_texts_of_two_languages_are_not_compared():
    with pytest.raises(UserError, match="one language, not 'en' with 'es'"):
        similarity("tree_paths", CAT, Text("El gato duerme.", "es"))


def test_a_language_without_a_parser_is_an_error_that_says_what_to_do():
    with pytest.raises(UserError, match=r"none of the embedded parsers knows 'ja'.*tree_paths:parser=ja=stanza"):
        similarity("tree_paths", Text("a", "ja"), Text("b", "ja"))
    with pytest.raises(UserError, match="concord_en does not know 'es'"):
        similarity("tree_paths:parser=es=concord_en", Text("a", "es"), Text("b", "es"))


def test_it_states_its_range():
    assert "Range [0, 1]" in inspect.getdoc(tree_paths)
