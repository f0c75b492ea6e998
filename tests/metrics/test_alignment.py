"""Alignments of words against every alignment there is."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from concord.metrics import _alignment
from concord.metrics._alignment import aligned, chunks, fewest_crossings, greedy, with_equal, with_related

words = st.lists(st.sampled_from("abAB"), max_size=6)
# a and b are related, and b and c, but not a and c.
links = st.lists(st.sampled_from("abcd"), max_size=6)


def crossings(pairs):
    return sum((i - k) * (j - m) < 0 for (i, j), (k, m) in combinations(pairs, 2))


def every(options, used=()):
    """All ways to pair some of the words, each at most once."""
    if not options:
        yield {}
        return
    (i, places), *others = options.items()
    yield from every(dict(others), used)
    for j in places:
        if j not in used:
            yield from ({i: j} | rest for rest in every(dict(others), (*used, j)))


def cost(pairs):
    return -len(pairs), crossings(pairs), chunks(pairs)


def check_best(options, made):
    """The choice is as good as the best of all: most pairs, then fewest crossings, then fewest chunks."""
    chosen = fewest_crossings({i: list(places) for i, places in options.items()}, made)
    assert set(chosen) <= set(options)
    assert len(set(chosen.values()) | set(made.values())) == len(chosen) + len(made)
    assert all(j in options[i] for i, j in chosen.items())
    best = min(cost(sorted((made | each).items())) for each in every(options))
    assert cost(sorted((made | chosen).items())) == best


def adjacent(one, other):
    return abs(ord(one) - ord(other)) == 1


@settings(max_examples=400, deadline=None)
@given(words, words)
@example(list("aab"), list("baaa"))
@example(list("aaaa"), list("aa"))
def test_equal_words_are_paired_in_the_best_way_and_then_those_of_one_stem(hypothesis, reference):
    exact = with_equal(str)(dict(enumerate(hypothesis)), dict(enumerate(reference)))
    check_best(exact, {})
    made = fewest_crossings(exact, {})
    left = {i: word for i, word in enumerate(hypothesis) if i not in made}
    free = {j: word for j, word in enumerate(reference) if j not in made.values()}
    check_best(with_equal(str.lower)(left, free), made)


@settings(max_examples=400, deadline=None)
@given(links, links)
@example(list("abc"), list("bcb"))
@example(list("bb"), list("ac"))
def test_related_words_are_paired_in_the_best_way(hypothesis, reference):
    check_best(with_related(adjacent)(dict(enumerate(hypothesis)), dict(enumerate(reference))), {})


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [([], 0), ([(0, 0)], 1), ([(0, 0), (1, 1), (2, 2)], 1), ([(0, 0), (2, 1)], 2), ([(0, 1), (1, 0), (2, 1)], 2)],
)
def test_chunks_are_runs_of_neighbours_in_both_texts(pairs, expected):
    assert chunks(pairs) == expected


def test_what_an_earlier_stage_has_paired_stays():
    stages = [with_equal(str), with_equal(str.lower)]
    assert aligned(list("aA"), list("Aa"), stages, fewest_crossings) == [(0, 1), (1, 0)]
    assert aligned(list("aA"), list("aa"), stages, fewest_crossings) == [(0, 0), (1, 1)]


def test_greedy_pairs_from_the_end_where_the_best_keeps_words_together():
    for choose, expected in ((greedy, [(0, 2), (1, 1)]), (fewest_crossings, [(0, 0), (1, 1)])):
        assert aligned(list("ab"), list("aba"), [with_equal(str)], choose) == expected


def test_a_narrow_beam_still_makes_as_many_pairs_of_equal_words(monkeypatch):
    monkeypatch.setattr(_alignment, "BEAM", 1)
    hypothesis, reference = list("abacabadabacaba"), list("aaaabbbbccddabc")
    made = aligned(hypothesis, reference, [with_equal(str)], fewest_crossings)
    assert len(made) == sum(min(hypothesis.count(word), reference.count(word)) for word in "abcd")
