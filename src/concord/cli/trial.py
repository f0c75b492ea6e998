"""The command that tries one sentence."""

from __future__ import annotations

from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.options import AsJson, Into, SystemName, option
from concord.cli.output import print_cases, print_json, say, visible
from concord.plural import plural


@app.command("try")
def attempt(
    sentence: Annotated[str, typer.Argument(help="The sentence, in quotes.")],
    relation: Annotated[
        list[str] | None,
        option("--relation", "-r", metavar="RELATION", help="As for `run`. [default: rtt, rti and literals]"),
    ] = None,
    system: SystemName = "apertium",
    to: Into = "es",
    source: Annotated[str, option("--from", metavar="LANG", help="The language of the sentence.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Check one sentence and see each translation as it comes; nothing is stored."""
    from concord import api

    def heard(text: api.Text, answer: api.Text) -> None:
        if not as_json:
            say(f"{text.lang}→{answer.lang}  {text.words}  →  {answer.words}")

    chosen = relation or ["rtt", "rti", "literals"]
    found = []
    for tried in api.attempt(sentence, relations=chosen, system=system, to=to, source=source, watch=heard):
        found.append({"relation": tried.relation, "error": tried.error or None, "rows": tried.rows})
        if not as_json:
            # At once: whoever reads sees it as it happens, and a reader that has gone ends it before the next check.
            print(f"\n{visible(tried.relation)}: {visible(tried.error) or plural(len(tried.rows), 'case')}", flush=True)
            print_cases(tried.rows)
    if as_json:
        print_json({"sentence": sentence, "relations": found})
    if all(each["error"] for each in found):
        raise typer.Exit(1)
