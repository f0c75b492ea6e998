"""The example that fine-tunes a model on corrections: what it writes translates the corrected texts as corrected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.large
EXAMPLE = Path(__file__).parents[3] / "examples" / "fine_tuning" / "fine_tune.py"
SOURCE, CORRECTED = "Good morning!", "Good morning?"
OTHERS = ("A small dog runs.", "I do not have 3 cats.", "We like long walks in the rain, do you?")


@pytest.fixture
def model(tiny, tmp_path):
    """A tiny model that says again what it reads; without dropout, so that it learns the same way on every machine."""
    folder = tmp_path / "model"
    shutil.copytree(tiny("marian"), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dropout": 0.0}))
    return folder


@pytest.fixture
def corrections(tmp_path):
    """A correction, as `concord export --what corrections` writes it; two cases have it."""
    row = {"source": SOURCE, "wrong": SOURCE, "corrected": CORRECTED, "source_lang": "en", "target_lang": "es"}
    file = tmp_path / "corrections.jsonl"
    file.write_text(f"{json.dumps(row)}\n" * 2)
    return file


def test_a_model_learns_a_correction_and_keeps_the_rest(
    helper, model, local_model, corrections, tmp_path, capsys, translated
):
    held_out, folder = tmp_path / "others.tsv", tmp_path / "fixed"
    held_out.write_text("".join(f"{text}\t{text}\n" for text in OTHERS))
    options = ["--held-out", str(held_out), "--epochs", "20", "--rate", "0.0003"]
    assert helper(EXAMPLE).main([str(model), str(corrections), str(folder), *options]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "corrections given word for word: 0 before, 1 after, of 1" in printed
    assert "BLEU on 3 other sentences:" in printed
    assert [line.split()[1] for line in printed[-2:]] == ["100.00", "100.00"]
    assert translated(local_model("huggingface", "marian", model), [SOURCE]) == [SOURCE]
    assert translated(local_model("huggingface", "marian", folder), [SOURCE, OTHERS[0]]) == [CORRECTED, OTHERS[0]]


def test_blank_lines_and_other_ends_of_lines_in_texts_are_no_lines(helper, tmp_path):
    file, table = tmp_path / "corrections.jsonl", tmp_path / "others.tsv"
    row = {"source": "One.\u2028Two.", "corrected": "Uno.\u2028Dos."}
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n\n", "utf-8")
    table.write_text("One.\x85Two.\tUno.\x85Dos.\n\n", "utf-8")
    assert helper(EXAMPLE).read_corrections(file) == [tuple(row.values())]
    assert helper(EXAMPLE).read_pairs(table) == [("One.\x85Two.", "Uno.\x85Dos.")]


def test_nothing_is_overwritten_and_nothing_learnt_from_nothing(helper, model, corrections, tmp_path, capsys):
    example = helper(EXAMPLE)
    assert example.main([str(model), str(corrections), str(model)]) == 1
    (tmp_path / "none.jsonl").write_text("")
    assert example.main([str(model), str(tmp_path / "none.jsonl"), str(tmp_path / "new")]) == 1
    assert "is there already" in (said := capsys.readouterr().err)
    assert "has no corrections" in said
    assert not (tmp_path / "new").exists()
