"""Plans that several relations share: one direction, or a round trip."""

from __future__ import annotations

from collections.abc import Sequence

from concord.errors import UserError
from concord.model import Plan


def one_way(source: str, to: str, notes: Sequence[str] = (), files: Sequence[str] = ()) -> Plan:
    """A text is translated into another language than its own."""
    if source == to:
        raise UserError(
            f"a translation from {source} to {to} changes nothing; choose another language to translate into"
        )
    return Plan([(source, to)], [note for note in notes if note], [file for file in files if file])


def round_trip(source: str, to: str) -> Plan:
    """A text goes to another language and comes back."""
    if source == to:
        raise UserError(f"a round trip from {source} to {to} goes nowhere; choose another language to translate into")
    return Plan([(source, to), (to, source)])
