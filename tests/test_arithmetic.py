"""Arithmetic that is the same on every processor: near the true values, and independent of what stands beside."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import digamma

from concord import arithmetic
from concord.language.align._training import _exp_digamma

FUNCTIONS = [
    (arithmetic.exp, math.exp, np.linspace(-690, 690, 2001)),
    (arithmetic.exp, math.exp, np.linspace(-1, 1, 2001)),
    (arithmetic.log, math.log, 10.0 ** np.linspace(-300, 300, 2001)),
    (arithmetic.log, math.log, np.linspace(0.4, 2.5, 2000)),
    (arithmetic.tanh, math.tanh, np.linspace(-40, 40, 2001)),
]


@pytest.mark.parametrize(("ours", "true", "values"), FUNCTIONS)
def test_functions_are_what_the_library_of_c_says_they_are(ours, true, values):
    expected = np.array([true(value) for value in values.tolist()])
    assert ours(values) == pytest.approx(expected, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("length", [1, 3, 8, 17])
@pytest.mark.parametrize("ours", [arithmetic.exp, arithmetic.tanh])
def test_a_number_comes_out_the_same_alone_and_among_others(ours, length):
    values = np.random.default_rng(length).normal(size=length) * 20
    assert ours(values).tolist() == [ours(np.array([value]))[0] for value in values.tolist()]


@pytest.mark.parametrize(("rows", "inner", "columns"), [(1, 1, 1), (1, 20, 20), (500, 20, 20), (7, 45, 45), (3, 9, 1)])
def test_a_row_of_a_product_is_added_up_from_the_first_to_the_last_whatever_the_other_rows_are(rows, inner, columns):
    random = np.random.default_rng(0)
    a, b = random.normal(size=(rows, inner)), random.normal(size=(inner, columns))
    found = arithmetic.product(a, b)
    assert found == pytest.approx(a @ b)
    for row in range(0, rows, 50):
        assert (arithmetic.product(a[row], b) == found[row]).all()
        assert (arithmetic.product(a[row : row + 1], b) == found[row]).all()
    if columns > 1:
        assert (found[0] == [sum_in_order(a[0], column) for column in b.T]).all()


def sum_in_order(row: np.ndarray, column: np.ndarray) -> float:
    total = 0.0
    for x, y in zip(row.tolist(), column.tolist(), strict=True):
        total += x * y
    return total


def test_the_exponential_of_digamma_is_that_of_scipy():
    values = np.concatenate([np.linspace(0.05, 20, 5000), 10.0 ** np.linspace(-1, 8, 5000)])
    assert _exp_digamma(values) == pytest.approx(np.exp(digamma(values)), rel=1e-12)
    assert _exp_digamma(values[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("one", "true", "values"),
    [
        (arithmetic.exp_of, math.exp, np.linspace(-690, 690, 2001)),
        (arithmetic.exp_of, math.exp, np.linspace(-2, 2, 2001)),
        (arithmetic.log_of, math.log, 10.0 ** np.linspace(-300, 300, 2001)),
        (arithmetic.log_of, math.log, np.linspace(0.4, 2.5, 2000)),
    ],
)
def test_functions_of_one_number_are_what_the_library_of_c_says_they_are(one, true, values):
    for value in values.tolist():
        assert one(value) == pytest.approx(true(value), rel=1e-14, abs=1e-15)
    assert arithmetic.exp_of(0.0) == 1.0
    assert arithmetic.log_of(1.0) == 0.0
    assert arithmetic.log_of(7) == arithmetic.log(np.array([7.0]))[0]


@pytest.mark.parametrize("exponent", [0.7, 1.25])
def test_powers_are_what_the_library_of_c_says_they_are(exponent):
    for value in np.linspace(0, 1, 2001).tolist():
        assert arithmetic.power_of(value, exponent) == pytest.approx(math.pow(value, exponent), rel=1e-13)
