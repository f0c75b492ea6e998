"""Claims are compared one by one, counts as numbers."""

from __future__ import annotations

from math import inf

import pytest

from concord.errors import Refused
from concord.relations.semmt.automata import read, similarity
from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.similarity import by_counts, by_parts, claim_similarities


def test_at_least_three_is_not_nearly_three():
    found = claim_pair("At least three dogs barked.", "Three dogs barked.")
    assert similarity(found.left.regex, found.right.regex).d > 0.9
    assert claim_similarities(found).d < 0.1


def test_most_and_a_majority_are_nearly_the_same():
    found = claim_similarities(claim_pair("Most dogs barked.", "A majority of dogs barked."))
    assert 0.9 < found.d < 1
    assert not found.equal
    assert found.h == pytest.approx((found.r + found.d) / 2)


def test_the_measure_of_the_paper_is_left_as_it_is():
    found = claim_pair("At least three dogs barked.", "Three dogs barked.")
    assert claim_similarities(found, measure="paper") == similarity(
        found.left.regex, found.right.regex, measure="paper"
    )


def test_requests_that_differ_in_more_than_counts_are_left_to_the_languages():
    found = claim_pair("lines with a vowel", "lines containing a vowel")
    assert found.read_as == "lines"
    assert claim_similarities(found) == similarity(found.left.regex, found.right.regex)


def test_requests_that_differ_in_counts_have_at_most_what_their_numbers_share():
    found = claim_pair("lines with at most 3 vowels", "lines with at most 30 vowels")
    assert similarity(found.left.regex, found.right.regex).d > 0.9
    assert claim_similarities(found).d < 0.2


def test_several_counts_multiply_and_what_has_none_is_one():
    assert by_counts("(X{3,25})(Y{3,25})", "(X{5,25})(Y{5,25})") == pytest.approx(by_counts("X{3,25}", "X{5,25}") ** 2)
    assert by_counts("X{2,2}", "X") == 0
    assert by_counts("X+", "X{1,}") == 1
    assert by_counts(".*X", ".*Y") == 1


def test_a_claim_and_its_denial_have_nothing_in_common_however_long_the_sentence():
    rest = "two cats slept, three birds sang, four cows ate and five pigs ran"
    found = claim_similarities(claim_pair(f"Not all dogs barked, {rest}.", f"No dogs barked, {rest}."))
    assert found.r > 0.8
    assert found.d == 0


def test_what_is_too_large_or_cut_short_is_refused():
    for sentence in ("lines with at least 5000 letters", "three dogs and " * 200):
        with pytest.raises(Refused, match="too complex"):
            claim_similarities(claim_pair(sentence, sentence + " and a number"))


def test_what_is_written_alike_may_differ_in_what_it_claims():
    found = claim_pair("The cake contains only sugar.", "The cake has sugar.")
    assert found.left.regex == found.right.regex
    made = claim_similarities(found)
    assert (made.d, made.equal) == (0, False)
    assert claim_similarities(found, measure="paper").equal
    assert claim_similarities(claim_pair("The cake contains only sugar.", "The cake has only sugar.")).d > 0.9


@pytest.mark.parametrize("bound", ["At least {} dogs barked", "At most {} dogs barked", "More than {}% of dogs barked"])
@pytest.mark.parametrize("number", [1, 2, 3, 5, 9, 10])
def test_ten_times_as_many_is_always_found(bound, number):
    rest = ", two cats slept and nobody saw it."
    found = claim_similarities(claim_pair(bound.format(number) + rest, bound.format(10 * number) + rest))
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
    assert claim_similarities(claim_pair(sent, back)).d == 0
    assert claim_similarities(claim_pair(sent, sent)).equal


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        # No line at all, only the empty line, every line; and one vowel on either side.
        ("lines with a number and at least 7 vowels", "lines with a number and at most 2 vowels"),
        ("lines with a number and at least 7 vowels", "lines with at most 2 vowels and a number"),
        ("lines containing a number and at least 7 vowels", "lines containing a number and at most 2 vowels"),
        ("lines with 0 numbers", "lines with 0 vowels"),
        ("lines starting with at most 2 vowels", "lines starting with at most 9 vowels"),
        ("lines containing at most 2 vowels", "lines containing at most 9 vowels"),
        ("lines with a letter and at most 2 vowels", "lines with a letter and at most 9 vowels"),
    ],
)
def test_what_comes_to_the_same_lines_is_compared_by_its_parts(sent: str, back: str) -> None:
    found = claim_pair(sent, back)
    assert found.read_as == "lines"
    assert similarity(found.left.regex, found.right.regex).d in (0, 1)
    made = claim_similarities(found)
    assert not made.equal
    assert made.h < 0.6


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        ("lines with a number and at least 7 vowels", "lines with at least 7 vowels and a number"),
        ("lines with a number and at least 7 vowels", "rows having a digit and 7 or more vowels"),
        ("lines starting with at most 2 vowels", "lines beginning with up to 2 vowels"),
        ("lines with 0 numbers", "lines with zero digits"),
        ("lines ending with a vowel at least once", "lines ending with a vowel"),
        ("lines containing a vowel at least once", "lines containing a vowel"),
    ],
)
def test_rewordings_of_requests_stay_equal(sent: str, back: str) -> None:
    made = claim_similarities(claim_pair(sent, back))
    assert (made.equal, made.d) == (True, 1)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("[<NUM>] & X{7,}", "X{,2} & [<NUM>]", 0.0),
        ("~([<NUM>] & X{7,})", "~([<NUM>] & X{,2})", 0.0),
        ("([<NUM>] & X{7,}) | Y", "Y | ([<NUM>] & X{,2})", 0.0),
        ("([<NUM>] & X) & Y", "[<NUM>] & (Y & X)", 1.0),
        ("([<NUM>] & X{7,}){2}", "([<NUM>] & X{7,}){5}", 0.0),
        ("X{0}", "X{,0}", 1.0),
        ("X{,2}.*", "X{,8}.*", 1 / 3),
        ("~(X) & ~(Y)", "~(X | Y)", 1.0),  # the same lines by other words: the languages tell
        (".*.*", ".*.*.*", 1.0),
        ("[<NUM>] & X", "[<NUM>] & X & Y", 0.8),  # no line, and nothing to put side by side
        ("[<NUM>] & X", "([<NUM>] & X) Y", 0.8),
        ("X", "Y", 0.0),
    ],
)
def test_parts_are_put_side_by_side_where_the_languages_do_not_tell(left: str, right: str, expected: float) -> None:
    for one, other in ((left, right), (right, left)):
        assert by_parts(read(one).tree, read(other).tree, otherwise=0.8) == pytest.approx(expected)


def test_one_request_that_no_line_meets_is_compared_by_its_parts_too():
    # One vowel is a letter and two are none, so that the languages have no line in common.
    found = claim_pair("lines with a letter and at least 2 vowels", "lines with a letter and at least 1 vowel")
    assert similarity(found.left.regex, found.right.regex).d == 0
    assert 0 < claim_similarities(found).d < 0.5


def test_the_paper_s_measure_calls_two_empty_languages_equal():
    found = claim_pair("lines with a number and at least 7 vowels", "lines with a number and at most 2 vowels")
    assert claim_similarities(found, measure="paper").equal
