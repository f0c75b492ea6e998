"""The first system named is what the others are held against."""

from __future__ import annotations

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.report import baseline, html
from concord.report.summary import summary


@pytest.fixture
def told(workspace, begin):
    """`told(system, "xx.e")` makes a run: x violated, . not, e an error; gives its summary."""

    def made(system, verdicts, **facts):
        run = begin(system=system, **facts)
        for position, verdict in enumerate(verdicts):
            text = Text(f"sentence {position}", "en")
            case = Case(text, text, text, text, (text, text), 1.0 if verdict == "x" else 0.0, 0.5)
            failed = verdict == "e"
            outcome = Outcome(Segment(str(position), text, position), cases=[] if failed else [case])
            outcome.error = "no" if failed else None
            workspace.add(run, [outcome])
        return summary(workspace, run.id)

    return made


def test_every_other_system_is_held_against_the_first(workspace, told):
    rows = baseline.against(workspace, [told("a", "x....e"), told("b", ".xxx.x"), told("c", "x....e")])
    assert [(row.system, row.baseline, row.segments) for row in rows] == [("b", "a", 5), ("c", "a", 5)]
    assert (rows[0].newly_violated, rows[0].no_longer_violated) == (3, 1)
    assert (rows[1].newly_violated, rows[1].no_longer_violated, rows[1].p) == (0, 0, 1.0)


def test_only_runs_of_the_same_kind_are_paired(workspace, told):
    first, other = told("a", "x"), told("b", ".", target="ca")
    assert baseline.against(workspace, [first, other]) == []
    assert baseline.against(workspace, [first]) == []
    assert baseline.against(workspace, []) == []


def test_p_values_are_adjusted_for_all_comparisons(workspace, told):
    clean, broken = "." * 12, "x" * 12
    alone = baseline.against(workspace, [told("a", clean), told("b", broken)])[0].p
    pair = baseline.against(workspace, [told("a", clean), told("b", broken), told("c", broken)])
    assert alone == pytest.approx(2 / 2**12)
    assert [row.p for row in pair] == pytest.approx([2 * alone] * 2)


def test_the_page_shows_the_comparison_and_escapes_names(workspace, told):
    runs = [told("a", "x."), told("<b>", ".x")]
    page = html.render(workspace, [each.run.id for each in runs])
    assert "Against the baseline" in page
    assert "&lt;b&gt;" in page
    assert "Against the baseline" not in html.render(workspace, [runs[0].run.id])
