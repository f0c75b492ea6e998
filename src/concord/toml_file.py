"""TOML files, which people write by hand; every error in one is reported in one line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from concord.bounds import is_deeper
from concord.errors import UserError

BOM = "\ufeff"
DEEPEST = 20
"""The deepest nesting of tables and lists, several times deeper than any that is used."""

# Every repetition is possessive, so that no text makes the patterns backtrack.
_QUOTED = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5}+)?|"(?:[^"\\\n]++|\\.)*+"?|#[^\n]*+|'''
    r"""'''(?:[^']++|'(?!''))*+(?:'{3,5}+)?|'[^'\n]*+'?""",
    re.DOTALL,
)
"""Strings and comments, also those that do not end."""
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file."""
    return parse_toml(path, toml_text(path))


def toml_text(path: Path, missing: str | None = None) -> str:
    """The text of the file, which may begin with a byte order mark; `missing` where there is no file."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        if missing is not None and isinstance(error, FileNotFoundError):
            return missing
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """The tables in the text of a file."""
    # tomllib takes time and memory that grow with the square of a dotted key, so such keys are refused beforehand.
    if _DEEP_KEY.search(_QUOTED.sub("q", text)):
        raise _too_deep(path)
    try:
        tables = tomllib.loads(text.removeprefix(BOM))
    except ValueError as error:  # a whole number of thousands of digits raises it as well
        raise UserError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise _too_deep(path) from None
    if is_deeper(tables, DEEPEST):
        raise _too_deep(path)
    return tables


def _too_deep(path: Path) -> UserError:
    return UserError(f"{path} is not read: tables or lists lie in each other more than {DEEPEST} deep")
