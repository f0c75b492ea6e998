"""Write the pages that are made from the program itself: docs/cli.md, docs/languages.md, docs/plugins.md and more."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from concord import api, plugins
from concord.cli.commands import app
from concord.model import Price
from concord.views.languages import languages_table
from concord.views.relations import relations_table

TITLES = {
    "relations": "Relations",
    "translators": "Translators (systems under test)",
    "metrics": "Metrics",
    "parsers": "Parsers",
    "substitutes": "Substitutes",
    "encoders": "Encoders",
}


def pages() -> dict[str, str]:
    return {
        "cli.md": cli_page(),
        "plugins.md": plugins_page(),
        "translators.md": translators_page(),
        "languages.md": languages_page(),
    }


def cli_page() -> str:
    """The help of every command, as the program prints it."""
    parts = ["# The command line", "Made from the program by `make docs`."]
    for words in _commands(typer.main.get_command(app), []):
        printed = CliRunner().invoke(app, [*words, "--help"], prog_name="concord", terminal_width=100).output
        parts += [f"## `{' '.join(['concord', *words])}`", "```\n" + printed.strip() + "\n```"]
    failures = "1 something failed while running, 2 wrong usage or input, 3 a rule of the gate is broken"
    parts.append(f"Exit codes: 0 ok, {failures}, 130 Ctrl-C, 143 SIGTERM.")
    return "\n\n".join(parts) + "\n"


def _commands(command: Any, words: list[str]) -> Iterator[list[str]]:
    """The words of every command, and of those below it."""
    yield words
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, [*words, name])


def plugins_page() -> str:
    """Every plug-in with its first sentence and its options."""
    parts = ["# Plug-ins", "Made from the program by `make docs`. On the command line: `NAME:ARGUMENT,option=value`."]
    for family in plugins.FAMILIES:
        rows = api.describe(family)
        parts += [f"## {TITLES[family]}"] if rows else []
        parts += _relations(rows) if family == "relations" else []
        for row in rows:
            parts += [f"### `{row['name']}`", row["purpose"]]
            if row.get("argument"):
                parts.append(f"Written `{row['usage']}`. {row['argument']['help']}")
            if row.get("keys"):
                parts.append("Keys, from the environment only: " + ", ".join(f"`{key}`" for key in row["keys"]) + ".")
            parts += _options(row["options"])
            for form in row.get("forms", ()):
                parts += [f"`{form['name']}` is judged as published.", *_options(form["options"])]
    return "\n\n".join(parts) + "\n"


def languages_page() -> str:
    """What each relation needs for each source language, one row for the languages that need the same."""
    table = languages_table(api.language_needs())
    lines = [f"| {' | '.join(row)} |".replace("*", "\\*") for row in [table.columns, *table.rows]]
    rule = "|---" * len(table.columns) + "|"
    intro = (
        "Made from the program by `make docs`. What a relation needs for texts in a language, whatever they are"
        " translated into; a relation that parses translations as well (mgmt, sit) says what it leaves out where their"
        " language has no parser. `concord doctor --languages` prints the same with what this machine has, and"
        " `concord doctor --lang LANG` the commands that install the rest. [How a parser is named](services.md)."
    )
    other = (
        "Texts in any other language run sane, literals, rtt, pivot and the sentence granularity of mgmt as they are,"
        " concatenation with `unrelated=…`, and the rest with a parser of your own."
    )
    return (
        "\n\n".join(["# Languages", intro, "\n".join([lines[0], rule, *lines[1:]]), _lines(table.note), other]) + "\n"
    )


def _lines(note: str) -> str:
    return note.replace("* ", "\\* ").replace("\n", "  \n")


def _relations(rows: list[dict[str, Any]]) -> list[str]:
    """The table of what each relation finds, and how to read it."""
    table = relations_table(rows)
    rule = "|---|---|---:|---:|---:|---:|---|"
    cells = [[f"`{name}`".replace(" *`", "` \\*"), *rest] for name, *rest in table.rows]
    lines = [f"| {' | '.join(row)} |" for row in [table.columns, *cells]]
    return ["\n".join([lines[0], rule, *lines[1:]]), table.note.replace("* ", "\\* ").replace("\n", "  \n")]


def _options(options: list[dict[str, Any]]) -> list[str]:
    """The table of some options, if there are any."""
    lines = ["| option | type | range | default | meaning |", "|---|---|---|---|---|"]
    for option in options:
        cells = [
            option["type"].replace("|", " or "),
            option["range"],
            option["default"] or "",
            option["help"].replace("|", "\\|"),
        ]
        lines.append(" | ".join([f"| `{option['name']}`", *cells]) + " |")
    return ["\n".join(lines)] if options else []


def translators_page() -> str:
    """What each adapter needs and allows: variables, limits, price, codes that differ."""
    parts = [
        "# Translators",
        "Made from the adapters by `make docs`. Keys are read from the environment only, and never stored or shown."
        " A file such as `my-plan.toml` sets other limits, `per_second` and `per_month` (characters) too, and a price.",
        "| system | variables | texts a request | characters a request | requests at once | requests a second"
        " | list price |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    details = []
    for row in api.describe("translators"):
        module, adapter = plugins.load("translators", row["name"]), plugins.entry("translators", row["name"])
        limits, price = adapter.limits, adapter.price
        cells = [f"`{row['usage']}`", " ".join(f"`{key}`" for key in row["keys"])]
        cells += [f"{limits.texts:,}", f"{limits.characters:,}", str(limits.in_flight)]
        cells += [f"{limits.per_second:g}" if limits.per_second else "", _price(price)]
        parts.append("| " + " | ".join(cells) + " |")
        details.append(f"## `{row['name']}`\n\n{inspect.getdoc(module)}")
        spelling = getattr(module, "SPELLING", None)
        table = spelling.table if spelling else getattr(module, "CODES", {}) or getattr(module, "SPELLED", {})
        codes = {ours: theirs for ours, theirs in sorted(table.items()) if ours != theirs}
        if codes:
            listed = ", ".join(f"`{ours}` → `{theirs}`" for ours, theirs in codes.items())
            details.append(f"Codes that it spells differently: {listed}.")
    return "\n\n".join([*parts[:2], "\n".join(parts[2:]), *details]) + "\n"


def _price(price: Price | None) -> str:
    if price is None:
        return ""
    return f"{price.per_million_characters:g} {price.currency} a million characters ({price.where}, {price.day})"


if __name__ == "__main__":
    for name, text in pages().items():
        (Path(__file__).parent / name).write_text(text)
