"""What scores of a whole corpus have in common: pairs of a reference and a hypothesis, at least one of them."""

from __future__ import annotations

from collections.abc import Sequence

from concord.errors import UserError
from concord.model import Text

Pairs = Sequence[tuple[Text, Text]]


def some(pairs: Pairs) -> Pairs:
    """The pairs, if there are any."""
    if not pairs:
        raise UserError("a corpus of 0 pairs has no score: give one pair of reference and hypothesis or more")
    return pairs
