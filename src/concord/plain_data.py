"""JSON data of anything that is printed."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any


def plain(value: Any) -> Any:
    """A dataclass as a mapping, a tuple as a list, a path as a text; None for a number that is not defined.

    >>> plain({"ends": (0.5, math.nan)})
    {'ends': [0.5, None]}
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, Path):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_kind(kind: type) -> str:
    """What JSON calls the values that Python decodes to this type."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(kind, "a number")


class PlainData:
    """A dataclass that is printed as JSON just as it is."""

    __slots__ = ()

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return dict(plain(self))
