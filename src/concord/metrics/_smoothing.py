"""What BLEU does about n-grams that do not match (Chen and Cherry, 2014), as sacreBLEU, NLTK and Pesu et al. do it.

A smoothing takes, for every order from 1 up, how many n-grams match and how many the hypothesis has,
and gives the precisions whose geometric mean is wanted. The first order always has a match.
"""

from __future__ import annotations

from collections.abc import Callable

Smoothing = Callable[[list[int], list[int]], list[float]]


def halving(matches: list[int], totals: list[int]) -> list[float]:
    """Each order without a match counts half as much as the one before; orders without n-grams do not count."""
    precisions, share = [], 1.0
    for match, total in zip(matches, totals, strict=True):
        if total and not match:
            share /= 2
        if total:
            precisions.append((match or share) / total)
    return precisions


def adding_one(matches: list[int], totals: list[int]) -> list[float]:
    """An order without n-grams is taken to have one, which does not match: so the published values say."""
    return [(match + 1) / (max(1, total) + 1) for match, total in zip(matches, totals, strict=True)]


def unsmoothed(matches: list[int], totals: list[int]) -> list[float]:
    """NLTK's method 0; but 0 stays 0, where NLTK takes the smallest positive number so as to have a logarithm."""
    return [match / max(1, total) for match, total in zip(matches, totals, strict=True)]


SMOOTHINGS: dict[str, Smoothing] = {"sacrebleu": halving, "paper": adding_one, "nltk": unsmoothed}
