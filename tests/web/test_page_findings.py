"""The page lists findings with their reason, problems, or cases; the reason never stands where people judge."""

from __future__ import annotations

import re

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

BLAME = {
    "word": "encasta", "role": "follow_up_output", "start": 0, "end": 7, "of": "<b>beds", "instead": "jaços",
    "instead_place": {"role": "source_output", "start": 4, "end": 9}, "why": "mistranslation", "suspicion": 0.5,
}  # fmt: skip
PHRASE = {"role": "source", "start": 0, "end": 21, "kind": "phrase"}


def case(number, text="behind the school yes"):
    texts = Text(text, "en"), Text(f"beds {number}", "en"), Text("dos jaços", "ca"), Text(f"encasta {number}", "ca")
    places = [{"role": "source", "start": start, "end": end, "kind": "missing"} for start, end in ((7, 10), (11, 17))]
    told = {"blamed": [BLAME], "places": [PHRASE, *places]}
    return Case(*texts, compared=texts[2:], suspicion=0.9 - number / 100, threshold=0.5, evidence=told)


@pytest.fixture
def listed(tmp_path, facts, browse):
    """The page over a run of so many cases that share the translation of their sentence."""

    def made(count):
        with Workspace(tmp_path / "f.sqlite") as store:
            run = store.begin(facts("rti", settings={}))
            segment = Segment("line 7", Text("behind the school yes", "en"), 6)
            store.add(run, [Outcome(segment, cases=[case(number) for number in range(count)])])
            store.finish(run)
        return browse(tmp_path / "f.sqlite")

    return made


def test_one_wrong_translation_is_one_finding_with_its_reason_above_the_boxes(listed):
    page = listed(3).get("/findings").text
    assert page.count("<article") == 1
    assert "1 to 1 of 1 finding" in page
    reason = '<em dir="auto">&lt;b&gt;beds</em> is <em dir="auto">jaços</em> in the sentence and'
    assert page.index(reason) < page.index('<div class="diagram">')
    assert "3 cases: rti ×3" in page
    assert "2 other cases of this finding" in page
    assert "line 7" in page
    assert "<b>" not in page


def test_of_very_many_cases_the_worst_are_named_and_the_rest_counted(listed):
    page = listed(30).get("/findings").text
    others = page[page.index("29 other cases of this finding") :]
    assert others.count("<li><a href=") == 19
    assert "and 10 less suspicious ones" in others


def test_problems_and_cases_are_listed_where_they_are_wanted(listed):
    browser = listed(3)
    problems = browser.get("/findings?by=problem").text
    assert "1 sentence, 1 finding, 3 cases" in problems
    assert re.search(r"<bdi>&lt;b&gt;beds</bdi> → <bdi>jaços</bdi>", problems)
    assert browser.get("/findings?by=case").text.count("<article") == 3


def test_cases_that_are_not_flagged_are_listed_one_by_one_and_without_a_reason(page):
    answer = page.get("/findings?flagged=no&by=finding").text
    assert answer.count("<article") > 1
    assert 'class="reason"' not in answer
    assert re.search(r"1 to \d+ of \d+ cases", answer)


def test_a_page_of_problems_that_there_cannot_be_is_refused(page):
    answer = page.get("/findings?by=problem&after=x")
    assert answer.status_code == 400
    assert "begin with the first page" in answer.text


def test_whoever_judges_a_case_is_not_told_the_reason(listed):
    browser = listed(1)
    (key,) = set(re.findall(r"/case/([0-9a-f]+)", browser.get("/findings").text))
    assert 'class="reason"' in browser.get(f"/case/{key}").text
    browser.submit("/label/who", {"annotator": "ada", "next": "/label"})
    asked = browser.get(f"/label/case/{key}").text
    assert '<div class="diagram">' in asked
    assert 'class="reason"' not in asked


def test_between_two_marked_words_no_blank_is_marked(listed):
    marks = re.findall(r"<mark[^>]*>([^<]*)</mark>", listed(1).get("/findings").text)
    assert marks[:4] == ["behind", "the", "school", "yes"]
