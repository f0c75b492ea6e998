"""Language processing: tokens, sentences, trees, numbers, literals, and the data of Apertium and of English."""


def word_set(text: str) -> frozenset[str]:
    """The words of a blank-separated list."""
    return frozenset(text.split())
