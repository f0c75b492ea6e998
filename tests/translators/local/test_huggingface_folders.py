"""Folders and names of the hub that hold a model of the Hugging Face kind, or what is wrong with them."""

from __future__ import annotations

import pickle
import shutil

import pytest

from concord import plugins
from concord.errors import UserError

pytestmark = pytest.mark.large


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("beams=0", "beams cannot be '0': a number of at least 1"),
        ("threads=-1", "threads cannot be '-1': a number of at least 0"),
        ("dtype=int8", "Choose one of: auto"),
    ],
)
def test_an_option_out_of_range_is_refused(option, message):
    with pytest.raises(UserError, match=message):
        plugins.system(f"huggingface:x/y,{option}")


@pytest.mark.parametrize("argument", ["./nowhere", "/nowhere/at/all", "nowhere", "a/b/c"])
def test_a_folder_that_is_missing_is_said(argument, listed):
    with pytest.raises(UserError, match=f"there is no folder {argument}"):
        listed(plugins.system(f"huggingface:{argument}"))


def test_no_argument_and_a_file_are_no_model(tiny, listed):
    with pytest.raises(UserError, match="huggingface:FOLDER"):
        plugins.system("huggingface")
    with pytest.raises(UserError, match="is a file; give the folder"):
        listed(plugins.system(f"huggingface:{tiny('m2m') / 'config.json'}"))


def test_a_folder_without_a_model_or_with_one_of_another_kind_is_said(tmp_path, copied, listed):
    with pytest.raises(UserError, match="is not a model"):
        listed(plugins.system(f"huggingface:{tmp_path}"))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(UserError, match=r"of the type gpt2.*Types that do: m2m_100, marian"):
        listed(plugins.system(f"huggingface:{tmp_path}"))
    bare = copied("m2m")
    (bare / "model.safetensors").unlink()
    with pytest.raises(UserError, match="holds no weights"):
        listed(plugins.system(f"huggingface:{bare}"))


def test_damaged_weights_and_tokenizers_are_said(copied, translated, sentences, listed):
    broken = copied("m2m", "broken")
    (broken / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(UserError, match=r"the model in .*broken cannot be loaded"):
        translated(plugins.system(f"huggingface:{broken}"), sentences[:1])
    mute = copied("m2m", "mute")
    (mute / "vocab.json").write_text("{")
    with pytest.raises(UserError, match=r"the tokenizer in .*mute cannot be loaded"):
        listed(plugins.system(f"huggingface:{mute}"))


def test_weights_that_lack_a_layer_are_not_made_up(copied, translated, sentences):
    from safetensors.torch import load_file, save_file

    folder = copied("marian")
    weights = load_file(folder / "model.safetensors")
    del weights["model.encoder.layers.0.fc1.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UserError, match=r"lack 1 of the model's, such as model\.encoder\.layers\.0\.fc1\.weight"):
        translated(plugins.system(f"huggingface:{folder}"), sentences[:1])


def test_old_weights_are_read_but_no_code_in_them_is_run(copied, huggingface, tmp_path, translated, sentences):
    import torch
    from safetensors.torch import load_file

    old = copied("m2m")
    weights = load_file(old / "model.safetensors")
    (old / "model.safetensors").unlink()
    torch.save(weights, old / "pytorch_model.bin")
    system = f"huggingface:{old},max_tokens=24,threads=1"
    assert translated(plugins.system(system), sentences) == translated(huggingface("m2m"), sentences)

    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    (old / "pytorch_model.bin").write_bytes(pickle.dumps({"lm_head.weight": Trap()}))
    with pytest.raises(UserError, match="cannot be loaded"):
        translated(plugins.system(system), sentences)
    assert not (tmp_path / "sprung").exists()


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """An empty cache of the hub's, out of reach of the network."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_hub_model_that_cannot_be_fetched_is_said(hub, listed):
    with pytest.raises(UserError, match=r"cannot be fetched from the hub.*hf download owner/model"):
        listed(plugins.system("huggingface:owner/model"))


def test_a_hub_model_that_was_fetched_before_is_used_without_a_network(hub, tiny, huggingface, translated, sentences):
    commit, stored = "0" * 40, hub / "models--owner--model"
    shutil.copytree(tiny("m2m"), stored / "snapshots" / commit)
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text(commit)
    system = plugins.system("huggingface:owner/model,max_tokens=24,threads=1")
    assert system.version("en", "es") == huggingface("m2m").version("en", "es")
    assert translated(system, sentences) == translated(huggingface("m2m"), sentences)
