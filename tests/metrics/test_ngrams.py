"""Shared n-grams, counted the fast way, against plain counting."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.metrics._ngrams import shared, spell

wide = st.characters(exclude_categories=["Zs", "Zl", "Zp", "Cc"])  # lone surrogates included
strings = st.text("ab", max_size=30) | st.text("aé猫𝄞", max_size=20) | st.text(wide, max_size=20)


def plain(a, b, order):
    def grams(text, n):
        return Counter(text[i : i + n] for i in range(len(text) - n + 1))

    return [(grams(a, n) & grams(b, n)).total() for n in range(1, min(order, len(a), len(b)) + 1)]


@settings(max_examples=1000, deadline=None)
@given(strings, strings, st.integers(0, 12))
def test_every_order_is_counted_as_by_hand(a, b, order):
    assert shared(a, b, order) == plain(a, b, order)


@settings(max_examples=300, deadline=None)
@given(strings, strings, strings, strings)
def test_every_order_is_counted_as_by_hand_when_texts_overlap(start, a, b, end):
    assert shared(start + a + end, start + b + end, 6) == plain(start + a + end, start + b + end, 6)


@pytest.mark.parametrize("letters", [2, 127, 1023, 1025, 5000])
def test_the_size_of_the_alphabet_does_not_matter(letters):
    a = "".join(chr(0x4E00 + i * 7 % letters) for i in range(letters + 40))
    b = a[3:] + a[:9]
    assert shared(a, b, 6) == plain(a, b, 6)


def test_texts_too_short_for_an_order_end_the_list():
    assert shared("abc", "abcd", 6) == [3, 2, 1]
    assert shared("", "abcd", 6) == []


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_words_become_letters_that_are_equal_when_the_words_are(a, b):
    one, other = spell(a, b)
    assert (len(one), len(other)) == (len(a), len(b))
    assert " " not in one + other
    assert "\n" not in one + other
    pairs = list(zip(a + b, one + other, strict=True))
    assert len(set(pairs)) == len({word for word, _ in pairs}) == len({letter for _, letter in pairs})
