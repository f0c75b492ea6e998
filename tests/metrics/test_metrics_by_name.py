"""Metrics are asked for by name."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import pytest

from concord import metrics, plugins
from concord.errors import UnknownName
from concord.metrics import bleu, chrf, cosine, levenshtein
from concord.model import Text

A, B = Text("the cat sat on the mat", "en"), Text("the cat is on a mat", "en")


@pytest.fixture
def guest(monkeypatch):
    """Install an object as the metric that every name means."""
    metrics._remembered.cache_clear()
    yield lambda metric: monkeypatch.setattr(plugins, "metric", lambda text: (metric, {}))
    metrics._remembered.cache_clear()


@pytest.mark.parametrize("module", [bleu, chrf, cosine, levenshtein])
def test_a_built_in_metric_is_found_by_its_file_name(module):
    name = module.__name__.rpartition(".")[2]
    assert metrics.similarity(name, A, B) == module.similarity(A, B)


def test_options_reach_the_metric():
    assert metrics.similarity("levenshtein", A, B, over="sum") == levenshtein.similarity(A, B, over="sum")
    assert metrics.similarity("levenshtein", A, B, over="sum") != levenshtein.similarity(A, B)


def test_options_can_stand_in_the_name():
    assert metrics.similarity("levenshtein:over=sum", A, B) == levenshtein.similarity(A, B, over="sum")


def test_a_batch_of_edit_distances_is_the_pairs_one_by_one():
    pairs = [(A, B), (A, A), (Text("", "en"), B), (Text("", "en"), Text("", "en")), (Text("日本語", "ja"), A)]
    for over in ("longer", "sum"):
        expected = [levenshtein.similarity(a, b, over=over) for a, b in pairs]
        assert metrics.similarity_many("levenshtein", pairs, over=over) == pytest.approx(expected, abs=1e-12)


def test_an_unknown_metric_is_answered_with_the_nearest_one():
    with pytest.raises(UnknownName, match="Did you mean 'cosine'"):
        metrics.similarity("cosin", A, B)


def test_a_metric_with_only_a_distance_is_turned_around(guest):
    guest(SimpleNamespace(distance=lambda a, b, *, far=0.25: far))
    assert metrics.similarity("guest", A, B) == 0.75
    assert metrics.similarity_many("guest", [(A, B), (B, A)], far=1.0) == [0.0, 0.0]


def test_a_batch_is_the_metric_s_own_where_it_has_one(guest):
    guest(SimpleNamespace(similarity_many=lambda pairs, *, value: [value] * len(pairs)))
    assert metrics.similarity_many("guest", [(A, B), (B, A)], value=0.5) == [0.5, 0.5]


def test_a_batch_without_one_is_pair_by_pair_in_order():
    pairs = [(A, B), (A, A), (B, A)]
    assert metrics.similarity_many("chrf", pairs, beta=3) == [chrf.similarity(a, b, beta=3) for a, b in pairs]


@pytest.mark.parametrize("module", [bleu, chrf, cosine, levenshtein])
def test_a_metric_states_its_paper_its_range_and_its_options(module):
    documentation = inspect.getdoc(module)
    assert any(character.isdigit() for character in documentation.splitlines()[0]), "no year in the first line"
    assert "Range [0, 1]" in documentation
    options = plugins.parameters(module.similarity)
    assert options
    assert not any(option.required for option in options)
