"""Requests that can be read in two ways, and the like of them in the benchmark."""

from __future__ import annotations

import json

import pytest

from concord.relations.semmt.claims import claim_pair, claims_of
from concord.relations.semmt.regex import precedents, read, readings
from concord.relations.semmt.regex.parser import _bracketed
from concord.relations.semmt.regex.phrases import cut
from concord.relations.semmt.regex.precedents import precedent, request_key, ruling

TWOFOLD = "lines ending with a vowel or a number, 3 or more times"


def bracketed(sentence):
    return _bracketed(tuple((phrase.kind, phrase.key) for phrase in cut(sentence).phrases))[1]


@pytest.fixture
def ruled(monkeypatch):
    """The second reading of the twofold request, ruled to be the right one."""
    first, second = readings(TWOFOLD, most=2, by_precedent=False)
    for item in bracketed(TWOFOLD):
        monkeypatch.setattr(precedents, "_shipped", lambda item=item: {request_key(cut(TWOFOLD).phrases): ruling(item)})
        if read(TWOFOLD).regex == second.regex:
            return first, second
    raise AssertionError("no bracketing has the second meaning")


def test_a_precedent_goes_before_the_weights(ruled):
    first, second = ruled
    found = readings(TWOFOLD, most=2)
    assert [each.regex for each in found] == [second.regex, first.regex]
    assert found[0].confidence == pytest.approx(0.7)


def test_the_probabilities_still_add_up(ruled):
    assert sum(each.confidence for each in readings(TWOFOLD, most=100)) == pytest.approx(1)


def test_a_precedent_can_be_left_aside(ruled):
    assert read(TWOFOLD, by_precedent=False).regex == ruled[0].regex


def test_one_sentence_by_itself_is_read_by_precedents_and_two_of_a_round_trip_are_not(ruled):
    _, second = ruled
    assert claims_of(TWOFOLD).regex == second.regex
    assert claim_pair(TWOFOLD, TWOFOLD).left.regex != second.regex


def test_synonyms_and_counts_make_no_other_case(ruled):
    other = "rows that end with a vowel or a digit, at least 5 times"
    assert request_key(cut(other).phrases) == request_key(cut(TWOFOLD).phrases)
    assert read(other).regex == ruled[1].regex.replace("{ 3 , }", "{ 5 , }")


def test_other_things_are_another_case(ruled):
    other = TWOFOLD.replace("a vowel", "a capital letter")
    assert precedent(cut(other).phrases) is None
    assert read(other) == read(other, by_precedent=False)


def test_a_ruling_that_no_bracketing_has_changes_nothing(monkeypatch):
    monkeypatch.setattr(precedents, "_shipped", lambda: {request_key(cut(TWOFOLD).phrases): "ffffff"})
    assert read(TWOFOLD) == read(TWOFOLD, by_precedent=False)


def test_what_ships_are_digests_of_cases_and_rulings():
    shipped = precedents._shipped()
    assert len(shipped) > 100
    assert all(len(key) == 12 and len(value) == 6 for key, value in shipped.items())
    assert all(int(key + value, 16) >= 0 for key, value in shipped.items())
    assert json.loads(json.dumps(shipped)) == shipped


def test_every_bracketing_has_a_ruling_of_its_own():
    items = bracketed(TWOFOLD)
    assert len(items) > 3
    assert len({ruling(item) for item in items}) == len(items)
