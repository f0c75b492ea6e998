"""Two sentences as expressions over common symbols."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.relations.semmt.automata import equal, language, read, similarity
from concord.relations.semmt.claims import TOO_LONG, Claims, claim_pair, claims_anything, claims_of, differing
from concord.relations.semmt.logic import find
from concord.relations.semmt.regex import Reading
from concord.relations.semmt.regex import read as read_request


def same(left: str, right: str, **how: str) -> bool:
    found = claim_pair(left, right, **how)
    return equal(language(read(found.left.regex)), language(read(found.right.regex)))


def test_a_request_for_lines_is_read_in_the_language_of_the_benchmarks():
    found = claim_pair("lines with at least 3 numbers", "rows having 3 or more digits")
    assert found.read_as == "lines"
    assert found.left.regex == found.right.regex == "[ <NUM> ] { 3 , }"
    assert found.left.reading == "number 3 or more times"


def test_any_other_sentence_is_abstracted_over_symbols_that_both_have_in_common():
    found = claim_pair("At least 3 dogs barked and no cat slept.", "No cat slept, and at most 3 dogs barked.")
    assert found.read_as == "text"
    assert (found.left.regex, found.right.regex) == ("(X{3,})(~(.*Y.*))", "(X{0,3})(~(.*Y.*))")
    assert found.symbols == {"X": ("dogs barked", "dogs barked"), "Y": ("cat slept", "cat slept")}


def test_quoted_speech_is_no_request_for_lines():
    said = '"I can hear you, but everything sounds far away," the boy told the nurse.'
    assert claim_pair(said, said).read_as == "text"
    found = claims_of(said)
    assert found is not None
    assert found.reading == "X, but everything Y, Z."


@pytest.mark.parametrize(
    "said",
    [
        "In other words, nobody sent a number.",
        "lines with every vowel",
        "lines with some vowels",
        "lines with a vowel unless they have a digit",
        "lines with a number of digits",
        "At least 3 lines contain a vowel",
        "Three rows of trees and no numbers.",
    ],
)
def test_a_quantifier_that_a_request_has_no_words_for_is_not_dropped(said):
    assert (
        claim_pair(said, said).read_as
        == claim_pair("lines with a vowel", said).read_as
        == claim_pair(said, "lines with a vowel").read_as
        == "text"
    )
    assert (claims_of(said) or claims_of("lines with a vowel")).regex != claims_of("lines with a vowel").regex


def test_which_lines_are_asked_for_is_no_claim():
    assert same("all lines with a vowel", "lines with a vowel")
    assert claim_pair("every line with a vowel", "lines with a vowel").read_as == "lines"


@pytest.mark.parametrize("plural", ["ignore", "strict"])
def test_what_is_quoted_has_no_plural(plural):
    found = claim_pair('lines with the string "letters"', "lines with the string 'digits'", plural=plural)
    assert (found.left.regex, found.right.regex) == ("letters", "digits")


def test_a_request_that_came_back_as_something_else_is_compared_as_text():
    assert claim_pair("lines with at least 3 numbers", "the weather was fine in Rome on Monday").read_as == "text"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("lines containing a capital letter or a vowel", "lines containing capital letters or vowels"),
        ("lines starting with numbers then the string <M0>", "lines starting with a number then the string <M0>"),
    ],
)
def test_plurals_are_singulars_or_two_or_more(left, right):
    assert same(left, right, plural="ignore")
    assert not same(left, right, plural="strict")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("lines not containing a capital letter", "lines not containing capital letters"),
        ("lines with a digit , 5 or more times", "lines with digits , 5 or more times"),
        (
            "lines with the string <M0> or a vowel , up to 6 times",
            "lines with the string <M0> or a vowel , up to 6 times",
        ),
    ],
)
def test_what_is_denied_or_counted_has_no_plural(left, right):
    assert same(left, right, plural="strict")


def test_lines_that_are_named_again_are_another_request():
    found = claim_pair("lines starting with a vowel or a digit", "lines starting with a vowel or lines with a digit")
    assert found.read_as == "lines"
    assert found.right.regex == "( [ <VOW> ] ( . * ) ) | [ <NUM> ]"
    assert found.right.reading.count(" or ") == 1
    assert not same("lines starting with a vowel or a digit", "lines starting with a vowel or lines with a digit")


@pytest.mark.parametrize("text", ["lines with 'a or lines with b' or a digit", "a vowel or lines with a digit"])
def test_other_alternatives_are_one_request(text):
    found = claim_pair(text, text).left
    assert (found.reading, found.confidence) == (read_request(text).reading, round(read_request(text).confidence, 3))


def test_at_least_once_is_no_plural():
    assert not same("lines with a vowel at least once", "lines with a vowel", plural="ignore")


def test_masks_of_the_sentence_are_not_taken_for_plurals():
    found = claim_pair("lines with <M0> or letters", "lines with <M0> or letters", plural="strict")
    assert found.left.regex == "<M0> | ( [ <LET> ] { 2 , } )"
    assert claim_pair("lines with letters and <M999>", "lines with <M999>", plural="strict").read_as == "text"


def test_the_collection_is_read_too_so_that_its_quantifiers_are_compared():
    found = claim_pair("Half of the pills that contain sugar are red.", "Half of the pills that have sugar are red.")
    assert "{50,50}" in found.left.regex


@pytest.mark.parametrize("text", ["I understand.", "", "The cat sat on the mat and slept."])
def test_some_sentences_claim_nothing(text):
    assert not claims_anything(text)
    assert claims_of(text) is None


def test_one_sentence_is_read_in_the_notation_of_the_benchmark():
    found = claims_of("lines with at least 3 numbers")
    assert found is not None
    assert found.regex == "( [ <NUM> ] ) { 3 , }"
    text = claims_of("Neither of the two auditors found a few errors.")
    assert isinstance(text, Claims)
    assert text.approximate


@pytest.mark.parametrize("thing", ["numbers", "dogs"])
def test_of_one_sentence_that_is_too_long_nothing_is_said_but_that(thing):
    said = f"at least 3 {thing}"
    # A quantifier and a phrase each time, and an "and" between: 98 and 101 of them.
    for times, whole in ((33, True), (34, False)):
        found = claims_of(" and ".join([said] * times))
        assert found is not None
        assert (found.regex is not None) == whole
    assert found == Reading(None, 0.0, TOO_LONG, whole=False)
    assert "more than 100" in TOO_LONG


def test_a_language_without_a_table_is_an_error_that_names_those_with_one():
    with pytest.raises(UserError, match="known of: en"):
        claim_pair("drei Hunde", "3 Hunde", lang="de")


def test_what_differs_is_found_with_its_place():
    left, right = "At least 3 dogs did not bark.", "3 dogs did bark, or not."
    ours, theirs = differing(find(left), find(right))
    assert [left[start:end] for start, end in ours] == ["At least 3"]
    assert [right[start:end] for start, end in theirs] == ["3", "or"]


def test_of_two_that_are_alike_the_last_one_is_extra():
    left = "Not this and not that."
    ours, theirs = differing(find(left), find("Not this and that."))
    assert (ours, theirs) == ([(13, 16)], [])


SOME = (
    "lines not only at least 3 letters or both containing either numbers unless dogs , if 30% more than half "
    "vowels <M0> before 'x' times no up to"
)
WORDS = st.lists(st.sampled_from(re.split(" ", SOME)), max_size=25).map(" ".join)


@given(WORDS, WORDS, st.sampled_from(["strict", "ignore"]))
def test_whatever_is_read_is_an_expression_and_alike_to_itself(left, right, plural):
    found = claim_pair(left, right, plural=plural)
    for claims in (found.left, found.right):
        read(claims.regex)
        assert 0 <= claims.confidence <= 1
    alone = claim_pair(left, left, plural=plural)
    assert alone.left == alone.right


def test_a_very_long_sentence_is_read_as_far_as_it_goes():
    found = claim_pair("at least 3 dogs and " * 3000, "at least 3 dogs and " * 3000)
    assert found.left.approximate
    assert similarity(found.left.regex, found.right.regex).equal
