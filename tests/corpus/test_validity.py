from __future__ import annotations

import pytest

from concord.corpus.sampling.validity import Validity

LARGE = pytest.mark.large
GOOD = {
    "en": ["The old bridge over the river was closed until spring.", "“Where is he?” asked the man (a doctor)."],
    "es": ["El viejo puente sobre el río estuvo cerrado hasta la primavera."],
    "ca": ["El vell pont de l'altre costat del riu va ser tancat fins a la primavera."],
    "gl": ["A vella ponte sobre o río estivo pechada ata a primavera por unha razón."],
    "pt": ["A velha ponte sobre o rio foi fechada até a primavera por uma razão."],
    "fr": ["Le vieux pont sur la rivière a été fermé jusqu'au printemps."],
    "it": ["Il vecchio ponte sul fiume è stato chiuso fino alla primavera."],
    "de": [
        "Die alte Brücke über den Fluss war bis zum Frühling gesperrt.",
        "Er sagte: „Das ist es.“ und ging nach Hause.",
    ],
    "sv": ["Den gamla bron över floden var stängd till våren.", "Han sade: ”Det är så här.”"],
    "ru": ["Старый мост через реку был закрыт до весны."],
    "zh": ["我昨天来到北京清华大学学习中文。"],
    "ja": ["私は昨日東京の大学に行きました。"],
    "ko": ["나는 어제 친구와 함께 학교에 갔다."],
    "fi": ["Vanha silta joen yli oli suljettu kevääseen asti."],
}


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        pytest.param(lang, words, marks=LARGE if lang == "ko" else ())
        for lang, all_of in GOOD.items()
        for words in all_of
    ],
)
def test_a_plain_sentence_is_fit(lang, words):
    assert Validity(lang, (5, 40)).flaw(words) is None


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("unreadable characters", "The old \ufffd bridge was closed until spring."),
        ("unreadable characters", "The \ud800 bridge was closed until spring."),
        ("left-over markup", "The old \ufffc bridge was closed until spring."),
        ("left-over markup", "The old [[bridge was closed until spring."),
        ("left-over markup", "The old {{bridge}} was closed until spring."),
        ("left-over markup", "The <i>old</i> bridge was closed until spring."),
        ("left-over markup", "The bridge (; old) was closed until spring."),
        ("left-over markup", "The old bridge is at http://a.org until spring."),
        ("table or list", "* The old bridge was closed until spring."),
        ("table or list", "1. The old bridge was closed until spring."),
        ("table or list", "The old | bridge was | closed until spring."),
        ("table or list", "The old bridge\twas closed until spring."),
        ("not a whole sentence", "The old bridge over the river"),
        ("not a whole sentence", "and the old bridge was closed until spring."),
        ("not a whole sentence", "..."),
        ("unbalanced brackets or quotes", "The old bridge (over the river was closed until spring."),
        ("unbalanced brackets or quotes", "The old bridge) over the (river was closed until spring."),
        ("unbalanced brackets or quotes", 'The "old bridge was closed until spring.'),
        ("unbalanced brackets or quotes", "The “old bridge was closed until spring."),
        ("unbalanced brackets or quotes", "The dogs' owners said 'we will go home now."),
        ("unbalanced brackets or quotes", "The owners said ‘we will go home now."),
        ("unbalanced brackets or quotes", "The 'old' bridge was 'closed until spring."),
        ("unbalanced brackets or quotes", 'The "old bridge was "closed" until 1950.'),
        ("too short", "The bridge was closed."),
        ("too long", "The bridge was closed" + " and closed" * 20 + "."),
        ("too long", "The bridge" + "!" * 10_000),
        ("another language", "El viejo puente sobre el río estuvo cerrado hasta la primavera."),
        ("another language", "Старый мост через реку был закрыт до весны."),
        ("another language", "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta."),
    ],
)
def test_what_is_not_fit_is_dropped_for_a_reason(reason, words):
    assert Validity("en", (5, 40)).flaw(words) == reason


@pytest.mark.parametrize(
    "words",
    [
        'It was a 12" record that sold well in the United States.',
        "The rocket's height was 5' and it was 6'2\" tall in the end.",
        'It was the "best 12" record" that was sold in the shop.',
        'He said that it was "in 1950" and then he left.',
        "The dogs' owners said that they will go home now.",
        "The owners said 'we will go home now' and left.",
        "'Tis the season and it was rock 'n' roll in the '90s.",
        "It was ‘the best’ of all the years that they had.",
    ],
)
def test_marks_and_apostrophes_are_no_quotes(words):
    assert Validity("en", (5, 40)).flaw(words) is None


# Those of Iberia have too many function words in common for one sentence to tell.
TOLD_APART = ["en", "es", "fr", "it", "de", "sv", "ru"]


@pytest.mark.parametrize("lang", [*TOLD_APART, pytest.param("ko", marks=LARGE)])
@pytest.mark.parametrize("other", [*TOLD_APART, "ko"])
def test_languages_are_told_apart(lang, other):
    assert Validity(lang, (3, 40)).flaw(GOOD[other][0]) == (None if lang == other else "another language")


@pytest.mark.parametrize("unit", ["(", "“", " 'a", '1"', "a ", "| ", "<a", "&a", "[", "=", "1."])
def test_a_hostile_sentence_is_looked_at_in_proportion_to_its_length(unit):
    Validity("en", (1, 100_000)).flaw("A" + unit * (100_000 // len(unit)) + ".")
