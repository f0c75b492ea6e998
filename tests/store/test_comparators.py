"""Comparators that labels have taught, as a workspace keeps them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from concord.store.comparators import Comparator, Comparators

LEARNT = Comparator("rti", ("en", "es"), b"weights", area=0.9, area_of_rule=0.8, labels=120, wrong=30, margin=0.04)


def test_what_is_kept_comes_back(workspace):
    Comparators(workspace).keep(LEARNT)
    assert Comparators(workspace).get("rti", ("en", "es")) == LEARNT
    assert Comparators(workspace).get("rti", ("en", "ca")) is None


@pytest.mark.parametrize(("margin", "used"), [(0.0, True), (0.09, True), (0.1, False), (0.2, False)])
def test_one_is_used_if_it_beats_the_rule_by_more_than_the_margin(workspace, margin, used):
    Comparators(workspace).keep(replace(LEARNT, area=0.5 + 0.1, area_of_rule=0.5, margin=margin))
    assert (Comparators(workspace).used("rti", ("en", "es")) is not None) == used


def test_one_that_is_no_better_than_guessing_is_not_used(workspace):
    Comparators(workspace).keep(replace(LEARNT, area=0.49, area_of_rule=0.4, margin=0.0))
    assert Comparators(workspace).used("rti", ("en", "es")) is None


def test_a_workspace_of_an_older_format_knows_of_no_margin(workspace):
    Comparators(workspace).keep(LEARNT)
    with workspace.writing() as db:
        db.execute("ALTER TABLE comparators DROP COLUMN margin")
    assert Comparators(workspace).get("rti", ("en", "es")) == replace(LEARNT, margin=0.0)
