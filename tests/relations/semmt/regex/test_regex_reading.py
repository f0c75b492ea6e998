from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.relations.semmt.automata import equal, language
from concord.relations.semmt.automata import read as parsed
from concord.relations.semmt.regex import Reading, read

GOLD = {
    # quoted strings and masks
    "lines having words starting with 'fo'": r".*\bfo[<LET>]*\b.*",
    "lines with words ending in 'er'": r".*\b[<LET>]*er\b.*",
    "lines ending in 'ing'": "(.*)(ing)",
    'a line that begins with "Hello, world!"': r"(Hello\,\sworld\!)(.*)",
    "lines that contain “dog”": ".*dog.*",
    "lines containing the word 'truck'": r".*\btruck\b.*",
    "lines which contain the string <M0>": ".*<M0>.*",
    "lines where a number comes before 'km'": ".*[<NUM>].*km.*",
    "row containing the character string <M0>": ".*<M0>.*",
    "lines starting with the <M0> string": "<M0>.*",
    # negation
    "lines that do not contain any numbers": "~(.*[<NUM>].*)",
    "lines that don't end with a vowel": "~(.*[<VOW>])",
    "lines containing no vowels": "~(.*[<VOW>].*)",
    "lines which never start with a digit": "~([<NUM>].*)",
    "lines without the string <M0>": "~(<M0>)",
    "lines starting with <M0> but not ending with <M1>": "(<M0>.*)&(~(.*<M1>))",
    # how often
    "lines using 2 words or more": r"(.*\b[<LET>]+\b.*){2,}",
    "lines with 3 or more vowels": "[<VOW>]{3,}",
    "lines with at least 3 vowels": "[<VOW>]{3,}",
    "lines with a vowel, three or more times": "[<VOW>]{3,}",
    "lines with a vowel 3 times or more": "[<VOW>]{3,}",
    "no more than 3 capital letters": "[<CAP>]{,3}",
    "lines with a capital letter, at most three times": "[<CAP>]{,3}",
    "lines with up to six digits": "[<NUM>]{,6}",
    "lines with a digit, up to six times": "[<NUM>]{,6}",
    "lines having exactly two digits": "[<NUM>]{2}",
    "lines with more than 4 characters": ".{5,}",
    "lines with fewer than 4 characters": ".{,3}",
    "lines with between 2 and 4 digits": "[<NUM>]{2,4}",
    "the string <M0> appears at least twice": "(<M0>){2,}",
    "lines with a letter (zero or more times)": "[<LET>]*",
    "lines with a lowercase letter at least once": "[<LOW>]+",
    "words of 5 letters": r"\b[<LET>]{5}\b",
    # classes and their names
    "Lines consisting only of numbers.": "[<NUM>]+",
    "lines which contain only lower case letters": "[<LOW>]+",
    "lines with upper-case letters": "[<CAP>]+",
    "rows with numeric characters": "[<NUM>]+",
    "strings with a capitalised letter": "[<CAP>]",
    "strings containing a digit": ".*[<NUM>].*",
    # order
    "lines containing a digit after a letter": ".*[<LET>].*[<NUM>].*",
    "lines with a letter, followed by a digit": "[<LET>].*[<NUM>].*",
    "lines with letter before digit": "[<LET>].*[<NUM>].*",
    "lines with a letter in front of a vowel and then a digit": "[<LET>].*[<VOW>].*[<NUM>].*",
    # joining
    "lines that start with a capital letter and end with a number": "([<CAP>].*)&(.*[<NUM>])",
    "lines ending with a number and starting with a capital letter": "([<CAP>].*)&(.*[<NUM>])",
    "lines starting with a vowel or a number": "([<VOW>]|[<NUM>]).*",
    "lines beginning with uppercase letters , vowels or <M0>": "([<CAP>]+|[<VOW>]+|<M0>).*",
    "lines with either a digit, a vowel, or <M0> before a letter": "([<NUM>]|[<VOW>]|<M0>).*[<LET>].*",
    "line starts with capital or lowercase letters": "([<CAP>]|[<LOW>]+).*",
}

WORDS = (
    "lines with words that have contain only starting ending not and or either , before then followed by a vowel "
    "letters 'dog' <M0> 3 more times at least up to once no neither nor both instead of after 2 zzz -terminated"
)


def same(regex: str | None, wanted: str) -> bool:
    assert regex is not None
    return equal(language(parsed(regex)), language(parsed(wanted)))


@pytest.mark.parametrize(("sentence", "wanted"), GOLD.items())
def test_a_request_is_read_as_its_expression(sentence: str, wanted: str) -> None:
    found = read(sentence)
    assert same(found.regex, wanted), found


def test_the_logic_is_the_benchmarks() -> None:
    assert read("lines containing a vowel or a number").regex == ". * ( [ <VOW> ] ) | ( [ <NUM> ] ) . *"
    assert read("lines not having vowels").regex == "~ ( [ <VOW> ] ) +"
    assert read("lines not having a vowel and not a number").regex == "~ ( ( [ <VOW> ] ) & ( [ <NUM> ] ) )"


@pytest.mark.parametrize(
    ("sentence", "reading"),
    [
        ("lines containing a vowel and not ending with a number", "contains(vowel) and not(ends(number))"),
        ("lines with words that start with <M0>", "word(starts(<M0>))"),
        ("lines with a vowel, up to 3 times, before the string 'x'", "(vowel 0 to 3 times) then 'x'"),
        ("lines with letters or words", "letters or word"),
    ],
)
def test_the_reading_is_told_in_a_few_words(sentence: str, reading: str) -> None:
    assert read(sentence).reading == reading


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lines with an uppercase letter before a digit", "rows with a capital letter in front of a number"),
        ("lines with a vowel, 3 or more times", "strings with a vowel, greater than or equal to three times in total"),
        ("lines that do not start with 'a'", "lines not beginning with 'a'"),
        ("lines composed of a vowel", "line consisting of a vowel"),
        ("lines with the string <M0> then a letter", "the line with string <M0>, followed by letter"),
    ],
)
def test_paraphrases_are_read_alike(one: str, other: str) -> None:
    assert read(one).regex == read(other).regex


@pytest.mark.parametrize("nothing", ["", "   ", "hello world", "3 or more times", "'", ",,, and or", "\ue000"])
def test_what_asks_for_nothing_has_no_expression_and_a_reason(nothing: str) -> None:
    assert read(nothing) == Reading(None, 0.0, "there is nothing in it that a line could contain")


def test_a_sentence_without_end_is_refused_with_a_reason() -> None:
    found = read("a vowel before " * 3_334)
    assert (found.regex, found.confidence, found.reading) == (None, 0.0, "it has more than 32 phrases")


def test_ten_thousand_unknown_words_leave_what_is_known_with_no_confidence() -> None:
    found = read("lines with " + "blah " * 10_000 + "a vowel")
    assert found.regex == "[ <VOW> ]"
    assert found.confidence < 0.001


def test_words_that_are_not_understood_lower_the_confidence() -> None:
    assert read("lines with a purple vowel").confidence < read("lines with a vowel").confidence


def test_an_ambiguous_request_is_less_sure_than_a_plain_one() -> None:
    plain = read("lines starting with a vowel and ending with a number")
    either_way = read("lines starting with a vowel or a number, 3 or more times")
    assert either_way.confidence < 0.7 < 0.9 < plain.confidence


def test_lines_that_are_named_again_behind_an_or_are_another_request() -> None:
    found = read("lines starting with a vowel , or lines with a digit or rows ending with <M0>")
    assert found.regex == "( ( [ <VOW> ] ) ( . * ) ) | ( [ <NUM> ] ) | ( ( . * ) ( <M0> ) )"
    parts = ("lines starting with a vowel", "lines with a digit", "rows ending with <M0>")
    assert found.reading == " or ".join(read(part).reading for part in parts)
    assert found.confidence == min(read(part).confidence for part in parts)


def test_requests_without_end_are_no_request() -> None:
    assert "or" in read("lines with a vowel" + " or lines with a digit" * 5).reading
    assert read("lines with a vowel" + " or lines with a digit" * 500).regex is None


def test_a_garbled_request_is_still_read_with_little_confidence() -> None:
    found = read("before the string <M0> or a letter line")
    assert found.regex is not None
    assert 0 < found.confidence < 0.6


@given(st.lists(st.sampled_from(WORDS.split()), max_size=45).map(" ".join))
def test_whatever_is_said_the_expression_is_valid_and_the_confidence_a_probability(sentence: str) -> None:
    found = read(sentence)
    assert 0 <= found.confidence <= 1
    assert (found.regex is None) == (found.confidence == 0)
    assert found.reading
    if found.regex is not None:
        parsed(found.regex)


@given(st.text(min_size=1, max_size=60))
def test_any_quoted_string_becomes_a_valid_literal(said: str) -> None:
    found = read(f'lines containing "{said}" or a vowel')
    assert found.regex is not None
    parsed(found.regex)


@pytest.mark.parametrize("said", ["a.b*c", "two words", "~x&y|z", "[a-z]{2}", "50%", "naïve_é"])
def test_a_quoted_string_stands_for_itself(said: str) -> None:
    regex = read(f"lines containing '{said}'").regex
    assert regex is not None
    assert language(parsed(regex)).accepts(f"1{said}2")
    assert not language(parsed(regex)).accepts("aXbXc")


def test_what_is_nested_too_deep_has_no_reading() -> None:
    found = read("lines " + "not " * 21 + "containing a vowel")
    assert (found.regex, found.confidence) == (None, 0)
    assert "nested" in found.reading
    assert read("lines not not not containing a vowel").regex is not None
