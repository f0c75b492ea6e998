"""Commands on what a relation would ask, before anything is translated."""

from __future__ import annotations

from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import AsJson, Format, From, Seed, option
from concord.cli.output import print_json, print_table, visible
from concord.plural import plural


@app.command()
def phrases(
    corpus: Annotated[
        str, typer.Argument(help="A file (lines, TSV, CSV, JSONL, TMX, XLIFF, PO; also .gz), `-`, or `demo`.")
    ] = "demo",
    relation: Annotated[
        str, option("--relation", "-r", metavar="RELATION", help="The relation: NAME[,option=value].")
    ] = "rti",
    source: From = "en",
    format: Format = None,
    limit: Annotated[int | None, option(min=1, help="Read only the first N segments.")] = None,
    seed: Seed = 12345,
    parser: Annotated[str, option("--parser", metavar="PARSER", help="NAME of `concord parsers`.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Print the phrases that a relation would test and what holds them; nothing is translated."""
    from concord import api

    opened = api.read(corpus, source, format=format, limit=limit)
    rows = list(api.constructed(opened, relation, parser=parser, seed=seed))
    pairs = [row for row in rows if "error" not in row]
    counts = {
        "segments": opened.size,
        "phrases": len({row["phrase"] for row in pairs}),
        "pairs": len(pairs),
        "errors": len(rows) - len(pairs),
    }
    failed = bool(rows) and not pairs
    if as_json:
        print_json({**counts, "rows": rows})
        raise typer.Exit(FAILED if failed else 0)
    shown = [
        (row["segment"], "error", visible(row["error"]))
        if "error" in row
        else (row["segment"], visible(row["phrase"]), visible(row["container"]))
        for row in rows
    ]
    print_table(("segment", "phrase", "container"), shown)
    print(
        ", ".join(plural(count, name.removesuffix("s")) for name, count in counts.items() if count or name != "errors")
    )
    raise typer.Exit(FAILED if failed else 0)
