"""Estimates from a stratified sample: exact for a census, right by hand, and with intervals that hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.stats.stratified_estimates import DRAWN, EXACT, WILSON, estimates, urns
from concord.stats.wilson import wilson


def sample(*strata):
    """Columns of a sample out of (flagged, population, labelled bugs, labelled correct) for each stratum."""
    columns = [[], [], [], []]
    for number, (flagged, population, bugs, correct) in enumerate(strata):
        n = bugs + correct
        for column, values in zip(
            columns, ([flagged] * n, [True] * bugs + [False] * correct, [population / n] * n, [number] * n), strict=True
        ):
            column += values
    return columns


def test_a_worked_example():
    """100 flagged, of 10 labelled 8 bugs: 80 bugs. 900 unflagged, of 30 labelled 2 bugs: 60 bugs."""
    found = estimates(*sample((True, 100, 8, 2), (False, 900, 2, 28)))
    assert (found.flagged, found.bugs, found.cases, found.labelled) == (
        pytest.approx(100),
        pytest.approx(140),
        pytest.approx(1000),
        40,
    )
    assert found.precision.value == pytest.approx(0.8)
    assert found.recall.value == pytest.approx(80 / 140)
    assert found.base_rate.value == pytest.approx(0.14)
    assert found.f.value == pytest.approx(2 * 80 / (100 + 140))
    assert {each.method for each in (found.precision, found.recall, found.base_rate, found.f)} == {DRAWN}


def test_the_precision_of_one_large_stratum_has_wilsons_interval():
    found = estimates(*sample((True, 200, 8, 2), (False, 900, 2, 28))).precision
    assert found.method == WILSON
    assert (found.low, found.high) == pytest.approx(wilson(8, 10))


def test_of_a_stratum_that_was_mostly_seen_little_is_left_to_chance():
    """60 of 77 seen, all bugs. With two others among the 77, nobody would have seen them in 4.6 of 100 samples."""
    found = estimates(*sample((True, 77, 60, 0), (False, 900, 2, 28))).precision
    assert (found.value, found.high, found.method) == (1.0, 1.0, DRAWN)
    assert 73 / 77 <= found.low <= 76 / 77


def test_a_census_is_exact():
    found = estimates(*sample((True, 10, 7, 3), (False, 20, 2, 18)))
    for each, value in ((found.precision, 0.7), (found.recall, 7 / 9), (found.base_rate, 0.3), (found.f, 14 / 19)):
        assert (each.value, each.low, each.high, each.method) == (*[pytest.approx(value)] * 3, EXACT)


def test_where_all_flagged_were_labelled_precision_is_exact_and_recall_is_not():
    found = estimates(*sample((True, 10, 7, 3), (False, 900, 2, 28)))
    assert found.precision.low == found.precision.high == found.precision.value
    assert found.recall.low < found.recall.value < found.recall.high


def test_a_stratum_in_which_no_bug_was_found_is_not_taken_to_be_free_of_bugs():
    found = estimates(*sample((True, 100, 40, 10), (False, 10_000, 0, 50)))
    assert (found.recall.value, found.recall.high) == (1.0, 1.0)
    assert found.recall.low < 0.5
    closer = estimates(*sample((True, 100, 40, 10), (False, 10_000, 0, 5_000)))
    assert closer.recall.low > 0.9


def test_without_anything_flagged_there_is_no_precision_and_without_bugs_no_recall():
    none = estimates(*sample((False, 100, 2, 8)))
    assert (none.precision, none.recall.value, none.f.value) == (None, 0.0, 0.0)
    clean = estimates(*sample((True, 100, 0, 10)))
    assert (clean.recall, clean.precision.value, clean.precision.low) == (None, 0.0, 0.0)


def test_nothing_labelled_is_the_users_to_cure():
    with pytest.raises(UserError, match="labelled yet"):
        estimates([], [], [], [])


@pytest.mark.parametrize(("weight", "stratum"), [([1, 2], [0, 0]), ([0.5, 0.5], [0, 0])])
def test_weights_that_no_stratum_can_have_are_refused(weight, stratum):
    with pytest.raises(ValueError, match="weigh the same"):
        estimates([True, False], [True, False], weight, stratum)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 2)), min_size=1, max_size=30), st.integers(1, 9))
def test_intervals_hold_their_estimates_and_stay_between_nought_and_one(cases, weight):
    flagged, bug, stratum = zip(*cases, strict=True)
    found = estimates(flagged, bug, [weight] * len(cases), stratum, draws=50)
    for each in (found.precision, found.recall, found.base_rate, found.f):
        assert each is None or 0 <= each.low <= each.value <= each.high <= 1


def test_the_same_seed_gives_the_same_interval():
    given_ = sample((True, 100, 8, 2), (False, 900, 2, 28))
    assert estimates(*given_) == estimates(*given_)
    assert estimates(*given_).recall != estimates(*given_, seed=1).recall


@pytest.mark.parametrize("threshold", [0.7, 0.5])
def test_the_intervals_hold_the_truth_about_as_often_as_they_say(threshold):
    """Draws from a population with four strata, at the threshold of the strata and at one that cuts through one."""
    chance = np.random.default_rng(7)
    suspicion = np.sort(chance.random(8_000))[::-1]
    bug = chance.random(8_000) < suspicion**4 * 0.8
    stratum = np.where(suspicion > 0.7, 0, 1 + np.digitize(suspicion, [0.25, 0.5]))
    flagged = suspicion > threshold
    both = (flagged & bug).sum()
    truth = {
        "precision": both / flagged.sum(),
        "recall": both / bug.sum(),
        "base_rate": bug.mean(),
        "f": 2 * both / (flagged.sum() + bug.sum()),
    }
    held = dict.fromkeys(truth, 0)
    biased = dict.fromkeys(truth, 0.0)
    rounds = 200
    for number in range(rounds):
        drawn = np.concatenate(
            [
                chance.choice(np.flatnonzero(stratum == each), 60 if each == 0 else 30, replace=False)
                for each in range(4)
            ]
        )
        sizes = np.array([(stratum == each).sum() / (60 if each == 0 else 30) for each in range(4)])
        found = estimates(flagged[drawn], bug[drawn], sizes[stratum[drawn]], stratum[drawn], draws=400, seed=number)
        for name, value in truth.items():
            each = getattr(found, name)
            held[name] += each.low <= value <= each.high
            biased[name] += (each.value - value) / rounds
    assert all(count / rounds >= 0.88 for count in held.values()), held
    assert all(abs(each) < 0.03 for each in biased.values()), biased


def test_one_stratum_of_a_kind_has_jeffreys_prior():
    flagged, bug, weight, stratum = map(np.array, sample((True, 100, 8, 2), (False, 900, 2, 28)))
    first, second = urns(flagged, bug, weight, stratum)
    assert (first.bugs + first.unseen, first.correct + first.unseen) == pytest.approx((8.5, 2.5))
    assert (second.bugs + second.unseen, second.correct + second.unseen) == pytest.approx((2.5, 28.5))


def test_the_urns_of_many_strata_hold_together_as_many_bugs_as_were_estimated():
    """60 of 200, 30 of 90 and none of 400 are 90 of 690; one pseudo-label for all of them moves that but little."""
    flagged, bug, weight, stratum = map(np.array, sample((False, 200, 3, 7), (False, 90, 1, 2), (False, 400, 0, 4)))
    rest, expected, plain = 0.0, 0.0, 0.0
    for urn in urns(flagged, bug, weight, stratum):
        unlabelled = (weight[urn.cases] - 1).sum()
        rest += unlabelled
        expected += unlabelled * (urn.bugs + urn.unseen) / (urn.bugs + urn.correct + 2 * urn.unseen)
        plain += unlabelled * urn.bugs / (urn.bugs + urn.correct)
    assert plain + 4 == pytest.approx(90)
    assert 0 < expected - plain < 0.5 / 17 * rest


def test_a_stratum_of_which_everything_is_labelled_has_no_urn():
    flagged, bug, weight, stratum = map(np.array, sample((True, 10, 7, 3), (True, 90, 1, 2)))
    assert [urn.stratum for urn in urns(flagged, bug, weight, stratum)] == [1]


@pytest.mark.parametrize("labels", [1, 3])
def test_many_strata_whose_few_labels_all_agree_leave_room_for_what_nobody_saw(labels):
    found = estimates(*sample(*[(True, 300, 0, labels)] * 24)).precision
    assert (found.value, found.low) == (0, 0)
    assert 0.4 < found.high / wilson(0, 24 * labels)[1] < 1.2
    found = estimates(*sample(*[(True, 300, labels, 0)] * 24)).precision
    assert (found.value, found.high) == (1, 1)
    assert found.low < 1 - 0.4 * wilson(0, 24 * labels)[1]


def test_the_intervals_of_many_small_strata_lie_around_their_estimates_and_hold_the_truth():
    """Six runs with a stratum of flagged cases and three of others, three labels in each: 15 of 100 cases are bugs."""
    chance = np.random.default_rng(11)
    sizes, rates = np.array([130, 290, 290, 290] * 6), np.array([0.7, 0.13, 0.06, 0.02] * 6)
    stratum = np.repeat(np.arange(24), sizes)
    flagged, bug = stratum % 4 == 0, chance.random(len(stratum)) < rates[stratum]
    both = (flagged & bug).sum()
    truth = {"precision": both / flagged.sum(), "recall": both / bug.sum(), "base_rate": bug.mean()}
    held, rounds = dict.fromkeys(truth, 0), 200
    for number in range(rounds):
        drawn = np.concatenate([chance.choice(np.flatnonzero(stratum == each), 3, replace=False) for each in range(24)])
        weight = sizes[stratum[drawn]] / 3
        found = estimates(flagged[drawn], bug[drawn], weight, stratum[drawn], draws=300, seed=number)
        for name, value in truth.items():
            each = getattr(found, name)
            assert each.low < each.value < each.high or each.value == each.high == 1
            held[name] += each.low <= value <= each.high
    assert all(0.88 <= count / rounds <= 0.995 for count in held.values()), held
