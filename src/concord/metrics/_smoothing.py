"""What BLEU does about n-grams that do not match (Chen and Cherry, 2014), as sacreBLEU, NLTK and Pesu et al. do it.

A smoothing takes, for every order from 1 up, how many n-grams match and how many the hypothesis has,
and gives the precisions whose geometric mean is wanted. The first order always has a match.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from concord.arithmetic import log_of

Smoothing = Callable[[list[int], list[int]], list[float]]

_ORDER = 4
_EPSILON = 0.1  # the three constants are Chen and Cherry's, and NLTK's defaults
_ALPHA = 5
_K = 5


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


def adding_epsilon(matches: list[int], totals: list[int]) -> list[float]:
    """Method 1: a small number of matches where there is none."""
    return [(match or _EPSILON) / max(1, total) for match, total in zip(matches, totals, strict=True)]


def adding_one_above_words(matches: list[int], totals: list[int]) -> list[float]:
    """Method 2 (Lin and Och, 2004): one more match and n-gram in every order but the first."""
    return [matches[0] / totals[0], *adding_one(matches[1:], totals[1:])]


def halving_all(matches: list[int], totals: list[int]) -> list[float]:
    """Method 3: as `halving`, but NLTK takes an order without n-grams to have one."""
    return halving(matches, [max(1, total) for total in totals])


def shrinking(matches: list[int], totals: list[int]) -> list[float]:
    """Method 4: as method 3, but shorter texts get less."""
    # The logarithm of 1 gives a lone word nothing; NLTK then leaves out the orders without a match.
    return [rate for rate in _shrunk(matches, totals) if rate]


def averaging(matches: list[int], totals: list[int]) -> list[float]:
    """Method 5: each order is averaged with its neighbours. NLTK averages precisions, where the paper has matches."""
    return _averaged(unsmoothed(matches, totals))


def extrapolating(matches: list[int], totals: list[int]) -> list[float]:
    """Method 6 (Gao and He, 2013): the two orders before say what to expect of an order.

    NLTK raises an error if no trigram matches. The formula holds as long as a bigram does; without one it gives 0.
    """
    rates = unsmoothed(matches[:2], totals[:2])
    for match, total in zip(matches[2:], totals[2:], strict=True):
        expected = rates[-1] ** 2 / rates[-2] if rates[-2] else 0.0
        rates.append((match + _ALPHA * expected) / (total + _ALPHA))
    return rates


def shrinking_and_averaging(matches: list[int], totals: list[int]) -> list[float]:
    """Method 7: method 4, then method 5. The order that only lends its precision to its neighbour is not smoothed."""
    shrunk = _shrunk(matches[:_ORDER], totals[:_ORDER])
    return _averaged(shrunk + unsmoothed(matches[_ORDER:], totals[_ORDER:]))


def _shrunk(matches: list[int], totals: list[int]) -> list[float]:
    rates, share = [], log_of(totals[0]) / _K
    for match, total in zip(matches, totals, strict=True):
        if not match:
            share /= 2
        rates.append((match or share) / max(1, total))
    return rates


def _averaged(rates: list[float]) -> list[float]:
    averages = [rates[0] + 1]
    for rate, following in pairwise(rates):
        averages.append((averages[-1] + rate + following) / 3)
    return averages[1:]


# The number of orders that a smoothing looks at, and the smoothing.
SMOOTHINGS: dict[str, tuple[int, Smoothing]] = {
    "sacrebleu": (_ORDER, halving),
    "paper": (_ORDER, adding_one),
    "nltk": (_ORDER, unsmoothed),
    "nltk1": (_ORDER, adding_epsilon),
    "nltk2": (_ORDER, adding_one_above_words),
    "nltk3": (_ORDER, halving_all),
    "nltk4": (_ORDER, shrinking),
    "nltk5": (_ORDER + 1, averaging),
    "nltk6": (_ORDER, extrapolating),
    "nltk7": (_ORDER + 1, shrinking_and_averaging),
}
