"""chrF (Popović, 2015) of one sentence: the F-score of its n-grams of up to six characters, blanks aside.

The values are those of sacreBLEU (Post, 2018), divided by 100: chrF2 by default, chrF++ (Popović,
2017) with `word_order=2`. `beta` says how many times more recall weighs than precision.

Range [0, 1], higher is more alike. Not symmetric unless `beta=1`: `a` is the reference, `b` the
hypothesis. Two texts without a character count as identical: 1, where sacreBLEU says 0.
"""

import string
from collections.abc import Iterator
from typing import Annotated

from concord.errors import UserError
from concord.metrics._corpus import Counts
from concord.metrics._ngrams import shared, spell
from concord.model import Text
from concord.options import Within

Characters = Annotated[int, Within(0, 20), "Longest n-grams of characters that are counted; 0 is none."]
Words = Annotated[int, Within(0, 20), "Longest n-grams of words that are counted as well; 0 is none."]
Beta = Annotated[float, Within(0, 1000), "How many times more recall weighs than precision."]


def similarity(a: Text, b: Text, *, char_order: Characters = 6, word_order: Words = 0, beta: Beta = 2.0) -> float:
    """How much of the reference's spelling (`a`) the hypothesis (`b`) has, in [0, 1]; higher is more similar."""
    _check(char_order, word_order)
    # Most pairs of a run are equal.
    if a.words.split() == b.words.split():
        return 1.0
    return scored(counts(a, b, char_order=char_order, word_order=word_order), beta=beta)


def counts(a: Text, b: Text, *, char_order: int = 6, word_order: int = 0, **_: object) -> Counts:
    """The characters of the reference (`a`) and of the hypothesis (`b`); then for each order of characters and of words
    the n-grams in both, in the hypothesis and in the reference."""
    _check(char_order, word_order)
    blocks = a.words.split(), b.words.split()
    reference, hypothesis = map("".join, blocks)
    sizes_and_ngrams = [len(reference), len(hypothesis), *_ngrams(reference, hypothesis, char_order)]
    return (*sizes_and_ngrams, *(_ngrams(*spell(*map(_words, blocks)), word_order) if word_order else ()))


def scored(counts: Counts, *, beta: float = 2.0, **_: object) -> float:
    """The score by the counts of one pair, or by their sums over many."""
    matches, in_hypothesis, in_reference = counts[2::3], counts[3::3], counts[4::3]
    if not any(counts[:2]) or (any(in_reference) and matches == in_hypothesis == in_reference):
        return 1.0
    rates = [(m / g, m / w) for m, g, w in zip(matches, in_hypothesis, in_reference, strict=True) if g and w]
    return _f_score(rates, beta * beta)


def _check(char_order: int, word_order: int) -> None:
    if char_order + word_order == 0:
        raise UserError("chrf cannot count nothing: char_order and word_order are both 0; the defaults are 6 and 0")


def _ngrams(reference: str, hypothesis: str, order: int) -> Iterator[int]:
    """For each order, the n-grams in both texts, in the hypothesis and in the reference. Orders that are longer than
    the reference do not count for the hypothesis."""
    in_both = shared(reference, hypothesis, order)
    for n in range(order):
        yield in_both[n] if n < len(in_both) else 0
        yield max(0, len(hypothesis) - n) if len(reference) > n else 0
        yield max(0, len(reference) - n)


def _f_score(rates: list[tuple[float, float]], weight: float) -> float:
    precision = sum(rate for rate, _ in rates)
    recall = sum(rate for _, rate in rates)
    if not precision:
        return 0.0
    return min(1.0, (1 + weight) * precision * recall / (weight * precision + recall) / len(rates))


def _words(blocks: list[str]) -> list[str]:
    """Words by the rules of chrF++: one punctuation mark is split off, at the end or else at the beginning."""
    words = []
    for block in blocks:
        cut = len(block) - 1 if block[-1] in string.punctuation else int(block[0] in string.punctuation)
        words += [part for part in (block[:cut], block[cut:]) if part]
    return words
