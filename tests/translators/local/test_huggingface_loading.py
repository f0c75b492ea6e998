"""A model of the Hugging Face kind is loaded once and works in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.large


def test_the_model_is_loaded_once_and_again_only_after_it_was_closed(huggingface, monkeypatch, sentences):
    from transformers import AutoModelForSeq2SeqLM

    loaded, real = [], AutoModelForSeq2SeqLM.from_pretrained
    monkeypatch.setattr(AutoModelForSeq2SeqLM, "from_pretrained", lambda *a, **k: loaded.append(k) or real(*a, **k))
    system = huggingface("m2m")

    async def use():
        await system.directions()
        before = len(loaded)
        await system.translate(sentences[:1], "en", "es")
        await system.translate(sentences[1:2], "es", "en")
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


def test_the_event_loop_goes_on_while_the_model_works(huggingface, held, sentences):
    async def use():
        system = huggingface("m2m")
        working = asyncio.ensure_future(system.translate(sentences[:1], "en", "es"))
        await asyncio.to_thread(held.begun.wait, 60)
        assert not working.done()
        held.free.set()
        answers = await working
        await system.close()
        return answers

    assert len(asyncio.run(use())) == 1


def test_a_cancelled_request_stops_at_the_next_token_and_the_next_one_is_answered(
    huggingface, held, given_up, translated, sentences
):
    # Fewer tokens than any text has words: no answer ends by itself.
    answers = given_up(huggingface("m2m", batch_tokens=1, max_tokens=3), held)
    assert held.lengths == [2, 4]
    assert answers == translated(huggingface("m2m", max_tokens=3), sentences[:1])


def test_a_model_that_was_never_used_closes_without_being_loaded(huggingface):
    before = threading.active_count()
    asyncio.run(huggingface("m2m").close())
    assert threading.active_count() == before
