"""Keys and marks: the short forms in which cases and their outputs are looked up.

A case has a key of 16 bytes, of which arrays hold the first half. The outputs of a case have a mark of 6 bytes: a word
in sheets, forms and files of accepted findings, and the same as a number in arrays.
"""

from __future__ import annotations

from concord.signature import digest

_MARK = 6


def half(key: bytes) -> int:
    """The first half of a key or of a digest as a number."""
    return int.from_bytes(key[:8])


def mark_of(outputs: str) -> str:
    """A short name for outputs that no spreadsheet takes for a number."""
    return "o" + digest(outputs, size=_MARK).hex()


def mark(outputs: str) -> int:
    """The same mark as arrays hold it.

    >>> mark("{}") == int(mark_of("{}")[1:], 16)
    True
    """
    return half(digest(outputs, size=_MARK))
