"""Two sentences are compared over common symbols, whatever the words around their claims."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.relations.semmt.automata import similarity
from concord.relations.semmt.logic import abstract, align


def aligned(one, other, **options):
    return align(abstract(one), abstract(other), **options)


def equal(one, other, **options):
    made = aligned(one, other, **options)
    return made.left == made.right


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("At least three banks offered to pay for the harbour.", "The harbour will be paid for by at least 3 banks."),
        ("All directors except Mr Duarte voted.", "Except for Mr Duarte, all of the directors voted."),
        ("If it doesn't rain, we eat in the garden.", "We will eat in the garden if it does not rain."),
        ("About 12% of the participants left.", "Approximately 12 percent of participants left."),
        ("He paid 2.5 euros for 3 apples.", "For 3 apples, he paid 2.5 euros."),
        ("The drug contains no sugar.", "The drug does not contain any sugar."),
        ("He walked without a stick.", "He walked with no stick."),
        ("Unless it rains we go.", "We go unless it rains."),
        ("Everyone except Ann signed the letter.", "Apart from Ann, everyone signed the letter."),
    ],
)
def test_a_paraphrase_has_the_same_language(one, other):
    made = aligned(one, other)
    assert similarity(made.left, made.right).equal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("At least three banks paid.", "At most three banks paid."),
        ("Five million people came.", "Fifty million people came."),
        ("He did not come.", "He came."),
        ("It cost 2.5 euros.", "It cost 2.6 euros."),
        ("Take it unless you are ill.", "Take it if you are ill."),
        ("All dogs bark.", "Most dogs bark."),
        ("He ate half of it.", "He ate a third of it."),
        ("4 times less than before.", "4 times more than before."),
        ("Choose 2 or 10 cards.", "Choose between 2 and 10 cards."),
        ("Not Ann or not Bob came.", "Not Ann or Bob came."),
        ("Almost nobody came.", "Nobody came."),
    ],
)
def test_a_changed_claim_has_another_language(one, other):
    made = aligned(one, other)
    assert not similarity(made.left, made.right).equal


def test_symbols_are_matched_by_their_words_and_not_by_their_order():
    made = aligned("Two cats and three dogs slept.", "Three dogs and two cats were sleeping.")
    assert made.left == made.right == "(X{2,2})(Y{3,3})"
    assert made.symbols == {"X": ("cats", "cats were sleeping"), "Y": ("dogs slept", "dogs")}


def test_number_is_ignored_unless_it_matters():
    one, other = "The box contains a letter from her.", "The box contains letters from her."
    assert equal(one, other)
    strict = aligned(one, other, plural="strict")
    assert (strict.left, strict.right) == (".*X.*", "X{1,}")
    assert (aligned(other, one, plural="strict").left, equal(one, one, plural="strict")) == ("X{1,}", True)


def test_number_of_what_needs_no_symbol_is_compared_too():
    strict = aligned("lines with a vowel or a number", "lines with vowels or a number", plural="strict")
    assert (strict.left, strict.right) == (".*([AEIOUaeiou]|[0-9]).*", ".*(([AEIOUaeiou]{1,})|[0-9]).*")


def test_values_keep_their_order_on_the_common_scale():
    made = aligned("It sold 2,000 cars.", "It sold 7 cars and 9,000 cars.")
    assert "{101,101}" in made.left
    assert "{7,7}" in made.right
    assert "{102,102}" in made.right


def test_phrases_that_share_no_word_are_matched_by_place_if_none_is_left_over():
    assert equal("Three dogs.", "Three hounds.")
    assert not equal("Three dogs.", "Three hounds and four birds.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The soup contains salt.", "The soup has salt."),
        ("The set includes a lamp.", "There is a lamp in the set."),
        ("Half of the pills contain sugar.", "Half of the pills have sugar."),
        ("The box contains apples and three pears.", "The box has apples and three pears."),
    ],
)
def test_containing_may_come_back_as_having(one, other):
    assert equal(one, other)
    assert equal(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The soup contains salt.", "The soup contains no salt."),
        ("The soup contains salt.", "The soup contains only salt."),
        ("The set includes a lamp.", "The set is blue."),
        ("Everyone, including Ann, came.", "Everyone except Ann came."),
    ],
)
def test_what_is_contained_may_not_be_denied_confined_or_forgotten(one, other):
    assert not equal(one, other)
    assert not equal(other, one)


def test_a_denial_that_has_moved_to_another_phrase_is_another_claim():
    assert not equal("The dog is not big and the cat is black.", "The dog is big and the cat is not black.")


def test_a_sentence_without_words_aligns_with_any():
    made = aligned("", "Three dogs.")
    assert (made.left, made.right, made.symbols) == ("", "X{3,3}", {"X": ("", "dogs")})


def test_another_way_to_treat_number_is_the_users_to_cure():
    with pytest.raises(UserError, match="number 'loose'"):
        aligned("Three dogs.", "Three dogs.", plural="loose")
