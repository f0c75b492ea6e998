"""Ranking by draws of sentences: clear differences are told apart, others are tied, and a seed repeats it."""

from __future__ import annotations

import numpy as np
import pytest

from concord.errors import UserError
from concord.stats.analysis import analyse


def rows(means, seed=0, count=80):
    rng = np.random.default_rng(seed)
    return [
        {"system": system, "target": target, "sentence": f"s{number}", "score": mean + ease + rng.normal(0, 0.2)}
        for number, ease in enumerate(rng.normal(0, 1, count))
        for system, mean in means.items()
        for target in "xy"
    ]


def ranking(table, name="system", **options):
    found = analyse(table, "score", ["system", "target"], cluster="sentence", resamples=400, **options).ranking
    return {ranked.level: ranked for ranked in found[name]}


def test_clear_differences_are_told_apart_and_others_are_tied():
    found = ranking(rows({"a": 0.0, "b": 1.0, "c": 0.02}))
    assert [found[level].letters for level in "bca"] in (["A", "B", "B"],)
    assert (found["b"].rank, found["b"].best, found["b"].worst) == (1, 1, 1)
    assert {found["a"].rank, found["c"].rank} == {2, 3}
    assert list(found)[0] == "b"


def test_means_are_plain_averages_of_cells(unbalanced):
    found = ranking(unbalanced)
    assert [found[level].mean for level in "abc"] == pytest.approx([5.65, 6.1625, 3.825])


def test_a_seed_repeats_it_and_another_does_not():
    table = rows({"a": 0.0, "b": 0.03, "c": 0.05, "d": 0.06}, count=20)
    first = ranking(table, seed=1)
    assert ranking(table, seed=1) == first
    assert any(ranking(table, seed=seed) != first for seed in range(2, 8))


def test_equal_systems_are_rarely_told_apart():
    # A family-wise error of 5 % allows for 4 of 40 only once in 60 times, and the seeds are fixed.
    wrong = sum(
        len({each.letters for each in ranking(rows(dict.fromkeys("abcd", 0.0), s, 40)).values()}) > 1 for s in range(40)
    )
    assert wrong <= 6


def test_a_level_with_a_missing_cell_is_left_out(lacking):
    assert set(ranking(lacking)) == {"a", "b"}
    assert set(ranking(lacking, "target")) == {"x"}


def test_levels_that_always_differ_by_the_same_are_told_apart():
    table = [{"system": s, "target": "x", "sentence": str(i), "score": i + (s == "b")} for s in "ab" for i in range(9)]
    assert [each.letters for each in ranking(table).values()] == ["A", "B"]


def test_without_sentences_there_is_nothing_to_draw(unbalanced):
    with pytest.raises(UserError, match=r"name the column that tells them apart \(cluster=…\)"):
        analyse(unbalanced, "score", ["system"], resamples=10)
