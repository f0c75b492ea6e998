"""The command `try`, which checks one sentence."""

from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.options import AsJson, Into, SystemName, option, relation_option
from concord.cli.output import print_json, say, visible
from concord.plural import plural


@app.command("try")
def attempt(
    sentence: Annotated[str, typer.Argument(help="The sentence, in quotes.")],
    relation: Annotated[list[str] | None, relation_option("rtt, rti and literals")] = None,
    system: SystemName = "apertium",
    to: Into = "es",
    source: Annotated[str, option("--from", metavar="LANG", help="The source language, that of the sentence.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Check one sentence, and print each translation as it arrives; nothing is stored."""
    from concord import api

    if not as_json:  # the view takes long to import
        from concord.views import terminal

    def heard(text: api.Text, answer: api.Text) -> None:
        if not as_json:
            say(f"{text.lang}→{answer.lang}  {text.words}  →  {answer.words}")

    relations = relation or ["rtt", "rti", "literals"]
    results = []
    for tried in api.attempt(sentence, relations=relations, system=system, to=to, source=source, watch=heard):
        results.append({"relation": tried.relation, "error": tried.error or None, "rows": tried.rows})
        if not as_json:
            # Flushed, so that the reader sees it at once, and a closed pipe ends the command before the next check.
            print(f"\n{visible(tried.relation)}: {visible(tried.error) or plural(len(tried.rows), 'case')}", flush=True)
            for row in tried.rows:
                terminal.print_case(row, terminal.console())
    if as_json:
        print_json({"sentence": sentence, "relations": results})
    if all(result["error"] for result in results):
        raise typer.Exit(1)
