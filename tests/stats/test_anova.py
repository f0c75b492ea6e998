"""Sums of squares against another implementation, and against least squares on all rows."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats.analysis import analyse
from concord.stats.anova import anova, f_test
from concord.stats.cells import count_cells
from concord.stats.linear import LinearModel
from concord.stats.table import ObservationTable

FACTORS = ["system", "target"]


def tables(rows, factors=FACTORS, **options):
    found = anova(LinearModel(count_cells(ObservationTable(rows, "score", factors)), **options))
    return {kind: {line.term: line for line in lines} for kind, lines in found.items()}


# From statsmodels 0.15, anova_lm of score ~ C(system, Sum) * C(target, Sum).
@pytest.mark.parametrize(
    ("kind", "term", "df", "sum_sq", "f", "p"),
    [
        ("1", "system", 2, 21.02016667, 23.47310627, 0.0001669843523),
        ("1", "target", 1, 29.34404762, 65.5366781, 1.061120801e-05),
        ("1", "system:target", 2, 3.215785714, 3.591050491, 0.06677573308),
        ("2", "system", 2, 19.28385714, 21.53417883, 0.0002375865016),
        ("2", "target", 1, 29.34404762, 65.5366781, 1.061120801e-05),
        ("2", "system:target", 2, 3.215785714, 3.591050491, 0.06677573308),
        ("3", "system", 2, 14.95564286, 16.70088538, 0.000649325945),
        ("3", "target", 1, 28.33474138, 63.28250448, 1.237050631e-05),
        ("3", "system:target", 2, 3.215785714, 3.591050491, 0.06677573308),
    ],
)
def test_an_unbalanced_table_has_the_figures_of_statsmodels(unbalanced, kind, term, df, sum_sq, f, p):
    line = tables(unbalanced)[kind][term]
    assert line.df == df
    assert (line.sum_sq, line.f, line.p) == pytest.approx((sum_sq, f, p), rel=1e-8)
    residuals = tables(unbalanced)[kind]["residuals"]
    assert (residuals.df, residuals.sum_sq) == (10, pytest.approx(4.4775))


def test_type_one_depends_on_the_order_and_adds_up_to_the_total(unbalanced):
    scores = np.array([row["score"] for row in unbalanced])
    there, back = tables(unbalanced), tables(unbalanced, FACTORS[::-1])
    assert there["1"]["system"].sum_sq != pytest.approx(back["1"]["system"].sum_sq)
    for found in (there, back):
        assert sum(line.sum_sq for line in found["1"].values()) == pytest.approx(((scores - scores.mean()) ** 2).sum())


def test_the_types_agree_on_a_balanced_table():
    rng = np.random.default_rng(5)
    rows = [{"system": a, "target": b, "score": rng.normal()} for a in "abc" for b in "wxyz" for _ in range(3)]
    one, two, three = tables(rows).values()
    for term in one:
        assert (one[term].df, one[term].sum_sq) == pytest.approx((two[term].df, two[term].sum_sq))
        assert (one[term].df, one[term].sum_sq) == pytest.approx((three[term].df, three[term].sum_sq))


def test_one_factor_is_the_textbooks_one_way_analysis(unbalanced):
    from scipy.stats import f_oneway

    groups = {}
    for row in unbalanced:
        groups.setdefault(row["system"], []).append(row["score"])
    f, p = f_oneway(*groups.values())
    for lines in tables(unbalanced, ["system"]).values():
        assert (lines["system"].f, lines["system"].p) == pytest.approx((f, p))
        assert list(lines) == ["system", "residuals"]


def test_without_interaction_its_variation_goes_to_the_residuals(unbalanced):
    found = tables(unbalanced, interaction=False)["2"]
    assert list(found) == ["system", "target", "residuals"]
    assert found["system"].sum_sq == pytest.approx(19.28385714)
    assert (found["residuals"].df, found["residuals"].sum_sq) == (12, pytest.approx(4.4775 + 3.215785714))


def test_missing_cells_leave_types_one_and_two_and_the_interaction(lacking):
    found = tables(lacking)
    assert found["2"]["system"].sum_sq == pytest.approx(5.602669173)
    assert found["2"]["target"].sum_sq == pytest.approx(23.08085965)
    for kind in "123":
        line = found[kind]["system:target"]
        assert (line.df, line.sum_sq) == (1, pytest.approx(5.709473684 - 2.8575))
    for term in FACTORS:
        assert found["3"][term].df is None
        assert np.isnan([found["3"][term].sum_sq, found["3"][term].f, found["3"][term].p]).all()


def residual_squares(rows, terms):
    """Least squares over all rows, with a column for each level and each pair of levels."""
    columns = [np.ones(len(rows))]
    for term in terms:
        keys = [tuple(row[factor] for factor in term) for row in rows]
        columns += [np.array([key == one for key in keys], dtype=float) for one in sorted(set(keys))]
    x, y = np.stack(columns, axis=1), np.array([row["score"] for row in rows])
    return float(((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum()), int(np.linalg.matrix_rank(x))


@pytest.mark.parametrize("seed", range(5))
def test_three_factors_have_main_effects_and_two_way_interactions(seed):
    rng = np.random.default_rng(seed)
    rows = [
        {"p": f"p{rng.integers(3)}", "q": f"q{rng.integers(4)}", "r": f"r{rng.integers(2)}", "score": rng.normal()}
        for _ in range(60)
    ]
    terms = [("p",), ("q",), ("r",), ("p", "q"), ("p", "r"), ("q", "r")]
    found = tables(rows, ["p", "q", "r"])
    for number, term in enumerate(terms):
        (less, few), (more, many) = (residual_squares(rows, terms[: number + extra]) for extra in (0, 1))
        line = found["1"][":".join(term)]
        assert (line.df, line.sum_sq) == (many - few, pytest.approx(less - more))
        without = [other for other in terms if not set(term) <= set(other)]
        (less, few), (more, many) = (residual_squares(rows, [*without, *more]) for more in ([], [term]))
        line = found["2"][":".join(term)]
        assert (line.df, line.sum_sq) == (many - few, pytest.approx(less - more))
    everything, rank = residual_squares(rows, terms)
    assert (found["1"]["residuals"].df, found["1"]["residuals"].sum_sq) == (60 - rank, pytest.approx(everything))


def test_scores_far_from_zero_keep_their_digits(unbalanced):
    far = [{**row, "score": row["score"] + 1e7} for row in unbalanced]
    near, found = tables(unbalanced)["3"], tables(far)["3"]
    for term in near:
        assert found[term].sum_sq == pytest.approx(near[term].sum_sq, rel=1e-6)


def test_there_is_no_f_without_residuals():
    assert np.isnan(f_test(3.0, 2, 0.0, 5)).all()
    assert np.isnan(f_test(3.0, 2, 1.0, 0)).all()
    assert np.isnan(f_test(0.0, 0, 1.0, 5)).all()


def test_a_factor_with_one_level_is_not_a_term(unbalanced):
    only = [row for row in unbalanced if row["target"] == "x"]
    assert list(tables(only)["1"]) == ["system", "residuals"]
    assert "'target' has a single level, 'x'" in " ".join(analyse(only, "score", FACTORS).notes)
