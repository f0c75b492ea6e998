"""Ranking by draws of sentences: clear differences are told apart, others are tied, and a seed repeats it."""

from __future__ import annotations

import numpy as np
import pytest

from concord.errors import UserError
from concord.stats.analysis import analyse
from concord.stats.cells import count_cells
from concord.stats.ranking import Draws
from concord.stats.table import Table


def rows(means, seed=0, count=80):
    rng = np.random.default_rng(seed)
    return [
        {"system": system, "target": target, "sentence": f"s{number}", "score": mean + ease + rng.normal(0, 0.2)}
        for number, ease in enumerate(rng.normal(0, 1, count))
        for system, mean in means.items()
        for target in "xy"
    ]


def ranking(table, name="system", **options):
    options = {"cluster": "sentence", "resamples": 400, **options}
    found = analyse(table, "score", ["system", "target"], **options).ranking
    return {ranked.level: ranked for ranked in found[name]}


def test_clear_differences_are_told_apart_and_others_are_tied():
    # a and c change places from sentence to sentence, and are equal on the whole; b is always ahead.
    swing = {"a": 0.2, "b": 0.0, "c": -0.2}
    table = [
        {"system": system, "target": target, "sentence": f"s{i}", "score": i % 7 + (system == "b") + by * (-1) ** i}
        for i in range(80)
        for system, by in swing.items()
        for target in "xy"
    ]
    found = ranking(table)
    assert next(iter(found)) == "b"
    assert [found[level].letters for level in "abc"] == ["B", "A", "B"]
    assert (found["b"].rank, found["b"].best, found["b"].worst) == (1, 1, 1)
    assert [(found[level].best, found[level].worst) for level in "ac"] == [(2, 3), (2, 3)]


def test_means_are_plain_averages_of_cells(unbalanced):
    found = ranking(unbalanced)
    assert [found[level].mean for level in "abc"] == pytest.approx([5.65, 6.1625, 3.825])


def test_a_seed_repeats_the_draws_and_another_does_not(unbalanced):
    cells = count_cells(Table(unbalanced, "score", ["system"], "sentence"))
    one, again, other = (np.stack(list(Draws(cells, 30, seed))) for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()
    assert (one[0] == 1).all()
    assert (one.sum(axis=1) == 4).all()
    assert ranking(unbalanced, seed=1) == ranking(unbalanced, seed=1)


def test_few_sentences_do_not_tell_equal_systems_apart():
    # At a family-wise error of 5 %, more than 5 of 40 tables have a chance of 1.4 %; a quarter are wrong
    # if all draws share one unit. The seeds are fixed.
    tables = [rows(dict.fromkeys("abcdefgh", 0.0), seed, count=15) for seed in range(40)]
    wrong = sum(len({each.letters for each in ranking(table, resamples=200).values()}) > 1 for table in tables)
    assert wrong <= 5


def test_a_level_with_a_missing_cell_is_left_out(lacking):
    assert set(ranking(lacking)) == {"a", "b"}
    assert set(ranking(lacking, "target")) == {"x"}


def test_levels_that_always_differ_by_the_same_are_told_apart():
    table = [{"system": s, "target": "x", "sentence": str(i), "score": i + (s == "b")} for s in "ab" for i in range(9)]
    assert [each.letters for each in ranking(table).values()] == ["A", "B"]


def test_without_sentences_there_is_nothing_to_draw(unbalanced):
    with pytest.raises(UserError, match=r"name the column that tells them apart \(cluster=…\)"):
        analyse(unbalanced, "score", ["system"], resamples=10)
