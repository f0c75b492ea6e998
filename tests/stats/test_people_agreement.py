"""Agreement is what the papers' worked examples and another implementation say it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from concord.labels.agreement import _alpha, _counts, agreement, cohen

VALUES = ("error", "correct", "bad test")


def ratings(**lines):
    """Units out of a line of values for each annotator; a point is a missing one."""
    names = list(lines)
    columns = zip(*(line.split() for line in lines.values()), strict=True)
    return {
        unit: {name: value for name, value in zip(names, column, strict=True) if value != "."}
        for unit, column in enumerate(columns)
    }


def krippendorff(said):
    """Alpha for any number of annotators, also for two, to whom `agreement` gives kappa."""
    return _alpha(_counts(said), seed=0)[0]


def test_cohens_own_example():
    """Cohen 1960, table 1: two judges, 200 units, agreement 0.70, by chance 0.41."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    pairs = [(str(i), str(j)) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    assert cohen(*zip(*pairs, strict=True)) == pytest.approx((0.70 - 0.41) / (1 - 0.41), abs=1e-12)


@pytest.mark.parametrize(
    ("lines", "alpha"),
    [
        ({"meg": "0 1 0 0 0 0 0 0 1 0", "owen": "1 1 1 0 0 1 0 0 0 0"}, 0.095),
        ({"meg": "a a b b d c c c e d d a", "owen": "b a b b b c c c e d d d"}, 0.692),
        (
            {
                "a": "1 2 3 3 2 1 4 1 2 . . .",
                "b": "1 2 3 3 2 2 4 1 2 5 . 3",
                "c": ". 3 3 3 2 3 4 2 2 5 1 .",
                "d": "1 2 3 3 2 4 4 1 2 5 1 .",
            },
            0.743,
        ),
    ],
)
def test_krippendorffs_own_examples(lines, alpha):
    """Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", examples A, B and C."""
    assert krippendorff(ratings(**lines)) == pytest.approx(alpha, abs=5e-4)


several = st.lists(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(VALUES), min_size=2, max_size=4), min_size=2, max_size=12
)


@settings(max_examples=60)
@given(several)
def test_alpha_is_what_nltk_says(units):
    if len({value for said in units for value in said.values()}) < 2:
        assert krippendorff(dict(enumerate(units))) is None
        return
    task = AnnotationTask([(name, unit, value) for unit, said in enumerate(units) for name, value in said.items()])
    assert krippendorff(dict(enumerate(units))) == pytest.approx(task.alpha(), abs=1e-9)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=1, max_size=20))
def test_kappa_is_what_nltk_says(pairs):
    task = AnnotationTask([("ab"[i], unit, pair[i]) for unit, pair in enumerate(pairs) for i in (0, 1)])
    first, second = zip(*pairs, strict=True)
    if len({*first, *second}) == 1:
        assert cohen(first, second) is None
    else:
        assert cohen(first, second) == pytest.approx(task.kappa(), abs=1e-9)


def test_two_annotators_get_kappa_and_the_units_in_dispute():
    found = agreement(ratings(ana="e e c c e .", ben="e c c c e e"))
    assert (found.annotators, found.units, found.coefficient) == (("ana", "ben"), 5, "Cohen's kappa")
    assert found.share == pytest.approx(0.8)
    assert found.value == pytest.approx(cohen("eecce", "eccce"))
    assert found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]
    assert found.disputed == (1,)
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.units, pair.share) == ("ana", "ben", 5, pytest.approx(0.8))


def test_three_annotators_get_alpha_and_a_kappa_for_each_two():
    found = agreement(ratings(ana="e e c c . e", ben="e c c . e e", cy=". . c c e c"))
    assert found.coefficient == "Krippendorff's alpha"
    assert [(pair.first, pair.second, pair.units) for pair in found.pairs] == [
        ("ana", "ben", 4),
        ("ana", "cy", 3),
        ("ben", "cy", 3),
    ]
    assert found.disputed == (1, 5)


def test_where_everybody_says_the_same_there_is_agreement_and_no_coefficient():
    found = agreement(ratings(ana="e e e", ben="e e e"))
    assert (found.share, found.value, found.interval, found.disputed) == (1.0, None, None, ())


def test_without_two_voices_on_anything_there_is_nothing_to_compare():
    found = agreement(ratings(ana="e e .", ben=". . e"))
    assert (found.units, found.share, found.value, found.pairs) == (0, None, None, ())


def test_the_interval_is_the_same_every_time():
    said = ratings(ana="e e c c e c e e", ben="e c c c e e e c")
    assert agreement(said) == agreement(said)
    assert agreement(said).interval != agreement(said, seed=1).interval
