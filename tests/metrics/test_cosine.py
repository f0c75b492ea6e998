"""Cosine against the obvious vectors, and values computed by hand."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.metrics.cosine import similarity
from concord.model import Text

strings = st.text(max_size=30) | st.lists(st.sampled_from(["the", "The", "cat", "sat,", "猫", "!"])).map(" ".join)


def text(words, lang="en"):
    return Text(words, lang)


def vectors(a, b, pattern):
    """One component per unit that either text has."""
    one, other = re.findall(pattern, a), re.findall(pattern, b)
    units = sorted({*one, *other})
    x, y = [one.count(unit) for unit in units], [other.count(unit) for unit in units]
    if not one or not other:
        return float(one == other)
    return sum(i * j for i, j in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("the cat, the!", "the dog", 2 / math.sqrt(5 * 2)),
        ("the cat sat", "sat: the cat?", 1.0),
        ("a", "a a", 1.0),
        ("The cat", "the cat", 1 / 2),
        ("it's", "its", 0.0),
        ("word", "...", 0.0),
        ("", "word", 0.0),
        ("", "?!", 1.0),
    ],
)
def test_values_by_hand(a, b, expected):
    assert similarity(text(a), text(b)) == pytest.approx(expected)


@settings(max_examples=500, deadline=None)
@given(strings, strings)
def test_values_are_those_of_the_obvious_vectors(a, b):
    assert similarity(text(a), text(b)) == pytest.approx(vectors(a, b, r"\w+"))
    assert similarity(text(a, "zh"), text(b, "zh")) == pytest.approx(vectors(a, b, r"\w"))
    assert similarity(text(a, "zh"), text(b, "zh"), tokens="paper") == pytest.approx(vectors(a, b, r"\w+"))


@pytest.mark.parametrize("lang", ["zh", "zh-Hant", "ja", "th"])
def test_where_no_blanks_are_written_characters_count_unless_the_paper_is_asked_for(lang):
    a, b = text("我爱猫。", lang), text("我爱狗。", lang)
    assert similarity(a, b) == pytest.approx(2 / 3)
    assert similarity(a, b, tokens="paper") == 0.0


@pytest.mark.parametrize("lang", ["en", "ko", "zha"])
@pytest.mark.parametrize("tokens", ["auto", "paper"])
def test_where_blanks_are_written_runs_of_letters_count(lang, tokens):
    assert similarity(text("ab cd", lang), text("ab ce", lang), tokens=tokens) == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Mr. Fox, don't!", "Mr. Fox: do it?", 3 / 4),
        ("3.50 3 50", "3.50", 1 / math.sqrt(3)),
        ("see www.example.org/a-b 🙂", "see www.example.org/a-b", math.sqrt(2 / 3)),
        ("5 + 5 = 10 …", "5 5 10", 1.0),
        ("?!", " ", 1.0),
    ],
)
def test_tokens_of_the_language_are_counted_without_marks_and_symbols(a, b, expected):
    assert similarity(text(a), text(b), tokens="language") == pytest.approx(expected)


@settings(deadline=None)
@given(strings, strings, st.sampled_from(["auto", "language", "paper"]), st.sampled_from(["en", "zh"]))
def test_it_is_symmetric_bounded_and_one_for_the_same(a, b, tokens, lang):
    value = similarity(text(a, lang), text(b, lang), tokens=tokens)
    assert value == similarity(text(b, lang), text(a, lang), tokens=tokens)
    assert 0 <= value <= 1
    assert similarity(text(a, lang), text(a, lang), tokens=tokens) == 1.0


def test_unknown_tokens_are_not_taken_for_the_default():
    with pytest.raises(KeyError, match="syllables"):
        similarity(text("a"), text("b"), tokens="syllables")
