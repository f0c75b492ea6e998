"""Commands that list plug-ins, and `doctor`, which checks the installation."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from concord import api
from concord.cli.app import app
from concord.cli.options import AsJson, option
from concord.cli.output import options_of, print_json, print_table, program_name, visible


def _listing(family: str) -> Callable[[str | None, bool], None]:
    def command(
        name: Annotated[
            str | None,
            typer.Argument(metavar="NAME", help="One of them: its documentation, and what its options mean."),
        ] = None,
        as_json: AsJson = False,
    ) -> None:
        from concord.api.plugins import FAMILIES

        if name is not None:
            row = api.describe_one(family, name)
            print_json(row) if as_json else _print_one(row)
            return
        rows = api.describe(family)
        if as_json:
            print_json({"rows": rows})
            return
        if family == "relations":
            _print_relations(rows)
            return
        head = FAMILIES[family].singular
        print_table((head, "what it is", "options"), [(r["usage"], r["purpose"], options_of(r)) for r in rows])
        if any(r.get("keys") for r in rows):
            print("Keys are read from the environment only:")
            print_table(("translator", "variables"), [(r["name"], " ".join(r["keys"])) for r in rows if r.get("keys")])

    return command


def _print_relations(rows: list[dict[str, Any]]) -> None:
    from concord.views.relations import relations_table

    table = relations_table(rows)
    print_table(table.columns, table.rows)
    print(f"\n{table.note}\n{program_name()} relations NAME: what its options mean, and its other forms.")


def _measured(row: dict[str, Any]) -> list[str]:
    """What a relation finds, and what was measured of it."""
    from concord.views.relations import measured_text

    finds = f"It finds {row['finds']}." if row.get("finds") else ""
    if row.get("recommended"):
        finds += " It is in the recommended set."
    return [line for line in (finds, measured_text(row.get("measured", {}))) if line]


def _print_one(row: dict[str, Any]) -> None:
    """A plug-in with everything that it says of itself."""
    for line in (row["usage"], "", *row["documentation"].splitlines(), "", *_measured(row)):
        print(visible(line))
    options = [{**row["argument"], "name": "ARGUMENT"}] if row["argument"] else []
    columns = ("name", "type", "range", "default", "help")
    cells = [[option[column] or "" for column in columns] for option in [*options, *row["options"]]]
    if cells:
        print_table(("option", "type", "range", "default", "meaning"), cells)
    for form in row.get("forms", ()):
        print(f"{form['name']} is judged as published: {program_name()} relations {form['name']}")
    if row.get("keys"):
        print(f"Keys are read from the environment only: {' '.join(row['keys'])}")


for _family, _help in (
    ("relations", "List the relations with their options."),
    ("translators", "List the systems that can be tested, with their options."),
    ("metrics", "List the similarity metrics with their options."),
    ("parsers", "List the parsers that relations can use, with their options."),
    ("substitutes", "List the sources of substitutes for words, with their options."),
    ("encoders", "List the encoders of sentences, with their options."),
):
    app.command(_family, help=_help)(_listing(_family))


@app.command()
def doctor(
    languages: Annotated[
        bool, option("--languages", help="What each relation needs for each source language instead.")
    ] = False,
    lang: Annotated[
        list[str] | None,
        option("--lang", metavar="LANG", help="Only this language, with the commands that install it; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the installation, and print the command that fixes what does not work."""
    if languages or lang:
        _print_languages(lang or [], as_json)
        return
    rows = api.doctor()
    if as_json:
        print_json({"rows": rows})
    else:
        print_table(
            ("", "component", "found", "to fix"),
            [("ok" if r["ok"] else "--", r["what"], r["found"], r["fix"]) for r in rows],
        )


def _print_languages(langs: list[str], as_json: bool) -> None:
    from concord.views.languages import languages_table

    by_language = api.language_needs(langs)
    if as_json:
        print_json({"rows": [need.plain() for row in by_language.values() for need in row]})
        return
    table = languages_table(by_language, here=True)
    print_table(table.columns, table.rows)
    print(f"\n{table.note}")
    for lang in langs and by_language:
        commands = dict.fromkeys(need.install for need in by_language[lang] if need.install)
        print(*(f"{lang}: {command}" for command in commands), sep="\n", end="\n" if commands else "")
