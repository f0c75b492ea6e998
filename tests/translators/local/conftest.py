"""Tiny models, made once, and what the tests of the translators that run them share."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path

import pytest

from concord.plugins import system


@pytest.fixture(scope="session")
def tiny(tmp_path_factory, helper):
    """`tiny("m2m")`: the folder of a tiny model, made once; `tiny("ct2-m2m")`: the same for CTranslate2.

    Kinds: marian, targets (Marian with several targets), silent (Marian that tells no language), m2m, nllb.
    """
    root, maker = tmp_path_factory.mktemp("models"), helper(Path(__file__).with_name("tiny.py"))

    def folder(kind):
        path = root / kind
        if not path.exists():
            plain = kind.removeprefix("ct2-")
            maker.convert(folder(plain), path) if plain != kind else maker.make(kind, path)
        return path

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield folder


@pytest.fixture
def local_model(tiny):
    """`local_model("ctranslate2", "m2m", beams=1)`: what a user gets for a tiny model, on one core, with short answers.

    `folder` is where the model lies, if not where `tiny` has made it.
    """

    def make(adapter, kind, folder=None, **options):
        usual = tiny(f"ct2-{kind}" if adapter == "ctranslate2" else kind) if folder is None else folder
        chosen = {"threads": 1, "max_tokens": 24, **options}
        return system(f"{adapter}:{usual}" + "".join(f",{name}={value}" for name, value in chosen.items()))

    return make


@pytest.fixture(scope="session")
def sentences():
    """A few texts of different lengths."""
    return [
        "The house is big.",
        "I do not have 3 cats.",
        "We like long walks in the rain, do you?",
        "Good morning!",
        "She said that the old bridge was closed last year.",
    ]


@pytest.fixture
def huggingface(local_model):
    return partial(local_model, "huggingface")


@pytest.fixture
def generated(monkeypatch):
    """Every call of the network: what it was given, what it gave, and how many answers to a text it followed up."""
    from transformers.generation import GenerationMixin

    calls, real = [], GenerationMixin.generate

    def generate(self, **given):
        widths = set()

        def watch(decoder, positional, named):
            widths.add(named["input_ids"].shape[0])

        with self.get_decoder().register_forward_pre_hook(watch, with_kwargs=True):
            rows = real(self, **given)
        beams = {width // len(given["input_ids"]) for width in widths}
        calls.append({**given, "rows": rows, "beams": beams})
        return rows

    monkeypatch.setattr(GenerationMixin, "generate", generate)
    return calls


@pytest.fixture
def copied(tiny, tmp_path):
    """A copy of a tiny model that a test may damage."""
    return lambda kind, name="copy": shutil.copytree(tiny(kind), tmp_path / name)


@pytest.fixture
def given_up(sentences):
    """`given_up(system, held)`: the answers to a request after one that was cancelled while the network was at it.

    The network sets `held.begun` and waits for `held.free`.
    """

    def ask(system, held):
        async def use():
            working = asyncio.ensure_future(system.translate(sentences, "en", "es"))
            await asyncio.to_thread(held.begun.wait, 60)
            working.cancel()
            with pytest.raises(asyncio.CancelledError):
                await working
            held.free.set()
            answers = await system.translate(sentences[:1], "en", "es")
            await system.close()
            return list(answers)

        return asyncio.run(use())

    return ask
