"""Claims are compared one by one, counts as numbers."""

from __future__ import annotations

from math import inf

import pytest

from concord.automata import similarity
from concord.errors import Refused
from concord.relations._alike import alike, by_counts
from concord.text.claims import both


def test_at_least_three_is_not_nearly_three():
    found = both("At least three dogs barked.", "Three dogs barked.")
    assert similarity(found.left.regex, found.right.regex).d > 0.9
    assert alike(found).d < 0.1


def test_most_and_a_majority_are_nearly_the_same():
    found = alike(both("Most dogs barked.", "A majority of dogs barked."))
    assert 0.9 < found.d < 1
    assert not found.equal
    assert found.h == pytest.approx((found.r + found.d) / 2)


def test_the_measure_of_the_paper_is_left_as_it_is():
    found = both("At least three dogs barked.", "Three dogs barked.")
    assert alike(found, measure="paper") == similarity(found.left.regex, found.right.regex, measure="paper")


def test_requests_that_differ_in_more_than_counts_are_left_to_the_languages():
    found = both("lines with a vowel", "lines containing a vowel")
    assert found.way == "lines"
    assert alike(found) == similarity(found.left.regex, found.right.regex)


def test_requests_that_differ_in_counts_have_at_most_what_their_numbers_share():
    found = both("lines with at most 3 vowels", "lines with at most 30 vowels")
    assert similarity(found.left.regex, found.right.regex).d > 0.9
    assert alike(found).d < 0.2


def test_several_counts_multiply_and_what_has_none_is_one():
    assert by_counts("(X{3,25})(Y{3,25})", "(X{5,25})(Y{5,25})") == pytest.approx(by_counts("X{3,25}", "X{5,25}") ** 2)
    assert by_counts("X{2,2}", "X") == 0
    assert by_counts("X+", "X{1,}") == 1
    assert by_counts(".*X", ".*Y") == 1


def test_a_claim_and_its_denial_have_nothing_in_common_however_long_the_sentence():
    rest = "two cats slept, three birds sang, four cows ate and five pigs ran"
    found = alike(both(f"Not all dogs barked, {rest}.", f"No dogs barked, {rest}."))
    assert found.r > 0.8
    assert found.d == 0


def test_what_is_too_large_or_cut_short_is_refused():
    for sentence in ("lines with at least 5000 letters", "three dogs and " * 200):
        with pytest.raises(Refused, match="too complex"):
            alike(both(sentence, sentence + " and a number"))


def test_what_is_written_alike_may_differ_in_what_it_claims():
    found = both("The cake contains only sugar.", "The cake has sugar.")
    assert found.left.regex == found.right.regex
    made = alike(found)
    assert (made.d, made.equal) == (0, False)
    assert alike(found, measure="paper").equal
    assert alike(both("The cake contains only sugar.", "The cake has only sugar.")).d > 0.9


@pytest.mark.parametrize("bound", ["At least {} dogs barked", "At most {} dogs barked", "More than {}% of dogs barked"])
@pytest.mark.parametrize("number", [1, 2, 3, 5, 9, 10])
def test_ten_times_as_many_is_always_found(bound, number):
    rest = ", two cats slept and nobody saw it."
    found = alike(both(bound.format(number) + rest, bound.format(10 * number) + rest))
    assert found.h < 0.6
    assert found.d < inf


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        ("If you smoke, and if you drink, you may not enter.", "If you smoke, and if you drink, you may enter."),
        (
            "If the buyer pays late, and if the seller agrees, no fee is due.",
            "If the buyer pays late, and if the seller agrees, any fee is due.",
        ),
    ],
)
def test_two_conditions_hide_no_turned_claim(sent: str, back: str) -> None:
    assert alike(both(sent, back)).d == 0
    assert alike(both(sent, sent)).equal
