"""Words left in the source's script are found; names, and languages of one script, are left alone."""

from __future__ import annotations

import pytest

from concord.language.scripts import scripts_of
from concord.language.untranslated_words import left_over
from concord.model import Text


def left(source: str, translation: str, langs: str) -> list[str]:
    a, b = langs.split("-")
    return [each.words for each in left_over(Text(source, a), Text(translation, b))]


def test_a_word_left_in_english_is_found_where_it_stands() -> None:
    (found,) = left_over(Text("a budding partnership", "en"), Text("一个budding的伙伴关系", "zh"))
    assert (found.words, found.start, found.end) == ("budding", 2, 9)


def test_names_and_acronyms_may_stay() -> None:
    assert left("Fleming works at IBM on the iPhone", "Fleming在IBM工作iPhone", "en-zh") == []


def test_a_unit_of_measure_may_stay() -> None:
    assert left("a road of 5 km", "5 km的路", "en-zh") == []
    assert left("a dish of 5 beans", "5 beans的菜", "en-zh") == ["beans"]


def test_a_text_that_came_back_as_it_was_is_left_as_a_whole() -> None:
    assert left("Uber has a team", "Uber has a team", "en-ru") == ["Uber", "has", "a", "team"]


def test_a_name_alone_may_come_back_as_it_was() -> None:
    assert left("Marc Andreessen", "Marc Andreessen", "en-zh") == []


def test_a_word_that_is_not_the_sources_was_not_left() -> None:
    assert left("the central bank", "中央bank和email", "en-zh") == ["bank"]


def test_characters_left_in_english_are_found() -> None:
    assert left("我喜欢北京烤鸭", "I like 北京烤鸭", "zh-en") == ["北京烤鸭"]


@pytest.mark.parametrize("langs", ["en-es", "es-ca", "ru-uk", "zh-ja"])
def test_languages_of_one_script_tell_nothing(langs: str) -> None:
    assert left("radio", "radio", langs) == []


@pytest.mark.parametrize(
    ("lang", "scripts"),
    [("zh", {"Hani"}), ("zh-TW", {"Hani"}), ("ja", {"Hani", "Hira", "Kana"}), ("sr-Latn", {"Latn"}), ("qaa", set())],
)
def test_the_scripts_of_a_language(lang: str, scripts: set[str]) -> None:
    assert scripts_of(lang) == scripts
