from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.scripts import case, marks, script


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("word", "Latn"),
        ("Ｗｏｒｄ", "Latn"),
        ("слово", "Cyrl"),
        ("λόγος", "Grek"),
        ("漢字かな", "Hani"),
        ("ひらがな", "Hira"),
        ("コーヒー", "Kana"),
        ("ｺｰﾋｰ", "Kana"),
        ("한국어", "Hang"),
        ("كلمة", "Arab"),
        ("हिन्दी", "Deva"),
        ("яндекс Go", "Cyrl"),
        ("42 %", "Zyyy"),
        ("", "Zyyy"),
        ("🙂", "Zyyy"),
    ],
)
def test_the_script_is_that_of_most_letters(words, code):
    assert script(words) == code


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("lower", "word don't être 1st"),
        ("title", "Word Don't Jean-Luc O'Neil Être I É E\u0301 Ǆ ǅ"),
        ("upper", "NATO U.S. ÊTRE 3D"),
        ("mixed", "iPhone McDonald pH jean-Luc x-Ray WiFi"),
        ("none", "42 漢字 ! 1.5"),
    ],
)
def test_the_case_of_a_word(expected, words):
    assert {word: case(word) for word in words.split()} == dict.fromkeys(words.split(), expected)


@given(st.text(st.characters(codec=None)))
def test_every_string_has_a_case_and_a_script(words):
    assert case(words) in ("lower", "title", "upper", "mixed", "none")
    assert len(script(words)) == 4


def test_marks_are_ranges_of_combining_characters():
    ranges = marks()
    assert ranges.startswith("\u0300-\u036f")
    assert all(unicodedata.category(each)[0] in "MC" for each in ranges.replace("-", ""))
