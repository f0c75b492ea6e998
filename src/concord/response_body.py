"""The body of an HTTP response, with bounds on the unpacked bytes and on the values of its JSON."""

import contextlib
import json
import zlib
from typing import Any

import httpx2

from concord.errors import BadAnswer

ACCEPTED = {"Accept-Encoding": "gzip"}
"""The header that asks for one layer of compression at most."""
LARGEST = 4 * 2**20
MOST_VALUES = 100_000
"""An empty object takes two bytes to send and a hundred in memory, so values have a bound of their own."""
PLAIN, PACKED = ("", "identity"), ("gzip", "x-gzip", "deflate")


class Body:
    """The body of one answer, taken in as it arrives; `name` is the server's in errors.

    body = Body("Example", response)
    for piece in response.iter_raw():
        if not body.add(piece):
            break
    return body.json()
    """

    def __init__(
        self, name: str, response: httpx2.Response, *, largest: int = LARGEST, values: int = MOST_VALUES
    ) -> None:
        encoding = response.headers.get("content-encoding", "").strip().lower()
        # Raised when the body is read, since a status that is not success says more than a body.
        self._problem = (
            "" if encoding in (*PLAIN, *PACKED) else f"{name} compressed its answer in a way that was not asked for"
        )
        self._name = name
        self._largest = largest
        self._values = values
        self._data = bytearray()
        # 32: the header tells whether it is gzip or zlib.
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding in PACKED else None

    def add(self, piece: bytes) -> bool:
        """Take in a piece of the body; False once no further piece is needed."""
        left = self._largest + 1 - len(self._data)
        if left <= 0 or self._problem:
            return False
        if self._unpacker:
            try:
                piece = self._unpacker.decompress(piece, left)
            except zlib.error:
                self._problem = f"{self._name} answered with something that cannot be decompressed"
                return False
        self._data += piece[:left]
        return len(self._data) <= self._largest

    def text(self) -> str:
        """The body, or its beginning, as text."""
        return self._data[: self._largest].decode("utf-8", "replace")

    def json(self, complaint: str = "") -> Any:
        """The decoded body; raises `BadAnswer` if it cannot be used, with the complaint if it is not JSON."""
        if self._problem:
            raise BadAnswer(self._problem)
        if len(self._data) > self._largest:
            raise BadAnswer(f"{self._name} answered with more than {self._largest // 2**20} MB")
        if not _has_at_most(self._values, self._data):
            raise BadAnswer(f"{self._name} answered with JSON of more than {self._values:,} values")
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(self._data.decode("utf-8-sig"))
        # Raised outside of the handler: as its context, the decoder's error would keep the whole text alive.
        raise BadAnswer(complaint or f"{self._name} answered with something that is not JSON")


def _has_at_most(most: int, data: bytearray) -> bool:
    """Whether JSON has at most `most` values, without decoding it: signs inside strings do not count."""
    unescaped = data.replace(rb"\\", b"").replace(rb"\"", b"")
    if unescaped.count(b'"') > 2 * most:
        return False
    outside = b"".join(unescaped.split(b'"')[::2])
    return sum(outside.count(sign) for sign in (b"[", b"{", b",", b":")) <= most
