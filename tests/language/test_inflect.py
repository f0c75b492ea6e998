"""English forms are spelt as grammars spell them, and lead back to their lemmas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.english import inflection
from concord.language.english.inflection import NOUNS, VERBS

VERB_FORMS = (inflection.third_person, inflection.present_participle, inflection.past, inflection.participle)


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("bridge", "bridges"), ("city", "cities"), ("toy", "toys"), ("box", "boxes"), ("church", "churches"),
        ("monarch", "monarchs"), ("stomach", "stomachs"), ("quiz", "quizzes"), ("waltz", "waltzes"),
        ("glass", "glasses"),
        ("photo", "photos"), ("hero", "heroes"), ("woman", "women"), ("human", "humans"), ("child", "children"),
        ("person", "people"), ("sheep", "sheep"), ("crisis", "crises"), ("wife", "wives"), ("roof", "roofs"),
    ],
)  # fmt: skip
def test_a_noun_has_its_plural(noun, plural):
    assert inflection.plural(noun) == plural


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("walk", "walks walking walked walked"),
        ("stop", "stops stopping stopped stopped"),
        ("visit", "visits visiting visited visited"),
        ("refer", "refers referring referred referred"),
        ("travel", "travels travelling travelled travelled"),
        ("panic", "panics panicking panicked panicked"),
        ("try", "tries trying tried tried"),
        ("play", "plays playing played played"),
        ("agree", "agrees agreeing agreed agreed"),
        ("change", "changes changing changed changed"),
        ("lie", "lies lying lay lain"),
        ("fix", "fixes fixing fixed fixed"),
        ("echo", "echoes echoing echoed echoed"),
        ("write", "writes writing wrote written"),
        ("put", "puts putting put put"),
        ("have", "has having had had"),
        ("go", "goes going went gone"),
    ],
)
def test_a_verb_has_its_forms(verb, forms):
    assert " ".join(inflect(verb) for inflect in VERB_FORMS) == forms


@pytest.mark.parametrize(
    ("word", "degrees"),
    [
        ("big", ("bigger", "biggest")), ("happy", ("happier", "happiest")), ("nice", ("nicer", "nicest")),
        ("simple", ("simpler", "simplest")), ("good", ("better", "best")), ("careful", (None, None)),
        ("common", (None, None)), ("quickly", (None, None)), ("early", ("earlier", "earliest")),
    ],
)  # fmt: skip
def test_an_adjective_has_degrees_or_takes_more_and_most(word, degrees):
    assert (inflection.comparative(word), inflection.superlative(word)) == degrees


@pytest.mark.parametrize("inflect", [inflection.plural, *VERB_FORMS])
def test_every_form_leads_back_to_its_lemma(inflect):
    known = [*VERBS, *NOUNS, "stop", "hope", "hop", "carry", "focus", "travel"]
    assert [lemma for lemma in known if lemma not in inflection.lemmas(inflect(lemma))] == []


@given(st.text(max_size=30))
def test_no_string_is_too_odd_to_have_lemmas_and_an_article(word):
    assert word.lower() in inflection.lemmas(word)
    assert inflection.article(word) in ("a", "an")
    assert len(inflection.lemmas(word)) < 12


def test_american_spelling_leads_to_the_same_lemma():
    assert "travel" in inflection.lemmas("traveling") & inflection.lemmas("travelling")


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("It was a old bridge.", "It was an old bridge."),
        ("An house stood there.", "A house stood there."),
        ("AN HOUSE STOOD THERE.", "A HOUSE STOOD THERE."),
        ("He is a honest man.", "He is an honest man."),
        ("It is an unique case.", "It is a unique case."),
        ("It has a 8 on it.", "It has an 8 on it."),
        ("She read an “novel” there.", "She read a “novel” there."),
    ],
)
def test_the_article_is_repaired(text, repaired):
    at = max(text.lower().find(word) for word in ("old", "house", "honest", "unique", "8", "novel"))
    assert inflection.with_article(text, at) == repaired


def test_an_article_is_repaired_only_directly_before_the_word():
    for text in ("The old bridge", "a big old bridge", "bravura old bridge", "old bridge"):
        assert inflection.with_article(text, text.index("old")) == text


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("an", "hour heir MRI SUV 8 11 18 81 umbrella uninvited FBI OPEC egg"),
        ("a", "unit European one-off user UN NATO 7 110 180 1,100 house UNESCO utility year"),
    ],
)
def test_the_article_goes_by_sound(article, words):
    assert {word: inflection.article(word) for word in words.split()} == dict.fromkeys(words.split(), article)


def test_a_word_takes_the_case_of_another():
    assert [inflection.cased("house", like) for like in ("bridge", "Bridge", "BRIDGE", "A")] == [
        "house", "House", "HOUSE", "House",
    ]  # fmt: skip
