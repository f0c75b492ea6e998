"""The direction that a relation of one way translates in."""

from __future__ import annotations

from concord.errors import UserError


def abroad(source: str, to: str) -> None:
    """A text is translated into another language than its own."""
    if source == to:
        raise UserError(
            f"a translation from {source} to {to} changes nothing; choose another language to translate into"
        )
