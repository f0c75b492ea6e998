"""Levenshtein against the textbook's table, NLTK, and values computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance

from concord.metrics.levenshtein import distance, similarity
from concord.model import Text

# Few letters, so that insertions, substitutions and exchanges all occur.
words = st.text("abc ", max_size=12) | st.text(max_size=8)


def text(words):
    return Text(words, "en")


def textbook(a, b, exchanges):
    """The table of Wagner and Fischer, row by row."""
    table = [[i + j if not i or not j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            choices = [table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])]
            if exchanges and i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
                choices.append(table[i - 2][j - 2] + 1)
            table[i][j] = min(choices)
    return table[-1][-1]


@pytest.mark.parametrize(
    ("a", "b", "longer", "total"),
    [
        ("kitten", "sitting", 4 / 7, 10 / 13),
        ("ab", "ba", 0.0, 3 / 4),
        ("ca", "abc", 0.0, 2 / 5),  # one fewer if a moved pair could be edited again, which alignment forbids
        ("abc", "xyz", 0.0, 1 / 2),
        ("猫", "犬", 0.0, 1 / 2),
        ("word", "", 0.0, 0.0),
        ("", "", 1.0, 1.0),
    ],
)
def test_values_by_hand(a, b, longer, total):
    assert similarity(text(a), text(b)) == pytest.approx(longer)
    assert similarity(text(a), text(b), over="sum") == pytest.approx(total)


@settings(deadline=None)
@given(words, words)
def test_over_the_longer_is_the_textbook_s_distance_and_nltk_s(a, b):
    edits = textbook(a, b, exchanges=False)
    assert edits == edit_distance(a, b)
    assert distance(text(a), text(b)) == pytest.approx(edits / (max(len(a), len(b)) or 1))


@settings(deadline=None)
@given(words, words)
def test_over_the_sum_counts_exchanges_as_one(a, b):
    edits = textbook(a, b, exchanges=True)
    assert distance(text(a), text(b), over="sum") == pytest.approx(edits / (len(a) + len(b) or 1))


@settings(deadline=None)
@given(words, words, st.sampled_from(["longer", "sum"]))
def test_it_is_symmetric_bounded_and_one_for_the_same_only(a, b, over):
    value = similarity(text(a), text(b), over=over)
    assert value == similarity(text(b), text(a), over=over)
    assert 0 <= value <= 1
    assert (value == 1) == (a == b)
    assert value == 1 - distance(text(a), text(b), over=over)


def test_an_unknown_divisor_is_not_taken_for_the_default():
    with pytest.raises(KeyError, match="shorter"):
        similarity(text("a"), text("b"), over="shorter")
