"""What is known of languages: words, sentences, trees, numbers, and what Apertium and English bring along."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written with blanks between them."""
    return frozenset(text.split())
