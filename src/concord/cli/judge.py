"""The command `judge`, for pairs that were translated elsewhere."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from concord import api
from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import AsJson, Dictionaries, Glossary, Services, Synonyms, chosen_plugins, gathered, option
from concord.cli.output import print_json, print_table, say
from concord.errors import NOT_JUDGED
from concord.plural import plural


@app.command()
@gathered(services=chosen_plugins)
def judge(
    *,
    pairs: Annotated[
        Path, typer.Argument(help="CSV, TSV or JSONL: source, follow_up, source_translation, follow_up_translation.")
    ],
    relation: Annotated[str, option("--relation", "-r", help="The relation. [default: the column `relation`]")] = "",
    source: Annotated[str, option("--from", help="The source language. [default: the column `source_lang`]")] = "",
    to: Annotated[str, option("--to", "-t", help="The target language. [default: the column `target_lang`]")] = "",
    glossary: Glossary = None,
    synonyms: Synonyms = None,
    dictionaries: Dictionaries = None,
    services: Services,
    as_json: AsJson = False,
) -> None:
    """Apply a relation's comparison to pairs that were translated elsewhere; no translator is needed.

    A pair with an answer that is no translation is not judged: a row of the relation `sane` flags the answer. The exit
    code is 1 if neither a pair nor an answer could be judged.
    """
    notes: list[str] = []
    evidence = {"glossary": str(glossary or ""), "synonyms": str(synonyms or ""), "dictionaries": dictionaries or "all"}
    options = {"relation": relation, "source": source, "target": to, **evidence}
    rows = list(api.judge(pairs, **options, services=services, note=notes.append))
    if as_json:
        print_json({"rows": rows, "notes": notes})
    else:
        _print(rows)
    for note in notes:
        say(note)
    if all("error" in row for row in rows):
        raise typer.Exit(FAILED)


def _print(rows: list[dict[str, Any]]) -> None:
    table = [(str(row["line"]), row["relation"], row["error"] if "error" in row else _verdict(row)) for row in rows]
    print_table(("line", "relation", "suspicion (higher is worse)"), table)
    print("; ".join(_counts(rows)))


def _verdict(row: dict[str, Any]) -> str:
    why = row["evidence"].get("reason") if row["relation"].lower() == api.SANE else None
    return f"{row['suspicion']:.3f}{'  flagged' if row['flagged'] else ''}{f': {why}' if why else ''}"


def _counts(rows: list[dict[str, Any]]) -> Iterator[str]:
    """How many pairs are flagged, not judged, or end in an error; the last row of each line is that of its pair."""
    pairs = {row["line"]: row for row in rows}.values()
    judged = [row for row in pairs if "error" not in row]
    not_judged = sum(row.get("error", "").startswith(NOT_JUDGED) for row in pairs)
    yield f"{sum(row['flagged'] for row in judged)} of {plural(len(judged), 'pair')} flagged"
    if not_judged:
        yield f"{not_judged} not judged"
    answers = [row for row, following in pairwise(rows) if row["line"] == following["line"]]
    if kinds := Counter(row["factors"]["failure"] for row in answers).most_common():
        counts = ", ".join(f"{count} {kind}" for kind, count in kinds)
        yield f"{plural(len(answers), 'answer')} flagged by sane ({counts})"
    if failed := len(pairs) - len(judged) - not_judged:
        yield f"{failed} could not be judged"
