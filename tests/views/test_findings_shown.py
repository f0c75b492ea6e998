"""Findings and problems on the terminal and in the report."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from concord import api
from concord.model import Text
from concord.views.html import report
from concord.views.terminal import print_findings, print_problems

EVIL = "\x1b[31m[bold]\u202e\n" + "x" * 5000


@pytest.fixture
def stored(workspace, begin, case, outcome):
    """Runs of two relations whose cases all share the translation of their sentence, and blame a word of it."""

    def made(word="viejo", of="old", cases=2):
        blame = {"word": word, "role": "source_output", "start": 10, "end": 15, "of": of, "why": "addition"}
        for relation in ("rti", "sit"):
            run = begin(relation=relation, signature=relation)
            variants = [Text(f"variant {number}", "en") for number in range(cases)]
            found = [case(follow_up=variant, steps={}, evidence={"blamed": [blame]}) for variant in variants]
            workspace.add(run, [outcome(*found)])
        return workspace

    return made


def printed(prints, listed, terminal=False):
    console = Console(file=io.StringIO(), width=200, force_terminal=terminal, color_system=None)
    prints(listed, console)
    return console.file.getvalue()


def test_a_finding_is_its_heading_its_reason_the_sentence_its_translation_and_the_variant(stored):
    lines = printed(print_findings, api.findings(stored().path).findings).splitlines()
    assert lines[1] == "#1  rti  fake  en→es  news-0 (news)  4 cases: rti ×2, sit ×2"
    assert lines[2] == "  “old” is “viejo” in the sentence and without counterpart in the variant."
    assert [line.split("[")[0].strip() for line in lines[3:7]] == [
        "text",
        "≠ translation",
        "variant",
        "≠ translation of the variant",
    ]
    assert "El puente «viejo» está cerrado." in lines[4]


def test_problems_are_a_table_with_an_example(stored):
    heading, line = printed(print_problems, api.problems(stored().path).problems).splitlines()
    assert heading.split()[:3] == ["sentences", "findings", "cases"]
    assert line.split()[:6] == ["1", "1", "4", "old", "viejo", "addition"]
    assert line.endswith("“old” is “viejo” in the sentence and without counterpart in the variant.")


def test_nothing_to_show_is_said():
    assert printed(print_findings, []).startswith("No case is flagged.")
    assert "No wrong word is known" in printed(print_problems, [])


@pytest.mark.parametrize("terminal", [False, True])
def test_foreign_words_cannot_command_the_terminal_nor_break_the_line(stored, terminal):
    path = stored(EVIL, EVIL).path
    for prints, listed in (
        (print_findings, api.findings(path).findings),
        (print_problems, api.problems(path).problems),
    ):
        out = printed(prints, listed, terminal)
        assert "\x1b[31m" not in out
        assert "\u202e" not in out
        assert len(out) < 5_000


def test_the_report_has_problems_and_then_each_finding_once_with_its_reason(stored):
    page = report.render(stored("<script>", "<i>"), [1, 2])
    assert page.index('<h2 id="problems">Problems</h2>') < page.index('<section class="run" id="run-1"')
    section = page[page.index('<h2 id="problems">') : page.index('<section class="run" id="run-1"')]
    assert section.count("<li>") == 1
    assert "&lt;script&gt;" in section
    assert page.count("<article") == 1
    assert "4 cases: rti ×2, sit ×2" in page
    assert "<script" not in page
    assert "<i>" not in page


def test_a_report_without_a_wrong_word_has_no_section_of_problems(workspace, begin, case, outcome):
    workspace.add(begin(), [outcome(case())])
    assert "Problems" not in report.render(workspace, [1])
