"""Ranking by draws of sentences: clear differences are told apart, others are tied, and a seed repeats it."""

from __future__ import annotations

import numpy as np
import pytest

from concord.errors import UserError
from concord.stats import ranking as module
from concord.stats.analysis import analyse
from concord.stats.cells import count_cells
from concord.stats.ranking import Draws
from concord.stats.table import ObservationTable


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
    cells = count_cells(ObservationTable(unbalanced, "score", ["system"], "sentence"))
    one, again, other = (
        np.concatenate(list(Draws(cells, 30, seed).blocks(size))) for seed, size in ((1, 30), (1, 7), (2, 30))
    )
    assert (one == again).all()
    assert (one != other).any()
    assert one.shape == (30, 4)
    assert set(one.ravel().tolist()) == {-1.0, 1.0}
    assert ranking(unbalanced, seed=1) == ranking(unbalanced, seed=1)


def test_places_depend_on_the_draws():
    table = rows(dict.fromkeys("abcd", 0.0), count=15)
    found = ranking(table)
    assert all(each.best <= each.rank <= each.worst for each in found.values())
    assert max(each.worst - each.best for each in found.values()) > 1


def test_few_sentences_do_not_tell_equal_systems_apart():
    # At a family-wise error of 5 %, more than 5 of 40 tables have a chance of 1.4 %; a quarter are wrong
    # if all draws share one unit. The seeds are fixed.
    tables = [rows(dict.fromkeys("abcdefgh", 0.0), seed, count=15) for seed in range(40)]
    wrong = sum(len({each.letters for each in ranking(table, resamples=200).values()}) > 1 for table in tables)
    assert wrong <= 5


def paths(replications, seed):
    """Three systems that are alike; each path has its own sentences, all three systems see them."""
    rng = np.random.default_rng(seed)
    return [
        {"system": system, "target": path, "sentence": sentence, "score": ease + rng.normal(0, 0.1)}
        for path in range(12)
        for sentence, ease in zip(rng.integers(1000, size=replications), rng.normal(0, 0.1, replications), strict=True)
        for system in "abc"
    ]


@pytest.mark.parametrize("replications", [2, 3])
def test_few_replications_do_not_tell_equal_systems_apart(replications):
    found = [ranking(paths(replications, seed), resamples=100).values() for seed in range(40)]
    assert sum(all(each.letters for each in ranked) for ranked in found) > 35
    assert sum(len({each.letters for each in ranked}) > 1 for ranked in found if all(e.letters for e in ranked)) <= 5


def test_few_replications_tell_clear_differences_apart():
    table = [{**row, "score": row["score"] + (row["system"] == "b")} for row in paths(3, seed=1)]
    assert [each.letters for each in ranking(table).values()] == ["A", "B", "B"]


def test_one_replication_ranks_without_letters_and_says_why():
    table = paths(1, seed=1)
    found = analyse(table, "score", ["system", "target"], cluster="sentence", resamples=50)
    ranked = found.ranking["system"]
    assert [each.rank for each in ranked] == [1, 2, 3]
    assert [(each.best, each.worst, each.letters) for each in ranked] == [(1, 3, "")] * 3
    assert "The ranking of 'system' could not test" in " ".join(found.notes)
    assert "with a single cluster in a cell" in " ".join(found.notes)


def test_only_the_level_with_a_single_sentence_in_a_cell_is_not_tested():
    table = rows({"a": 3.0, "b": 0.0, "c": 1.0}, count=30)
    table = [row for row in table if (row["system"], row["target"]) != ("c", "y") or row["sentence"] == "s1"]
    found = ranking(table)
    assert [found[level].letters for level in "abc"] == ["A", "B", ""]
    assert [(found[level].best, found[level].worst) for level in "abc"] == [(1, 2), (2, 3), (1, 3)]


def test_too_few_sentences_tell_nothing_apart():
    for count, letters in ((5, ["A", "A"]), (6, ["A", "B"])):
        table = rows({"a": 9.0, "b": 0.0}, count=count)
        assert [each.letters for each in ranking(table).values()] == letters


def test_sums_over_clusters_do_not_depend_on_how_they_are_cut(monkeypatch):
    table = rows({"a": 0.1, "b": 0.0, "c": 0.3}, count=20)
    whole = ranking(table)
    monkeypatch.setattr(module, "_BLOCK", 7)
    assert ranking(table) == whole


def test_a_level_with_a_missing_cell_is_left_out(lacking):
    assert set(ranking(lacking)) == {"a", "b"}
    assert set(ranking(lacking, "target")) == {"x"}


def test_levels_that_always_differ_by_the_same_are_told_apart():
    table = [{"system": s, "target": "x", "sentence": str(i), "score": i + (s == "b")} for s in "ab" for i in range(9)]
    assert [each.letters for each in ranking(table).values()] == ["A", "B"]


def test_without_sentences_there_is_nothing_to_draw(unbalanced):
    with pytest.raises(UserError, match=r"name the column that tells them apart \(--cluster\)"):
        analyse(unbalanced, "score", ["system"], resamples=10)


def test_less_than_one_draw_is_refused(unbalanced):
    with pytest.raises(UserError, match="at least one draw, not -5"):
        ranking(unbalanced, resamples=-5)
