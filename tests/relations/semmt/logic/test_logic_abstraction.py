"""Ordinary sentences become symbols and the expression of what is claimed."""

from __future__ import annotations

import pytest

from concord.relations.semmt.automata import read
from concord.relations.semmt.logic import abstract


@pytest.mark.parametrize(
    ("text", "sentence", "regex"),
    [
        ("At least three banks have offered help.", "At least three X.", "X{3,}"),
        ("The bank does not charge a fee.", "X not Y.", "~(Y)"),
        ("He walks without help.", "X without Y.", "~(.*Y.*)"),
        ("None of the nurses saw it.", "None of X.", "~(.*X.*)"),
        ("Neither the lid nor the handle fits.", "Neither X nor Y.", "(~(X))(~(Y))"),
        ("None of the eleven paintings was found.", "None of the eleven X.", "(~(.*X.*))(X{11,11})"),
        ("Cut pieces of 12 cm, 18 cm and 30 cm.", "X 12 Y, 18 Z and 30 W.", "(Y{12,12})(Z{18,18})(W{30,30})"),
        ("If the screen stays dark, check the fuse.", "If X, Y.", "(~(X))|Y"),
        ("Check the fuse if the screen stays dark.", "X if Y.", "(~(Y))|X"),
        ("Unless it rains, we leave.", "Unless X, Y.", "X|Y"),
        ("Open it only if it blinks.", "X only if Y.", "(~(X))|Y"),
        ("It must not touch food or cloth.", "X not Y or Z.", "~(Y|Z)"),
        ("Side effects include fever, rash or pain.", "X include Y, Z or W.", ".*(Y|Z|W).*"),
        ("Both dogs and cats sleep.", "Both X and Y.", "Y"),
        ("Both dogs sleep.", "Both X.", "X{2,2}"),
        ("She met him twice.", "X twice.", "X{2,2}"),
        ("5 million people and 3 dogs came.", "5 million X and 3 Y.", "(X{101,101})(Y{3,3})"),
        ("It rose by 2.5 or 3 metres.", "X 2.5 or 3 Y.", "Y{2,3}"),
        ("Every child eats.", "Every X.", "%X{100,100}"),
        ("Only children may enter.", "Only X.", "!X"),
        ("Not only Tom came.", "Not only X.", "~(!X)"),
        ("Not only Tom but also Ann came.", "Not only X but also Y.", "Y"),
        ("No one but Tom came.", "No one but X.", "!X"),
        ("None but the brave came.", "None but X.", "!X"),
        ("Everything but the roof burned.", "Everything Y but X.", "(%Y{100,100})(~(.*X.*))"),
        ("It was -5 degrees.", "It was -5 X.", "-X{5,5}"),
        ("We stay if and only if it rains.", "X if and only if Y.", "((~(X))|Y)((~(Y))|X)"),
        ("He asked if at least 3 came.", "X at least 3 Y.", "Y{3,}"),
        ("Take 2 cards or 10 cards.", "X 2 Y or 10 Y.", "(Y{2,2})|(Y{10,10})"),
        ("Two people came, not three.", "Two X, not three Y.", "(X{2,2})(~(Y{3,3}))"),
        ("It costs twice as much as before.", "X twice as much as Y.", ":Y{2,2}"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_its_claims(text, sentence, regex):
    made = abstract(text)
    assert (made.sentence, made.regex) == (sentence, regex)
    assert read(made.regex)


@pytest.mark.parametrize(
    ("text", "sentence", "regex"),
    [
        ("Unless it rains we go.", "Unless X, Y.", "X|Y"),
        ("If it rains then the dog sleeps.", "If X, Y.", "(~(X))|Y"),
        ("If it rains the match will be off.", "If X, Y.", "(~(X))|Y"),
        ("If he can find the key the door will open.", "If X, Y.", "(~(X))|Y"),
        ("If it rains children will stay.", "If X, Y.", "(~(X))|Y"),
        ("If it rains there's soup.", "If X, Y.", "(~(X))|Y"),
        ("If necessary call a doctor.", "If X, Y.", "(~(X))|Y"),
        ("If you lose the key call the office.", "If X, Y.", "(~(X))|Y"),
        ("But if it rains we go.", "But if X, Y.", "(~(X))|Y"),
        ("If it rains we go, and the dogs stay.", "If X, Y, and Z.", "(~(X))|Y"),
        ("Unless three members come we cannot vote.", "Unless three X, Y cannot Z.", "(X{3,3})|(~(Z))"),
        ("If it rains nobody comes.", "If X, nobody Y.", "(~(X))|(~(.*Y.*))"),
        ("Call me if it rains, if they come late.", "X if Y, if Z.", "(~(Y))|(~(Z))|X"),
        ("We wait; if it rains we go.", "X; if Y, Z.", "(~(Y))|X"),
    ],
)  # fmt: skip
def test_a_condition_in_front_ends_without_a_comma(text, sentence, regex):
    made = abstract(text)
    assert (made.sentence, made.regex) == (sentence, regex)


@pytest.mark.parametrize(
    ("text", "condition", "rest"),
    [
        ("Unless it rains we go.", "rains", "we go"),
        ("If he can find the key the door will open.", "he can find the key", "door will open"),
        ("If the owner of the house is ill we go.", "owner of the house is ill", "we go"),
        ("Only if it rains do we leave.", "rains", "we leave"),
        ("If it rains when they come you must stay.", "rains when they come", "you must stay"),
    ],
)
def test_the_main_clause_begins_with_its_subject(text, condition, rest):
    assert list(abstract(text).symbols.values()) == [condition, rest]


def test_what_is_said_of_a_collection_is_a_claim_too():
    assert abstract("Three quarters of the boxes contain only apples.").regex == "(%X{75,75})(Y)"


def test_denials_are_alternatives_or_deny_alternatives():
    assert abstract("He is not rich or not honest.").regex == "(~(Y))|(~(Z))"
    assert abstract("He is not rich, or not honest.").regex == "(~(Y))|(~(Z))"
    assert abstract("He is not rich or honest.").regex == "~(Y|Z)"


def test_what_everyone_did_is_not_part_of_the_name_that_is_excepted():
    assert abstract("Everyone except Ann Lee signed it.").symbols["X"] == "Ann Lee"
    assert abstract("Everyone but me signed it.").symbols["X"] == "me"


def test_a_choice_of_numbers_is_one_of_the_same_thing():
    made = abstract("Choose 2 or 10 cards.")
    assert made.regex == "(Y{2,2})|(Y{10,10})"
    assert made.symbols["Y"] == "cards"


def test_a_longer_choice_of_numbers_is_one_of_them():
    assert abstract("Choose 2, 5 or 10 cards.").regex == "(Y{2,2})|(Y{5,5})|(Y{10,10})"


@pytest.mark.parametrize("text", ["Choose 2 cards or 10.", "Choose 2 cards or 10 cards."])
def test_a_number_behind_an_or_counts_what_the_one_before_it_counts(text):
    assert abstract(text).regex == "(Y{2,2})|(Y{10,10})"


def test_other_things_behind_an_or_are_other_things():
    assert abstract("Choose 2 cards or 10 coins.").regex == "(Y{2,2})|(Z{10,10})"


def test_a_bound_just_above_or_below_a_whole_number_is_written_as_the_next_one():
    assert abstract("More than 50% agreed.").regex == "%X{51,100}"
    assert abstract("Less than 50% agreed.").regex == "%X{0,49}"
    assert abstract("Less than 1% agreed.").regex == "%X{0,1}"


def test_a_sentence_without_claims_has_no_confidence():
    made = abstract("The sun rises in the east.")
    assert (made.sentence, made.regex, made.confidence) == ("X.", "X", 0.0)
    assert made.symbols == {"X": "sun rises in the east"}


@pytest.mark.parametrize("text", ["", "   ", "...", "\x00\x1b"])
def test_a_text_without_words_has_no_expression(text):
    made = abstract(text)
    assert (made.regex, made.symbols, made.confidence) == ("", {}, 0.0)


def test_plain_claims_are_surer_than_vague_and_conditional_ones():
    plain, vague, conditional = (
        abstract(text).confidence
        for text in ("Three dogs bark.", "Several dogs bark.", "If three dogs bark, several cats run.")
    )
    assert plain > vague > conditional > 0


def test_a_symbol_is_no_letter_that_a_class_of_the_expression_contains():
    made = abstract("lines with a letter or a blue mark")
    (symbol,) = made.symbols
    assert made.regex == f".*([A-Za-z]|{symbol}).*"
    assert not symbol.isascii()


def test_a_benchmark_placeholder_stands_for_itself():
    assert abstract("lines with the string <M0> or a vowel").regex == ".*(<M0>|[AEIOUaeiou]).*"


def test_a_sentence_that_is_too_long_is_read_in_part_and_says_so():
    made = abstract("three dogs and " * 200)
    assert made.approximate
    assert made.confidence < 0.5


def test_a_sentence_that_is_too_nested_is_read_flat_and_says_so():
    made = abstract("three dogs bark " + "if a dog barks " * 20)
    assert made.approximate
    assert made.regex == "X{3,3}"
