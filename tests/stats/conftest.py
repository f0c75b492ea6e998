"""A small unbalanced table, whose figures another implementation has given."""

from __future__ import annotations

import pytest

SCORES = {
    ("a", "x"): {"s1": 4.1, "s2": 5.3, "s3": 4.7},
    ("a", "y"): {"s1": 6.2, "s4": 7.0},
    ("b", "x"): {"s1": 3.9, "s2": 4.4},
    ("b", "y"): {"s1": 8.1, "s2": 7.4, "s3": 9.0, "s4": 8.2},
    ("c", "x"): {"s3": 2.2, "s4": 3.1},
    ("c", "y"): {"s2": 5.0, "s3": 4.1, "s4": 5.9},
}


@pytest.fixture
def unbalanced():
    return [
        {"system": system, "target": target, "sentence": sentence, "score": score}
        for (system, target), scores in SCORES.items()
        for sentence, score in scores.items()
    ]


@pytest.fixture
def lacking(unbalanced):
    """The same without a single observation of c in y."""
    return [row for row in unbalanced if (row["system"], row["target"]) != ("c", "y")]
