from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.sentences import sentences, spans
from concord.model import Text


def split(words: str, lang: str = "en") -> list[str]:
    return [each.words for each in sentences(Text(words, lang))]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", ["Dr. Lee left.", "She paid 3.5 dollars.", "Why?", "No!"]),
        ("en", ["J. R. R. Smith met Mr. Fox, e.g. here.", "They spoke."]),
        ("en", ["He lives in the U.S. Army base.", "He was in the U.S.", "The rest left."]),
        ("en", ["They sell pens, paper, etc.", "It is cheap."]),
        ("en", ["See No. 5 on p. 12 of vol. II there.", "He said no.", "Then he left."]),
        ("en", ["Nobody is taller than I.", "The end."]),
        ("en", ["Well... maybe.", "Wait…", "What?"]),
        ("en", ["“Why?” he asked.", "“Go!”", "She went (home.)", "'Yes.'", "Fine."]),
        ("en", ["It rose by 2.6 to 3.", "The rest fell."]),
        ("en", ["Version 1.2.3 is at a.b.org today.", "Take it."]),
        ("es", ["¿Qué?", "¡Sí!", "El Sr. Pérez vino.", "«Ven.»", "Fue a EE.UU. y volvió."]),
        ("ca", ["La Sra. Puig té pomes, p. ex. vermelles.", "És bo."]),
        ("fr", ["M. Dupont arrive.", "« Quoi ? »", "Il part."]),
        ("it", ["Il dott. Rossi, il sig. Bianchi ecc. sono qui.", "Sì."]),
        ("de", ["Am 3. Oktober kam er im 19. Jahrhundert, z. B. Hier.", "Er war 12.", "Dann ging er."]),
        ("de", ["„Komm!“", "Er kam usw.", "Danach ging er."]),
        ("sv", ["Han har t.ex. Volvo.", "”Kom!”", "Hon gick."]),
        ("pt", ["O Dr. Silva chegou.", "Ele saiu."]),
        ("ru", ["А. С. Пушкин родился в 1799 г. в Москве.", "Он писал и т.д.", "Но это не всё."]),
        ("hi", ["यह एक है।", "वह दो है।"]),
    ],
)
def test_sentences_end_where_a_reader_says_so(lang, expected):
    assert split(" ".join(expected), lang) == expected


def test_chinese_and_japanese_need_no_blanks():
    assert split("我去了。“好！”他说。真的？", "zh") == ["我去了。", "“好！”他说。", "真的？"]
    assert split("「行く。」と言った。はい！", "ja") == ["「行く。」と言った。", "はい！"]


def test_lists_and_empty_lines_separate_and_a_line_break_alone_does_not():
    text = "Heading\n\n1. Open\nthe door.\n2. Close it.\n- one\n- two\n\n\nEnd"
    assert split(text) == ["Heading", "1. Open\nthe door.", "2. Close it.", "- one", "- two", "End"]


def test_a_text_without_words_has_no_sentences():
    assert split("") == split(" \n\n ") == []


@given(
    st.text(st.characters(codec=None) | st.sampled_from(". \n!?…。\"'”1aA(")), st.sampled_from(["en", "de", "ja", "xx"])
)
def test_only_blanks_lie_outside_of_sentences(words, lang):
    lang = "fi" if lang == "xx" else lang
    found = spans(Text(words, lang))
    ends = [0, *(end for _, end in found)]
    starts = [*(start for start, _ in found), len(words)]
    assert all(not words[end:start].strip() for end, start in zip(ends, starts, strict=True))
    assert all(words[start:end] == words[start:end].strip() != "" for start, end in found)


@pytest.mark.parametrize(
    "unit", ["a.", "a. ", ". ", "((((", "...", '."', "\n", "\n ", "I. ", "。」", "1. ", "\n- ", "etc. A"]
)
def test_a_hostile_text_takes_steps_in_proportion_to_its_length(unit):
    words = unit * (100_000 // len(unit))
    assert "".join("".join(split(words)).split()) == "".join(words.split())
