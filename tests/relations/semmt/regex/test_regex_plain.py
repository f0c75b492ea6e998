"""Requests in free words, read as people mean them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.relations.semmt.automata import equal, language
from concord.relations.semmt.automata import read as parsed
from concord.relations.semmt.claims import claim_pair, claims_of
from concord.relations.semmt.regex import read
from concord.relations.semmt.regex.plain import asked_freely

MEANT = {
    # verbs, and what they govern
    "lines which have 'bar'": ".*bar.*",
    "lines that begin with 'a', 'b', or 'c'": "(a|b|c).*",
    "lines that start and end with the letter 'q'": "(q.*)&(.*q)",
    "lines starting with a vowel, ending with a digit, and containing 'x'": "([<VOW>].*)&(.*[<NUM>])&(.*x.*)",
    "lines made of only letters, digits and spaces": r"[A-Za-z0-9\s]+",
    "lines that are enclosed in parentheses": r"\(.*\)",
    "I am looking for lines in all caps": "[<CAP>]+",
    "lines that are blank or just spaces": r"\s*",
    # denials
    "lines that contain 'one' but not 'two'": "(.*one.*)&~(.*two.*)",
    "lines with neither 'Ann' nor 'Bob'": "~(.*(Ann|Bob).*)",
    "lines with no digits or spaces": r"~(.*([<NUM>]|\s).*)",
    "lines that have no 'x', 'y' or 'z'": "~(.*(x|y|z).*)",
    "lines which have no 'x' or no 'y'": "~(.*x.*)|~(.*y.*)",
    "lines which have no 'x' and a 'y'": "~(.*x.*)&(.*y.*)",
    "lines with either 'on' or 'off' but not both": "((.*on.*)|(.*off.*))&~((.*on.*)&(.*off.*))",
    "lines whose last character is not a comma": r".*[^\,]",
    "lines where 'q' is not followed by 'u'": ".*q~(u.*)",
    # words and numbers
    "lines containing the number 11 and the word 'eleven'": r"(.*\b11\b.*)&(.*\beleven\b.*)",
    "lines with the words 'salt' and 'pepper'": r"(.*\bsalt\b.*)&(.*\bpepper\b.*)",
    "find 5 letter words": r".*\b[<LET>]{5}\b.*",
    "lines with a word of 4 or more letters that ends with 's'": r".*\b(([<LET>]{4,})&([<LET>]*s))\b.*",
    "lines w/ a 3 digit number": r".*\b[<NUM>]{3}\b.*",
    "times like 23:59": r".*\b[<NUM>]{2}:[<NUM>]{2}\b.*",
    # how many
    "lines having two commas in a row": r".*\,{2}.*",
    "lines that contain 'foo' more than once": ".*foo.*foo.*",
    "show me lines with at most two dashes": r"~((.*\-){3}.*)",
    "lines that have exactly one colon": r"[^:]*:[^:]*",
    "lines that are at least 10 characters long": ".{10,}",
    # order and place
    "lines that contain 'a', 'b' and 'c' in that order": ".*a.*b.*c.*",
    "lines with 'get' or 'set' immediately followed by a capital letter": ".*(get|set)[<CAP>].*",
    "lines that mention 'May' after 'March'": ".*March.*May.*",
    "any line where 'qu' comes right after a vowel": ".*[<VOW>]qu.*",
    "lines with a slash between two digits": r".*[<NUM>]\/[<NUM>].*",
    "lines with 'now' at the beginning or at the end": "(now.*)|(.*now)",
    "lines whose third character is a hyphen": r"..\-.*",
}


def same(regex: str | None, wanted: str) -> bool:
    assert regex is not None
    return equal(language(parsed(regex)), language(parsed(wanted)))


@pytest.mark.parametrize(("request_", "wanted"), MEANT.items())
def test_a_request_in_free_words_is_read_as_it_is_meant(request_: str, wanted: str) -> None:
    found = claims_of(request_)
    assert found is not None
    assert same(found.regex, wanted), found


def test_the_benchmarks_words_keep_the_benchmarks_logic() -> None:
    assert read("lines with a vowel").regex == "[ <VOW> ]"
    assert same(read("lines with a vowel", plain=True).regex, ".*[<VOW>].*")
    assert not read("lines with the string <M0> before a letter").plain


def test_the_back_translation_of_a_request_is_read_as_the_request_is() -> None:
    pair = claim_pair("lines which have a vowel", "lines with a vowel")
    assert same(pair.left.regex, pair.right.regex)
    assert claim_pair("lines with a vowel", "lines which have a vowel").right.regex == "[ <VOW> ]"


@pytest.mark.parametrize(
    "text",
    [
        "I understand.",
        "Plus, she's young and could win.",
        "Every line was busy 'today' and nobody answered.",
        "She said 'no'.",
    ],
)
def test_ordinary_sentences_are_no_requests(text: str) -> None:
    found = claims_of(text)
    assert found is None or not read(text).plain or found.regex != read(text).regex


def test_a_request_nested_without_end_is_given_up() -> None:
    assert not read("lines with words with 'a', " * 200 + "or 'b'").plain
    assert not read("words with " * 300 + "'a'").plain


def test_a_request_of_endless_words_is_given_up() -> None:
    assert not read("show me lines like " + "a1" * 2_000).plain
    assert not read(f"show me lines whose {'9' * 5_000}th letter is a vowel").plain
    assert read("show me lines like " + "a1" * 100).plain


def test_a_place_has_a_number_that_people_count_to() -> None:
    assert same(read("lines whose 12th letter is a vowel").regex, ".{11}[<VOW>].*")
    assert "{" not in (read("lines whose 9999999th letter is a vowel", plain=True).regex or "")


def test_a_letter_with_two_small_ones_moves_nothing_behind_it() -> None:
    request = "lines that start with İİİ and have at least 3 vowels"
    assert same(read(request, plain=True).regex, "(İİİ.*)&((.*[<VOW>]){3}.*)")


def test_a_quotation_is_a_string_by_the_words_right_before_it() -> None:
    assert not asked_freely("lines with the string 'x' or the string   'y'")
    assert asked_freely("lines with the string 'x' or 'y'")


WORDS = (
    "lines that which have not start end with only 'a' the word 'b' or and but 3 at least digits , in a row words like"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=30).map(" ".join))
def test_whatever_is_asked_the_expression_is_valid(text: str) -> None:
    found = read(text, plain=True)
    assert (found.regex is None) == (found.confidence == 0)
    if found.regex is not None:
        parsed(found.regex)
