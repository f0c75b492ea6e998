"""What languages a model of the Hugging Face kind has, and how it is told which are meant."""

from __future__ import annotations

import json

import pytest

from concord import api
from concord.errors import Refused, UserError
from concord.translators._families import NamedLanguages, _by_ours

pytestmark = pytest.mark.large


@pytest.mark.parametrize(
    ("kind", "source", "target", "opens", "begins"),
    [
        ("m2m", "en", "es", "__en__", "__es__"),
        ("m2m", "zh-Hans", "nb", "__zh__", "__no__"),
        ("nllb", "en", "es", "eng_Latn", "spa_Latn"),
        ("nllb", "zh", "ar", "zho_Hans", "arb_Arab"),
        ("nllb", "zh-Hant", "sr", "zho_Hant", "srp_Cyrl"),
    ],
)
def test_a_multilingual_model_is_told_both_languages(
    tiny, huggingface, translated, generated, kind, source, target, opens, begins, sentences
):
    from transformers import AutoTokenizer

    translated(huggingface(kind), sentences, source, target)
    tokenizer = AutoTokenizer.from_pretrained(tiny(kind))
    opening, beginning = tokenizer.convert_tokens_to_ids([opens, begins])
    for call in generated:
        assert set(call["input_ids"][:, 0].tolist()) == {opening}
        assert set(call["rows"][:, 1].tolist()) == {beginning}


def test_a_marian_model_with_several_targets_is_told_by_a_prefix(tiny, huggingface, translated, generated, sentences):
    vocabulary = json.loads((tiny("targets") / "vocab.json").read_text())
    answers = {}
    for target, prefix in (("es", ">>spa<<"), ("fr", ">>fra<<"), ("zh", ">>cmn_Hans<<")):
        answers[target] = translated(huggingface("targets", max_tokens=40), sentences, "en", target)
        assert set(generated[-1]["input_ids"][:, 0].tolist()) == {vocabulary[prefix]}
    assert answers["es"] != answers["fr"]


def test_the_directions_are_the_models(huggingface, listed):
    assert listed(huggingface("marian")) == {("en", "es")}
    assert listed(huggingface("targets")) == {("en", "es"), ("en", "fr"), ("en", "zh-Hans"), ("en", "zh")}
    assert {("en", "es"), ("es", "en"), ("zh-Hans", "nso")} <= listed(huggingface("m2m"))
    assert listed(huggingface("nllb", source="en,eng", target="es,zh-Hant")) == {("en", "es"), ("en", "zh-Hant")}


def test_every_code_of_nllb_has_one_of_ours_and_none_is_lost(tiny, huggingface):
    from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

    found = _by_ours(FAIRSEQ_LANGUAGE_CODES)
    assert set(found.values()) == set(FAIRSEQ_LANGUAGE_CODES)
    assert [found[code] for code in ("en", "fa", "ace", "ace-Arab", "yue", "zh", "fil")] == [
        "eng_Latn", "pes_Arab", "ace_Latn", "ace_Arab", "yue_Hant", "zho_Hans", "tgl_Latn",
    ]  # fmt: skip


def test_a_direction_that_the_model_lacks_is_said_before_the_run(huggingface, tmp_path):
    corpus = tmp_path / "c.txt"
    corpus.write_text("The house is big.\n")
    with pytest.raises(UserError, match=r"cannot translate es-en\. .*Sources: en"):
        api.run(corpus, systems=[huggingface("marian")], relations=["rtt"], to=["es"], workspace=tmp_path / "w.sqlite")


def test_a_direction_that_it_lacks_is_refused_text_by_text(huggingface, translated, sentences):
    answers = translated(huggingface("marian"), sentences[:2], "es", "en")
    assert [type(answer) for answer in answers] == [Refused, Refused]


def test_a_marian_model_that_tells_no_languages_must_be_told(huggingface, translated, listed):
    with pytest.raises(UserError, match=r"source and target language.*source=CODE,target=CODE"):
        listed(huggingface("silent"))
    with pytest.raises(UserError, match=r"its target language.*: target=CODE$"):
        listed(huggingface("silent", source="de"))
    assert listed(huggingface("silent", source="de,nl", target="en")) == {("de", "en"), ("nl", "en")}
    with pytest.raises(UserError, match=r"has no target it\. It has: es, fr"):
        listed(huggingface("targets", target="it"))


@pytest.mark.parametrize(
    ("name", "told", "known"),
    [
        ("Helsinki-NLP/opus-mt-en-es", (None, None), {("en", "es")}),
        ("opus-mt-de-fr/my-model/opus-mt-tc-big-en-pt/", (None, None), {("en", "pt")}),
        ("Helsinki-NLP/opus-mt-tc-big-eng-deu", ("eng", "deu"), {("en", "de")}),
    ],
)
def test_the_name_of_a_marian_model_tells_where_its_tokenizer_does_not(name, told, known):
    assert NamedLanguages((), ()).of_marian(name, told, {}) == known


@pytest.mark.parametrize("told", [("ROMANCE", "en"), ("mul", "en"), ("gmw", "en")])
def test_a_group_of_languages_is_no_source(told):
    with pytest.raises(UserError, match="does not say its source language"):
        NamedLanguages((), ()).of_marian("opus-mt-x", told, {})
    assert NamedLanguages(("nl",), ()).of_marian("opus-mt-x", told, {}) == {("nl", "en")}
