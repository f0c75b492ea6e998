"""Rewordings that claim the same."""

from __future__ import annotations

import pytest

from concord.corpus import demo
from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.rewordings import reworded
from concord.relations.semmt.similarity import claim_similarities


def words(text: str, **how: int) -> list[str]:
    return [each.words for each in reworded(text, **how)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At least three banks paid.", ["No fewer than three banks paid.", "At least 3 banks paid."]),
        ("Nobody was hurt.", ["No one was hurt."]),
        ("About 12% of them left.", ["Approximately 12% of them left.", "About 12 percent of them left."]),
        (
            "lines with a digit , 6 or more times",
            ["lines with a digit , at least 6 times", "lines with a digit , six or more times"],
        ),
        ("lines with an uppercase letter", ["lines with a capital letter", "rows with an uppercase letter"]),
        (
            "lines with a capital letter before a vowel",
            ["lines with an uppercase letter before a vowel", "rows with a capital letter before a vowel"],
        ),
    ],
)
def test_numbers_nouns_and_adverbs_have_synonyms(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The patient was admitted on 3 March with a fever and no pain.",
        "It's only half past seven, so there is no need to hurry.",
        "The council voted 7 to 4, not 8 to 3.",
        "Her blood pressure was 145 over 90, not 120 over 80.",
        "No railway lines were closed.",
        "A majority of two thirds is not enough.",
        "Not all of paragraph 6 applies.",
    ],
)
def test_dates_times_and_names_are_left_alone(text):
    assert words(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He fell over 3 chairs.", ["He fell over three chairs."]),
        ("Over 3 dogs barked.", ["More than 3 dogs barked.", "Over three dogs barked."]),
        ("At least 3 or more dogs barked.", []),
        ("We took Flight 12 passengers and no others.", []),
        ("3 or more dogs barked.", ["At least 3 dogs barked."]),
        ("12 dogs barked at no one.", ["Twelve dogs barked at no one."]),
        ("lines with a number of digits", []),
    ],
)
def test_a_rewording_is_a_sentence_that_somebody_could_write(text, expected):
    assert words(text) == expected


def test_what_cannot_be_read_whole_has_no_rewording():
    assert words("three dogs and " * 200) == []


def test_there_are_as_many_as_are_asked_for():
    text = "At least three banks paid 12% to nobody."
    assert [len(reworded(text, most=most)) for most in range(4)] == [0, 1, 2, 3]
    assert reworded(text, most=1)[0].change == "At least three → No fewer than three"


def test_other_languages_have_no_rules():
    assert reworded("Al menos tres bancos pagaron.", lang="es") == []


def test_every_rewording_of_the_bundled_corpus_claims_the_same():
    count = 0
    for segment in demo():
        text = segment.text.words
        for mutant in reworded(text):
            found = claim_pair(text, mutant.words, plural="strict")
            assert claim_similarities(found).equal, mutant
            assert mutant.words != text
            count += 1
    assert count > 80
