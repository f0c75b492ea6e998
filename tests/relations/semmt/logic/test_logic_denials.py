"""What a denial turns round, and what it leaves as it is."""

from __future__ import annotations

import pytest

from concord.relations.semmt.logic import abstract, find


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("The age must not be less than 18.", "Y{18,}"),
        ("He did not eat more than three apples.", "Z{0,3}"),
        ("She does not have many friends.", "Y{0,9}"),
        ("He did not eat three apples.", "~(Z{3,3})"),
        ("Not all of them came.", "~(%X{100,100})"),
        ("It did not bark at least once.", "~(X{1,})"),
    ],
)
def test_a_bound_that_is_denied_is_the_other_bound(text, regex):
    assert abstract(text).regex == regex


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("Do not drive for at least 24 hours.", "(~(X))(Y{24,})"),
        ("Do not drive during at least 24 hours.", "(~(X))(Y{24,})"),
        ("Do not drive for 24 hours or more.", "(~(X))(Y{24,})"),
        ("Do not drive or use machines for at least two full days.", "(~(X|Y))(Z{2,})"),
        ("He did not eat for two days.", "(~(Y))(Z{2,2})"),
        ("Do not use it within 30 days.", "(~(X))(Y{0,30})"),
        ("They had not met in at least 3 years.", "(~(Y))(Z{3,})"),
        ("It has not rained for more than 10 days.", "(~(X))(Y{11,})"),
        ("It hasn’t rained for more than 10 days.", "(~(X))(Y{11,})"),
    ],
)
def test_how_long_something_is_not_done_is_not_denied(text, regex):
    assert abstract(text).regex == regex


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("Do not use it for more than 10 days.", "Y{0,10}"),
        ("You must not stay for longer than 3 months.", "Z{0,3}"),
        ("Prices must not grow by more than 5%.", "%Y{0,5}"),
        ("It is not sold in more than 3 countries.", "Y{0,3}"),
        ("The board does not have at least 3 members.", "Y{0,2}"),
        ("He has not worked for more than 3 firms.", "Z{0,3}"),
    ],
)
def test_other_bounds_behind_a_verb_are_denied_with_it(text, regex):
    assert abstract(text).regex == regex


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("Do not take more than 8 tablets in 24 hours.", "(Y{0,8})(Z{24,24})"),
        ("Do not take more than 8 tablets for at least 3 days.", "(Y{0,8})(Z{3,})"),
        ("He did not give more than 5 books to 3 children.", "(Z{0,5})(W{3,3})"),
        ("He did not give 5 books to 3 children.", "~((Z{5,5})(W{3,3}))"),
    ],
)
def test_of_several_quantities_the_first_bound_is_turned(text, regex):
    assert abstract(text).regex == regex


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("No. 5 is alive.", []),
        ("House no. 5 is alive.", []),
        ("No, I have three dogs.", ["number"]),
        ('"No," he said, "I have three dogs."', ["number"]),
        ("Well, no, I have three dogs.", ["number"]),
        ("No! I have three dogs.", ["number"]),
        ("At this time, no.", ["none"]),
        ("No dog barked.", ["none"]),
        ("He said no, and no dog barked.", ["none", "conjunction", "none"]),
    ],
)
def test_a_no_that_denies_nothing_of_what_follows_is_left_out(text, kinds):
    assert [each.kind for each in find(text)] == kinds


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("Should you cancel, you pay 5 euros.", "(~(X))|(Z{5,5})"),
        ("It rains. Should you cancel, you pay 5 euros.", "(~(Y))|(W{5,5})"),
        ("Should you cancel, or should you pay 5 euros?", "(X|Y)(Z{5,5})"),
        ("You should cancel, and you pay 5 euros.", "Z{5,5}"),
        ("Should you pay 5 euros?", "Y{5,5}"),
    ],
)
def test_a_should_in_front_is_a_condition_unless_it_asks(text, regex):
    assert abstract(text).regex == regex
