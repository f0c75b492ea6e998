"""The command `phrases`: what a relation would test, before anything is translated."""

from typing import Annotated

import typer

from concord import api
from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import AsJson, CorpusName, Format, From, Limit, ParserNames, Seed, option
from concord.cli.output import print_json, print_table, visible
from concord.plural import plural


@app.command()
def phrases(
    corpus: CorpusName = "demo",
    relation: Annotated[
        str, option("--relation", "-r", metavar="RELATION", help="The relation: NAME[,option=value].")
    ] = "rti",
    source: From = "en",
    format: Format = None,
    limit: Limit = None,
    seed: Seed = 12345,
    parser: ParserNames = None,
    as_json: AsJson = False,
) -> None:
    """Print the phrases that a relation would test, and the texts that contain them; nothing is translated."""
    opened_corpus = api.read(corpus, source, format=format, limit=limit)
    rows = list(api.constructed(opened_corpus, relation, parser=";".join(parser or ()), seed=seed))
    pairs = [row for row in rows if "error" not in row]
    counts = {
        "segments": opened_corpus.size,
        "phrases": len({row["phrase"] for row in pairs}),
        "pairs": len(pairs),
        "errors": len(rows) - len(pairs),
    }
    failed = bool(rows) and not pairs
    if as_json:
        print_json({**counts, "rows": rows})
        raise typer.Exit(FAILED if failed else 0)
    table = [
        (row["segment"], "error", visible(row["error"]))
        if "error" in row
        else (row["segment"], visible(row["phrase"]), visible(row["container"]))
        for row in rows
    ]
    print_table(("segment", "phrase", "container"), table)
    print(
        ", ".join(plural(count, name.removesuffix("s")) for name, count in counts.items() if count or name != "errors")
    )
    raise typer.Exit(FAILED if failed else 0)
