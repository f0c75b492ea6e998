"""Models of the Hugging Face kind, from tiny ones on disk: batches, bounds, identity and a whole run."""

from __future__ import annotations

import json
import sys

import pytest

from concord import plugins
from concord.cli.commands import main
from concord.model import Noted
from concord.testing import check_translator
from concord.translators.huggingface import _ended

pytestmark = pytest.mark.large

KINDS = ("marian", "targets", "m2m", "nllb")
LONG = "Good morning! " * 60


@pytest.mark.parametrize("kind", KINDS)
def test_it_conforms(huggingface, kind, sentences):
    check_translator(huggingface(kind), texts=sentences[:3])


def test_no_batch_holds_more_padded_tokens_than_told(huggingface, translated, generated, sentences):
    translated(huggingface("m2m", batch_tokens=45), sentences * 3)
    shapes = [call["input_ids"].shape for call in generated]
    assert max(rows for rows, _ in shapes) > 1
    assert all(rows * width <= 45 or rows == 1 for rows, width in shapes)


def test_a_blank_text_is_its_own_translation(huggingface, translated, sentences):
    assert translated(huggingface("m2m"), ["", " \n", sentences[0]])[:2] == ["", " \n"]


def test_an_answer_that_reaches_the_bound_says_so(huggingface, translated, generated, sentences):
    (answer,) = translated(huggingface("m2m", max_tokens=5), sentences[:1])
    assert isinstance(answer, Noted)
    assert answer.note == {"cut_at_tokens": 5}
    assert generated[0]["rows"].shape[1] == 6


def test_an_answer_is_what_stands_between_the_language_and_the_end():
    assert _ended([9, 5, 6, 2, 1, 1], True, frozenset({2}), 6) == ([5, 6], True)
    assert _ended([5, 6, 2], False, frozenset({2}), 3) == ([5, 6], False)
    assert _ended([5, 6, 7], False, frozenset({2}), 3) == ([5, 6, 7], False)


@pytest.mark.parametrize("beams", [1, 4])
def test_the_user_decides_on_the_beams_and_nothing_is_drawn_whatever_the_model_says(
    copied, generated, translated, beams, sentences
):
    folder = copied("m2m")
    settings = json.loads((folder / "generation_config.json").read_text())
    settings |= {"num_beams": 3, "do_sample": True, "temperature": 3.0, "top_k": 9, "top_p": 0.9, "max_length": 20}
    (folder / "generation_config.json").write_text(json.dumps(settings | {"num_return_sequences": 2}))
    system = plugins.system(f"huggingface:{folder},max_tokens=64,threads=1,beams={beams}")
    # What is most likely is the text itself.
    assert translated(system, sentences) == sentences
    assert [call["beams"] for call in generated] == [{beams}] * len(generated)


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


@pytest.mark.usefixtures("toy_languages")
def test_a_round_trip_runs_from_the_command_line(tiny, tmp_path, monkeypatch, capsys, sentences):
    (tmp_path / "c.txt").write_text("".join(f"{text}\n" for text in [*sentences, LONG]))
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
        runs.append(json.loads(printed.out)["runs"][1])
    assert [(run["cases"], run["errors"]) for run in runs] == [(len(sentences), 1)] * 2
    # What was answered is remembered; the refused text is asked for again.
    assert [run["translations"]["sent"] > 1 for run in runs] == [True, False]
    assert runs[1]["translations"]["sent"] == 1
