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


def case(verdict, granularity=""):
    text = Text("a sentence", "en")
    factors = {"granularity": granularity} if granularity else {}
    return Case(text, text, text, text, (text, text), 1.0 if verdict == "x" else 0.0, 0.5, factors=factors)


@pytest.fixture
def told(workspace, begin):
    """`told(system, "x.e-")` makes a run: x violated, . not, e an error, - no case; gives its summary.

    Of a run by granularity, each segment is a dictionary, such as `{"word": "x"}`.
    """

    def made(system, *repetitions, **facts):
        run = begin(system=system, **facts)
        for repetition, verdicts in enumerate(repetitions):
            for position, verdict in enumerate(verdicts):
                parts = verdict if isinstance(verdict, dict) else {"": verdict}
                cases = [case(each, part) for part, each in parts.items() if each in "x."]
                segment = Segment(str(position), Text(f"sentence {position}", "en"), position)
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


def test_every_other_system_is_held_against_the_first(workspace, told):
    rows = against(workspace, [told("a", "x....e"), told("b", ".xxx.x"), told("c", "x....e")])
    assert [(row.system, row.baseline, row.segments) for row in rows] == [("b", "a", 5), ("c", "a", 5)]
    assert (rows[0].newly_violated, rows[0].no_longer_violated) == (3, 1)
    assert (rows[1].newly_violated, rows[1].no_longer_violated, rows[1].p) == (0, 0, 1.0)


def test_what_is_violated_at_one_granularity_does_not_hide_the_others(workspace, told):
    clean, broken = {"sentence": "x", "word": "."}, {"sentence": "x", "word": "x"}
    first, second = told("a", [clean] * 12, relation="mgmt"), told("b", [broken] * 12, relation="mgmt")
    sentence, word = against(workspace, [first, second])
    assert (sentence.name, sentence.segments, sentence.newly_violated, sentence.p) == ("mgmt (sentence)", 12, 0, 1.0)
    assert (word.name, word.segments, word.newly_violated) == ("mgmt (word)", 12, 12)
    assert word.p == pytest.approx(2 * 2 / 2**12)
    assert word.plain()["granularity"] == "word"


def test_only_what_was_judged_in_both_is_counted(workspace, told):
    (row,) = against(workspace, [told("a", "x.-.e"), told("b", "x.x-x")])
    assert (row.segments, row.newly_violated, row.no_longer_violated) == (2, 0, 0)


def test_a_granularity_that_one_system_lacks_is_said_and_not_counted_as_equal(workspace, told):
    first = told("a", [{"sentence": ".", "word": "."}], relation="mgmt")
    rows = against(workspace, [first, told("b", [{"sentence": "x"}], relation="mgmt")])
    assert [(row.name, row.segments, row.p) for row in rows] == [("mgmt (sentence)", 1, 1.0), ("mgmt (word)", 0, None)]
    assert len(baseline.table_rows(rows)) == 1


def test_a_system_of_which_nothing_was_judged_has_no_row_but_a_note(workspace, told):
    runs = [told("a", "x..."), told("b", "eeee"), told("c", "----")]
    rows = against(workspace, runs)
    assert baseline.table_rows(rows) == []
    assert baseline.not_compared(rows)[0] == ("pivot en→es: b is not compared with a, as no segment was judged in both")
    assert "newly violated" not in printed(rows)
    assert "c is not compared with a" in printed(rows)
    page = report.render(workspace, [each.run.id for each in runs])
    assert "b is not compared with a" in page
    assert "Against the baseline" not in page


def test_what_is_not_compared_does_not_make_the_others_less_sure(workspace, told):
    alone = against(workspace, [told("a", "." * 12), told("b", "x" * 12)])[0].p
    with_c = against(workspace, [told("a", "." * 12), told("b", "x" * 12), told("c", "e" * 12)])
    assert [row.p for row in with_c] == [alone, None]


def test_a_segment_is_what_most_of_its_judged_repetitions_are(workspace, told):
    (row,) = against(workspace, [told("a", "....", "....", "...."), told("b", "xxe-", "x.xe", "..xx")])
    # Two of three, one of three, two of two with an error, one of one.
    assert (row.segments, row.newly_violated) == (4, 3)


def test_the_table_says_that_p_is_adjusted(workspace, told):
    words = printed(against(workspace, [told("a", "x."), told("b", ".x")]))
    assert "p (Holm)" in words
    assert "adjusted for all rows (Holm)" in words


def test_only_runs_of_the_same_kind_are_paired(workspace, told):
    first, other = told("a", "x"), told("b", ".", target="ca")
    assert against(workspace, [first, other]) == []
    assert against(workspace, [first]) == []
    assert against(workspace, []) == []


def test_p_values_are_adjusted_for_all_comparisons(workspace, told):
    clean, broken = "." * 12, "x" * 12
    alone = against(workspace, [told("a", clean), told("b", broken)])[0].p
    pair = against(workspace, [told("a", clean), told("b", broken), told("c", broken)])
    assert alone == pytest.approx(2 / 2**12)
    assert [row.p for row in pair] == pytest.approx([2 * alone] * 2)


def test_the_page_shows_the_comparison_and_escapes_names(workspace, told):
    runs = [told("a", "x."), told("<b>", ".x")]
    page = report.render(workspace, [each.run.id for each in runs])
    assert "Against the baseline" in page
    assert "&lt;b&gt;" in page
    assert "Against the baseline" not in report.render(workspace, [runs[0].run.id])
