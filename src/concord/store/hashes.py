"""Hashes by which cases and their outputs are looked up.

A case has a key of 16 bytes, of which arrays hold the first half. The outputs of a case have a hash of 6 bytes: text in
sheets, forms and files of accepted findings, and the same as a number in arrays.
"""

from concord.signature import digest

_SIZE = 6


def key_number(key: bytes) -> int:
    """The first half of a key or of a digest as a number."""
    return int.from_bytes(key[:8])


def outputs_id(outputs: str) -> str:
    """A short id of outputs; its first letter keeps spreadsheets from reading it as a number."""
    return "o" + digest(outputs, size=_SIZE).hex()


def outputs_number(outputs: str) -> int:
    """The same hash as arrays hold it.

    >>> outputs_number("{}") == int(outputs_id("{}")[1:], 16)
    True
    """
    return key_number(digest(outputs, size=_SIZE))
