"""Write the pages that are made from the program itself: docs/cli.md and docs/plugins.md."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from concord import api, plugins
from concord.cli import app

TITLES = {"relations": "Relations", "translators": "Translators (systems under test)", "metrics": "Metrics"}


def pages() -> dict[str, str]:
    return {"cli.md": cli_page(), "plugins.md": plugins_page()}


def cli_page() -> str:
    """The help of every command, as the program prints it."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    parts = ["# The command line", "Made from the program by `make docs`."]
    for words in ([], *([name] for name in commands)):
        printed = CliRunner().invoke(app, [*words, "--help"], prog_name="concord", terminal_width=100).output
        parts += [f"## `{' '.join(['concord', *words])}`", "```\n" + printed.strip() + "\n```"]
    parts.append("Exit codes: 0 ok, 1 something failed while running, 2 wrong usage or input, 130 interrupted.")
    return "\n\n".join(parts) + "\n"


def plugins_page() -> str:
    """Every plug-in with its first sentence and its options."""
    parts = ["# Plug-ins", "Made from the program by `make docs`. On the command line: `NAME:ARGUMENT,option=value`."]
    for family in plugins.SINGULAR:
        parts.append(f"## {TITLES[family]}")
        for row in api.describe(family):
            parts += [f"### `{row['name']}`", row["purpose"]]
            if row["usage"] != row["name"]:
                parts.append(f"Written `{row['usage']}`.")
            if row.get("keys"):
                parts.append("Keys, from the environment only: " + ", ".join(f"`{key}`" for key in row["keys"]) + ".")
            if row["options"]:
                lines = ["| option | type | default |", "|---|---|---|"]
                lines += [
                    f"| `{o['name']}` | {o['type'].replace('|', ' or ')} | {o['default'] or ''} |"
                    for o in row["options"]
                ]
                parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    for name, text in pages().items():
        (Path(__file__).parent / name).write_text(text)
