"""Plans that several relations share: one translation, or a round trip."""

from collections.abc import Sequence

from concord.errors import UserError
from concord.model import Plan


def one_way(source: str, to: str, notes: Sequence[str] = (), files: Sequence[str] = ()) -> Plan:
    """The plan of a translation into another language."""
    if source == to:
        raise UserError(
            f"a translation from {source} to {to} changes nothing; choose another language to translate into"
        )
    return Plan([(source, to)], [note for note in notes if note], [file for file in files if file])


def round_trip(source: str, to: str) -> Plan:
    """The plan of a translation into another language and back."""
    if source == to:
        raise UserError(f"a round trip from {source} to {to} goes nowhere; choose another language to translate into")
    return Plan([(source, to), (to, source)])
