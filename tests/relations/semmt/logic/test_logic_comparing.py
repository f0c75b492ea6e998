"""What two sentences claim is compared claim by claim."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from concord.relations.semmt.automata.expression import Both, Either, Not
from concord.relations.semmt.logic.claim_similarity import agreement
from concord.relations.semmt.logic.formula import Atom, Inside, Only, Order, Repeat, Starts

X, Y, Z = Atom(0), Atom(1), Atom(2)
THREE = Repeat(X, 3, 3, "count")
NONE = Repeat(X, 0, 0, "count")
ALL = Repeat(X, 100, 100, "share")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Not(Either((X, Y))), Both((Not(X), Not(Y)))), (Not(Inside(Either((X, Y)))), Both((Not(Y), Not(X)))),
        (NONE, Not(X)), (Not(Inside(X)), Not(X)), (Not(Not(X)), X), (Inside(NONE), Not(X)), (Inside(THREE), THREE),
        (Both((THREE, Not(Y))), Both((Not(Y), THREE))), (Either((X, Y)), Either((Y, X))),
        (THREE, replace(THREE, unit="times")), (Only(X), Only(X, contained=True)), (Only(X), Repeat(X, 1, 1, "count")),
        (replace(THREE, unit="ratio"), replace(THREE, unit="times")),
        (Both((THREE, Repeat(Y, 1, 1, "count"))), THREE), (Both((ALL, Not(Y))), Both((replace(ALL, part=Z), Not(Y)))),
    ],
)  # fmt: skip
def test_the_same_claims_agree(one, other):
    assert agreement(one, other) == agreement(other, one) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (X, Not(X)), (Not(ALL), NONE), (THREE, Not(THREE)), (ALL, replace(ALL, unit="count")), (X, Y), (X, Only(X)),
        (Only(X), Inside(X)), (Only(X), Only(Y)), (Either((Not(X), Y)), Either((X, Not(Y)))), (Only(X), Not(Only(X))),
        (Either((Not(X), Y)), Either((X, Y))), (Both((Not(X), Not(Y))), Either((X, Y))), (Order(X, Y), Order(Y, X)),
        (Both((THREE, Not(Y))), THREE), (Both((THREE, Y)), Both((THREE, Not(Y)))), (Starts(X), X),
        (Inside(X), Not(Inside(X))), (THREE, replace(THREE, low=4, high=4)), (THREE, Only(X)),
        (Both((THREE, replace(ALL, part=Y))), Both((replace(THREE, part=Y), ALL))),
    ],
)  # fmt: skip
def test_a_turned_or_lost_claim_leaves_nothing(one, other):
    assert agreement(one, other) == agreement(other, one) == 0


def test_what_is_lost_among_alternatives_or_as_contained_leaves_a_part():
    assert agreement(Either((X, Y, Z)), Either((X, Y))) == pytest.approx(2 / 3)
    assert agreement(Inside(X), X) == 0.5
    assert agreement(Both((THREE, Inside(Y))), THREE) == 0.5


def test_quantities_multiply():
    few, several = Repeat(X, 3, 25, "count"), Repeat(X, 5, 25, "count")
    once = agreement(few, several)
    assert 0.7 < once < 1
    second = Both((few, replace(few, part=Y))), Both((several, replace(several, part=Y)))
    assert agreement(*second) == pytest.approx(once**2)


def test_two_vague_words_are_nearer_than_their_numbers():
    few, some = Repeat(X, 3, 25, "count"), Repeat(X, 1, 50, "count")
    vague = agreement(replace(few, vague=True), replace(some, vague=True))
    assert vague == pytest.approx(agreement(few, some) ** 0.5)


def test_a_change_by_so_much_is_none_to_so_much():
    by, to, unsaid = (Repeat(X, 30, 30, "share", move=move) for move in ("by", "to", ""))
    assert agreement(by, to) == 0
    assert agreement(by, unsaid) == agreement(unsaid, to) == agreement(by, by) == 1


def test_few_and_hardly_any_are_the_same():
    few, hardly = Repeat(X, 0, 3, "count", vague=True), Repeat(X, 0, 10, "share", vague=True)
    assert agreement(few, hardly) == 1
    assert agreement(few, replace(hardly, low=90, high=99)) == agreement(replace(few, vague=False), hardly) == 0


def test_without_words_there_is_nothing_to_agree_on_but_with_the_like():
    assert agreement(None, None) == 1
    assert agreement(None, Repeat(X, 3, inf, "count")) == 0
