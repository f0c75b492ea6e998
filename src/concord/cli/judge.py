"""The command `judge`, for pairs that were translated elsewhere."""

from pathlib import Path
from typing import Annotated, Any

import typer

from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import AsJson, Dictionaries, Glossary, Synonyms, option
from concord.cli.output import print_json, print_table, say
from concord.plural import plural


@app.command()
def judge(
    pairs: Annotated[
        Path, typer.Argument(help="CSV, TSV or JSONL: source, follow_up, source_translation, follow_up_translation.")
    ],
    relation: Annotated[str, option("--relation", "-r", help="The relation. [default: the column `relation`]")] = "",
    source: Annotated[str, option("--from", help="The source language. [default: the column `source_lang`]")] = "",
    to: Annotated[str, option("--to", "-t", help="The target language. [default: the column `target_lang`]")] = "",
    glossary: Glossary = None,
    synonyms: Synonyms = None,
    dictionaries: Dictionaries = None,
    as_json: AsJson = False,
) -> None:
    """Apply a relation's comparison to pairs that were translated elsewhere; no translator is needed.

    The exit code is 1 if no pair could be judged.
    """
    from concord import api

    notes: list[str] = []
    evidence = {"glossary": str(glossary or ""), "synonyms": str(synonyms or ""), "dictionaries": dictionaries or "all"}
    options = {"relation": relation, "source": source, "target": to, **evidence}
    rows = list(api.judge(pairs, **options, note=notes.append))
    judged = [row for row in rows if "error" not in row]
    if as_json:
        print_json({"rows": rows, "notes": notes})
    else:
        _print(rows, judged)
    for note in notes:
        say(note)
    if rows and not judged:
        raise typer.Exit(FAILED)


def _print(rows: list[dict[str, Any]], judged: list[dict[str, Any]]) -> None:
    table = [
        (str(r["line"]), r["relation"], r["error"])
        if "error" in r
        else (str(r["line"]), r["relation"], f"{r['suspicion']:.3f}{'  flagged' if r['violated'] else ''}")
        for r in rows
    ]
    print_table(("line", "relation", "suspicion (higher is worse)"), table)
    left = f"; {len(rows) - len(judged)} could not be judged" if len(judged) < len(rows) else ""
    print(f"{sum(row['violated'] for row in judged)} of {plural(len(judged), 'pair')} flagged{left}")
