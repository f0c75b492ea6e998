"""The relation sane, and the cases of other relations that need an answer that fails it."""

from __future__ import annotations

import pytest

import concord
from concord.model import Text
from concord.relations.sane import compare

pytestmark = pytest.mark.large
TEXTS = ["The cat is black.", "Two dogs sat there quietly.", "We closed the old bridge on Tuesday."]


def outcomes(relation, one, texts=TEXTS):
    return concord.check(relation, texts, translator=one, to="es")


def test_a_system_that_returns_its_input_is_flagged_for_every_text():
    cases = [case for outcome in outcomes("sane", lambda text, source, target: text) for case in outcome.cases]
    assert [(case.flagged, case.factors["failure"]) for case in cases] == [(True, "copy")] * 3
    assert cases[0].evidence["reason"] == "The answer is a copy of the text."


def test_an_empty_answer_is_kept_and_flagged():
    (outcome, *_) = outcomes("sane", lambda text, source, target: "")
    assert outcome.error is None
    assert [case.factors["failure"] for case in outcome.cases] == ["empty"]


def test_other_relations_do_not_judge_an_answer_that_fails():
    for outcome in outcomes("rtt", lambda text, source, target: text):
        assert outcome.cases == []
        assert outcome.error.startswith("not judged: the answer to “")
        assert "(copy)" in outcome.error


def test_a_check_whose_parser_cannot_read_an_empty_answer_is_not_judged():
    for relation in ("sit", "cat"):
        (row,) = outcomes(
            relation, lambda text, source, target: "", ["The old stone bridge over the river was closed."]
        )
        assert row.error.startswith("not judged: the answer to “")
        assert "(empty)" in row.error


def test_what_fails_is_not_sent_on_the_way_back():
    sent = []

    def one(text, source, target):
        sent.append((text, source))
        return text

    outcomes("rtt", one, TEXTS[:1])
    assert sent == [(TEXTS[0], "en")]


def test_only_the_cases_that_need_the_failing_answer_are_not_judged():
    def one(text, source, target):
        return text if text.startswith("and") or ("Tuesday" in text and "dogs" not in text) else "El " + text[::-1]

    rows = outcomes("concatenation", one)
    assert any(outcome.error for outcome in rows)
    assert any(outcome.cases and not outcome.error for outcome in rows)


def test_a_pair_of_a_file_is_judged_by_itself():
    text = Text("The cat is black.", "en")
    copied = compare(text, text, Text(text.words, "es"), Text(text.words, "es"))
    good = compare(text, text, Text("El gato es negro.", "es"), Text("El gato es negro.", "es"))
    assert (copied.flagged, good.flagged) == (True, False)
