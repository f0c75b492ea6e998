"""Which words METEOR pairs, stage by stage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.metrics.meteor import aligned, chunks, with_equal, with_related

words = st.lists(st.sampled_from("abAB"), max_size=6)


def adjacent(one, other):
    return abs(ord(one) - ord(other)) == 1


@given(words, words)
def test_as_many_equal_words_are_paired_as_can_be_each_once(hypothesis, reference):
    made = aligned(hypothesis, reference, [with_equal(str)])
    assert all(hypothesis[i] == reference[j] for i, j in made)
    assert len({i for i, _ in made}) == len({j for _, j in made}) == len(made)
    assert len(made) == sum(min(hypothesis.count(word), reference.count(word)) for word in "abAB")


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [([], 0), ([(0, 0)], 1), ([(0, 0), (1, 1), (2, 2)], 1), ([(0, 0), (2, 1)], 2), ([(0, 1), (1, 0), (2, 1)], 2)],
)
def test_chunks_are_runs_of_neighbours_in_both_texts(pairs, expected):
    assert chunks(pairs) == expected


def test_what_an_earlier_stage_has_paired_stays():
    stages = [with_equal(str), with_equal(str.lower)]
    assert aligned(list("aA"), list("Aa"), stages) == [(0, 1), (1, 0)]
    assert aligned(list("aA"), list("aa"), stages) == [(0, 1), (1, 0)]


def test_words_are_paired_from_the_end():
    assert aligned(list("ab"), list("aba"), [with_equal(str)]) == [(0, 2), (1, 1)]
    assert aligned(list("bb"), list("ac"), [with_related(adjacent)]) == [(0, 0), (1, 1)]
