"""What scores of a whole corpus have in common: pairs of a reference and a hypothesis, and counts that are summed up.

Such a metric has `counts(a, b, **options)`, numbers that tell all about a pair, and `scored(counts, **options)`: the
score of one pair (`whole=False`) or of the sums over many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from concord.errors import UserError
from concord.model import Text

Pairs = Sequence[tuple[Text, Text]]
Counts = tuple[int, ...]


def summed(rows: Iterable[Counts]) -> Counts:
    """The sums of counts, of which there must be some."""
    found = list(rows)
    if not found:
        raise UserError("a corpus of 0 pairs has no score: give one pair of reference and hypothesis or more")
    return tuple(map(sum, zip(*found, strict=True)))


def counted(pairs: Pairs, count: Callable[[Text, Text], Counts]) -> Counts:
    """The sums over pairs; what stands there again is counted once."""
    known = {pair: count(*pair) for pair in dict.fromkeys(pairs)}
    return summed(known[pair] for pair in pairs)
