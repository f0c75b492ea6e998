"""Language processing: tokens, sentences, trees, numbers, literals, and the data of Apertium and of English."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a blank-separated list."""
    return frozenset(text.split())
