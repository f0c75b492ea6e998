"""Single pairs are judged by one granularity, and options that cannot work are refused beforehand."""

from __future__ import annotations

import pytest

from concord import api, plugins
from concord.errors import UserError
from concord.language.parse._choice import shared_parsers
from concord.language.parse._model import JOINT
from concord.language.parse._weights import read
from concord.language.parse.concord_en import SHIPPED
from concord.model import Text
from concord.relations import mgmt
from concord.relations._protocol import load_relation
from concord.relations.mgmt.deep_select import PENN


@pytest.fixture(autouse=True)
def parsers_are_made_once():
    with shared_parsers():
        yield


def test_a_pair_is_judged_by_one_granularity():
    texts = Text("kitten", "en"), Text("sitting", "en"), Text("ABCDE", "es"), Text("ABCDX", "es")
    case = mgmt.compare(*texts, granularities=("sentence",))
    assert case.suspicion == pytest.approx(0.8 * 13 / 7 - 1)
    assert mgmt.compare(*texts, granularities=("phrase",)).factors == {"granularity": "phrase"}
    with pytest.raises(UserError, match=r"one granularity, not by sentence, word.* such as granularities=sentence"):
        mgmt.compare(*texts, granularities=("sentence", "word"))


def test_a_pair_in_a_language_without_a_parser_is_refused_with_a_cure_that_judging_has():
    texts = Text("I sleep.", "en"), Text("I eat.", "en"), Text("aaa", "tlh"), Text("bbb", "tlh")
    with pytest.raises(
        UserError, match=r"no parser knows 'tlh'.*--parser tlh=./mine.py.* granularities=sentence"
    ) as error:
        mgmt.compare(*texts)
    assert "parser=" not in str(error.value)
    assert mgmt.compare(*texts, granularities=("sentence",)).flagged


@pytest.mark.parametrize(("outputs", "suspicion"), [(("", "El gato."), 1), (("El gato.", " "), 1), (("", " "), 0)])
def test_a_blank_translation_is_like_another_blank_one_alone(outputs, suspicion):
    texts = Text("I sleep.", "en"), Text("I eat.", "en"), *(Text(words, "es") for words in outputs)
    assert mgmt.compare(*texts).suspicion == suspicion


def test_judging_parses_the_translations(tmp_path):
    lines = "source\tfollow_up\tsource_output\tfollow_up_output\nI sleep.\tI eat.\tYo duermo.\tEl gato come.\n"
    (tmp_path / "pairs.tsv").write_text(lines)
    (row,) = api.judge(tmp_path / "pairs.tsv", relation="mgmt", source="en", target="es")
    assert row["factors"] == {"granularity": "word"}
    assert row["flagged"]
    assert row["evidence"]["added"]


def planned(told, source="en"):
    settings = plugins.settings("relations", plugins.parse("relations", f"mgmt,{told}"))
    return load_relation("mgmt").plan(source, "es", lambda *_: (), settings)


def test_a_ratio_has_no_upper_end_and_so_the_sentence_s_tolerance_has_none():
    assert not planned("tolerance_sentence=2").notes


def test_labels_that_english_trees_do_not_have_are_noted():
    assert not planned("phrases=NP,SBAR").notes
    assert not planned("phrases=sn,granularities=word").notes
    assert not planned("phrases=SN", source="ca").notes
    (note,) = planned("phrases=NP,QQ,sn").notes
    assert note.startswith("English trees have no phrase QQ or sn, ")


def test_every_phrase_of_the_english_parser_is_known():
    labels = {label for joint in read(SHIPPED).labels for label in joint.split(JOINT)}
    assert labels - {"", "ROOT", "TOP"} <= PENN


def test_the_way_back_is_needed_for_sentences_alone():
    assert planned("unit=words").directions == [("en", "es"), ("es", "en")]
    assert planned("granularities=word").directions == [("en", "es")]
    with pytest.raises(UserError, match="changes nothing"):
        planned("granularities=word", source="es")
