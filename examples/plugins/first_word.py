"""First word: 1 if two texts begin with the same word, otherwise 0."""

from concord import Text


def similarity(a: Text, b: Text) -> float:
    return float(a.words.split()[:1] == b.words.split()[:1])
