"""SemMT-R, -D and -H: the paper's worked examples, slow oracles, and what a similarity must be."""

from __future__ import annotations

import doctest
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import UnknownName
from concord.relations.semmt.automata import TooComplex, Unreadable, language, read, similarities, similarity
from concord.relations.semmt.automata.alphabet import PRINTABLE
from concord.relations.semmt.automata.geometric import GOING_ON
from concord.relations.semmt.automata.similarities import edit_similarity, language_similarity

EXPRESSIONS = [
    ". * <M0> . *",
    ". * <M1> . *",
    "( . * ) ( <M0> )",
    "~ ( . * [ <NUM> ] . * )",
    "( [ <CAP> ] ) { 3 , }",
    "( [ <CAP> ] ) { , 3 }",
    "( ( [ <VOW> ] ) | ( . ) ) { 2 , }",
    r"\ b ( [ <LET> ] ) + \ b",
    "( [ <LOW> ] ) + & ( . * dog . * )",
    "( . . ) *",
    "( [ <VOW> ] . * ) & ( ~ ( . * é . * ) )",
    "a & b",
    "",
]
expressions = st.sampled_from(EXPRESSIONS)
measures = st.sampled_from(["geometric", "paper"])


def test_the_first_running_example_of_the_paper():
    found = similarity("[A-Z]{3,}", "[A-Z]{0,3}", measure="paper")
    assert found.r == 0.5
    assert found.d == 17576 / 321272407
    assert round(found.h, 3) == 0.25
    assert not found.equal


def test_the_second_running_example_of_the_paper():
    found = similarity("~[Y]", "[Y]", measure="paper")
    assert (found.r, found.d, found.h, found.equal) == (0.75, 0.0, 0.375, False)


def test_the_languages_of_the_running_examples_have_the_sizes_that_the_paper_gives(word_counts):
    assert sum(word_counts(language(read("[A-Z]{0,3}")), 10)) == 18279
    assert sum(word_counts(language(read("[Y]")), 10)) == 1


@pytest.mark.parametrize(
    ("one", "other", "edits", "tokens"),
    [
        ("( [ <LOW> ] ) +", "( [ <NUM> ] ) +", 1, 4),
        ("( a ) { 2 , }", "( a ) { , 7 }", 1, 4),
        (r"\ b <M0> \ b", "<M0>", 2, 3),
        ("[ <VOW> ]", "[ . ]", 3, 3),
        ("dog", "truck", 1, 1),
        ("", "( . * )", 4, 4),
    ],
)
def test_edits_are_counted_over_tokens(one, other, edits, tokens):
    assert edit_similarity(one, other) == 1 - edits / tokens


@settings(deadline=None)
@given(expressions, expressions)
def test_the_geometric_index_is_the_ratio_of_two_series(word_counts, one, other):
    """Beyond length 60 no word weighs more than 2⁻⁶⁰; the shortest ones here weigh over 2⁻³⁰."""
    symbols = len(PRINTABLE) + len(
        {symbol for text in (one, other) for symbol in ("<M0>", "<M1>", "é") if symbol in text}
    )
    both, either = (
        sum(
            count * (GOING_ON / symbols) ** length for length, count in enumerate(word_counts(language(read(text)), 60))
        )
        for text in (f"({one})&({other})", f"({one})|({other})")
    )
    expected = both / either if either else 1.0
    assert language_similarity(one, other) == pytest.approx(expected, rel=1e-9)


@given(expressions, expressions, measures)
def test_similarities_are_symmetric_and_between_0_and_1(one, other, measure):
    there, back = similarity(one, other, measure=measure), similarity(other, one, measure=measure)
    assert (there.r, there.equal) == (back.r, back.equal)
    assert there.d == pytest.approx(back.d, rel=1e-12)
    assert all(0.0 <= value <= 1.0 for value in (there.r, there.d, there.h))
    assert there.equal == (one == other) == (there.d == 1.0)


@given(expressions, measures)
def test_an_expression_is_the_same_as_itself_in_other_words(text, measure):
    found = similarity(text, f"~(~({text}))", measure=measure)
    assert found.d == 1.0
    assert found.equal
    assert found.r < 1.0


def test_more_shared_words_are_more_alike():
    contains = language_similarity(". * <M0> . *", ". * ( <M0> | <M1> ) . *")
    begins = language_similarity(". * <M0> . *", "( <M0> | <M1> ) . *")
    assert contains > begins > 0.0


def test_containing_different_words_is_not_the_same_however_long_the_text():
    assert language_similarity(".*dog.*", ".*truck.*") < 1e-6
    assert language_similarity(". * <M0> . *", ". * <M1> . *") < 0.02


def test_opposites_share_nothing():
    for text, measure in itertools.product([". * <M0> . *", "[ <NUM> ] +"], ["geometric", "paper"]):
        assert language_similarity(text, f"~({text})", measure=measure) == 0.0


def test_long_prescriptions_do_not_vanish_in_rounding():
    assert language_similarity("X{300}", "X{300,301}") == pytest.approx(1 / (1 + GOING_ON / 95), rel=1e-12)
    assert language_similarity("X{300}", "X{300}|.{310}") == pytest.approx(0.0, abs=1e-300)
    assert language_similarity("X{300}|.{310}", ".{310}") == pytest.approx(1.0)


def test_languages_that_differ_in_one_unlikely_word_are_not_called_equal():
    found = similarity(".*", f".*&~({'a' * 60})")
    assert not found.equal
    assert found.d < 1.0


def test_an_index_that_never_settles_is_taken_all_the_same():
    assert 0.0 < language_similarity("(..)*", ".*", measure="paper") < 1.0


def test_characters_beyond_letters_and_digits_count_in_the_papers_measure_if_they_are_mentioned():
    assert language_similarity("-", "-|,", measure="paper") == 0.5
    assert language_similarity(r"[^\w]", r"[^\w]{2}", measure="paper") == 0.0


def test_the_weight_of_edits_can_be_chosen():
    found = similarity("a", "a+", k=0.25)
    assert found.h == 0.25 * found.r + 0.75 * found.d


def test_expressions_that_were_read_can_be_given_in_place_of_text():
    assert similarity(read("a+"), read("a*")) == similarity("a+", "a*")


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(Unreadable):
        similarity("(", "a")
    with pytest.raises(TooComplex):
        similarity("((a{1,50}){1,50}){1,50}", "a")
    with pytest.raises(TooComplex, match="pairs"):
        similarity("(" + "a" * 61 + ")*", "(" + "a" * 67 + ")*")
    with pytest.raises(UnknownName, match="geometric, paper"):
        similarity("a", "b", measure="exact")


def test_the_examples_in_the_documentation_hold():
    assert doctest.testmod(similarities).failed == 0
