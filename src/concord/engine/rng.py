"""The random generator that a check is given."""

import random

from concord.signature import digest


def rng(seed: int, relation: str, text: str, repetition: int) -> random.Random:
    """A generator that depends on nothing but these: the same in any order or batch, and on any machine."""
    return random.Random(digest(str(seed), relation, text, str(repetition)))
