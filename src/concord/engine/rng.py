"""The random generator that a check is given."""

from __future__ import annotations

import random

from concord.signature import digest


def rng(seed: int, relation: str, text: str, repetition: int) -> random.Random:
    """Randomness that is the same whatever the order, the batch or the machine."""
    return random.Random(digest(str(seed), relation, text, str(repetition)))
