"""`concord.toml`: what relations are told where the command line is silent.

    [relations.rtt]
    threshold = 0.42

A table for each relation, with its options. What a command says itself wins.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord import plugins
from concord.errors import UnknownName, UserError
from concord.whole import whole

CONFIGURATION = "concord.toml"
KNOWN = ("relations",)
Tables = Mapping[str, Mapping[str, Any]]


def read_configuration(path: str | Path = CONFIGURATION) -> Tables:
    """The options of each relation in a file; none where there is no such file."""
    path = Path(path)
    return _tables(path, _text(path))


def relation(text: str, tables: Tables) -> plugins.Spec:
    """The relation that a text describes, with the configured options that it does not name itself."""
    given = plugins.parse("relations", text)
    told = tables.get(given.name, {})
    if not told:
        return given
    try:
        return plugins.spec("relations", given.name, given.argument, {**told, **given.options})
    except UserError as error:
        raise UserError(f"[relations.{given.name}] of the configuration: {error}") from None


def write_configuration(path: str | Path, name: str, options: Mapping[str, Any], remarks: Mapping[str, str]) -> None:
    """Set options of a relation, some with a remark; everything else in the file stays as it is, comments too."""
    path = Path(path)
    text = _text(path)
    before = _tables(path, text)
    for option, value in options.items():
        text = _set(text, f"relations.{name}", option, value, remarks.get(option, ""))
    wanted = {**before, name: {**before.get(name, {}), **_plain(options)}}
    try:
        same = tomllib.loads(text).get("relations") == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        lines = "\n".join(f"{option} = {_value(value)}" for option, value in options.items())
        raise UserError(f"{path} is written in a way that cannot be edited safely. Add:\n[relations.{name}]\n{lines}")
    with whole(path) as part:
        part.write_text(text, encoding="utf-8")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None


def _tables(path: Path, text: str) -> Tables:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not TOML: {error}") from None
    for name in found:
        if name not in KNOWN:
            raise UnknownName(f"table in {path}", name, KNOWN)
    tables = found.get("relations", {})
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        raise UserError(
            f"{path}: options stand in a table such as [relations.rtt], with lines such as: threshold = 0.4"
        )
    for name in tables:
        if name not in plugins.names("relations"):
            raise UnknownName(f"relation for {path} to configure", name, plugins.names("relations"))
    return tables


def _set(text: str, table: str, option: str, value: Any, remark: str) -> str:
    line = f"{option} = {_value(value)}" + (f"  # {remark}" if remark else "")
    lines = text.splitlines()
    start = next(
        (i for i, each in enumerate(lines) if re.fullmatch(rf"\s*\[{re.escape(table)}\]\s*(#.*)?", each)), None
    )
    if start is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{table}]", line]) + "\n"
    end = next((i for i in range(start + 1, len(lines)) if re.match(r"\s*\[", lines[i])), len(lines))
    for i in range(start + 1, end):
        if re.match(rf"\s*{re.escape(option)}\s*=", lines[i]):
            lines[i] = line
            break
    else:
        lines.insert(start + 1, line)
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # Strings of JSON are strings of TOML, but for the delete character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
