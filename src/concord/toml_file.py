"""TOML files, which people write by hand; whatever is wrong with one is told in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from concord.bounds import is_deeper
from concord.errors import UserError

BOM = "\ufeff"
DEEPEST = 20
"""Tables and lists may lie in each other as deeply as this, several times deeper than any that is read."""


def read_toml(path: Path) -> dict[str, Any]:
    """What a file says."""
    return parse_toml(path, toml_text(path))


def toml_text(path: Path, missing: str | None = None) -> str:
    """The file as it is, some editors begin it with a mark of its encoding; `missing` where there is none."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        if missing is not None and isinstance(error, FileNotFoundError):
            return missing
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """What the text of a file says."""
    try:
        tables = tomllib.loads(text.removeprefix(BOM))
    except ValueError as error:  # which a whole number of thousands of digits is as well
        raise UserError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise _too_deep(path) from None
    if is_deeper(tables, DEEPEST):
        raise _too_deep(path)
    return tables


def _too_deep(path: Path) -> UserError:
    return UserError(f"{path} is not read: tables or lists lie in each other more than {DEEPEST} deep")
