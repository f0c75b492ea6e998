"""Scores of a whole corpus: the counts of all pairs of a reference and a hypothesis are summed, then scored once.

Such a metric has `counts(a, b, **options)`, the sufficient statistics of a pair, and `scored(counts, **options)`, the
score of one pair (`whole=False`) or of the sums over many.
"""

from collections.abc import Callable, Iterable, Sequence

from concord.errors import UserError
from concord.model import Text

Pairs = Sequence[tuple[Text, Text]]
Counts = tuple[int, ...]


def summed(rows: Iterable[Counts]) -> Counts:
    """The sums of one or more rows of counts."""
    counts = list(rows)
    if not counts:
        raise UserError("a corpus of 0 pairs has no score: give one pair of reference and hypothesis or more")
    return tuple(map(sum, zip(*counts, strict=True)))


def counted(pairs: Pairs, count: Callable[[Text, Text], Counts]) -> Counts:
    """The sums over all pairs; the counts of equal pairs are computed once."""
    counts = {pair: count(*pair) for pair in dict.fromkeys(pairs)}
    return summed(counts[pair] for pair in pairs)
