"""A user's alternatives are as good as each other, whatever their length."""

from __future__ import annotations

from pathlib import Path

import pytest

from concord.errors import UserError
from concord.language.alternatives import read_alternatives
from concord.language.comparison_units import difference, units
from concord.model import Text
from concord.relations.rti import compare


def test_an_alternative_is_no_reason_for_an_alarm(tmp_path: Path) -> None:
    path = tmp_path / "zh.tsv"
    path.write_text("地方\t地区\n", "utf-8")
    texts = (Text("land problems", "en"), Text("land", "en"), Text("土地方面的问题", "zh"), Text("土地", "zh"))
    assert compare(*texts, alternatives=str(path)).suspicion == 0


def test_a_file_that_was_written_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "es.tsv"
    path.write_text("coche\tauto\n", "utf-8")
    assert lacking(path, "es", "un carro", "un coche") == ["carro"]
    path.write_text("coche\tauto\tcarro\n", "utf-8")
    assert lacking(path, "es", "un carro", "un coche") == []


def lacking(path: Path, lang: str, phrase: str, whole: str) -> list[str]:
    settled = read_alternatives(str(path), lang).settled
    return [unit.form for unit in difference(*(settled(units(Text(each, lang))) for each in (phrase, whole))).missing]


def test_the_papers_false_alarm_is_silenced_by_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "zh.tsv"
    path.write_text("# places\n地方\t地区\n", "utf-8")
    phrase, whole = "来自世界其他地区的创新", "很多来自世界其他地方的创新"
    assert [unit.form for unit in difference(units(Text(phrase, "zh")), units(Text(whole, "zh"))).missing] == ["区"]
    assert lacking(path, "zh", phrase, whole) == []


def test_alternatives_of_several_words_are_taken_whole(tmp_path: Path) -> None:
    path = tmp_path / "es.tsv"
    path.write_text("Estados Unidos\tEEUU\tUSA\n", "utf-8")
    assert lacking(path, "es", "los Estados Unidos", "en los EEUU") == []
    assert lacking(path, "es", "los Estados", "en los EEUU") == ["estados"]


def test_a_translation_in_two_lines_joins_them(tmp_path: Path) -> None:
    path = tmp_path / "es.tsv"
    path.write_text("coche\tauto\ncarro\tvehículo\nauto\tcarro\n", "utf-8")
    assert lacking(path, "es", "un coche", "un vehículo") == []


def test_no_file_has_no_alternatives() -> None:
    found = units(Text("un coche", "es"))
    assert read_alternatives("", "es").settled(found) == found


@pytest.mark.parametrize(
    ("content", "said"), [(b"one\n", "line 1"), (b"a\tb\n,\t.\n", "line 2"), (b"\xff\xfe\n", "not UTF-8")]
)
def test_a_file_that_makes_no_sense_is_told_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        read_alternatives(str(path), "es")


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match=r"cannot be read: No such file"):
        read_alternatives("nowhere.tsv", "es")
