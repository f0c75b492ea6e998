from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from string import ascii_letters

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from concord import plugins
from concord.errors import UserError
from concord.translators.fake import Translator, flawed

LANGUAGES = ["en", "es", "fr", "de", "ca", "zh-Hans", "pt-BR", "eo", "xx"]
languages = st.sampled_from(LANGUAGES)
SENTENCES = [f"Sentence {number} does not say very much about the {number * 7} cats." for number in range(2_000)]


def translated(text, *path, flaws=0.0):
    """The text after a chain of translations along the languages."""
    system = Translator(flaws=flaws)
    for source, target in pairwise(path):
        (text,) = asyncio.run(system.translate([text], source, target))
    return text


@settings(deadline=None)
@given(st.text(), languages, languages)
@example("Straße ß İstanbul ıI ŉ Ǆ ﬁ", "en", "de")
def test_without_flaws_a_round_trip_gives_the_text_back(text, source, target):
    assert translated(text, source, target, source) == text


@settings(deadline=None)
@given(st.text(), languages, languages, languages)
def test_without_flaws_every_detour_agrees(text, source, between, target):
    assert translated(text, source, between, target) == translated(text, source, target)


@settings(deadline=None)
@given(st.text(), languages, languages)
def test_case_digits_and_everything_foreign_stay(text, source, target):
    answer = translated(text, source, target)
    assert len(answer) == len(text)
    for old, new in zip(text, answer, strict=True):
        assert (old.isupper(), old.islower()) == (new.isupper(), new.islower())
        assert old == new or (old in ascii_letters and new in ascii_letters)


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_language_looks_different_from_english_and_can_be_spoken(lang):
    sentence = "The quick brown fox jumps over the lazy dog"
    answer = translated(sentence, "en", lang)
    assert answer != sentence
    assert [c in "aeiou" for c in answer.lower()] == [c in "aeiou" for c in sentence.lower()]


def test_the_languages_look_different_from_one_another():
    assert len({translated("the quick brown fox", "en", lang) for lang in LANGUAGES}) == len(LANGUAGES)


def test_the_spelling_is_the_same_today_and_tomorrow():
    assert translated("Not 3 cats!", "en", "es") == "Xes 3 vasg!"


@settings(deadline=None)
@given(st.text(), languages, languages, st.floats(0, 1))
def test_the_same_text_always_gets_the_same_answer(text, source, target, flaws):
    assert translated(text, source, target, flaws=flaws) == translated(text, source, target, flaws=flaws)


@settings(deadline=None)
@given(st.text(), languages, languages)
@example(" \n", "en", "es")
@example("word", "en", "es")
def test_no_answer_is_empty_unless_the_text_is(text, source, target):
    assert bool(translated(text, source, target, flaws=1).strip()) == bool(text.strip())


@settings(deadline=None)
@given(st.text(), st.integers(0, 2**64 - 1))
def test_a_flaw_changes_the_text(text, drawn):
    assert (flawed(text, drawn) != text) == bool(text.strip())


@pytest.mark.parametrize("flaws", [0.0, 0.1, 0.5, 1.0])
def test_the_share_of_flawed_texts_is_as_told(flaws):
    clean = asyncio.run(Translator(flaws=0).translate(SENTENCES, "en", "es"))
    found = asyncio.run(Translator(flaws=flaws).translate(SENTENCES, "en", "es"))
    share = sum(a != b for a, b in zip(clean, found, strict=True)) / len(SENTENCES)
    assert share == pytest.approx(flaws, abs=0.03)


def test_all_four_mistakes_occur():
    answers = asyncio.run(Translator(flaws=1).translate(SENTENCES, "en", "en-GB"))
    kinds = set()
    for sentence, answer in zip(SENTENCES, answers, strict=True):
        if len(answer.split()) > len(sentence.split()):
            kinds.add("doubled")
        elif re.sub("[0-9]", "", answer) == re.sub("[0-9]", "", sentence):
            kinds.add("number")
        elif answer == sentence.replace("not ", ""):
            kinds.add("not")
        else:
            kinds.add("lost")
            assert len(answer.split()) == len(sentence.split()) - 1
    assert kinds == {"doubled", "number", "not", "lost"}


def test_a_batch_answers_as_single_texts_do():
    system = Translator(flaws=0.5)
    together = asyncio.run(system.translate(SENTENCES[:50], "en", "fr"))
    alone = [asyncio.run(system.translate([sentence], "en", "fr"))[0] for sentence in SENTENCES[:50]]
    assert together == alone


@pytest.mark.parametrize("flaws", [-0.1, 1.1])
def test_a_share_that_is_none_is_the_users_to_cure(flaws):
    with pytest.raises(UserError, match="a number from 0 to 1"):
        plugins.system(f"fake,flaws={flaws}")


def test_the_share_of_flaws_stands_in_the_id():
    assert Translator(flaws=0.25).id == "fake,flaws=0.25"
    assert Translator().version("en", "es") == "1"
    assert asyncio.run(Translator().directions()) is None
