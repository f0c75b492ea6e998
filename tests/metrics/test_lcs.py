"""The longest common subsequence against the textbook's table, and values computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.metrics.lcs import of_words, similarity
from concord.model import Text

words = st.lists(st.sampled_from(["a", "b", "c", "the", "猫"]), max_size=12)


def table(a, b):
    """The recurrence as it stands in every textbook."""
    row = [0] * (len(b) + 1)
    for one in a:
        row, before = [0], row
        for at, other in enumerate(b):
            row.append(before[at] + 1 if one == other else max(row[-1], before[at + 1]))
    return row[-1]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("la casa roja", "la casa verde", 2 / 3),
        ("the old bridge", "the bridge", 2 / 3),
        ("one two three", "three two one", 1 / 3),
        ("The cat.", "the cat.", 2 / 3),
        ("", "word", 0.0),
        ("", "", 1.0),
    ],
)
def test_values_by_hand(a, b, expected):
    assert similarity(Text(a, "en"), Text(b, "en")) == pytest.approx(expected)


@settings(max_examples=200, deadline=None)
@given(words, words)
def test_it_is_the_textbooks_over_the_longer_text(a, b):
    expected = table(a, b) / max(len(a), len(b)) if a or b else 1.0
    assert of_words(a, b) == expected == of_words(b, a)


def test_words_between_blanks_keep_their_marks():
    a, b = Text("so, no.", "en"), Text("so no", "en")
    assert similarity(a, b) == 2 / 4
    assert similarity(a, b, tokens="paper") == 0
