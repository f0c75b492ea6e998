"""Corrected translations stand in front of a system; everything else is the system's."""

from __future__ import annotations

import asyncio
import json

import pytest

from concord import plugins
from concord.errors import Refused, UserError
from concord.model import System
from concord.testing import check_translator
from concord.translators.overlay import Translator
from concord.translators.table import Translator as Table

FIXES = Table(rows={("yes", "en", "es"): "sí", ("The house is big.", "en", "es"): "La casa es grande."})


class Upper(System):
    """Translates into capitals, remembers what it was asked, and may give some answers too many or too few."""

    id = "upper"
    deterministic = True

    def __init__(self, more: int = 0) -> None:
        self.asked: list[list[str]] = []
        self._more = more

    async def translate(self, texts, source, target):
        self.asked.append(list(texts))
        answers = [text.upper() if text else Refused("blank") for text in texts]
        return answers[: self._more] if self._more < 0 else answers + ["MORE"] * self._more

    def version(self, source, target):
        return "7" if target == "es" else None


def translated(system, texts, source="en", target="es"):
    return list(asyncio.run(system.translate(texts, source, target)))


def test_a_corrected_text_is_answered_from_the_file_and_all_others_by_the_system():
    inner = Upper()
    assert translated(Translator(fixes=FIXES, inner=inner), ["no", "yes", "Yes", "maybe"]) == [
        "NO",
        "sí",
        "YES",
        "MAYBE",
    ]
    assert inner.asked == [["no", "Yes", "maybe"]]


def test_a_correction_holds_for_its_direction_only():
    assert translated(Translator(fixes=FIXES, inner=Upper()), ["yes"], "en", "ca") == ["YES"]


def test_a_system_is_not_asked_for_nothing():
    inner = Upper()
    assert translated(Translator(fixes=FIXES, inner=inner), ["yes", "yes"]) == ["sí", "sí"]
    assert inner.asked == []


def test_an_error_of_the_system_stays_with_its_text():
    answer, error, fixed = translated(Translator(fixes=FIXES, inner=Upper()), ["no", "", "yes"])
    assert (answer, fixed) == ("NO", "sí")
    assert isinstance(error, Refused)


@pytest.mark.parametrize("more", [-1, 1, 2])
def test_a_wrong_number_of_answers_stays_wrong(more):
    texts = ["no", "yes", "maybe", "yes"]
    assert len(translated(Translator(fixes=FIXES, inner=Upper(more)), texts)) == len(texts) + more


def written(folder, *rows):
    file = folder / "fixes.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


ROW = {"source_lang": "en", "target_lang": "es", "source": "yes", "target": "sí"}


def test_the_command_line_names_the_file_and_any_system(tmp_path):
    file = written(tmp_path, ROW)
    system = plugins.system(f"overlay:{file},faulty:fake,kind=drop_word,rate=0.5,seed=7")
    assert system.id == f"overlay:{file},faulty:fake,kind=drop_word,rate=0.5,seed=7"
    assert translated(system, ["yes"]) == ["sí"]
    assert system.made_up


def test_exported_corrections_are_fixes(tmp_path):
    row = {**ROW, "wrong": "si", "corrected": "sí, claro", "relation": "rti", "categories": []}
    del row["target"]
    assert translated(plugins.system(f"overlay:{written(tmp_path, row)},fake"), ["yes"]) == ["sí, claro"]


def test_the_version_depends_on_the_corrections_and_on_the_system(tmp_path):
    other = Table(rows={("yes", "en", "es"): "claro"})
    versions = [Translator(fixes=fixes, inner=Upper()).version("en", "es") for fixes in (FIXES, other)]
    assert versions == [f"7+fixes,{fixes.version('en', 'es')}" for fixes in (FIXES, other)]
    assert versions[0] != versions[1]
    assert Translator(fixes=FIXES, inner=Upper()).version("en", "ca") is None


@pytest.mark.parametrize("argument", ["", "fixes.tsv", ",apertium"])
def test_both_must_be_named(argument):
    with pytest.raises(UserError, match="overlay needs corrections and another system"):
        Translator(argument=argument)


def test_it_conforms():
    texts = ("The house is big.", "I do not have 3 cats.", "Good morning!")
    check_translator(lambda: Translator(fixes=FIXES, inner=Upper()), texts=texts)
    check_translator(lambda: Translator(fixes=FIXES, inner=plugins.system("fake")), texts=texts)
