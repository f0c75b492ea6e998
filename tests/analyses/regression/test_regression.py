"""Two runs as a regression."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concord import api
from concord.analyses.regression.regression import KINDS
from concord.errors import UnknownName, UserError
from concord.stats.sign_test import sign_test


@pytest.fixture
def compared(path, run):
    """What became of the cases from one run to the next, and the whole comparison."""

    def made(before, after, first=None, second=None, **how):
        numbers = run(*before, **(first or {})), run(*after, **(second or {}))
        found = api.compare_runs(path, str(numbers[0]), str(numbers[1]), **how)
        return found.regressions[0]

    return made


def test_each_case_goes_one_way(compared):
    found = compared(["..xx.."], [".xx.xx"])
    (part,) = found.parts
    assert (part.counts.newly_failing, part.counts.newly_fixed) == (3, 1)
    assert (part.counts.still_failing, part.counts.still_passing, part.counts.flaky) == (1, 1, 0)
    assert part.counts.in_both == 6


def test_a_case_is_flaky_if_the_repetitions_of_a_run_disagree(compared):
    (part,) = compared([".x.x", ".x.x"], [".xxx", ".x..", ".x.x"]).parts
    assert (part.counts.flaky, part.counts.newly_failing) == (2, 0)
    assert (part.counts.still_failing, part.counts.still_passing) == (1, 1)


def test_what_one_run_alone_asks_is_told_with_what_fails_of_it(compared):
    found = compared(["..x"], ["x.."], second={"texts": {0: "new", 1: "another"}})
    (part,) = found.parts
    assert (part.counts.only_before, part.counts.only_before_failing) == (2, 0)
    assert (part.counts.only_after, part.counts.only_after_failing) == (2, 1)
    assert (part.counts.in_both, part.counts.newly_fixed) == (1, 1)


def test_a_corpus_that_has_grown_at_its_beginning_is_still_the_same_sentences(compared):
    texts = {0: "new", **{number: f"sentence {number - 1}" for number in range(1, 5)}}
    found = compared(["..xx"], ["x..xx"], second={"texts": texts, "corpus": "c#2"})
    (part,) = found.parts
    assert (part.counts.newly_failing, part.counts.still_failing, part.counts.still_passing) == (0, 2, 2)
    assert any("corpora differ" in note for note in found.notes)
    assert [each.name for each in found.pair.differences] == ["corpus"]


def test_other_answers_are_counted_whatever_the_verdict(compared):
    found = compared(["..x"], [".xx"], second={"answers": {0: "otra", 2: "otra"}, "version": "2"})
    (part,) = found.parts
    assert part.counts.changed == 2
    assert part.counts.newly_failing_unchanged == 1
    assert any("same answers" in note for note in found.notes)


RULE, FITTED = "concord@3", "concord@3+fitted@1a2b3c4d"


@pytest.fixture
def why(compared):
    """Why cases with the same answers are judged differently, as the notes have it."""

    def said(first, second, before="..", after="x."):
        notes = compared([before], [after], first, second).notes
        (found,) = [note for note in notes if "judged differently" in note]
        return found

    return said


def explained(explain, corpus="c#1", version="1", threshold="0.5"):
    signature = f"rtt|threshold:{threshold}|en-es|mt:mt@{version}|explain:{explain}|corpus:{corpus}|seed:1|v:0.1.0"
    return {"signature": signature, "corpus": corpus}


def test_what_labels_have_taught_is_told_as_the_cause_where_the_signatures_differ_in_it(why):
    taught = "by what labels have taught (the rule before, fitted@1a2b3c4d after)"
    assert why(explained(RULE), explained(FITTED)).endswith(f"it is judged differently, {taught}")


def test_another_comparison_is_told_as_such_and_not_as_what_labels_have_taught(why):
    said = why(explained(RULE), explained("concord@4"))
    assert said.endswith("by another comparison (explain: concord@3 before, concord@4 after)")


def test_what_a_run_has_learnt_from_its_texts_is_told_where_the_corpora_differ(why):
    said = why(explained(RULE), explained(RULE, corpus="c#2"))
    assert said.endswith("by what the run has learnt from other texts (another --limit or corpus)")


def test_what_a_run_has_learnt_from_another_version_s_translations_is_told(why):
    said = why(explained(RULE), explained(RULE, version="2"))
    assert said.endswith("by what the run has learnt from other translations")


def test_several_causes_are_all_told(why):
    said = why(explained(RULE), explained(FITTED, corpus="c#2", threshold="0.4"))
    assert "by another threshold, what labels have taught (the rule before" in said
    assert said.endswith(") or what the run has learnt from other texts (another --limit or corpus)")


def test_a_corpus_is_no_cause_where_nothing_is_learnt_from_it_and_a_threshold_differs(why):
    said = why({}, {"corpus": "c#2", "settings": {"threshold": 0.4}})
    assert said.endswith("by another threshold")


def test_every_cause_is_listed_where_the_signatures_are_the_same(why):
    assert why({}, {}).endswith(
        "by a threshold, an option, another version of Concord, what the run has learnt from other texts (another"
        " --limit or corpus) or what labels have taught"
    )


def test_newly_fixed_cases_with_the_same_answers_are_told_as_newly_failing_ones_are(why):
    said = why(explained(FITTED), explained(RULE), "xx.", "...")
    assert said.startswith("2 of the newly fixed cases have the same answers: they are judged differently, by what")
    assert "(fitted@1a2b3c4d before, the rule after)" in said


def test_equal_runs_are_said_to_have_the_same_answers(compared):
    assert "all answers are the same in both runs" in compared(["x."], ["x."]).notes


def test_different_systems_are_matched_by_what_is_asked(compared):
    (part,) = compared(["..xx"], ["xx.x"], second={"system": "other"}).parts
    assert (part.counts.newly_failing, part.counts.newly_fixed, part.counts.still_failing) == (2, 1, 1)


def test_different_options_are_told_and_what_is_asked_alike_is_compared(compared):
    found = compared(["..x"], [".xx"], second={"settings": {"threshold": 0.4, "metric": "bleu"}})
    assert found.parts[0].counts.newly_failing == 1
    assert any(note.startswith("the runs differ in threshold:") for note in found.notes)
    assert any("the runs differ in metric:" in note for note in found.notes)
    assert {each.name: (each.before, each.after) for each in found.pair.differences} == {
        "threshold": ("0.5", "0.4"),
        "metric": ("", "bleu"),
    }


def test_errors_are_counted_and_the_sentences_that_have_them_newly(compared):
    found = compared(["..e"], ["e.x"])
    assert (found.errors.before, found.errors.after, found.errors.newly, found.errors.no_longer) == (1, 1, 1, 1)
    assert any("1 sentence has an error or is not judged in the later run alone" in note for note in found.notes)


def test_the_worst_newly_failing_comes_first_with_both_rows(compared):
    texts = {1: "a much longer sentence", 2: "short"}
    found = compared(["..."], ["xxx"], {"texts": texts}, {"texts": texts, "answers": {1: "otra"}}, limit=2)
    assert [each.row["text"] for each in found.listed] == ["a much longer sentence", "sentence 0"]
    first = found.listed[0]
    assert (first.before["flagged"], first.after["flagged"], first.same) == (False, True, False)
    assert first.before["source_output"]["words"] == "frase 1"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_listed_from_any_place_on(compared, kind):
    how = {"texts": {4: "only here"}}
    found = compared(["..xx..", "..xx.x"], [".xx..x", ".xx..x"], None, how, kind=kind, limit=1)
    assert len(found.listed) == 1
    assert compared(["."], ["."], kind=kind, start=5).listed == []


def test_a_kind_that_there_is_not_is_told_with_the_choices(compared):
    with pytest.raises(UnknownName, match="Did you mean 'newly failing'"):
        compared(["."], ["."], kind="newly faling")


def test_parts_are_compared_each_for_itself(compared):
    clean, broken = {"sentence": "x", "word": "."}, {"sentence": "x", "word": "x"}
    sentence, word = compared([[clean] * 12], [[broken] * 12], {"relation": "mgmt"}, {"relation": "mgmt"}).parts
    assert (sentence.name, sentence.counts.still_failing, sentence.tested.newly_flagged) == ("sentence", 12, 0)
    assert (word.name, word.counts.newly_failing, word.tested.newly_flagged) == ("word", 12, 12)
    assert word.tested.p == pytest.approx(2 / 2**12)
    assert word.tested.adjusted == pytest.approx(2 * 2 / 2**12)


def test_several_runs_are_paired_by_relation_and_the_rest_is_told(path, run):
    before = [run("..", relation="rtt"), run(".", relation="rti")]
    after = [run("x.", relation="rtt"), run(".", relation="pivot")]
    found = api.compare_runs(path, before, after)
    assert [(each.pair.before.id, each.pair.after.id) for each in found.regressions] == [(1, 3)]
    assert [note.split(" (")[0] for note in found.notes] == ["run 2", "run 4"]


def test_of_several_runs_the_most_similar_one_is_the_counterpart(path, run):
    run("..", settings={"threshold": 0.5, "metric": "bleu"})
    run("..")
    run("..", corpus="d#1")
    run(".x")
    (found,) = api.compare_runs(path, "1,2,3", "4").regressions
    assert found.pair.before.id == 2


def test_systems_are_named_instead_of_runs(path, run):
    run("x.", system="old")
    run("..", system="old")
    run(".x", system="new")
    (found,) = api.compare_runs(path, "old", "new").regressions
    assert (found.pair.before.id, found.pair.after.id) == (2, 3)


@pytest.mark.parametrize("sides", [("1", "2"), ("1", "1"), ("", "1"), ("9", "1"), ("nobody", "1")])
def test_what_cannot_be_compared_is_one_line_for_the_user(path, run, sides):
    run(".", relation="rtt")
    run(".", relation="rti")
    with pytest.raises(UserError):
        api.compare_runs(path, *sides)


def test_an_unfinished_run_is_told(compared):
    assert any("did not finish" in note for note in compared([".."], ["."], second={"finished": False}).notes)


def test_runs_without_any_case_are_compared_and_told(compared):
    found = compared(["--"], ["ee"])
    assert found.parts[0].tested.p is None
    assert "the runs have no case in common" in found.notes


words = st.lists(st.text("x.e-", min_size=5, max_size=5), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words, words)
def test_the_test_on_sentences_is_that_of_the_baseline(tmp_path_factory, path, run, before, after):
    numbers = run(*before, system="a"), run(*after, system="b")
    (found,) = api.compare_runs(path, str(numbers[0]), str(numbers[1])).regressions
    (beside,) = api.show(path, api.Filter(runs=numbers)).beside
    test = found.parts[0].tested
    assert test == beside.relations[0].tested
    assert (test.sentences, test.newly_flagged) == (beside.sentences, beside.worse)
    assert (test.no_longer_flagged, test.adjusted) == (beside.better, beside.adjusted)
    if test.p is not None:
        assert test.p == sign_test(test.newly_flagged, test.no_longer_flagged)
