"""The benchmark's notation is read, written back, and refused with the place where it goes wrong."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.relations.semmt.automata import TooComplex, Unreadable, equal, language, read
from concord.relations.semmt.automata.limits import DEEPEST, LONGEST_TEXT

SAME = [
    (". * dog . *", ".*(dog).*"),
    ("~ ( a ) +", "(~(a))+"),
    ("a b | c & d", "(a(b))|((c)&(d))"),
    ("a | b & c", "a|(b&c)"),
    ("dog +", "do(g+)"),
    ("~ dog", "(~d)og"),
    ("[ <LET> ]", "<CAP>|<LOW>"),
    ("[ AEIOUaeiou ]", "<VOW>"),
    ("[ ^ a ]", ". & ~ a"),
    ("[ 0-9A-Za-z_ ]", r"\w"),
    (r"\d", "<NUM>"),
    ("( a ) { , 3 }", "()|a|aa|aaa"),
    ("a { 2 }", "aa"),
    ("a + { 2 , }", "(a+){2,}"),
    ("a ?", "|a"),
    ("", "()"),
    ("( [ <VOW> ] ) { 3 , }", "[<VOW>]{3}[<VOW>]*"),
    (r"\ b a", r"\ba"),
    (r"\( \. \s", r"\(\.\s"),
    ("~ ~ a", "a"),
    ("[ . ]", r"\."),
    (r"[\]]", r"\]"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_ways_of_writing_the_same_language_are_read_alike(one, other):
    assert equal(language(read(one)), language(read(other)))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("( [ <LET> ] ) { 3 , }", ["(", "[<LET>]", ")", "{3,}"]),
        ("[A-Z]{0,3}", ["[A-Z]", "{0,3}"]),
        ("~[Y]", ["~", "[", "Y", "]"]),
        (r"\ b <M0> . * \ b", [r"\b", "<M0>", ".", "*", r"\b"]),
        ("dog|(truck)", ["dog", "|", "(", "truck", ")"]),
        ("", []),
    ],
)
def test_a_class_a_count_a_string_and_a_boundary_are_one_token_each(text, tokens):
    assert list(read(text).tokens) == tokens


@pytest.mark.parametrize(
    ("text", "place", "trouble"),
    [
        ("ab)c", 2, "not opened"),
        ("a(b(c)", 1, "not closed"),
        ("+ a", 0, "repeat"),
        ("a | * b", 4, "repeat"),
        ("a { 3 , 2 }", 2, "ends before it begins"),
        ("( a ) { ( , ) }", 6, "no count"),
        ("a { , }", 2, "no count"),
        ("( [ ] )", 2, "empty"),
        ("a [ b", 2, "no partner"),
        ("a ]", 2, "no partner"),
        ("ab\\", 2, "no partner"),
        ("[z-a]", 0, "no range"),
        (r"a \q", 2, "no escape"),
        ("~ | a", 2, "negate"),
        ("( a ~ )", 6, "negate"),
        ("a ~", 3, "negate"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text, place, trouble):
    with pytest.raises(Unreadable, match=trouble) as caught:
        read(text)
    assert caught.value.place == place
    assert f"character {place + 1}" in str(caught.value)


@pytest.mark.parametrize("deep", ["(" * 5000, "~" * 5000, "(~" * 5000, "a" + "+" * 5000])
def test_nesting_is_bounded(deep):
    with pytest.raises(Unreadable):
        read(deep)


def test_the_deepest_nesting_that_is_allowed_can_be_computed():
    levels = DEEPEST // 2
    text = "~(b|c&a" * levels + "a" + "+)*" * levels
    assert language(read(text)).rows


def test_a_book_is_no_expression():
    with pytest.raises(Unreadable, match="longer"):
        read("a" * (LONGEST_TEXT + 1))


@pytest.mark.parametrize("error", [Unreadable("a)", 1, "trouble"), TooComplex("states", 5)])
def test_errors_travel_between_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert type(again) is type(error)


@given(st.text(max_size=40))
def test_any_text_is_an_expression_or_an_error_of_the_users(text):
    with contextlib.suppress(UserError):
        assert language(read(text)).accepts("") in (True, False)
