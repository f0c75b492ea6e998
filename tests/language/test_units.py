"""Units are counted as multisets, by what is written or by what counts as the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concord.language.analysis import Part, Word
from concord.language.comparison_units import Unit, Units, difference, lemmas, stemmed, units
from concord.model import Text


def forms(words: str, lang: str) -> list[str]:
    return [unit.form for unit in units(Text(words, lang))]


def lacking(phrase: str, whole: str, lang: str) -> list[str]:
    return [unit.form for unit in difference(units(Text(phrase, lang)), units(Text(whole, lang))).missing]


def test_the_bag_of_the_papers_figure_four() -> None:
    counted = Counter(forms("we watched two movies and two basketball games.", "en"))
    assert counted == {"we": 1, "watched": 1, "two": 2, "movies": 1, "and": 1, "basketball": 1, "games": 1}


def test_the_papers_distance_of_two_interesting_books_is_two() -> None:
    assert lacking("two interesting books", "we watch two movies and two basketball games", "en") == [
        "interesting",
        "books",
    ]


def test_a_word_that_is_needed_twice_is_missing_once() -> None:
    assert lacking("two books and two films", "two books and films", "en") == ["two"]


def test_chinese_is_counted_by_characters_without_particles_and_marks() -> None:
    assert forms("亲切的双边会谈，说明了。", "zh-Hans") == list("亲切双边会谈说明")


def test_japanese_keeps_the_characters_that_are_particles_in_chinese() -> None:
    assert forms("目的と終了", "ja") == list("目的と終了")


def test_a_name_in_another_script_counts_as_one_and_digits_one_by_one() -> None:
    assert forms("IBM的77倍", "zh") == ["ibm", "7", "7", "倍"]


@pytest.mark.parametrize("written", ["１％的家庭", "1%的家庭"])
def test_full_width_signs_count_as_the_plain_ones(written: str) -> None:
    assert forms(written, "zh") == ["1", "家", "庭"]


def test_compatibility_characters_count_as_the_plain_ones() -> None:
    assert forms("⽩宫", "zh") == forms("白宫", "zh")


def test_units_tell_where_they_stand() -> None:
    text = Text("Los gatos, negros", "es")
    assert [text.words[unit.start : unit.end] for unit in units(text)] == ["Los", "gatos", "negros"]


def test_forms_with_one_stem_count_as_the_same() -> None:
    one, other = (stemmed(Text(words, "es")) for words in ("casas rojas", "la casa roja"))
    assert difference(one, other).missing == []
    assert [unit.form for unit in difference(other, one).missing] == ["la"]


def test_forms_with_one_lemma_count_as_the_same_and_nobody_misses_articles_and_prepositions() -> None:
    text = "del gato"
    words = [
        Word(0, 3, (Part("de", ("pr",), "ADP"), Part("el", ("det",), "DET")), text),
        Word(4, 8, (Part("gato", ("n", "m", "sg"), "NOUN"),), text),
    ]
    assert [unit.key for unit in lemmas(words, "es")] == ["de", "gato"]
    assert difference(lemmas(words, "es"), Units(["gatos"], ["gato"], lambda: [(0, 5)])).missing == []
    assert [unit.form for unit in difference(lemmas(words, "es"), units(Text("", "es"))).missing] == ["gato"]


def test_a_verb_with_its_pronouns_is_one_word() -> None:
    parts = (Part("dar", ("vblex",), "VERB"), Part("se", ("prn",), "PRON"), Part("lo", ("prn",), "PRON"))
    found = lemmas([Word(0, 7, parts, "dárselo")], "es")
    assert [(unit.form, unit.key) for unit in found] == [("dárselo", "dar")]


def test_what_stands_at_the_end_of_a_phrase_is_marked_too() -> None:
    phrase, whole = (units(Text(words, "es")) for words in ("Dos litros de agua", "Beber dos litros de abrevar un día"))
    assert [unit.form for unit in difference(phrase, whole).instead] == ["abrevar"]


def test_apostrophes_are_all_alike() -> None:
    assert forms("l’uomo", "it") == forms("l'uomo", "it")


def test_a_word_is_found_again_where_the_analysis_takes_it_for_a_preposition() -> None:
    noun, preposition = ([Word(0, 3, (Part("via", (), upos),), "via")] for upos in ("NOUN", "ADP"))
    assert difference(lemmas(noun, "ca"), lemmas(preposition, "ca")).missing == []


def test_the_words_of_an_expression_count_one_by_one() -> None:
    text = "al càrrec de la sala"
    words = [
        Word(0, 12, (Part("al càrrec de", ("pr",), "ADP"),), text),
        Word(16, 20, (Part("sala", (), "NOUN"),), text),
    ]
    found = lemmas(words, "ca")
    assert [text[unit.start : unit.end] for unit in found] == ["al", "càrrec", "de", "sala"]
    assert [unit.form for unit in difference(found, units(Text("", "ca"))).missing] == ["càrrec", "sala"]


def test_what_is_written_alike_is_the_same_whatever_its_lemma() -> None:
    assert difference(Units(["un"], ["u"], lambda: [(0, 2)]), Units(["un"], ["un"], lambda: [(5, 7)])).missing == []


def test_what_stands_instead_is_looked_for_where_the_rest_of_the_phrase_stands() -> None:
    phrase, whole = units(Text("世界其他地方", "zh")), units(Text("创新来自世界其他地区，很多很多很多", "zh"))
    found = difference(phrase, whole)
    assert [unit.form for unit in found.missing] == ["方"]
    assert [unit.form for unit in found.instead] == ["区"]
    phrase, whole = (
        units(Text("other parts of the world", "en")),
        units(Text("coming from other places of the world", "en")),
    )
    assert [unit.form for unit in difference(phrase, whole).instead] == ["places"]


texts = st.text(st.sampled_from("abc的了 亲切,."), max_size=30)


@given(texts, texts, st.sampled_from(["en", "zh"]))
def test_the_distance_is_that_of_multisets(phrase: str, whole: str, lang: str) -> None:
    one, other = Counter(forms(phrase, lang)), Counter(forms(whole, lang))
    assert Counter(lacking(phrase, whole, lang)) == one - other


@given(texts, texts, st.sampled_from(["en", "zh"]))
def test_a_phrase_is_never_missing_from_a_text_that_holds_it(phrase: str, rest: str, lang: str) -> None:
    assert lacking(phrase, f"{phrase} {rest}", lang) == []


@given(st.text(max_size=60), st.sampled_from(["en", "es", "zh", "ja", "th", "qaa"]))
def test_units_stand_in_the_text_one_after_the_other(words: str, lang: str) -> None:
    place = 0
    for unit in units(Text(words, lang)):
        assert place <= unit.start < unit.end <= len(words)
        place = unit.end


unspaced = st.text(
    st.sampled_from("的双边会谈了々ガーとヵカか゛\u3099ー・、。，「」！ \u3000\n12１①㍻_-'@"), max_size=20
)


@example("㍻的", "zh")
@example("、か\u3099", "ja")
@given(unspaced, st.sampled_from(["zh", "ja"]))
def test_a_word_in_another_script_changes_nothing_before_it(words: str, lang: str) -> None:
    alone, followed = units(Text(words, lang)), units(Text(f"{words} x", lang))
    assert [*alone, Unit("x", "x", len(words) + 1, len(words) + 2)] == list(followed)
