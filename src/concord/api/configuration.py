"""The configuration: what it says of relations, and which errors are its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from concord.runs.config import left_out, naming_file, read_configuration

__all__ = ["naming_file", "unused_thresholds"]


def unused_thresholds(config: str | Path, relations: Iterable[str]) -> list[str]:
    """What to tell the user of configured thresholds that runs of these relations leave out."""
    return left_out(relations, read_configuration(config))
