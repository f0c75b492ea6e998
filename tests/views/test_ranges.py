"""What is to be marked in a row is told in one form, and nothing in a row can break it."""

from __future__ import annotations

import doctest
import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from concord import api
from concord.language.invisible import blanks
from concord.model import ROLES, Case
from concord.store import Workspace, evidence
from concord.views import spans as module
from concord.views.case import Box, drawn
from concord.views.highlight import Excerpt, Piece, Range, marked, ranges
from concord.views.html.report import environment
from concord.views.terminal import print_case
from concord.views.wording import value_text

TEXTS = {
    "source": "they want a blue coat",
    "follow_up": "they want a green coat",
    "source_output": "quieren una capa azul",
    "follow_up_output": "querer una capa verde",
}
BLAMED = {
    "word": "querer",
    "role": "follow_up_output",
    "start": 0,
    "end": 6,
    "of": "want",
    "of_place": {"role": "follow_up", "start": 5, "end": 9},
    "instead": "quieren",
    "instead_place": {"role": "source_output", "start": 0, "end": 7},
    "why": "mistranslation",
    "suspicion": 0.3,
}


def row(**evidence: Any) -> dict[str, Any]:
    texts = {role: {"words": words, "lang": "es" if "output" in role else "en"} for role, words in TEXTS.items()}
    return {**texts, "compared": [texts["source_output"], texts["follow_up_output"]], "evidence": evidence}


def shown(found: dict[str, list[Range]]) -> dict[str, list[tuple[str, str]]]:
    return {
        role: [(TEXTS[role][each.start : each.end], each.kind) for each in found[role]] for role in ROLES if found[role]
    }


def test_a_blame_marks_its_word_the_word_that_it_translates_and_what_stands_there_instead() -> None:
    found = ranges(row(blamed=[BLAMED], marked={"source": [[12, 16]], "follow_up_output": [[0, 6]]}))
    assert shown(found) == {
        "source": [("blue", "changed")],
        "follow_up": [("want", "of")],
        "source_output": [("quieren", "instead")],
        "follow_up_output": [("querer", "blamed")],
    }
    assert found["follow_up_output"][0].why == "for want not quieren: mistranslation"
    assert found["follow_up"][0].why == "querer: for want not quieren: mistranslation"


def test_a_row_of_a_former_version_is_marked_by_its_spans() -> None:
    old = {name: BLAMED[name] for name in ("word", "of", "instead", "why", "suspicion")}
    found = ranges(row(blamed=[old], marked={"follow_up_output": [[0, 6]], "source": [[12, 16]]}))
    assert shown(found) == {"source": [("blue", "changed")], "follow_up_output": [("querer", "differs")]}


def test_what_a_relation_finds_itself_has_its_kind_and_its_reason() -> None:
    told = {"role": "source_output", "start": 12, "end": 16, "kind": "missing", "why": "nowhere else"}
    found = ranges(row(places=[told], marked={"source_output": [[0, 7]]}))
    assert found["source_output"] == [Range(12, 16, "missing", "nowhere else")]


def test_a_row_that_marks_nothing_is_compared_word_by_word() -> None:
    assert shown(ranges(row())) == {
        "source_output": [("quieren", "differs"), ("azul", "differs")],
        "follow_up_output": [("querer", "differs"), ("verde", "differs")],
    }
    assert shown(ranges(row(marked={}))) == {}


def test_texts_of_two_languages_are_not_compared_word_by_word() -> None:
    texts = row()
    assert shown(ranges({**texts, "compared": [texts["source"], texts["source_output"]]})) == {}


def test_of_ranges_that_overlap_the_more_telling_one_is_kept() -> None:
    within = {"role": "source", "start": 0, "end": 21, "kind": "phrase"}
    blame = {**BLAMED, "of_place": {"role": "source", "start": 5, "end": 9}}
    found = ranges(row(blamed=[blame], places=[within]))["source"]
    assert [(each.start, each.end, each.kind) for each in found] == [(0, 4, "phrase"), (5, 9, "of"), (10, 21, "phrase")]
    alone = ranges(row(blamed=[blame], places=[within]), without=("of",))["source"]
    assert [(each.start, each.end) for each in alone] == [(0, 21)]


def test_offsets_count_code_points() -> None:
    made = row(places=[{"role": "source", "start": 2, "end": 5, "kind": "missing"}])
    made["source"] = {"words": "👩 été", "lang": "fr"}
    assert [piece.words for piece in marked("👩 été", ranges(made)["source"])] == ["👩 ", "été"]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats() | st.text(max_size=3) | st.sampled_from(ROLES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
PLACE = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(ROLES) | JUNK,
        "start": st.integers(-3, 30) | JUNK,
        "end": st.integers(-3, 30) | JUNK,
        "kind": st.sampled_from(module.KINDS) | JUNK,
        "why": st.text(max_size=3) | JUNK,
        "of_place": JUNK,
        "instead_place": st.fixed_dictionaries(
            {"role": st.sampled_from(ROLES), "start": st.integers(), "end": st.integers()}
        ),
        "word": JUNK,
        "of": JUNK,
    },
)
LISTED = st.lists(PLACE | JUNK, max_size=8) | JUNK
MARKED = st.dictionaries(st.sampled_from(ROLES), st.lists(st.lists(st.integers(-3, 30), max_size=3) | JUNK) | JUNK)


@given(
    st.fixed_dictionaries({}, optional={"blamed": LISTED, "places": LISTED, "marked": MARKED | JUNK}) | JUNK,
    st.dictionaries(st.sampled_from([*ROLES, "compared"]), JUNK, max_size=2),
)
def test_whatever_a_row_says_ranges_are_sorted_apart_and_within_the_text(evidence: Any, spoilt: dict[str, Any]) -> None:
    made = {**row(), "evidence": evidence, **spoilt}
    found = ranges(made)
    assert set(found) == set(ROLES)
    for role, each in found.items():
        words = made[role].get("words") if isinstance(made[role], dict) else None
        length = len(words) if isinstance(words, str) else 0
        assert all(0 <= one.start < one.end <= length for one in each)
        assert all(one.end <= other.start for one, other in pairwise(each))
        assert all(isinstance(one.kind, str) and isinstance(one.why, str) for one in each)


@given(
    st.lists(
        st.builds(Range, st.integers(0, 9), st.integers(0, 9), st.sampled_from(module.KINDS), st.just("")), max_size=6
    )
)
def test_every_marked_character_is_of_the_most_telling_kind_there(found: list[Range]) -> None:
    made = module.without_overlap(found, "x" * 8)
    for place in range(8):
        there = [each.kind for each in found if each.start <= place < each.end]
        kept = [each.kind for each in made if each.start <= place < each.end]
        assert kept == sorted(there, key=module.KINDS.index)[:1]


def test_a_phrase_is_not_marked_by_the_blank_between_two_words_that_have_their_own_marks() -> None:
    spans = [Range(0, 12, "phrase", ""), Range(2, 5, "of", ""), Range(6, 10, "of", "")]
    made = module.without_overlap(spans, "a the well b and c")
    assert ["a the well b and c"[each.start : each.end] for each in made] == ["a", "the", "well", "b"]


def test_a_blank_that_differs_stays_marked() -> None:
    assert module.without_overlap([Range(1, 2, "differs", "")], "a b") == [Range(1, 2, "differs", "")]


def test_a_row_without_texts_has_nothing_to_mark() -> None:
    assert ranges({"error": "x"}) == {role: [] for role in ROLES}


@pytest.fixture
def blamed(
    workspace: Workspace, begin: Callable[..., Any], case: Callable[..., Case], outcome: Callable[..., Any]
) -> Any:
    blame = {"word": "viejo", "role": "source_output", "start": 10, "end": 15, "why": "mistranslation", "of": "<old>"}
    blame |= {"of_place": {"role": "source", "start": 4, "end": 7}, "instead_place": 7, "suspicion": 0.3}
    run = begin()
    told = {"blamed": [blame], "marked": {"source_output": [[10, 15]]}, "places": [{"role": []}]}
    workspace.add(run, [outcome(case(evidence=told))])
    return api.worst(workspace.path, [run.id], 1)[0]


def test_the_report_tells_why_a_word_is_marked_and_marks_its_source_word_otherwise(blamed: Any) -> None:
    boxes = drawn(blamed).boxes
    marked = {role: [each for each in box.part.pieces if each.differs] for role, box in boxes.items()}
    assert [(each.words, each.kind) for each in marked["source_output"]] == [("viejo", "blamed")]
    assert [(each.words, each.kind) for each in marked["source"]] == [("old", "of")]
    made = environment().from_string("{% import 'case.html' as cases %}{{ cases.words(box) }}")
    made.environment.filters["blanks"] = blanks
    page = made.render(box=boxes["source"])
    assert '<mark class=beside title="viejo: for &lt;old&gt;: mistranslation">old</mark>' in page


def test_the_phrase_is_marked_more_quietly_than_the_words_that_differ() -> None:
    pieces = [Piece("The ", False), Piece("old bridge", True, "phrase"), Piece(" is closed.", False)]
    page = environment().from_string("{% import 'case.html' as cases %}{{ cases.words(box) }}")
    made = page.render(box=Box(["text"], "en", False, Excerpt(pieces)))
    assert "The <mark class=phrase>old bridge</mark> is closed." in made


def test_on_a_terminal_the_blamed_word_alone_is_marked(blamed: Any) -> None:
    out = io.StringIO()
    print_case(blamed, Console(file=out, width=200))
    assert "El puente «viejo» está cerrado." in out.getvalue()
    assert "The old bridge is closed." in out.getvalue()
    assert "blamed: viejo for <old>: mistranslation 0.3" in out.getvalue()
    assert "places" not in out.getvalue()


def test_evidence_in_an_unknown_shape_is_shown_as_it_is() -> None:
    assert value_text([{"word": 7, "why": [], "suspicion": "much"}]) == "7:  much"


def test_the_examples_in_the_documentation_are_right() -> None:
    assert doctest.testmod(evidence).failed == 0
