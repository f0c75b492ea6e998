"""A text is translated alike beside an unrelated sentence."""

from __future__ import annotations

import random

import pytest

from concord.errors import UserError
from concord.language import word_tables
from concord.language.scripts import script, scripts_of
from concord.language.sentences import sentences
from concord.model import Text
from concord.relations import concatenation
from concord.testing import Table, check_relation, now

SENTENCE = "They held friendly talks."


def test_a_text_can_stand_beside_an_unrelated_sentence():
    answers = {
        SENTENCE: "他们举行亲切会谈。",
        f"{SENTENCE} It rained.": "他们举行会谈。下雨了。",
        f"It rained. {SENTENCE}": "下雨了。他们举行会谈。",
    }
    x = Text(SENTENCE, "en")
    (case,) = now(concatenation.check(x, Table(answers), random.Random(1), to="zh", unrelated="It rained."))
    assert (case.follow_up, case.evidence["missing"]) == (x, ["亲", "切"])
    assert case.evidence["container"] == "concatenation"
    assert case.source.words[slice(*case.evidence["marked"]["source"][0])] == SENTENCE


def test_in_other_languages_a_sentence_must_be_named():
    with pytest.raises(UserError, match="name a sentence in 'sw'"):
        concatenation.plan("sw", to="en", unrelated="")
    assert concatenation.plan("sw", to="en", unrelated="Mvua inanyesha.").directions == [("sw", "en")]


@pytest.mark.parametrize("lang", sorted(word_tables(concatenation.__file__)))
def test_a_sentence_that_ships_is_one_sentence_of_its_language(lang):
    for words in concatenation.sentences(lang):
        assert [each.words for each in sentences(Text(words, lang))] == [words]
        assert scripts_of(lang) & {script(words)} or lang == "ja"
    assert concatenation.plan(lang, to="en" if lang != "en" else "es", unrelated="").directions


def test_it_conforms():
    check_relation("concatenation")
