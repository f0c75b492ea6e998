"""Means, pairs and simple effects against another implementation and against plain averages."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from scipy.stats import t, tukey_hsd

from concord.errors import UserError
from concord.stats.analysis import analyse
from concord.stats.linear import LinearEstimates
from concord.stats.ls_means import effect

FACTORS = ["system", "target"]


def by_level(means):
    return {mean.level: mean for mean in means}


def by_pair(pairs):
    return {(pair.a, pair.b): pair for pair in pairs}


def test_means_of_an_unbalanced_table_have_the_figures_of_statsmodels(unbalanced):
    found = by_level(analyse(unbalanced, "score", FACTORS).compared.overall["system"].means)
    for level, mean, se in [("a", 5.65, 0.3054197931), ("b", 6.1625, 0.2897466566), ("c", 3.825, 0.3054197931)]:
        assert (found[level].mean, found[level].se, found[level].df) == pytest.approx((mean, se, 10))
        reach = se * t.ppf(0.975, 10)
        assert (found[level].lower, found[level].upper) == pytest.approx((mean - reach, mean + reach))
    assert [found[level].letters for level in "abc"] == ["A", "A", "B"]


def test_pairs_of_an_unbalanced_table_have_the_figures_of_statsmodels(unbalanced):
    found = by_pair(analyse(unbalanced, "score", FACTORS).compared.overall["system"].pairs)
    for a, b, difference, se in [("a", "b", -0.5125, 0.4209921318), ("a", "c", 1.825, 0.4319288136)]:
        pair = found[a, b]
        assert (pair.difference, pair.se, pair.t) == pytest.approx((difference, se, difference / se))


def test_pairs_of_a_one_way_table_are_those_of_scipy(unbalanced):
    groups = {}
    for row in unbalanced:
        groups.setdefault(row["system"], []).append(row["score"])
    expected = tukey_hsd(*groups.values())
    found = by_pair(analyse(unbalanced, "score", ["system"]).compared.overall["system"].pairs)
    for (i, a), (j, b) in [((0, "a"), (1, "b")), ((0, "a"), (2, "c")), ((1, "b"), (2, "c"))]:
        assert found[a, b].difference == pytest.approx(expected.statistic[i, j])
        assert found[a, b].p == pytest.approx(expected.pvalue[i, j], abs=1e-7)


def test_simple_effects_are_cell_means_with_the_pooled_variance(unbalanced):
    found = analyse(unbalanced, "score", FACTORS)
    inside = by_level(found.compared.within["system|target"]["y"].means)
    assert inside["b"].mean == pytest.approx(8.175)
    assert inside["b"].se == pytest.approx(math.sqrt(0.44775 / 4))
    pair = by_pair(found.compared.within["target|system"]["c"].pairs)["x", "y"]
    assert pair.difference == pytest.approx(2.65 - 5.0)
    assert pair.se == pytest.approx(math.sqrt(0.44775 / 2 + 0.44775 / 3))
    # With two levels the family is one pair, and Tukey's p is Student's.
    assert pair.p == pytest.approx(2 * t.sf(abs(pair.t), 10), abs=1e-7)


def test_a_lower_level_makes_narrower_intervals_and_more_letters(unbalanced):
    wide, narrow = (analyse(unbalanced, "score", FACTORS, level=level) for level in (0.95, 0.4))
    one, other = (by_level(found.compared.overall["system"].means) for found in (wide, narrow))
    assert all(other[level].upper < one[level].upper for level in "abc")
    assert [other[level].letters for level in "abc"] == ["B", "A", "C"]


def test_a_missing_cell_takes_only_the_means_that_need_it(lacking):
    found = analyse(lacking, "score", FACTORS)
    systems = by_level(found.compared.overall["system"].means)
    assert systems["a"].mean == pytest.approx(5.65)
    assert math.isnan(systems["c"].mean)
    assert math.isnan(systems["c"].se)
    assert [systems[level].letters for level in "abc"] == ["A", "A", None]
    pairs = by_pair(found.compared.overall["system"].pairs)
    assert math.isfinite(pairs["a", "b"].p)
    assert math.isnan(pairs["a", "c"].p)
    inside = found.compared.within["system|target"]
    assert math.isfinite(by_level(inside["x"].means)["c"].mean)
    assert math.isnan(by_level(inside["y"].means)["c"].mean)
    notes = " ".join(found.notes)
    assert "Cells without observations: 1 of 6 (c × y)." in notes
    assert "Not estimable: means of 'system' for c, and" in notes
    assert "Type III tests of main effects are not defined" in notes


def test_without_interaction_a_missing_cell_is_predicted(lacking):
    found = analyse(lacking, "score", FACTORS, interaction=False)
    x = np.array(
        [
            [1, row["system"] == "b", row["system"] == "c", row["target"] == "y"]
            for row in lacking
        ],
        dtype=float,
    )  # fmt: skip
    y = np.array([row["score"] for row in lacking])
    coefficients, (squares,), *_ = np.linalg.lstsq(x, y, rcond=None)
    inverse = np.linalg.inv(x.T @ x) * squares / (len(y) - 4)
    for level, function in [("a", [1, 0, 0, 0.5]), ("b", [1, 1, 0, 0.5]), ("c", [1, 0, 1, 0.5])]:
        mean = by_level(found.compared.overall["system"].means)[level]
        assert mean.mean == pytest.approx(function @ coefficients)
        assert mean.se == pytest.approx(math.sqrt(function @ inverse @ np.array(function)))
    difference = np.array([0, 1, -1, 0])
    pair = by_pair(found.compared.overall["system"].pairs)["b", "c"]
    assert (pair.difference, pair.se) == pytest.approx(
        (difference @ coefficients, math.sqrt(difference @ inverse @ difference))
    )


def test_differences_can_be_estimable_where_the_means_are_not():
    rng = np.random.default_rng(1)
    pairs = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "y")]
    rows = [{"system": a, "target": b, "score": rng.normal()} for a, b in pairs for _ in range(3)]
    found = analyse(rows, "score", FACTORS, interaction=False)
    assert all(math.isnan(mean.mean) for mean in found.compared.overall["system"].means)
    known = {pair for pair, each in by_pair(found.compared.overall["system"].pairs).items() if math.isfinite(each.t)}
    assert known == {("a", "b"), ("c", "d")}


def test_many_levels_with_missing_cells_take_little_memory():
    rng = np.random.default_rng(1)
    rows = [{"system": i, "target": i % 4, "score": rng.normal()} for i in range(160) for _ in range(2)]
    tracemalloc.start()
    found = analyse(rows, "score", FACTORS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A row of what is undetermined for each of 12,720 pairs would be 49 MB, several times over.
    assert peak < 60_000_000
    inside = by_pair(found.compared.within["system|target"]["0"].pairs)
    assert math.isfinite(inside["0", "4"].p)
    assert math.isnan(inside["0", "1"].p)


def test_one_observation_per_cell_has_means_and_a_note_but_no_errors():
    rows = [{"system": a, "target": b, "score": float(ord(a) * ord(b) % 7)} for a in "abc" for b in "xy"]
    found = analyse(rows, "score", FACTORS)
    mean = found.compared.overall["system"].means[0]
    assert mean.mean == pytest.approx((rows[0]["score"] + rows[1]["score"]) / 2)
    assert math.isnan(mean.se)
    assert mean.letters is None
    assert "leave the interaction out (--additive)" in " ".join(found.notes)
    assert math.isfinite(analyse(rows, "score", FACTORS, interaction=False).compared.overall["system"].means[0].se)


def test_scores_that_never_vary_have_nothing_to_test_with():
    rows = [{"system": a, "score": 0.1 * (a == "b")} for a in "abb" * 5]
    found = analyse(rows, "score", ["system"])
    assert found.model.sigma2 == 0
    assert math.isnan(found.compared.overall["system"].pairs[0].p)
    assert "without any variance" in " ".join(found.notes)


def test_pairs_follow_from_printed_estimates_and_their_own_errors():
    two = LinearEstimates(["a", "b"], np.array([1.0, 0.0]), np.eye(2), np.zeros((2, 0)))
    (pair,) = effect(two, np.diag([0.09, 0.16]), 20, 0.95).pairs
    assert (pair.a, pair.b, pair.difference, pair.se, pair.t) == ("a", "b", 1.0, 0.5, 2.0)
    assert pair.p == pytest.approx(2 * t.sf(2.0, 20), abs=1e-7)
    one = LinearEstimates(["a"], np.array([1.0]), np.eye(1), np.zeros((1, 0)))
    assert [mean.letters for mean in effect(one, np.diag([0.01]), 5, 0.95).means] == ["A"]


PATHS = {"es-fr": "fr", "de-fr": "fr", "es-de": "de", "fr-de": "de", "pt-de": "de"}


def observations(paths=PATHS):
    rng = np.random.default_rng(3)
    return [
        {"system": system, "path": path, "target": target, "score": rng.normal()}
        for system in "ab"
        for place, (path, target) in enumerate(paths.items())
        for _ in range(2 + place)
    ]


def test_a_target_is_the_plain_average_of_its_paths():
    rows = observations()
    found = analyse(rows, "score", ["system", "path"], nested={"path": "target"})
    cells = {}
    for row in rows:
        cells.setdefault((row["system"], row["path"]), []).append(row["score"])
    average = {key: np.mean(scores) for key, scores in cells.items()}
    inside = by_level(found.compared.within["target|system"]["a"].means)
    for target in ("de", "fr"):
        paths = [path for path in PATHS if PATHS[path] == target]
        assert inside[target].mean == pytest.approx(np.mean([average["a", path] for path in paths]))
        variance = sum(1 / len(cells["a", path]) for path in paths) / len(paths) ** 2 * found.model.sigma2
        assert inside[target].se == pytest.approx(math.sqrt(variance))
        overall = by_level(found.compared.overall["target"].means)[target]
        assert overall.mean == pytest.approx(np.mean([average[system, path] for system in "ab" for path in paths]))
    assert found.model.residual_df == len(rows) - 10
    assert [mean.level for mean in found.compared.within["path|target"]["fr"].means] == ["de-fr", "es-fr"]
    assert set(found.compared.within) == {
        *("system|path", "path|system", "system|target", "target|system", "path|target")
    }


def test_a_factor_that_is_not_nested_is_refused():
    rows = [*observations(), {"system": "a", "path": "es-fr", "target": "de", "score": 0.0}]
    with pytest.raises(UserError, match="'path' is not nested in 'target': 'es-fr' has both 'fr' and 'de'"):
        analyse(rows, "score", ["system", "path"], nested={"path": "target"})
