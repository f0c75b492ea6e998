"""Scores of a whole corpus: the counts of all pairs of a reference and a hypothesis are summed, then scored once.

Such a metric has `counts(a, b, **options)`, the sufficient statistics of a pair, and `scored(counts, **options)`, the
score of one pair (`whole=False`) or of the sums over many.
"""

from collections.abc import Iterable, Sequence

from concord.model import Text

Pairs = Sequence[tuple[Text, Text]]
Counts = tuple[int, ...]


def summed(rows: Iterable[Counts]) -> Counts:
    """The sums of one or more rows of counts."""
    return tuple(map(sum, zip(*rows, strict=True)))
