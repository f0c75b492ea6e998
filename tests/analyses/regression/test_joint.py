"""The joint test of all relations of a direction, which decides whether a system is worse."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from concord import api
from concord.analyses.regression.run_pairs import RunPair
from concord.analyses.regression.sentence_tests import joint_tests, sentence_changes


def record(number, relation, system="mt", target="es", corpus="c"):
    return SimpleNamespace(id=number, relation=relation, system=system, source="en", target=target, corpus=corpus)


def side(word):
    """The hashes of the sentences that are judged (x flagged, . not, - not judged), and whether they are flagged."""
    judged = [number for number, letter in enumerate(word) if letter != "-"]
    hashes = np.array(judged, dtype=np.uint64)
    return hashes, np.array([word[number] == "x" for number in judged], dtype=bool)


def changes(number, before, after, **facts):
    pair = RunPair(record(2 * number, f"r{number}", **facts), record(2 * number + 1, f"r{number}", **facts))
    return sentence_changes(pair, "", side(before), side(after))


def joint(*relations):
    """The joint test of relations, each given as the verdicts before and after."""
    (test,) = joint_tests([changes(number, *words) for number, words in enumerate(relations)])
    return test


def counts(test):
    return test.sentences, test.worse, test.better


def test_a_sentence_is_worse_if_more_relations_flag_it_and_better_if_fewer_do():
    test = joint(
        ("..xxx..", "xxx.x.."),
        ("...xx..", ".x..x.."),
        ("x..xx..", "....x.."),
    )
    # Sentence 0: 1 → 1 relations, 1: 0 → 2, 2: 1 → 1, 3: 3 → 0, 4: 3 → 3, 5 and 6: 0 → 0.
    assert counts(test) == (7, 1, 1)
    assert test.p == 1


def test_p_is_that_of_the_exact_binomial_test():
    test = joint(("." * 12, "x" * 9 + "..."), ("." * 9 + "x..", "." * 12))
    assert counts(test) == (12, 9, 1)
    assert test.p == pytest.approx(binomtest(9, 10).pvalue)
    assert test.adjusted == test.p


def test_a_relation_counts_for_the_sentences_that_it_judged_on_both_sides():
    #           0 only after, 1 only before, 2 nowhere, 3 both
    test = joint(("-x-.", "x--x"), ("..--", "..--"))
    assert counts(test) == (3, 1, 0)
    assert [each.tested.sentences for each in test.relations] == [1, 2]


def test_without_a_sentence_in_both_nothing_is_tested():
    test = joint(("x-", "-x"))
    assert (counts(test), test.p, test.adjusted) == ((0, 0, 0), None, None)


def test_an_improvement_in_one_relation_outweighs_a_regression_in_another():
    test = joint(("." * 8, "x" * 8), ("x" * 8, "." * 8))
    assert counts(test) == (8, 0, 0)
    assert [each.tested.p for each in test.relations] == pytest.approx([2 / 2**8] * 2)


def test_a_relation_that_always_flags_does_not_hide_the_others():
    assert joint(("x" * 9, "x" * 9), ("." * 9, "x" * 9)).worse == 9


@pytest.mark.parametrize("facts", [{"target": "ca"}, {"system": "other"}, {"corpus": "d"}])
def test_each_direction_system_and_corpus_has_a_test_of_its_own_and_holm_adjusts_for_them(facts):
    first, second = joint_tests(
        [changes(0, "." * 8, "x" * 8), changes(1, "." * 8, "x" * 7 + ".", **facts), changes(2, "..", "..")]
    )
    assert ([each.relation for each in first.relations], second.relations[0].relation) == (["r0", "r2"], "r1")
    assert (first.p, second.p) == pytest.approx((2 / 2**8, 2 / 2**7))
    assert (first.adjusted, second.adjusted) == pytest.approx((2 * 2 / 2**8, 2 * 2 / 2**8))


words = st.text("x.-", min_size=6, max_size=6)
relations = st.lists(st.tuples(words, words), min_size=1, max_size=4)


@given(relations, words)
def test_a_relation_that_never_differs_changes_no_count_and_no_p(some, word):
    before, after = joint(*some), joint(*some, (word, word))
    assert (after.worse, after.better) == (before.worse, before.better)
    assert after.sentences >= before.sentences
    assert before.p is None or after.p == before.p


@given(relations)
def test_exchanged_sides_mirror_the_counts(some):
    there, back = joint(*some), joint(*((after, before) for before, after in some))
    assert (there.sentences, there.worse, there.better, there.p) == (back.sentences, back.better, back.worse, back.p)


@given(st.tuples(words, words))
def test_for_one_relation_it_is_the_test_of_that_relation(words):
    test = joint(words)
    own = test.relations[0].tested
    assert (own.sentences, own.newly_flagged, own.no_longer_flagged, own.p) == (*counts(test), test.p)


@settings(max_examples=20, deadline=None)
@given(relations)
def test_equal_systems_fail_no_more_often_than_alpha_says(some):
    """Of equal systems each sentence could as well have its sides exchanged: all such exchanges are equally likely."""
    p_values = []
    for exchanged in product((False, True), repeat=6):
        test = joint(*(exchange(pair, exchanged) for pair in some))
        p_values.append(1.0 if test.p is None else test.p)
    for p in set(p_values):
        assert np.mean(np.array(p_values) <= p * (1 + 1e-12)) <= p * (1 + 1e-9)


def exchange(pair, exchanged):
    turned = [
        letters[::-1] if turn else letters for letters, turn in zip(zip(*pair, strict=True), exchanged, strict=True)
    ]
    return tuple("".join(letters) for letters in zip(*turned, strict=True))


# -- in the gate -----------------------------------------------------------------------------------


@pytest.fixture
def gate(path, tmp_path):
    def held(runs, **rules):
        return api.gate(path, runs, config=tmp_path / "none.toml", **rules)

    return held


@pytest.fixture
def small_steps(run):
    """Three relations of two systems; each relation newly flags two other sentences of nine."""
    for relation in ("rtt", "rti", "cat"):
        run("." * 9, relation=relation, system="old")
    for relation, word in {"rtt": "xx.......", "rti": "..xx.....", "cat": "....xx..."}.items():
        run(word, relation=relation, system="new")


def no_worse(gate):
    return [
        (check.runs, check.relations, check.value, check.passed) for check in gate.checks if check.rule == "no worse"
    ]


def test_what_no_relation_shows_alone_all_show_together(small_steps, gate):
    found = gate(["4,5,6"], no_worse_than="old")
    assert no_worse(found) == [([4, 5, 6], ["rtt", "rti", "cat"], "+6 −0, p 0.031", False)]
    (test,) = found.joint
    assert [(each.tested.newly_flagged, each.tested.adjusted) for each in test.relations] == [(2, 1.0)] * 3
    assert {each.row["run"]: each.breaks for each in found.findings} == {run: ["no worse"] for run in (4, 5, 6)}


def test_a_relation_alone_passes_where_its_own_test_does(small_steps, gate):
    assert no_worse(gate(["4"], no_worse_than="old")) == [([4], ["rtt"], "+2 −0, p 0.500", True)]


def test_the_least_difference_is_a_share_of_the_sentences_of_all_relations(small_steps, gate):
    assert not gate(["4,5,6"], no_worse_than="old", min_difference=0.66).passed
    assert gate(["4,5,6"], no_worse_than="old", min_difference=0.67).passed


def test_an_accepted_finding_of_one_relation_counts_for_nothing_in_the_joint_test(small_steps, gate, path, tmp_path):
    api.accept(path, ["5"], accepted=tmp_path / "ok.jsonl")
    found = gate(["4,5,6"], no_worse_than="old", accepted=str(tmp_path / "ok.jsonl"))
    assert no_worse(found) == [([4, 5, 6], ["rtt", "rti", "cat"], "+4 −0, p 0.125", True)]


def test_several_directions_are_one_test_each(small_steps, run, gate):
    run("." * 9, system="old", target="ca")
    run("x" * 9, system="new", target="ca")
    found = gate(["4,5,6,8"], no_worse_than="old")
    assert [(check.name, check.value) for check in found.checks if check.rule == "no worse"] == [
        ("rtt, rti, cat en→es", "+6 −0, p 0.031"),
        ("rtt en→ca", "+9 −0, p 0.008"),
    ]


def test_granularities_count_each(run, gate):
    run([{"sentence": "x", "word": "."}] * 9, relation="mgmt", system="old")
    run([{"sentence": "x", "word": "x"}] * 9, relation="mgmt", system="new")
    found = gate(["2"], no_worse_than="old")
    assert no_worse(found) == [([2], ["mgmt"], "+9 −0, p 0.004", False)]
    assert [each.granularity for each in found.joint[0].relations] == ["sentence", "word"]


def test_the_joint_row_has_one_shape_in_compare_and_gate(small_steps, gate, path):
    (row,) = gate(["4,5,6"], no_worse_than="old").plain()["joint"]
    assert [row] == api.compare_runs(path, "old", "new").plain()["joint"]
    assert {name: value for name, value in row.items() if name != "relations"} == {
        "system_before": "old",
        "system": "new",
        "source_lang": "en",
        "target_lang": "es",
        "sentences": 9,
        "worse": 6,
        "better": 0,
        "p": pytest.approx(2 / 2**6),
        "adjusted": pytest.approx(2 / 2**6),
    }
    assert row["relations"][1] == {
        "relation": "rti",
        "granularity": "",
        "before": 2,
        "after": 5,
        "tested": {
            "sentences": 9,
            "newly_flagged": 2,
            "no_longer_flagged": 0,
            "p": pytest.approx(0.5),
            "adjusted": 1.0,
        },
    }


def test_a_gate_without_earlier_runs_has_no_joint_row(run, gate):
    run("x.")
    assert gate(["1"], limits=["0"]).plain()["joint"] == []
