"""Whatever the text, nothing is raised, places lie inside it, and the answer is the same the next time."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.language.numbers.english import OFTEN, ONES, PARTS, SCALES
from concord.relations.semmt.automata import read
from concord.relations.semmt.logic import abstract, align, english, find, prevalence
from concord.relations.semmt.logic.stretches import MOST_ITEMS

CUES = sorted({*english.RELATIONS, *english.FIXED, *english.VAGUE, *english.BEFORE, *english.BEHIND, *english.IDIOMS})
WORDS = [
    *ONES, *SCALES, *PARTS, *OFTEN, "3", "2.5", "1,000", "2017", "%", "times", "every",
    "between", "from", "to", "of", "a", "the", "lines", "with", "letter", "dog", "“dog”", "<M0>", ",", ".", "(", "-",
    "don't", "out", "in", "May", "per cent", "/", "we", "will", "then", "minus", "below", "zero", "degrees", "as",
    "much", "by", "but", "Ann", "Of", "$", "people", "or more", "more than 2", "fewer than 3 %", "100",
    "mg", "500", "000", "Room 7", "Tuesday", "555-1234", "Should", "hours", "for", "No", "°", "5 mg to 10 mg", "not",
    *english.CHANGES, *english.BASES,
]  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(CUES + WORDS), max_size=30).map(" ".join))


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_findings_lie_in_order_inside_the_text(text):
    findings = find(text)
    places = [place for each in findings for place in (each.start, each.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert all(each.start < each.end for each in findings)
    assert all(0 <= each.low <= each.high and each.low < inf for each in findings if each.family == "quantity")
    assert findings == find(text)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(["over", "under", "range"]))
def test_an_abstraction_can_be_read_as_an_expression(text, approximation):
    made = abstract(text, approximation=approximation)
    assert made == abstract(text, approximation=approximation)
    assert 0 <= made.confidence <= 1
    if made.regex:
        assert read(made.regex)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(["ignore", "strict"]))
def test_any_two_sentences_can_be_aligned_and_one_agrees_with_itself(one, other, plural):
    made = align(abstract(one), abstract(other), plural=plural)
    for side in (made.left, made.right):
        if side:
            assert read(side)
    itself = align(abstract(one), abstract(one), plural=plural)
    assert itself.left == itself.right


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, max_size=5))
def test_counts_are_bounded_by_one_another(texts):
    counted = prevalence(texts, least_words=1)
    assert counted.related_precise <= counted.related <= counted.kept <= counted.total
    assert counted.quantity_precise <= counted.quantity <= counted.related
    assert counted.related <= counted.quantity + counted.logic


HOSTILE = [
    "if a, " * 10_000, "if " + "degrees " * 10_000, "5 degrees below zero " * 5_000, "of 9, 3 " * 10_000,
    "all dogs but " * 10_000, "2 or 10 " * 10_000, "by a third " * 10_000,
    "word " * 10_000, "if " * 10_000, "except x " * 10_000, "only " * 10_000, "17 " * 10_000, "9" * 100_000,
    "9," * 50_000, "a" * 100_000, "'a" * 50_000, "a," * 50_000, "no" + " " * 100_000 + "longer", "hundred " * 10_000,
    "three and " * 10_000, "lines " + "x before " * 10_000, "lines with a or lines with b and " * 3_000,
    "if a contains not only 3 b or c unless " * 2_000, "1 of " * 10_000, "between 3 and " * 10_000, "half a " * 10_000,
    "".join(map(chr, range(32))) * 3_000, "İ 3 " * 10_000,
    "x if and only if " * 5_000, "more than 2 but fewer than " * 5_000, "3 metres or more and " * 5_000,
    "100 " * 10_000, "a quarter to " * 10_000, "$5 to " * 10_000, "minus 5 to " * 10_000,
    "at least 3 x and at most 5 x but " * 3_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_a_hostile_text_is_read_and_its_expression_stays_small(text):
    made = abstract(text)
    assert len(made.symbols) <= 2 * MOST_ITEMS
    assert len(made.regex) < 20_000
    itself = align(made, made)
    assert itself.left == itself.right
