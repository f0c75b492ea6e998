"""Converted models: the answers of the unconverted ones, from either kind of tokenizer, and clear errors."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from functools import partial
from types import SimpleNamespace

import pytest

from concord import api, plugins
from concord.errors import Missing, UserError
from concord.testing import check_translator
from concord.translators._families import PieceTokenizer

pytestmark = pytest.mark.large

KINDS = ("marian", "targets", "m2m", "nllb")


@pytest.fixture
def made(local_model):
    return partial(local_model, "ctranslate2")


@pytest.fixture
def asked(monkeypatch):
    """Every call of the library after the one that measures the model: its texts, its prefixes and its options."""
    import ctranslate2

    calls = []

    class Recorded:
        def __init__(self, *given, **options):
            self._real = ctranslate2._ext.Translator(*given, **options)

        def translate_batch(self, texts, prefixes=None, **options):
            calls.append((texts, prefixes, options))
            return self._real.translate_batch(texts, prefixes, **options)

    monkeypatch.setattr(ctranslate2, "Translator", Recorded)
    return calls


@pytest.fixture
def pieces_only(tiny, tmp_path):
    """A converted Marian model with nothing but its SentencePiece files."""

    def copy(kind, name):
        folder = shutil.copytree(tiny(f"ct2-{kind}"), tmp_path / name)
        for path in folder.iterdir():
            if path.name.startswith(("tokenizer", "vocab", "special")):
                path.unlink()
        return folder

    return copy


@pytest.fixture
def argos(tiny, tmp_path):
    """`argos("model", to_code="es")`: a converted Marian model in Argos' layout, its weights in that folder."""

    def make(inside="model", **told):
        folder, converted = tmp_path / "translate-en_es-1_0", tiny("ct2-marian")
        weights = folder / inside
        weights.mkdir(parents=True)
        for name in ("model.bin", "shared_vocabulary.json"):
            shutil.copy(converted / name, weights)
        config = json.loads((converted / "config.json").read_text())
        (weights / "config.json").write_text(json.dumps({**config, "add_source_eos": True}))
        shutil.copy(converted / "source.spm", folder / "sentencepiece.model")
        languages = {"package_version": "1.0", "from_code": "en", "to_code": "es"}
        (folder / "metadata.json").write_text(json.dumps(languages | told))
        return folder

    return make


# -- answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_conforms(made, kind, sentences):
    check_translator(made(kind), texts=sentences[:3])


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_it_answers_as_the_model_did_before_it_was_converted(tiny, made, tmp_path, translated, kind, beams, sentences):
    before = shutil.copytree(tiny(kind), tmp_path / "before")
    # Marian's settings make every answer end at the bound, which the converted model knows nothing of.
    settings = json.loads((before / "generation_config.json").read_text())
    (before / "generation_config.json").write_text(json.dumps({**settings, "forced_eos_token_id": None}))
    unconverted = plugins.system(f"huggingface:{before},max_tokens=24,threads=1,beams={beams}")
    assert translated(made(kind, beams=beams), sentences) == translated(unconverted, sentences)


def test_batches_are_bounded_by_tokens_and_no_text_is_cut(made, translated, asked, sentences):
    translated(made("m2m", batch_tokens=45), sentences * 3)
    _, *calls = asked
    assert len(calls) > 1
    for texts, _, options in calls:
        assert len(texts) * max(map(len, texts)) <= 45 or len(texts) == 1
        assert (options["batch_type"], options["max_batch_size"], options["max_input_length"]) == ("tokens", 45, 0)


def test_a_cancelled_request_sends_no_further_batch_and_the_next_one_is_answered(
    made, translated, given_up, monkeypatch, sentences
):
    import ctranslate2

    real, sizes = ctranslate2.Translator, []
    held = SimpleNamespace(begun=threading.Event(), free=threading.Event())

    class Held:
        def __init__(self, *given, **options):
            self._real = real(*given, **options)

        def translate_batch(self, texts, prefixes=None, **options):
            if "batch_type" in options:
                sizes.append(len(texts))
                held.begun.set()
                assert held.free.wait(60)
            return self._real.translate_batch(texts, prefixes, **options)

    monkeypatch.setattr(ctranslate2, "Translator", Held)
    assert given_up(made("m2m", batch_tokens=1), held) == translated(made("m2m"), sentences[:1])
    assert sizes[:2] == [1, 1]
    assert len(sizes) == 3


# -- languages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "opens", "begins"), [("m2m", "__en__", "__es__"), ("nllb", "eng_Latn", "spa_Latn")])
def test_a_multilingual_model_is_told_both_languages(made, translated, asked, kind, opens, begins, sentences):
    answers = translated(made(kind), sentences)
    _, *calls = asked
    assert {text[0] for texts, _, _ in calls for text in texts} == {opens}
    assert {tuple(prefix) for _, prefixes, _ in calls for prefix in prefixes} == {(begins,)}
    assert not any(begins in answer for answer in answers)


def test_a_marian_model_with_several_targets_is_told_by_a_prefix(made, translated, asked, sentences):
    translated(made("targets"), sentences, "en", "fr")
    _, *calls = asked
    assert {text[0] for texts, _, _ in calls for text in texts} == {">>fra<<"}
    assert {prefixes for _, prefixes, _ in calls} == {None}


@pytest.mark.parametrize("beams", [1, 4])
def test_the_network_follows_up_as_many_answers_as_the_user_says(made, translated, asked, beams, sentences):
    translated(made("m2m", beams=beams), sentences[:1])
    assert asked[-1][2]["beam_size"] == beams


def test_the_directions_are_the_models(made, listed):
    assert listed(made("marian")) == {("en", "es")}
    assert {("en", "es"), ("es", "en")} <= listed(made("nllb"))


# -- tokenizers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "target"), [("marian", "es"), ("targets", "es"), ("targets", "fr")])
def test_sentencepiece_files_are_enough_for_marian(made, pieces_only, translated, kind, target, sentences, listed):
    folder = pieces_only(kind, "opus-mt-en-es")
    assert ("en", target) in listed(made(kind, folder))
    assert translated(made(kind, folder), sentences, "en", target) == translated(made(kind), sentences, "en", target)


def test_sentencepiece_files_alone_tell_no_languages_and_need_no_transformers(
    made, pieces_only, monkeypatch, sentences, listed
):
    folder = pieces_only("marian", "unnamed")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UserError, match="does not say its source and target language"):
        listed(made("marian", folder))
    check_translator(made("marian", folder, source="en", target="es"), texts=sentences[:2])


def test_a_model_that_ends_its_texts_itself_is_given_no_end(made, pieces_only, translated, asked, sentences):
    folder = pieces_only("marian", "opus-mt-en-es")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "add_source_eos": True}))
    assert translated(made("marian", folder), sentences) == translated(made("marian"), sentences)
    assert "</s>" not in asked[1][0][0]


def test_the_tokenizer_may_lie_elsewhere(tiny, made, tmp_path, translated, sentences, listed):
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("model.bin", "config.json", "shared_vocabulary.json"):
        shutil.copy(tiny("ct2-m2m") / name, bare)
    with pytest.raises(UserError, match=r"holds no tokenizer.*tokenizer=FOLDER"):
        listed(made("m2m", bare))
    assert translated(made("m2m", bare, tokenizer=tiny("m2m")), sentences) == translated(made("m2m"), sentences)


@pytest.mark.filterwarnings("ignore")
def test_what_the_converter_copies_for_opus_mt_is_enough(tiny, made, tmp_path, translated, sentences, listed):
    from ctranslate2.converters import TransformersConverter

    published = shutil.copytree(tiny("marian"), tmp_path / "published")
    # What is published says the languages here, and the kind of tokenizer in the config.json that is not copied.
    (published / "tokenizer_config.json").write_text('{"target_lang": "es", "source_lang": "en"}')
    files = ["source.spm", "target.spm", "vocab.json", "tokenizer_config.json"]
    folder = tmp_path / "converted"
    TransformersConverter(str(published), copy_files=files).convert(str(folder), quantization="int8")
    assert listed(made("marian", folder)) == {("en", "es")}
    assert translated(made("marian", folder, max_tokens=64), sentences) == sentences


@pytest.mark.parametrize("inside", ["model", "."], ids=["as it is packed", "in one folder"])
def test_a_package_of_argos_is_read_as_it_is(made, argos, translated, asked, inside, sentences, listed):
    folder = argos(inside)
    assert listed(made("marian", folder)) == {("en", "es")}
    assert translated(made("marian", folder, max_tokens=64), sentences) == sentences
    # The library ends the texts itself, as Argos expects it to.
    assert {piece for texts, _, _ in asked[1:] for text in texts for piece in text} & {"<s>", "</s>"} == set()


def test_a_package_of_argos_may_say_how_every_answer_begins(made, argos, translated, asked, sentences):
    translated(made("marian", argos(target_prefix="▁the")), sentences)
    assert {tuple(prefix) for prefix in asked[1][1]} == {("▁the",)}


def test_a_package_of_argos_without_languages_must_be_told(made, argos, listed):
    folder = argos(from_code=None, to_code="zt")
    with pytest.raises(UserError, match=r"source and target language.*source=CODE,target=CODE"):
        listed(made("marian", folder))
    assert listed(made("marian", folder, source="en", target="zh-Hant")) == {("en", "zh-Hant")}


def test_other_weights_of_a_package_of_argos_are_another_version(made, argos):
    folder = argos()
    before = made("marian", folder).version("en", "es")
    weights = folder / "model" / "model.bin"
    weights.write_bytes(weights.read_bytes() + b" ")
    assert made("marian", folder).version("en", "es") != before


def test_pieces_of_the_target_that_the_only_sentencepiece_model_lacks_are_words(tiny):
    model = tiny("marian") / "source.spm"
    family = PieceTokenizer((model, model), frozenset({("zh", "en")}))
    assert family.decode(["▁Zürich", "▁the", "▁Žižkov", "!"]) == "Zürich the Žižkov!"


def test_a_damaged_sentencepiece_model_is_said(made, argos, listed):
    folder = argos()
    (folder / "sentencepiece.model").write_text("not a model")
    with pytest.raises(UserError, match=r"the tokenizer in .* cannot be loaded"):
        listed(made("marian", folder))


# -- identity and errors ------------------------------------------------------------------------------


def test_other_weights_or_another_tokenizer_are_another_version(tiny, made, tmp_path):
    other, renamed = (shutil.copytree(tiny("ct2-m2m"), tmp_path / name) for name in ("other", "renamed"))
    weights = bytearray((other / "model.bin").read_bytes())
    weights[-1] ^= 1
    (other / "model.bin").write_bytes(weights)
    (renamed / "vocab.json").write_text((renamed / "vocab.json").read_text() + " ")
    versions = [made("m2m", folder).version("en", "es") for folder in (None, other, renamed)]
    assert len(set(versions)) == 3
    assert made("m2m").version("es", "en") == versions[0]


def test_only_options_that_alter_the_answers_stand_in_the_id(tiny):
    path = f"ctranslate2:{tiny('ct2-m2m')}"
    assert plugins.system(f"{path},device=cpu,batch_tokens=9,threads=1").id == path
    assert plugins.system(f"{path},beams=1,compute_type=int8").id == f"{path},beams=1,compute_type=int8"


def test_the_library_for_tokenizers_is_named_when_the_model_needs_it(made, monkeypatch, listed):
    system = made("m2m")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(Missing, match=r"transformers is not installed.*concord-mt\[ctranslate2\]"):
        listed(system)


def test_what_is_not_a_converted_model_is_said(made, tiny, tmp_path, translated, sentences, listed):
    with pytest.raises(UserError, match="there is no folder /nowhere"):
        listed(made("m2m", "/nowhere"))
    with pytest.raises(UserError, match=r"it has no model.bin\. To convert one: ct2-transformers-converter"):
        listed(made("m2m", tiny("m2m")))
    broken = shutil.copytree(tiny("ct2-m2m"), tmp_path / "broken")
    (broken / "model.bin").write_bytes(b"not weights")
    with pytest.raises(UserError, match=r"broken cannot be loaded"):
        translated(made("m2m", broken), sentences)


@pytest.mark.usefixtures("toy_languages")
def test_a_round_trip_runs_to_its_end(made, tmp_path, sentences):
    corpus = tmp_path / "c.txt"
    corpus.write_text("".join(f"{text}\n" for text in sentences))
    what = {"relations": ["rtt"], "to": ["es"], "workspace": tmp_path / "w.sqlite"}
    (run,) = api.run(corpus, systems=[made("m2m")], **what)
    assert (run.cases, run.errors) == (len(sentences), 0)
