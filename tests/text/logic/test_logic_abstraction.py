"""Ordinary sentences become symbols and the expression of what is claimed."""

from __future__ import annotations

import pytest

from concord.automata import read
from concord.errors import UserError
from concord.text.logic import abstract


@pytest.mark.parametrize(
    ("text", "sentence", "regex"),
    [
        ("At least three banks have offered help.", "At least three X.", "X{3,}"),
        ("The bank does not charge a fee.", "X not Y.", "~(Y)"),
        ("He walks without help.", "X without Y.", "~(.*Y.*)"),
        ("None of the nurses saw it.", "None of X.", "~(.*X.*)"),
        ("Neither the lid nor the handle fits.", "Neither X nor Y.", "(~(X))(~(Y))"),
        ("None of the eleven paintings was found.", "None of the eleven X.", "(~(.*X.*))(Y{11,11})"),
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
        ("Everything but the roof burned.", "Everything but X.", "(%Y{100,100})(~(.*X.*))"),
        ("It was -5 degrees.", "It was -5 X.", "-X{5,5}"),
        ("It costs twice as much as before.", "X twice as much as Y.", ":Y{2,2}"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_its_claims(text, sentence, regex):
    made = abstract(text)
    assert (made.sentence, made.regex) == (sentence, regex)
    assert str(read(made.regex))


def test_a_collection_is_dropped_as_in_the_paper_or_kept():
    text = "Three quarters of the boxes contain only apples."
    assert abstract(text).regex == "Y"
    assert abstract(text, collection="keep").regex == "(%X{75,75})(Y)"
    with pytest.raises(UserError, match="collection 'hide'"):
        abstract(text, collection="hide")


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
