"""The command that makes a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from concord.cli.app import app
from concord.cli.options import AsJson, option
from concord.cli.output import print_json, print_table, say
from concord.errors import UserError
from concord.plural import plural


@app.command()
def sample(
    origin: Annotated[
        str,
        typer.Argument(help="A text file (`-`: stdin), or a wiki's api.php address."),
    ],
    output: Annotated[Path, option("--output", "-o", help="The JSONL file to write.")] = Path("sample.jsonl"),
    size: Annotated[int, option("--size", "-n", min=1, help="How many sentences.")] = 1000,
    source: Annotated[str, option("--from", metavar="LANG", help="The language of the text (BCP-47).")] = "en",
    shortest: Annotated[int, option(min=1, help="Words that a sentence has at least.")] = 5,
    longest: Annotated[int, option(min=1, help="Words that a sentence has at most.")] = 40,
    pages: Annotated[int, option(min=1, help="From a wiki: how many articles to read.")] = 200,
    wrapped: Annotated[
        bool, option("--wrapped", help="In a text file sentences run over lines, and empty lines end a paragraph.")
    ] = False,
    seed: Annotated[int, option(min=0, help="Fixes the choice.")] = 12345,
    as_json: AsJson = False,
) -> None:
    """Make a corpus: sound sentences, spread over the whole input; says how many were dropped and why."""
    from concord import api

    how: dict[str, Any] = {"lengths": (shortest, longest), "pages": pages, "wrapped": wrapped}
    found = api.sample(origin, size=size, source=source, seed=seed, **how)
    if not found.sentences:
        raise UserError(
            f"{origin} has no sentence of {shortest} to {plural(longest, 'word')} that could be used: {found.summary()}"
        )
    found.write(output)
    counts = {"sentences": len(found.sentences), "seen": found.total, "examined": found.examined}
    if as_json:
        print_json({"file": str(output), **counts, "dropped": dict(found.dropped)})
        return
    print_table(("dropped because", "sentences"), [(why, f"{count:,}") for why, count in found.dropped.most_common()])
    print(f"{len(found.sentences):,} of {plural(found.total, 'sentence')}: {output}")
    if len(found.sentences) < size:
        say(f"warning: only {len(found.sentences):,} of {plural(size, 'wanted sentence')} could be found")
