"""The command `sample`, which makes a corpus."""

from pathlib import Path
from typing import Annotated, Any

import typer

from concord import api
from concord.cli.app import app
from concord.cli.options import AsJson, option
from concord.cli.output import print_json, print_table, say
from concord.errors import UserError
from concord.plural import plural


@app.command()
def sample(
    origin: Annotated[
        str,
        typer.Argument(help="A text file (`-` for stdin), or the address of a wiki's api.php."),
    ],
    output: Annotated[Path, option("--output", "-o", help="The JSONL file to write.")] = Path("sample.jsonl"),
    size: Annotated[int, option("--size", "-n", min=1, help="The number of sentences.")] = 1000,
    source: Annotated[str, option("--from", metavar="LANG", help="The language of the text (BCP-47).")] = "en",
    shortest: Annotated[int, option(min=1, help="The minimum number of words in a sentence.")] = 5,
    longest: Annotated[int, option(min=1, help="The maximum number of words in a sentence.")] = 40,
    pages: Annotated[int, option(min=1, help="The number of articles to read from a wiki.")] = 200,
    wrapped: Annotated[
        bool,
        option("--wrapped", help="Sentences of a text file run over several lines, and empty lines end a paragraph."),
    ] = False,
    seed: Annotated[int, option(min=0, help="Random seed of the sample.")] = 12345,
    as_json: AsJson = False,
) -> None:
    """Make a corpus of valid sentences, sampled evenly from the input; count those that were dropped, by reason."""
    options: dict[str, Any] = {"lengths": (shortest, longest), "pages": pages, "wrapped": wrapped}
    drawn = api.sample(origin, size=size, source=source, seed=seed, **options)
    if not drawn.sentences:
        raise UserError(
            f"{origin} has no sentence of {shortest} to {plural(longest, 'word')} that could be used: {drawn.summary()}"
        )
    drawn.write(output)
    counts = {"sentences": len(drawn.sentences), "seen": drawn.total, "examined": drawn.examined}
    if as_json:
        print_json({"file": str(output), **counts, "dropped": dict(drawn.dropped)})
        return
    print_table(("dropped because", "sentences"), [(why, f"{count:,}") for why, count in drawn.dropped.most_common()])
    print(f"{len(drawn.sentences):,} of {plural(drawn.total, 'sentence')}: {output}")
    if len(drawn.sentences) < size:
        say(f"warning: only {len(drawn.sentences):,} of {plural(size, 'sentence')} could be found")
