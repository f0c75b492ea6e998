"""What the numbers of cases mean: which scores are worse when higher, and which thresholds are flagged themselves."""

from __future__ import annotations

import contextlib
import math
from functools import cache

from concord import plugins
from concord.errors import UserError
from concord.relations._judgement import PAPER, PROBABILITY

_DIGITS = 12


def limit(threshold: float) -> tuple[float, bool]:
    """A threshold as people say it, and whether it is flagged itself.

    To be above the number before 0.4 is to be 0.4 or more.

    >>> limit(0.4), limit(math.nextafter(0.4, 0))
    ((0.4, False), (0.4, True))
    """
    following = math.nextafter(threshold, math.inf)
    plain = following == round(following, _DIGITS) and threshold != round(threshold, _DIGITS)
    return (following, True) if plain else (threshold, False)


def worse_when_higher(score: str, relation: str) -> bool | None:
    """Whether higher numbers of a score speak for a bug; None where nobody says.

    A relation names those of its own that do as its `WORSE_WHEN_HIGHER`.
    """
    if score in (PAPER, PROBABILITY) or score in _worse_when_higher(relation):
        return True
    return False if score.partition(":")[0] in _metrics() else None


@cache
def _worse_when_higher(relation: str) -> frozenset[str]:
    """What a relation says; nothing, if it is not installed here."""
    with contextlib.suppress(UserError):
        return frozenset(getattr(plugins.load("relations", relation), "WORSE_WHEN_HIGHER", ()))
    return frozenset()


@cache
def _metrics() -> frozenset[str]:
    return frozenset(plugins.names("metrics"))
