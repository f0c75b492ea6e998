"""Compact letters: two levels share one if and only if they are not different."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.stats import compact_letters as module
from concord.stats.compact_letters import compact_letters


@st.composite
def differences(draw):
    levels = [f"level {number}" for number in range(draw(st.integers(0, 9)))]
    return levels, draw(st.sets(st.sampled_from(list(combinations(levels, 2))))) if len(levels) > 1 else set()


def shares(one, other):
    return bool(set(one) & set(other))


@settings(deadline=None)
@given(differences(), st.sampled_from([0, 1, 200]))
def test_levels_share_a_letter_if_and_only_if_they_are_not_different(given_, most):
    levels, different = given_
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_MOST_GROUPS", most)
        found = compact_letters(levels, different)
    assert list(found) == levels
    assert all(found.values())
    for one, other in combinations(levels, 2):
        assert shares(found[one], found[other]) == ((one, other) not in different)


@given(differences())
def test_the_best_has_the_first_letter_and_new_letters_follow_the_order(given_):
    found = compact_letters(*given_)
    firsts = [min(letters) for letters in found.values()]
    assert firsts[:1] in ([], ["A"])
    seen = sorted({letter for letters in found.values() for letter in letters})
    assert seen == [chr(ord("A") + number) for number in range(len(seen))]


def test_the_direction_of_a_pair_does_not_matter():
    assert compact_letters("ab", [("b", "a")]) == compact_letters("ab", [("a", "b")]) == {"a": "A", "b": "B"}


def test_a_level_between_two_has_the_letters_of_both():
    assert compact_letters("abcd", [("a", "c"), ("a", "d"), ("b", "d")]) == {"a": "A", "b": "AB", "c": "BC", "d": "C"}


def test_a_level_with_a_wide_interval_may_skip_its_neighbours_letter():
    assert compact_letters("abcd", [("a", "c"), ("b", "c")]) == {"a": "A", "b": "A", "c": "B", "d": "AB"}


def test_letters_do_not_run_out():
    levels = [str(number) for number in range(60)]
    found = compact_letters(levels, set(combinations(levels, 2)))
    assert list(found.values())[24:28] == ["Y", "Z", "a", "b"]
    assert list(found.values())[51:54] == ["z", "A'", "B'"]


def test_many_levels_without_order_are_bounded_in_time():
    # Levels that are different exactly from one other each have 2 ** 50 largest groups.
    levels = [str(number) for number in range(100)]
    different = set(zip(levels[::2], levels[1::2], strict=True))
    found = {level: _split(letters) for level, letters in compact_letters(levels, different).items()}
    for one, other in combinations(levels, 2):
        assert shares(found[one], found[other]) == ((one, other) not in different)


def _split(letters):
    marks = []
    for character in letters:
        if character == "'":
            marks[-1] += character
        else:
            marks.append(character)
    return marks
