"""Rows of runs become scores of systems and sentences."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from concord.analyses.quality.observations import FLAGGED, Column
from concord.analyses.quality.run_reader import observed
from concord.errors import UserError
from concord.model import Case, Text
from concord.runs.select import select
from concord.store import Workspace


def seen(path, runs=None):
    with Workspace(path) as store:
        return observed(store, runs or [run.id for run in store.runs()])


def test_granularities_are_columns_of_one_family(three):
    (found,) = seen(three)
    assert [column.name for column in found.columns] == ["mgmt sentence", "mgmt phrase", "mgmt word"]
    (family,) = found.families()
    assert (family.name, family.mean, family.columns) == ("mgmt", "mgmt (all tested)", (0, 1, 2))
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
    assert (family.name, family.mean) == ("rtt, rti", "rtt, rti (all tested)")
    assert found.satisfied[:, 0, 0].tolist() == [1.0, 0.5]
    assert found.similar[:, 0, 0].tolist() == [0.9, 0.0]
    assert found.verdicts[1, 0, 0].tolist() == [FLAGGED]


def test_a_damaged_case_is_an_error_and_the_others_of_its_check_count(filled, case, corpus):
    path = filled("a", "rti", [(0, [case("one dog", "x", 0.0), case("one dog", "x", 2.0)])], corpus)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE cases SET body = '{' WHERE number = 1")
    (found,) = seen(path)
    assert found.satisfied[0, 0, 0] == 1.0
    assert found.notes == ["en→es: 1 check ended in an error and is left out"]


def test_repetitions_are_averaged_and_a_run_with_one_stands_beside_each(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0.0)])], corpus)
    again = [(0, [case("one dog", "x", suspicion)]) for suspicion in (0.0, 1.0, 1.0, 0.0, 1.0)]
    (found,) = seen(filled("a", "pivot", again, corpus))
    assert found.satisfied[:, 0, 0].tolist() == [1.0, pytest.approx(0.4)]
    patterns = found.patterns(found.families()[0])
    assert patterns.bits.tolist() == [3, 1, 1, 3, 1]
    assert patterns.weight.tolist() == [0.2] * 5


def test_repetitions_are_paired_by_their_number(filled, case, corpus):
    held = [(0, [case("one dog", "x", float(number != 1))]) for number in range(3)]
    filled("a", "rtt", held, corpus)
    failed = [(0, "timeout"), (0, [case("one dog", "x", 0.0)]), (0, [case("one dog", "x", 1.0)])]
    (found,) = seen(filled("a", "pivot", failed, corpus))
    patterns = found.patterns(found.families()[0])
    assert patterns.bits.tolist() == [3, 0]
    assert patterns.weight.tolist() == [0.5, 0.5]


def test_a_repetition_that_is_left_after_errors_does_not_stand_for_others(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0.0)]), (0, "timeout"), (0, "timeout")], corpus)
    again = [(0, [case("one dog", "x", suspicion)]) for suspicion in (1.0, 0.0, 0.0)]
    (found,) = seen(filled("a", "pivot", again, corpus))
    assert found.patterns(found.families()[0]).bits.tolist() == [1]


def test_a_sentence_that_stands_in_a_corpus_twice_counts_once(filled, case, corpus):
    twice = [corpus[0], corpus[1], corpus[0]]
    rows = [(n, [case(twice[n][0], "x", float(n == 2))]) for n in range(3)]
    (found,) = seen(filled("a", "rtt", rows, twice))
    assert [each.text for each in found.sentences] == ["one dog", "two cats"]
    assert found.satisfied[0, 0].tolist() == [1, 1]
    assert found.ids == {"s0": {0}, "s1": {1}, "s2": {0}}


def test_the_same_words_in_another_domain_are_another_sentence(filled, case, corpus):
    twice = [corpus[0], (corpus[0][0], "law", None)]
    (found,) = seen(filled("a", "rtt", [(n, [case("one dog", "x", float(n))]) for n in range(2)], twice))
    assert found.satisfied[0, 0].tolist() == [1, 0]


def test_what_was_not_tested_is_unknown_and_has_no_pattern(filled, case, corpus):
    rows = [
        (0, [case("one dog", "x", 0, "sentence"), case("one dog", "x", 0, "word")]),
        (1, [case("two cats", "y", 0, "sentence")]),
        (2, "timeout"),
    ]
    (found,) = seen(filled("a", "mgmt", rows, corpus))
    np.testing.assert_array_equal(found.satisfied[:, 0], [[1, 1, np.nan], [1, np.nan, np.nan]])
    assert found.patterns(found.families()[0]).sentence.tolist() == [0]
    assert found.notes == ["en→es: 1 check ended in an error and is left out"]


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
    assert found.columns == [Column("rtt"), Column("rtt·2")]
    assert found.legend == {"rtt": "rtt,metric=chrf", "rtt·2": "rtt,metric=bleu"}


def test_runs_that_differ_in_a_tolerance_are_scores_of_their_own_and_that_is_said(filled, case, corpus):
    for tolerance in (0.0, 0.5):
        rows = [(0, [case("one dog", "x", 0, "word")])]
        path = filled("a", "mgmt", rows, corpus, unit="words", tolerance_word=tolerance)
    (found,) = seen(path)
    assert [each.name for each in found.columns] == ["mgmt word", "mgmt·2 word"]
    assert found.legend == {"mgmt": "mgmt,tolerance_word=0", "mgmt·2": "mgmt,tolerance_word=0.5"}
    (note,) = found.notes
    assert note.startswith("en→es: runs of mgmt differ in tolerance_word, so each is a score of its own")
    with Workspace(path) as store:
        assert select(store, []) == [2]


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
    with pytest.raises(
        UserError, match=r"run 1 \(en→es\) has no case. `concord show 1 --errors -w .*` says what failed"
    ):
        seen(path)


def test_runs_without_a_case_or_an_error_could_not_be_tested(filled, corpus):
    with pytest.raises(UserError, match=r"has no case\. No sentence could be tested with these options"):
        seen(filled("a", "mgmt", [(0, [])], corpus))


def test_a_run_that_did_not_finish_is_named(filled, case, corpus):
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    filled("b", "rtt", [(0, "timeout")], corpus, finished=False, given="table:b.tsv")
    (found,) = seen(path)
    said = "run 2 (rtt on table:b.tsv) did not finish: run the same command again to continue it"
    assert f"en→es: {said}" in found.notes
    with pytest.raises(UserError) as error:
        seen(path, [2])
    assert said.capitalize() in str(error.value)


def test_a_part_that_was_tested_nowhere_is_said_with_the_reason(filled, case, corpus):
    alone = [case(corpus[n][0], "x", 0, "sentence") for n in range(2)]
    for each, why in zip(alone, ("no phrase QQ; its phrases: NP", "no phrase QQ; its phrases: VP"), strict=True):
        each.evidence["untested"] = {"phrase": why}
    (found,) = seen(filled("a", "mgmt", [(n, [each]) for n, each in enumerate(alone)], corpus))
    assert found.notes == ["en→es: mgmt phrase was tested on no sentence (2 of 2 times: no phrase QQ)"]
