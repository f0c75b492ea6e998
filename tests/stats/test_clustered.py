"""Clustered standard errors against another implementation, and what they are there for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from concord.stats.analysis import analyse

FACTORS = ["system", "target"]


def sentences(spread, each=4, count=60):
    """Every system sees every sentence several times; a sentence is easy or hard for all systems alike."""
    rng = np.random.default_rng(2)
    return [
        {"system": system, "sentence": f"s{number}", "score": better + ease + rng.normal(0, 0.1)}
        for number, ease in enumerate(rng.normal(0, spread, count))
        for system, better in (("a", 0.0), ("b", 0.05))
        for _ in range(each)
    ]


# From statsmodels 0.15: OLS with cov_type="cluster".
def test_they_have_the_figures_of_statsmodels(unbalanced):
    found = analyse(unbalanced, "score", FACTORS, cluster="sentence").clustered
    effect = found.compared.overall["system"]
    assert [mean.se for mean in effect.means] == pytest.approx([0.3464101615, 0.1843485150, 0.525])
    assert [pair.se for pair in effect.pairs] == pytest.approx([0.3301278162, 0.5390964663, 0.6439016812])
    assert found.clusters == 4
    assert {mean.df for mean in effect.means} == {3}


def test_they_leave_the_estimates_alone(unbalanced):
    found = analyse(unbalanced, "score", FACTORS, cluster="sentence")
    for (where, plain), (there, clustered) in zip(
        found.compared.pairs(), found.clustered.compared.pairs(), strict=True
    ):
        assert (where, plain.a, plain.b, plain.difference) == (there, clustered.a, clustered.b, clustered.difference)


def test_shared_sentences_make_means_less_certain_and_differences_more():
    found = analyse(sentences(spread=0.5), "score", ["system"], cluster="sentence")
    plain, clustered = found.compared.overall["system"], found.clustered.compared.overall["system"]
    assert clustered.means[0].se > 1.5 * plain.means[0].se
    assert clustered.pairs[0].se < 0.5 * plain.pairs[0].se


def test_a_conclusion_that_they_change_is_named():
    found = analyse(sentences(spread=0.5), "score", ["system"], cluster="sentence")
    (change,) = found.clustered.changes
    assert (change.where, change.a, change.b) == ("system", "a", "b")
    assert change.clustered_p < 0.05 < change.p
    assert "Standard errors clustered by 'sentence' change 1 conclusion: a and b (system)." in found.notes


def test_where_they_change_nothing_that_is_said_too():
    found = analyse(sentences(spread=0.0), "score", ["system"], cluster="sentence")
    assert found.clustered.changes == []
    assert "Standard errors clustered by 'sentence' change no conclusion at the level 0.95." in found.notes


def test_nothing_is_said_to_be_unchanged_that_was_not_tested():
    rng = np.random.default_rng(4)
    rows = [{"system": s, "sentence": s, "score": 0.1 + rng.random()} for s in "abc" for _ in range(7)]
    notes = " ".join(analyse(rows, "score", ["system"], cluster="sentence").notes)
    assert "change no conclusion" not in notes
    assert "Whether clustering by 'sentence' changes a conclusion could not be tested for any of 3 pairs." in notes


def test_pairs_that_could_not_be_tested_are_counted():
    rng = np.random.default_rng(4)
    rows = [
        {"system": s, "sentence": s if s > "b" else i % 5, "score": rng.random()} for s in "abcd" for i in range(20)
    ]
    notes = analyse(rows, "score", ["system"], cluster="sentence").notes
    assert "Whether clustering by 'sentence' changes a conclusion could not be tested for 1 of 6 pairs." in notes


def test_few_clusters_are_warned_of(unbalanced):
    found = analyse(unbalanced, "score", FACTORS, cluster="sentence")
    assert "'sentence' has only 4 levels" in " ".join(found.notes)


def test_a_single_cluster_has_none(unbalanced):
    found = analyse([{**row, "sentence": "one"} for row in unbalanced], "score", FACTORS, cluster="sentence")
    assert found.clustered is None
    assert "There are no standard errors clustered by 'sentence'" in " ".join(found.notes)


def test_a_cluster_with_a_cell_for_itself_is_not_taken_for_certainty():
    rng = np.random.default_rng(4)
    rows = [{"system": s, "sentence": s, "score": 0.1 + rng.random()} for s in "abc" for _ in range(7)]
    for pair in analyse(rows, "score", ["system"], cluster="sentence").clustered.compared.overall["system"].pairs:
        assert math.isnan(pair.p)
