"""Detecting damaged rows by the types of their columns and the form of their JSON.

SQLite has no checksums, and stores any type in any column. A row is sound if each column has a type that Concord
writes, and if its JSON has the form that Concord gives it.
"""

import itertools
import json
import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args

from concord.bounds import is_deeper
from concord.database import LONGEST_VALUE

_DEEPEST = 20
"""The deepest nesting of JSON that Concord writes."""
_decode = json.JSONDecoder().raw_decode
_SHOWN = 80
_NAMES = {int: "a whole number", float: "a number", str: "text", bytes: "bytes", type(None): "empty"}
T = TypeVar("T")


class DamagedRow(ValueError):
    """Why a row of the workspace cannot be read."""


class Shape:
    """The columns of a row, and the types that each of them may have."""

    def __init__(self, **columns: type | UnionType) -> None:
        self.columns = ", ".join(columns)
        self._names = tuple(columns)
        self.kinds = [get_args(kind) or (kind,) for kind in columns.values()]
        self._sound = frozenset(itertools.product(*self.kinds))

    def make(self, make: Callable[..., T], row: Sequence[Any]) -> T:
        """Call `make` with the columns of a row, if these are sound."""
        self.check(row)
        return make(*row)

    def check(self, row: Sequence[Any]) -> None:
        """Raise DamagedRow unless each column has one of its types."""
        if tuple(map(type, row)) in self._sound:
            return
        for name, kinds, value in zip(self._names, self.kinds, row, strict=True):
            if type(value) not in kinds:
                raise DamagedRow(f"its {name} is {_mismatch(value, kinds)}")


def _mismatch(value: Any, kinds: Sequence[type]) -> str:
    if isinstance(value, bytes) and str in kinds:
        return "not UTF-8"
    return f"{_NAMES.get(type(value), 'unknown')} in place of {_NAMES[kinds[0]]}"


def loads(packed: Any, kind: type[T], name: str) -> T:
    """The value of a JSON column, checked for type and depth, so that it can be serialised again."""
    value = parsed(packed, kind, name)
    check_depth(value, name)
    return value


def parsed(packed: Any, kind: type[T], name: str) -> T:
    """The value of a JSON column, checked for its type, however deeply it is nested."""
    if not isinstance(packed, str):
        raise DamagedRow(f"its {name} is {_mismatch(packed, (str,))}")
    try:
        value, end = _decode(packed)
        if "\\u" in packed:  # half of a surrogate pair can only come from such an escape
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise DamagedRow(f"its {name} is not JSON ({str(error)[:_SHOWN]})") from None
    if type(value) is not kind or end != len(packed):
        raise DamagedRow(f"its {name} is not a JSON {'object' if kind is dict else 'list'}")
    return value


def check_depth(value: Any, name: str) -> None:
    """Raise DamagedRow if a value is nested too deeply to be serialised again."""
    if is_deeper(value, _DEEPEST):
        raise DamagedRow(f"its {name} is nested more than {_DEEPEST} deep")


def inflated(data: Any, name: str) -> bytes:
    """Decompress bytes of zlib, up to the longest value of a column."""
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(data, LONGEST_VALUE)
    except (zlib.error, TypeError) as error:
        raise DamagedRow(f"its {name} cannot be unpacked ({error})") from None
    if not unpacking.eof:
        raise DamagedRow(f"its {name} is cut off, or longer than {LONGEST_VALUE:,} bytes")
    return unpacked


def sound(rows: Iterable[Any], shape: Shape, make: Callable[..., T], name: Callable[[Any], str]) -> Iterator[T]:
    """What `make` gives for each sound row. A damaged row is left out and logged under its name."""
    for row in rows:
        try:
            product = shape.make(make, row)
        except DamagedRow as error:
            left_out(f"{name(row)} is damaged and left out: {error}")
        else:
            yield product


@lru_cache(1_000)
def left_out(message: str) -> None:
    """Log a message once; if logging is not configured, it goes to standard error."""
    logging.getLogger("concord").warning("%s", message)


def printable(value: Any) -> str:
    """A value of any type as it is written in a message."""
    return "" if value is None else (value.hex() if isinstance(value, bytes) else str(value))[:_SHOWN]
