"""Observations are drawn once, from the seed alone, balanced at every moment."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.analyses.experiment import Experiment, design
from concord.corpus import demo

CORPUS = demo()
TARGETS = st.lists(st.sampled_from(["es", "ca", "gl", "fr", "en"]), min_size=2, unique=True).filter(
    lambda codes: len(set(codes) - {"en"}) > 1
)


def made(**more):
    return Experiment(**{"name": "x", "systems": ("fake",), "targets": ("es", "ca", "gl"), **more})


def path_of(segment):
    told = dict(segment.told)
    return told["pivots"][0], told["to"]


@given(TARGETS, st.integers(1, 20))
def test_every_path_gets_the_same_number_of_replications(targets, replications):
    plan = made(targets=tuple(targets), replications=replications)
    drawn = Counter(path_of(segment) for segment in design(plan, CORPUS))
    assert drawn == dict.fromkeys(plan.paths, replications)


@given(st.integers(0, 100))
def test_a_quota_that_ends_midway_leaves_it_nearly_balanced(taken):
    plan = made(replications=20)
    drawn = Counter(path_of(segment) for segment in islice(design(plan, CORPUS), taken))
    counts = [drawn[path] for path in plan.paths]
    assert max(counts) - min(counts) <= 1


@given(TARGETS, st.integers(1, 20))
def test_at_random_every_target_gets_as_many_and_a_pivot_that_leads_there(targets, replications):
    plan = made(targets=tuple(targets), replications=replications, allocation="random")
    drawn = [path_of(segment) for segment in design(plan, CORPUS)]
    assert Counter(target for _, target in drawn) == dict.fromkeys(plan.targets, replications)
    assert set(drawn) <= set(plan.paths)


def test_at_random_the_pivots_are_about_equally_frequent():
    plan = made(targets=("es",), pivots=("ca", "gl", "eo"), replications=3000, allocation="random")
    counts = Counter(path_of(segment)[0] for segment in design(plan, CORPUS))
    assert all(900 < count < 1100 for count in counts.values())


def test_sentences_are_drawn_from_the_whole_corpus_with_replacement():
    drawn = [segment.id for segment in design(made(replications=200), CORPUS)]
    assert len(drawn) == 1200
    assert 270 < len(set(drawn)) <= 288
    assert all(segment.position == place for place, segment in enumerate(design(made(), CORPUS)))


def test_the_same_experiment_is_drawn_the_same_and_the_seed_makes_another():
    first, again, other = (design(made(seed=seed), CORPUS) for seed in (1, 1, 2))
    assert list(first) == list(again)
    assert first.digest == again.digest != other.digest


def test_what_a_system_cannot_do_is_left_out_at_the_same_positions():
    whole = design(made(replications=3), CORPUS)
    left = whole.without([("ca", "es")])
    assert left.digest == whole.digest
    assert left.size == len(list(left)) == whole.size - 3
    assert set(left) < set(whole)
    assert ("ca", "es") not in {path_of(segment) for segment in left}


@pytest.mark.parametrize("changed", [{"replications": 4}, {"targets": ("es", "ca")}, {"allocation": "random"}])
def test_another_design_has_another_digest(changed):
    assert design(made(replications=3), CORPUS).digest != design(made(**{"replications": 3, **changed}), CORPUS).digest
