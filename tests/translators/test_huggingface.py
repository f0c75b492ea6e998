"""Models of the Hugging Face kind, from tiny ones on disk: languages, batches, bounds, threads and errors."""

from __future__ import annotations

import asyncio
import json
import pickle
import shutil
import sys
import threading
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api, plugins
from concord.cli import main
from concord.errors import Missing, Refused, UserError
from concord.model import Noted
from concord.testing import check_translator
from concord.translators._families import Wanted, _by_ours
from concord.translators._models import Search, batches
from concord.translators.huggingface import _ended

KINDS = ("marian", "targets", "m2m", "nllb")
TEXTS = [
    "The house is big.",
    "I do not have 3 cats.",
    "We like long walks in the rain, do you?",
    "Good morning!",
    "She said that the old bridge was closed last year.",
]
LONG = "Good morning! " * 60


@pytest.fixture
def made(tiny):
    """`made("m2m", beams=1)`: the system that a user gets for a tiny model, on one core and with short answers."""

    def make(kind, **options):
        chosen = {"threads": 1, "max_tokens": 24, **options}
        return plugins.system(
            f"huggingface:{tiny(kind)}" + "".join(f",{name}={value}" for name, value in chosen.items())
        )

    return make


@pytest.fixture
def generated(monkeypatch):
    """Every call of the network: what it was given, and what it gave."""
    from transformers.generation import GenerationMixin

    calls, real = [], GenerationMixin.generate

    def generate(self, **given):
        calls.append({**given, "rows": real(self, **given)})
        return calls[-1]["rows"]

    monkeypatch.setattr(GenerationMixin, "generate", generate)
    return calls


@pytest.fixture
def copied(tiny, tmp_path):
    """A copy of a tiny model that a test may damage."""
    return lambda kind, name="copy": shutil.copytree(tiny(kind), tmp_path / name)


def directions(system):
    async def ask():
        try:
            return await system.directions()
        finally:
            await system.close()

    return asyncio.run(ask())


# -- answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_conforms(made, kind):
    check_translator(made(kind), texts=TEXTS[:3])


def test_answers_keep_their_order_whatever_the_batches(made, translated):
    one_by_one = [translated(made("m2m"), [text])[0] for text in TEXTS]
    assert len(set(one_by_one)) == len(TEXTS)
    for room in (20, 60, 2048):
        assert translated(made("m2m", batch_tokens=room), TEXTS) == one_by_one
        assert translated(made("m2m", batch_tokens=room), TEXTS[::-1]) == one_by_one[::-1]


def test_no_batch_holds_more_padded_tokens_than_told(made, translated, generated):
    translated(made("m2m", batch_tokens=45), TEXTS * 3)
    shapes = [call["input_ids"].shape for call in generated]
    assert max(rows for rows, _ in shapes) > 1
    assert all(rows * width <= 45 or rows == 1 for rows, width in shapes)


@given(sizes=st.lists(st.integers(0, 300)), room=st.integers(1, 2000), most=st.integers(1, 600))
def test_batches_hold_every_text_once_within_bounds_that_its_neighbours_do_not_alter(sizes, room, most):
    search = Search(max_tokens=most, batch_tokens=room)
    cut = list(batches(sizes, search, 512))
    assert sorted(place for batch in cut for place in batch.places) == [i for i, size in enumerate(sizes) if size]
    for batch in cut:
        longest = max(sizes[place] for place in batch.places)
        assert len(batch.places) * longest <= room or len(batch.places) == 1
        for place in batch.places:
            assert [batch.most] == [alone.most for alone in batches([sizes[place]], search, 512)]


def test_a_blank_text_is_its_own_translation(made, translated):
    assert translated(made("m2m"), ["", " \n", TEXTS[0]])[:2] == ["", " \n"]


def test_a_text_that_is_too_long_is_refused_in_its_place_and_the_others_are_answered(made, translated):
    for kind in ("marian", "m2m"):
        first, long, last = translated(made(kind), [TEXTS[0], LONG, TEXTS[1]])
        assert isinstance(long, Refused)
        assert "64 at most" in str(long)
        assert [first, last] == translated(made(kind), TEXTS[:2])


def test_an_answer_that_reaches_the_bound_says_so(made, translated, generated):
    (answer,) = translated(made("m2m", max_tokens=5), TEXTS[:1])
    assert isinstance(answer, Noted)
    assert answer.note == {"cut_at_tokens": 5}
    assert generated[0]["rows"].shape[1] == 6


def test_an_answer_that_ends_by_itself_has_nothing_to_say(made, translated):
    answers = translated(made("marian", max_tokens=24), TEXTS)
    assert {isinstance(answer, Noted) for answer in answers} == {True, False}


def test_an_answer_is_what_stands_between_the_language_and_the_end():
    assert _ended([9, 5, 6, 2, 1, 1], True, frozenset({2}), 6) == ([5, 6], True)
    assert _ended([5, 6, 2], False, frozenset({2}), 3) == ([5, 6], False)
    assert _ended([5, 6, 7], False, frozenset({2}), 3) == ([5, 6, 7], False)


@pytest.mark.parametrize("beams", [1, 4])
def test_the_user_decides_on_the_beams_and_nothing_is_drawn_whatever_the_model_says(copied, made, translated, beams):
    folder = copied("m2m")
    settings = json.loads((folder / "generation_config.json").read_text())
    settings |= {"num_beams": 3, "do_sample": True, "temperature": 3.0, "top_k": 9, "top_p": 0.9, "max_length": 20}
    (folder / "generation_config.json").write_text(json.dumps(settings | {"num_return_sequences": 2}))
    answers = translated(plugins.system(f"huggingface:{folder},max_tokens=24,threads=1,beams={beams}"), TEXTS)
    assert answers == translated(made("m2m", beams=beams), TEXTS)


def test_more_beams_find_other_answers(made, translated):
    assert translated(made("m2m", beams=1), TEXTS) != translated(made("m2m", beams=4), TEXTS)


# -- languages ----------------------------------------------------------------------------------------


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
    tiny, made, translated, generated, kind, source, target, opens, begins
):
    from transformers import AutoTokenizer

    translated(made(kind), TEXTS, source, target)
    tokenizer = AutoTokenizer.from_pretrained(tiny(kind))
    opening, beginning = tokenizer.convert_tokens_to_ids([opens, begins])
    for call in generated:
        assert set(call["input_ids"][:, 0].tolist()) == {opening}
        assert set(call["rows"][:, 1].tolist()) == {beginning}


def test_a_marian_model_with_several_targets_is_told_by_a_prefix(tiny, made, translated, generated):
    vocabulary = json.loads((tiny("targets") / "vocab.json").read_text())
    answers = {}
    for target, prefix in (("es", ">>spa<<"), ("fr", ">>fra<<"), ("zh", ">>cmn_Hans<<")):
        answers[target] = translated(made("targets", max_tokens=40), TEXTS, "en", target)
        assert set(generated[-1]["input_ids"][:, 0].tolist()) == {vocabulary[prefix]}
    assert answers["es"] != answers["fr"]


def test_the_directions_are_the_models(made):
    assert directions(made("marian")) == {("en", "es")}
    assert directions(made("targets")) == {("en", "es"), ("en", "fr"), ("en", "zh-Hans"), ("en", "zh")}
    assert {("en", "es"), ("es", "en"), ("zh-Hans", "nso")} <= directions(made("m2m"))
    assert directions(made("nllb", source="en,eng", target="es,zh-Hant")) == {("en", "es"), ("en", "zh-Hant")}


def test_every_code_of_nllb_has_one_of_ours_and_none_is_lost(tiny, made):
    from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

    found = _by_ours(FAIRSEQ_LANGUAGE_CODES)
    assert set(found.values()) == set(FAIRSEQ_LANGUAGE_CODES)
    assert [found[code] for code in ("en", "fa", "ace", "ace-Arab", "yue", "zh", "fil")] == [
        "eng_Latn", "pes_Arab", "ace_Latn", "ace_Arab", "yue_Hant", "zho_Hans", "tgl_Latn",
    ]  # fmt: skip


def test_a_direction_that_the_model_lacks_is_said_before_the_run(made, tmp_path):
    corpus = tmp_path / "c.txt"
    corpus.write_text("The house is big.\n")
    with pytest.raises(UserError, match=r"cannot translate es-en\. .*Sources: en"):
        api.run(corpus, systems=[made("marian")], relations=["rtt"], to=["es"], workspace=tmp_path / "w.sqlite")


def test_a_direction_that_it_lacks_is_refused_text_by_text(made, translated):
    answers = translated(made("marian"), TEXTS[:2], "es", "en")
    assert [type(answer) for answer in answers] == [Refused, Refused]


def test_a_marian_model_that_tells_no_languages_must_be_told(made, translated):
    with pytest.raises(UserError, match=r"source and target language.*source=CODE,target=CODE"):
        directions(made("silent"))
    with pytest.raises(UserError, match=r"its target language.*: target=CODE$"):
        directions(made("silent", source="de"))
    assert directions(made("silent", source="de,nl", target="en")) == {("de", "en"), ("nl", "en")}
    with pytest.raises(UserError, match=r"has no target it\. It has: es, fr"):
        directions(made("targets", target="it"))


@pytest.mark.parametrize(
    ("name", "told", "known"),
    [
        ("Helsinki-NLP/opus-mt-en-es", (None, None), {("en", "es")}),
        ("opus-mt-de-fr/my-model/opus-mt-tc-big-en-pt/", (None, None), {("en", "pt")}),
        ("Helsinki-NLP/opus-mt-tc-big-eng-deu", ("eng", "deu"), {("en", "de")}),
    ],
)
def test_the_name_of_a_marian_model_tells_where_its_tokenizer_does_not(name, told, known):
    assert Wanted((), ()).of_marian(name, told, {}) == known


@pytest.mark.parametrize("told", [("ROMANCE", "en"), ("mul", "en"), ("gmw", "en")])
def test_a_group_of_languages_is_no_source(told):
    with pytest.raises(UserError, match="does not say its source language"):
        Wanted((), ()).of_marian("opus-mt-x", told, {})
    assert Wanted(("nl",), ()).of_marian("opus-mt-x", told, {}) == {("nl", "en")}


# -- one thread, loaded once --------------------------------------------------------------------------


def test_the_model_is_loaded_once_and_again_only_after_it_was_closed(made, monkeypatch):
    from transformers import AutoModelForSeq2SeqLM

    loaded, real = [], AutoModelForSeq2SeqLM.from_pretrained
    monkeypatch.setattr(AutoModelForSeq2SeqLM, "from_pretrained", lambda *a, **k: loaded.append(k) or real(*a, **k))
    system = made("m2m")

    async def use():
        await system.directions()
        before = len(loaded)
        await system.translate(TEXTS[:1], "en", "es")
        await system.translate(TEXTS[1:2], "es", "en")
        await system.close()
        return before

    for times in (1, 2):
        assert asyncio.run(use()) == times - 1
        assert len(loaded) == times
    assert all(not k["trust_remote_code"] and k["use_safetensors"] and k["weights_only"] for k in loaded)


@pytest.fixture
def held(monkeypatch):
    """The network waits inside its first call, until the test lets it go on."""
    from transformers.generation import GenerationMixin

    held, real = SimpleNamespace(begun=threading.Event(), free=threading.Event(), lengths=[]), GenerationMixin.generate

    def generate(self, **given):
        held.begun.set()
        assert held.free.wait(60)
        rows = real(self, **given)
        held.lengths.append(rows.shape[1])
        return rows

    monkeypatch.setattr(GenerationMixin, "generate", generate)
    return held


def test_the_event_loop_goes_on_while_the_model_works(made, held):
    async def use():
        system = made("m2m")
        working = asyncio.ensure_future(system.translate(TEXTS[:1], "en", "es"))
        await asyncio.to_thread(held.begun.wait, 60)
        assert not working.done()
        held.free.set()
        answers = await working
        await system.close()
        return answers

    assert len(asyncio.run(use())) == 1


def test_a_cancelled_request_stops_at_the_next_token_and_the_next_one_is_answered(made, held, translated):
    system = made("m2m", batch_tokens=1)

    async def use():
        working = asyncio.ensure_future(system.translate(TEXTS, "en", "es"))
        await asyncio.to_thread(held.begun.wait, 60)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        held.free.set()
        answers = await system.translate(TEXTS[:1], "en", "es")
        await system.close()
        return answers

    answers = asyncio.run(use())
    assert held.lengths == [2, 25]
    assert answers == translated(made("m2m"), TEXTS[:1])


def test_a_model_that_was_never_used_closes_without_being_loaded(made):
    before = threading.active_count()
    asyncio.run(made("m2m").close())
    assert threading.active_count() == before


# -- identity -----------------------------------------------------------------------------------------


def test_other_weights_or_another_tokenizer_are_another_version(tiny, copied, translated):
    def version(folder, **options):
        return plugins.entry("translators", "huggingface")(argument=str(folder), **options).version("en", "es")

    same, other, renamed = copied("m2m", "same"), copied("m2m", "other"), copied("m2m", "tokenizer")
    (same / "README.md").write_text("No matter.")
    weights = bytearray((other / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (other / "model.safetensors").write_bytes(weights)
    (renamed / "vocab.json").write_text((renamed / "vocab.json").read_text() + " ")
    original = version(tiny("m2m"))
    assert original.endswith("-float32")
    assert version(same) == original
    assert len({original, version(other), version(renamed), version(same, dtype="bfloat16")}) == 4


def test_only_options_that_alter_the_answers_stand_in_the_id(tiny):
    path = f"huggingface:{tiny('m2m')}"
    assert plugins.system(f"{path},device=cpu,batch_tokens=9,threads=1,source=en").id == path
    assert plugins.system(f"{path},beams=2,max_tokens=99").id == f"{path},beams=2,max_tokens=99"


# -- what can be wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["torch", "transformers", "sentencepiece"])
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Missing, match=rf"{library} is not installed.*pip install 'concord-mt\[huggingface\]'"):
        plugins.system("huggingface:somewhere/model")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("beams=0", "beams must be at least 1"),
        ("threads=-1", "threads must be 0"),
        ("dtype=int8", "Choose one of: auto"),
    ],
)
def test_an_option_out_of_range_is_refused(option, message):
    with pytest.raises(UserError, match=message):
        plugins.system(f"huggingface:x/y,{option}")


@pytest.mark.parametrize("argument", ["./nowhere", "/nowhere/at/all", "nowhere", "a/b/c"])
def test_a_folder_that_is_missing_is_said(argument):
    with pytest.raises(UserError, match=f"there is no folder {argument}"):
        directions(plugins.system(f"huggingface:{argument}"))


def test_no_argument_and_a_file_are_no_model(tiny):
    with pytest.raises(UserError, match="huggingface:FOLDER"):
        plugins.system("huggingface")
    with pytest.raises(UserError, match="is a file; give the folder"):
        directions(plugins.system(f"huggingface:{tiny('m2m') / 'config.json'}"))


def test_a_folder_without_a_model_or_with_one_of_another_kind_is_said(tmp_path, copied):
    with pytest.raises(UserError, match="is not a model"):
        directions(plugins.system(f"huggingface:{tmp_path}"))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(UserError, match=r"of the type gpt2.*Types that do: m2m_100, marian"):
        directions(plugins.system(f"huggingface:{tmp_path}"))
    bare = copied("m2m")
    (bare / "model.safetensors").unlink()
    with pytest.raises(UserError, match="holds no weights"):
        directions(plugins.system(f"huggingface:{bare}"))


def test_damaged_weights_and_tokenizers_are_said(copied, translated):
    broken = copied("m2m", "broken")
    (broken / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(UserError, match=r"the model in .*broken cannot be loaded"):
        translated(plugins.system(f"huggingface:{broken}"), TEXTS[:1])
    mute = copied("m2m", "mute")
    (mute / "vocab.json").write_text("{")
    with pytest.raises(UserError, match=r"the tokenizer in .*mute cannot be loaded"):
        directions(plugins.system(f"huggingface:{mute}"))


def test_weights_that_lack_a_layer_are_not_made_up(copied, translated):
    from safetensors.torch import load_file, save_file

    folder = copied("marian")
    weights = load_file(folder / "model.safetensors")
    del weights["model.encoder.layers.0.fc1.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UserError, match=r"lack 1 of the model's, such as model\.encoder\.layers\.0\.fc1\.weight"):
        translated(plugins.system(f"huggingface:{folder}"), TEXTS[:1])


def test_old_weights_are_read_but_no_code_in_them_is_run(copied, made, tmp_path, translated):
    import torch
    from safetensors.torch import load_file

    old = copied("m2m")
    weights = load_file(old / "model.safetensors")
    (old / "model.safetensors").unlink()
    torch.save(weights, old / "pytorch_model.bin")
    system = f"huggingface:{old},max_tokens=24,threads=1"
    assert translated(plugins.system(system), TEXTS) == translated(made("m2m"), TEXTS)

    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    (old / "pytorch_model.bin").write_bytes(pickle.dumps({"lm_head.weight": Trap()}))
    with pytest.raises(UserError, match="cannot be loaded"):
        translated(plugins.system(system), TEXTS)
    assert not (tmp_path / "sprung").exists()


# -- the hub ------------------------------------------------------------------------------------------


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """An empty cache of the hub's, out of reach of the network."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_hub_model_that_cannot_be_fetched_is_said(hub):
    with pytest.raises(UserError, match=r"cannot be fetched from the hub.*hf download owner/model"):
        directions(plugins.system("huggingface:owner/model"))


def test_a_hub_model_that_was_fetched_before_is_used_without_a_network(hub, tiny, made, translated):
    commit, stored = "0" * 40, hub / "models--owner--model"
    shutil.copytree(tiny("m2m"), stored / "snapshots" / commit)
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text(commit)
    system = plugins.system("huggingface:owner/model,max_tokens=24,threads=1")
    assert system.version("en", "es") == made("m2m").version("en", "es")
    assert translated(system, TEXTS) == translated(made("m2m"), TEXTS)


# -- a whole run --------------------------------------------------------------------------------------


def test_a_round_trip_runs_from_the_command_line(tiny, tmp_path, monkeypatch, capsys):
    (tmp_path / "c.txt").write_text("".join(f"{text}\n" for text in [*TEXTS, LONG]))
    monkeypatch.chdir(tmp_path)
    system = f"huggingface:{tiny('m2m')},max_tokens=24,threads=1"
    words = ["run", "c.txt", "--from", "en", "--to", "es", "--system", system, "-r", "rtt", "--json"]
    runs = []
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", ["concord", *words])
        with pytest.raises(SystemExit, match="0"):
            main()
        printed = capsys.readouterr()
        assert printed.err == ""
        runs.append(json.loads(printed.out))
    assert [(run["cases"], run["errors"]) for run in runs] == [(len(TEXTS), 1)] * 2
    # What was answered is remembered; the refused text is asked for again.
    assert [run["translations"]["sent"] > 1 for run in runs] == [True, False]
    assert runs[1]["translations"]["sent"] == 1
