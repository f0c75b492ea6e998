"""Arrays serialised as bytes: a line of JSON that names them, then their numbers as they lie in memory."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_ALIGNED = 8


def pack(arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> bytes:
    """Serialise arrays of numbers, and facts that JSON can hold."""
    shapes = [(name, array.dtype.str, len(array)) for name, array in arrays.items()]
    header = json.dumps({"arrays": shapes, "facts": facts}).encode()
    header += b" " * (-(len(header) + 1) % _ALIGNED) + b"\n"
    return b"".join([header, *(_padded(array.tobytes()) for array in arrays.values())])


def unpack(packed: bytes) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays, which share the memory of the bytes, and the facts. ValueError if the bytes are not whole."""
    start = packed.index(b"\n") + 1
    header = json.loads(packed[:start])
    arrays = {}
    for name, kind, length in header["arrays"]:
        arrays[name] = np.frombuffer(packed, np.dtype(kind), length, start)
        start += -(-arrays[name].nbytes // _ALIGNED) * _ALIGNED
    return arrays, header["facts"]


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNED)
