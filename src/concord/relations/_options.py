"""What relations ask of their options: another language to translate into, a threshold that means something."""

from __future__ import annotations

from concord.errors import UserError


def abroad(source: str, to: str) -> None:
    """A text is translated into another language than its own."""
    if source == to:
        raise UserError(
            f"a translation from {source} to {to} changes nothing; choose another language to translate into"
        )


def round_trip(source: str, to: str) -> None:
    """A text goes to another language and comes back."""
    if source == to:
        raise UserError(f"a round trip from {source} to {to} goes nowhere; choose another language to translate into")


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
