"""Relations: one file or folder for each published method, and for each check of ours."""

from __future__ import annotations

from concord.plugins import Parameter
from concord.relations._protocol import load_relation

__all__ = ["options"]


def options(name: str) -> list[Parameter]:
    """The options of a relation, or of one of its forms such as `rti:paper`."""
    return load_relation(name).options
