"""Violated cases by sentence, and by the one translation that explains several of them."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from concord import api
from concord.analyses.case_groups import by_segment, by_translation, translations
from concord.model import Text
from concord.views.groups import CASES, print_groups
from concord.views.html import report


def row(source, follow_up, suspicion=1.0, position=0, **more):
    def text(words, lang):
        return {"words": words, "lang": lang}

    texts = {"source": text(source, "en"), "follow_up": text(follow_up, "en")}
    texts |= {"source_output": text(f"<{source}>", "es"), "follow_up_output": text(f"<{follow_up}>", "es")}
    facts = {"run": 1, "position": position, "suspicion": suspicion, "segment": f"s{position}", "text": source}
    return facts | texts | more


def explained(*rows):
    return [(group.translation.words, [each["suspicion"] for each in group.rows]) for group in by_translation(rows)]


def test_one_wrong_translation_behind_five_cases_is_one_group():
    assert explained(*(row("all", f"part {n}", 5.0 - n) for n in range(5))) == [("all", [5.0, 4.0, 3.0, 2.0, 1.0])]


def test_a_phrase_can_be_to_blame_for_what_several_texts_do_not_agree_with():
    rows = [row("all", "part", 3.0), row("whole", "part", 2.0), row("whole", "rest", 1.0)]
    assert explained(*rows) == [("part", [3.0, 2.0]), ("whole", [1.0])]


def test_between_equally_many_cases_the_higher_suspicion_decides():
    rows = [row("a", "b", 9.0), row("b", "c", 2.0), row("c", "d", 1.0)]
    assert explained(*rows)[0] == ("b", [9.0, 2.0])
    rows = [row("a", "b", 2.0), row("b", "c", 3.0), row("c", "d", 9.0)]
    assert ("c", [3.0, 9.0]) in explained(*rows)


def test_where_nothing_tells_the_two_apart_both_are_named():
    (group,) = by_translation([row("all", "part")])
    assert (group.translation.words, group.rival.words) == ("all", "part")
    (group,) = by_translation([row("all", "part"), row("all", "other")])
    assert group.rival is None
    (group,) = by_translation([row("same", "same")])
    assert group.rival is None


def test_segments_and_runs_are_not_mixed_and_the_worst_case_leads():
    rows = [row("a", "x", 3.0, 1), row("b", "x", 2.0, 2), row("a", "y", 1.0, 1), row("a", "x", 1.0, 1, run=2)]
    assert [[each["suspicion"] for each in group.rows] for group in by_segment(rows)] == [[3.0, 1.0], [2.0], [1.0]]
    assert explained(*rows) == [("a", [3.0, 1.0]), ("b", [2.0]), ("a", [1.0])]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.integers(1, 5)), max_size=12))
def test_every_case_is_explained_once_and_by_not_many_more_than_needed(drawn):
    rows = [row(source, follow_up, float(suspicion)) for source, follow_up, suspicion in drawn]
    groups = by_translation(rows)
    assert sorted(id(each) for group in groups for each in group.rows) == sorted(map(id, rows))
    for group in groups:
        assert all(group.translation in translations(each).values() for each in group.rows)
        assert group.rival is None or all(group.rival in translations(each).values() for each in group.rows)
    pairs = [{source, follow_up} for source, follow_up, _ in drawn]
    sizes = (size for size in range(7) for some in itertools.combinations("abcdef", size) if _covers(some, pairs))
    assert len(groups) <= 2 * next(sizes)  # greedy may miss the least, but of twelve cases never by more


def _covers(some, pairs):
    return all(pair & set(some) for pair in pairs)


def test_a_segment_of_thousands_of_cases_is_grouped_at_once():
    rows = [row(f"text {n}", f"part {n}") for n in range(3000)]
    assert len(by_translation(rows)) == 3000


@pytest.fixture
def stored(workspace, begin, case, outcome):
    """A run whose segments each have so many violated cases, all of one source."""

    def made(*counts, words="part {}", made="<{}>"):
        run = begin()
        outcomes = []
        for place, count in enumerate(counts):
            source = Text(f"sentence {place}", "en")
            cases = [
                case(
                    source=source,
                    follow_up=Text(words.format(f"{place}.{n}"), "en"),
                    source_output=Text(f"frase {place}", "es"),
                    follow_up_output=Text(made.format(n), "es"),
                    suspicion=0.6 + place / 10 + n / 1000,
                    steps={},
                )
                for n in range(count)
            ]
            unharmed = case(source=source, suspicion=0.1)
            outcomes.append(outcome(*cases, unharmed, position=place, text=source))
        workspace.add(run, outcomes)
        return run.id

    return made


@pytest.fixture
def grouped(workspace):
    """Groups of the violated cases of runs, as `show` has them."""

    def made(by, *runs, limit=10):
        return api.show(workspace.path, api.Filter(runs=runs), group=by, limit=limit).groups

    return made


def test_the_worst_segments_come_with_all_their_violated_cases(stored, grouped):
    run = stored(3, 2, 0, 1)
    rows = [each for group in grouped("sentence", run, limit=2) for each in group.rows]
    assert [(each["position"], each["rank"]) for each in rows] == [(3, 1), (1, 2), (1, 3)]
    assert sum(len(group.rows) for group in grouped("sentence", run)) == 6


def test_of_two_runs_the_segments_go_by_rank(stored, grouped):
    first, second = stored(1, 1), stored(1, 1)
    places = [
        (group.rows[0]["run"], group.rows[0]["position"]) for group in grouped("sentence", first, second, limit=3)
    ]
    assert places == [(first, 1), (second, 1), (first, 0)]


def test_the_first_groups_are_shown_and_all_sentences_counted(workspace, stored):
    shown = api.show(workspace.path, api.Filter(runs=(stored(1, 2, 1),)), group="translation", limit=2)
    assert (len(shown.groups), shown.total) == (2, 3)


def printed(groups, width=100, terminal=False):
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    print_groups(groups, console)
    return console.file.getvalue()


def test_a_translation_is_printed_with_a_line_for_each_case(stored, grouped):
    out = printed(grouped("translation", stored(3)))
    assert "news-0 (news)  pivot  fake  en→es  3 flagged cases" in out
    assert "translation  sentence 0 [en] → frase 0 [es]" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("    ")] == ["#1", "#2", "#3"]
    assert "#1  suspicion 0.602 > threshold 0.5  part 0.2 [en] → <2> [es]" in out


def test_two_that_could_be_meant_are_printed_once_each(stored, grouped):
    out = printed(grouped("translation", stored(1)))
    assert out.count("part 0.0 [en] → <0> [es]") == 1
    assert re.search(r"or +part 0.0", out)


def test_a_sentence_is_printed_with_its_cases_in_full(stored, grouped):
    out = printed(grouped("sentence", stored(2)))
    assert out.count("news-0 (news)  pivot") == 1
    assert out.count("translation of the variant") == 2
    assert "sentence  sentence 0" in out


def test_of_very_many_cases_the_worst_are_printed(stored, grouped):
    out = printed(grouped("translation", stored(CASES + 7)))
    assert out.count("suspicion 0.6") == CASES
    assert "and 7 more" in out


def test_no_group_says_so():
    assert printed([]) == "No case is flagged.\n"


@pytest.mark.parametrize("terminal", [False, True])
def test_foreign_texts_cannot_command_the_terminal_nor_break_the_line(stored, grouped, terminal):
    evil = stored(2, words="\x1b[31m{}\nx[/]" + "y" * 5000, made="\u202e{}[bold]")
    for by in ("sentence", "translation"):
        out = printed(grouped(by, evil), terminal=terminal)
        assert "\x1b[31m" not in out
        assert "\u202e" not in out
        assert "[bold]" in out
        assert len(out) < 20_000


def test_the_page_names_translations_behind_several_cases_before_the_cases(workspace, stored):
    run = stored(3, 1, words="<script>{}", made="</script>{}\u202e")
    page = report.render(workspace, [run])
    assert page.index("<h3>By translation</h3>") < page.index("<h3>The most suspicious cases</h3>")
    section = page[page.index("<h3>By translation</h3>") : page.index("<h3>The most suspicious cases</h3>")]
    assert section.count("<li>") == 1
    assert ">3 cases<" in section
    assert "sentence 0" in section
    assert "<script" not in page
    assert "\u202e" not in page
    links = re.findall(r'href="#(run-\d+-case-\d+)"', section)
    assert len(links) == 3
    assert all(f'id="{link}"' in page for link in links)


def test_where_no_translation_is_shared_the_page_has_no_such_section(workspace, stored):
    assert "By translation" not in report.render(workspace, [stored(1, 1)])


def test_the_section_stays_short(workspace, stored):
    page = report.render(workspace, [stored(*[2] * 30, 60)], limit=1000)
    section = page[page.index("<h3>By translation</h3>") : page.index("<h3>The most suspicious cases</h3>")]
    assert section.count("<li>") == 20
    assert "and 40 more" in section
    assert section.index("60 cases") < section.index("2 cases")
