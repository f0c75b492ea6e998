"""Longest common subsequence of words, as TransRepair compares translations (Sun et al., ICSE 2020).

The number of words that both texts have in the same order, divided by the number of words of the longer text.
Punctuation marks count as words, and case counts. `tokens="auto"` and `tokens="language"` take the words of each text's
language; `tokens="paper"` splits at spaces, as the authors' data are tokenised already.

Range [0, 1], higher is more alike. Symmetric. Two texts without a word count as identical: 1.
"""

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from concord.metrics._tokens import Tokens, words
from concord.model import Text


def similarity(a: Text, b: Text, *, tokens: Tokens = "auto") -> float:
    """The proportion of the longer text's words that both have in one order, in [0, 1]; higher is more similar."""
    return of_words(a.words.split(), b.words.split()) if tokens == "paper" else of_words(words(a), words(b))


def of_words(a: Sequence[str], b: Sequence[str]) -> float:
    """`similarity` of texts that are cut into words already.

    >>> of_words(["the", "old", "bridge"], ["the", "bridge"])
    0.6666666666666666
    """
    return LCSseq.similarity(a, b) / max(len(a), len(b)) if a or b else 1.0
