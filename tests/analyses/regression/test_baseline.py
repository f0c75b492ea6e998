"""The first system named is what the others are held against."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from concord.analyses.regression import baseline
from concord.model import Case, Outcome, Segment, Text
from concord.runs.summary import summary
from concord.store.index.reader import read
from concord.views import terminal
from concord.views.html import report
from concord.views.regression.baseline import baseline_tables, not_compared


def case(verdict, granularity=""):
    text = Text("a sentence", "en")
    factors = {"granularity": granularity} if granularity else {}
    return Case(text, text, text, text, (text, text), 1.0 if verdict == "x" else 0.0, 0.5, factors=factors)


@pytest.fixture
def told(workspace, begin):
    """`told(system, "x.e-")` makes a run: x flagged, . not, e an error, - no case; gives its summary.

    Of a run by granularity, each segment is a dictionary, such as `{"word": "x"}`.
    """

    def made(system, *repetitions, texts=(), **facts):
        run = begin(system=system, **facts)
        for repetition, verdicts in enumerate(repetitions):
            for position, verdict in enumerate(verdicts):
                parts = verdict if isinstance(verdict, dict) else {"": verdict}
                cases = [case(each, part) for part, each in parts.items() if each in "x."]
                words = texts[position] if texts else f"sentence {position}"
                segment = Segment(str(position), Text(words, "en"), position)
                error = "no" if verdict == "e" else None
                workspace.add(run, [Outcome(segment, repetition, cases, error)])
        return summary(workspace, run.id)

    return made


def against(workspace, summaries):
    return read(workspace, [each.run for each in summaries], lambda reader: baseline.against(reader, summaries))


def printed(rows):
    console = Console(file=io.StringIO(), width=200)
    terminal.print_baseline(rows, console)
    return console.file.getvalue()


def counts(tested):
    return tested.sentences, tested.newly_flagged, tested.no_longer_flagged


def test_every_other_system_is_held_against_the_first(workspace, told):
    tests = against(workspace, [told("a", "x....e"), told("b", ".xxx.x"), told("c", "x....e")])
    assert [(test.system, test.system_before) for test in tests] == [("b", "a"), ("c", "a")]
    assert [(test.sentences, test.worse, test.better) for test in tests] == [(5, 3, 1), (5, 0, 0)]
    assert [counts(relation.tested) for test in tests for relation in test.relations] == [(5, 3, 1), (5, 0, 0)]
    assert tests[1].p == 1.0


def test_all_relations_of_a_direction_are_one_test_which_no_relation_weakens(workspace, told):
    relations = {"rtt": "xxx......", "rti": "...xxx...", "cat": ".........", "sit": "........."}
    first = [told("a", "." * 9, relation=name) for name in relations]
    (test,) = against(workspace, [*first, *(told("b", word, relation=name) for name, word in relations.items())])
    assert (test.sentences, test.worse, test.better) == (9, 6, 0)
    assert test.adjusted == pytest.approx(2 / 2**6)
    # Holm's method, which names relations, multiplies by their number.
    assert [relation.tested.adjusted for relation in test.relations] == [1.0] * 4
    assert [relation.tested.p for relation in test.relations] == pytest.approx([0.25, 0.25, 1.0, 1.0])


def test_a_sentence_that_stands_in_the_corpus_often_is_one_sentence(workspace, told):
    (test,) = against(workspace, [told("a", "........", texts="aaaaaaab"), told("b", "xxxxxxxx", texts="aaaaaaab")])
    assert (test.sentences, test.worse, test.better, test.p) == (2, 2, 0, 0.5)


def test_a_sentence_that_others_do_not_judge_for_its_answer_is_worse(workspace, told):
    first = [told("a", "." * 9, relation="sane"), told("a", "xx.......")]
    (test,) = against(workspace, [*first, told("b", "x" * 9, relation="sane"), told("b", "e" * 9)])
    assert (test.sentences, test.worse, test.better) == (9, 9, 0)


def test_what_is_flagged_at_one_granularity_does_not_hide_the_others(workspace, told):
    clean, broken = {"sentence": "x", "word": "."}, {"sentence": "x", "word": "x"}
    (test,) = against(workspace, [told("a", [clean] * 12, relation="mgmt"), told("b", [broken] * 12, relation="mgmt")])
    sentence, word = test.relations
    assert (sentence.name, counts(sentence.tested), sentence.tested.p) == ("mgmt (sentence)", (12, 0, 0), 1.0)
    assert (word.name, counts(word.tested)) == ("mgmt (word)", (12, 12, 0))
    assert test.p == word.tested.p == pytest.approx(2 / 2**12)


def test_only_what_was_judged_in_both_is_counted(workspace, told):
    (test,) = against(workspace, [told("a", "x.-.e"), told("b", "x.x-x")])
    assert (test.sentences, test.worse, test.better) == (2, 0, 0)


def test_a_granularity_that_one_system_lacks_is_said_and_not_counted_as_equal(workspace, told):
    first = told("a", [{"sentence": ".", "word": "."}], relation="mgmt")
    tests = against(workspace, [first, told("b", [{"sentence": "x"}], relation="mgmt")])
    relations = tests[0].relations
    assert [(each.name, each.tested.sentences, each.tested.p) for each in relations] == [
        ("mgmt (sentence)", 1, 1.0),
        ("mgmt (word)", 0, None),
    ]
    assert [len(table.rows) for table in baseline_tables(tests)] == [1]


def test_a_system_of_which_nothing_was_judged_has_no_row_but_a_note(workspace, told):
    runs = [told("a", "x..."), told("b", "eeee"), told("c", "----")]
    tests = against(workspace, runs)
    assert list(baseline_tables(tests)) == []
    assert next(not_compared(tests)) == "pivot en→es: b is not compared with a, as no sentence was judged in both"
    assert "newly flagged" not in printed(tests)
    assert "c is not compared with a" in "".join(not_compared(tests))
    page = report.render(workspace, [each.run.id for each in runs])
    assert "b and c is not compared with a" in page
    assert "Against the baseline" not in page


def test_all_relations_that_judged_nothing_in_both_are_one_note(workspace, told):
    first = [told("a", ".", relation="sane"), told("a", "."), told("a", ".", relation="cat")]
    later = [told("b", "x", relation="sane"), told("b", "e"), told("b", "e", relation="cat")]
    notes = list(not_compared(against(workspace, [*first, *later])))
    assert notes == ["pivot, cat en→es: b is not compared with a, as no sentence was judged in both"]


def test_what_is_not_compared_does_not_make_the_others_less_sure(workspace, told):
    alone = against(workspace, [told("a", "." * 12), told("b", "x" * 12)])[0].adjusted
    with_c = against(workspace, [told("a", "." * 12), told("b", "x" * 12), told("c", "e" * 12)])
    assert [test.adjusted for test in with_c] == [alone, None]


def test_a_sentence_is_what_most_of_its_judged_repetitions_are(workspace, told):
    (test,) = against(workspace, [told("a", "....", "....", "...."), told("b", "xxe-", "x.xe", "..xx")])
    # Two of three, one of three, two of two with an error, one of one.
    assert (test.sentences, test.worse) == (4, 3)


def test_one_relation_has_one_table_and_several_have_the_one_that_decides_first(workspace, told):
    words = printed(against(workspace, [told("a", "x."), told("b", ".x")]))
    assert "adjusted for all rows (Holm)" in words
    assert "worse" not in words
    runs = [told("a", "x."), told("a", "x.", relation="rti"), told("b", ".x"), told("b", ".x", relation="rti")]
    words = printed(against(workspace, runs))
    assert words.index("worse") < words.index("newly flagged")
    assert "all relations together decide" in words


def test_only_runs_of_the_same_kind_are_paired(workspace, told):
    first, other = told("a", "x"), told("b", ".", target="ca")
    assert against(workspace, [first, other]) == []
    assert against(workspace, [first]) == []
    assert against(workspace, []) == []


def test_p_values_are_adjusted_for_all_systems(workspace, told):
    clean, broken = "." * 12, "x" * 12
    alone = against(workspace, [told("a", clean), told("b", broken)])[0].adjusted
    pair = against(workspace, [told("a", clean), told("b", broken), told("c", broken)])
    assert alone == pytest.approx(2 / 2**12)
    assert [test.adjusted for test in pair] == pytest.approx([2 * alone] * 2)


def test_the_page_shows_the_comparison_and_escapes_names(workspace, told):
    runs = [told("a", "x."), told("<b>", ".x")]
    page = report.render(workspace, [each.run.id for each in runs])
    assert "Against the baseline" in page
    assert "&lt;b&gt;" in page
    assert "Against the baseline" not in report.render(workspace, [runs[0].run.id])
