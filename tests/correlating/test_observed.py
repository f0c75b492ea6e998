"""Rows of runs become scores of systems and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from concord.correlating.observed import Column, observed
from concord.errors import UserError
from concord.model import Case, Text
from concord.store import Workspace


def seen(path, runs=None):
    with Workspace(path) as store:
        return observed(store, runs or [run.id for run in store.runs()])


def test_granularities_are_columns_of_one_family(three):
    (found,) = seen(three)
    assert [column.name for column in found.columns] == ["mgmt sentence", "mgmt phrase", "mgmt word"]
    (family,) = found.families()
    assert (family.name, family.mean, family.columns) == ("mgmt", "mgmt", (0, 1, 2))
    assert found.systems == ["good", "fair", "poor"]
    assert found.domains == ["law", "news"]
    assert found.satisfied[0].tolist() == [[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0]]
    assert found.outputs[2, 0] == "un gato"
    assert found.references == {0: "un perro", 1: "dos gatos", 2: "tres aves", 3: "cuatro peces"}


def test_relations_without_granularities_make_one_family_together(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0.1)])], corpus)
    path = filled("a", "rti", [(0, [case("one dog", "x", 0.0), case("one dog", "x", 2.0)])], corpus)
    (found,) = seen(path)
    (family,) = found.families()
    assert (family.name, family.mean) == ("rtt, rti", "mean of rtt, rti")
    assert found.satisfied[:, 0, 0].tolist() == [1.0, 0.5]
    assert found.similar[:, 0, 0].tolist() == [0.9, 0.0]
    assert found.verdicts[1, 0, 0] == [False]


def test_repetitions_are_averaged_and_a_run_with_one_stands_beside_each(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0.0)])], corpus)
    again = [(0, [case("one dog", "x", suspicion)]) for suspicion in (0.0, 1.0, 1.0, 0.0, 1.0)]
    (found,) = seen(filled("a", "pivot", again, corpus))
    assert found.satisfied[:, 0, 0].tolist() == [1.0, pytest.approx(0.4)]
    patterns = found.patterns(found.families()[0])
    assert patterns.bits.tolist() == [3, 1, 1, 3, 1]
    assert patterns.weight.tolist() == [0.2] * 5


def test_what_was_not_tested_is_unknown_and_has_no_pattern(filled, case, corpus):
    rows = [
        (0, [case("one dog", "x", 0, "sentence"), case("one dog", "x", 0, "word")]),
        (1, [case("two cats", "y", 0, "sentence")]),
        (2, "timeout"),
    ]
    (found,) = seen(filled("a", "mgmt", rows, corpus))
    np.testing.assert_array_equal(found.satisfied[:, 0], [[1, 1, np.nan], [1, np.nan, np.nan]])
    assert found.patterns(found.families()[0]).sentence.tolist() == [0]
    assert found.notes == ["en→es: 1 checks ended in an error and are left out"]


def test_the_translation_is_that_of_the_sentence_even_where_it_is_the_follow_up(filled, corpus):
    part, whole = Text("dog", "en"), Text("one dog", "en")
    texts = Text("perro", "es"), Text("un perro", "es")
    (found,) = seen(filled("a", "rti", [(0, [Case(part, whole, *texts, texts, 0, 0)])], corpus))
    assert found.outputs == {(0, 0): "un perro"}


def test_the_same_words_in_another_language_are_not_the_sentence(filled, corpus):
    other, own = Text("one dog", "es"), Text("one dog", "en")
    texts = Text("back again", "en"), Text("un perro", "es")
    (found,) = seen(filled("a", "rtt", [(0, [Case(other, own, *texts, texts, 0, 0)])], corpus))
    assert found.outputs == {(0, 0): "un perro"}


def test_options_that_differ_make_different_columns(filled, case, corpus):
    for metric in ("chrf", "bleu"):
        path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus, metric=metric, threshold=0.4)
    (found,) = seen(path)
    assert found.columns == [Column("rtt,metric=chrf"), Column("rtt,metric=bleu")]


def test_directions_stand_apart(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus, target="ca")
    assert [each.direction for each in seen(path)] == ["en→es", "en→ca"]


def test_the_same_run_twice_is_an_error_that_names_both(filled, case, corpus):
    for _ in range(2):
        path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    with pytest.raises(UserError, match=r"runs 1 and 2 are both of rtt on a with c#1. Name one of them"):
        seen(path)


def test_runs_of_nothing_but_errors_are_an_error(filled, corpus):
    path = filled("a", "rtt", [(0, "timeout")], corpus)
    with pytest.raises(UserError, match=r"runs 1 \(en→es\) have no case"):
        seen(path)
