"""Thresholds of relations whose suspicion is a share."""

from __future__ import annotations

from concord.errors import UserError


def share(relation: str, threshold: float) -> float:
    """The threshold, if a suspicion from 0 to 1 can be on either side of it.

    >>> share("rtt", 0.4)
    0.4
    """
    if not 0 <= threshold <= 1:
        raise UserError(
            f"{relation}: threshold is 0 to 1, as suspicion is, not {threshold:g}: 0 flags whatever differs, 1 nothing"
        )
    return threshold
