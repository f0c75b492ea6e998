"""chrF (Popović, 2015) of one sentence: the F-score of its n-grams of up to six characters, blanks aside.

The values are those of sacreBLEU (Post, 2018), divided by 100: chrF2 by default, chrF++ (Popović,
2017) with `word_order=2`. `beta` says how many times more recall weighs than precision.

Range [0, 1], higher is more alike. Not symmetric unless `beta=1`: `a` is the reference, `b` the
hypothesis. Two texts without a character count as identical: 1, where sacreBLEU says 0.
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterator

from concord.errors import UserError
from concord.metrics._corpus import Pairs, some
from concord.metrics._ngrams import shared, spell
from concord.model import Text


def similarity(a: Text, b: Text, *, char_order: int = 6, word_order: int = 0, beta: float = 2.0) -> float:
    """How much of the reference's spelling (`a`) the hypothesis (`b`) has, in [0, 1]; higher is more alike."""
    _check(char_order, word_order, beta)
    reference, hypothesis = a.words.split(), b.words.split()
    if reference == hypothesis:
        return 1.0
    rates = list(_rates("".join(reference), "".join(hypothesis), char_order))
    if word_order:
        rates += _rates(*spell(_words(reference), _words(hypothesis)), word_order)
    return _f_score(rates, beta * beta)


def corpus(pairs: Pairs, *, char_order: int = 6, word_order: int = 0, beta: float = 2.0) -> float:
    """chrF of many pairs (reference, hypothesis): n-grams are summed up over all of them, then scored once."""
    _check(char_order, word_order, beta)
    blocks = [(a.words.split(), b.words.split()) for a, b in some(pairs)]
    if not any(reference or hypothesis for reference, hypothesis in blocks):
        return 1.0
    spelt = [("".join(reference), "".join(hypothesis)) for reference, hypothesis in blocks]
    worded = [spell(_words(reference), _words(hypothesis)) for reference, hypothesis in blocks] if word_order else []
    return _f_score([*_corpus_rates(spelt, char_order), *_corpus_rates(worded, word_order)], beta * beta)


def _check(char_order: int, word_order: int, beta: float) -> None:
    if min(char_order, word_order) < 0 or char_order + word_order == 0 or not math.isfinite(beta * beta):
        raise UserError(f"chrf cannot have {char_order=}, {word_order=}, {beta=}: the defaults are 6, 0 and 2")


def _corpus_rates(pairs: list[tuple[str, str]], order: int) -> Iterator[tuple[float, float]]:
    """Precision and recall of each order; a hypothesis is not asked for n-grams that its reference is too short for."""
    found = [shared(reference, hypothesis, order) for reference, hypothesis in pairs]
    for n in range(order):
        matches = sum(each[n] for each in found if len(each) > n)
        given = sum(max(0, len(hypothesis) - n) for reference, hypothesis in pairs if len(reference) > n)
        wanted = sum(max(0, len(reference) - n) for reference, _ in pairs)
        if given and wanted:
            yield matches / given, matches / wanted


def _rates(reference: str, hypothesis: str, order: int) -> Iterator[tuple[float, float]]:
    """Precision and recall of each order that both texts are long enough for."""
    for n, matches in enumerate(shared(reference, hypothesis, order)):
        yield matches / (len(hypothesis) - n), matches / (len(reference) - n)


def _f_score(rates: list[tuple[float, float]], weight: float) -> float:
    precision = sum(rate for rate, _ in rates)
    recall = sum(rate for _, rate in rates)
    if not precision:
        return 0.0
    return min(1.0, (1 + weight) * precision * recall / (weight * precision + recall) / len(rates))


def _words(blocks: list[str]) -> list[str]:
    """Words as chrF++ sees them: one mark of punctuation is split off, at the end or else at the beginning."""
    words = []
    for block in blocks:
        cut = len(block) - 1 if block[-1] in string.punctuation else int(block[0] in string.punctuation)
        words += [part for part in (block[:cut], block[cut:]) if part]
    return words
