"""The command `try`, which checks one sentence."""

from typing import Annotated, Any

import typer

from concord import api
from concord.cli.app import app
from concord.cli.options import (
    AsJson,
    Into,
    Relations,
    Services,
    SystemName,
    WorkspaceFile,
    chosen_services,
    gathered,
    option,
)
from concord.cli.output import WORKSPACE, print_json, say, visible
from concord.plural import plural


@app.command("try")
@gathered(services=chosen_services)
def attempt(
    *,
    sentence: Annotated[str, typer.Argument(help="The sentence, in quotes.")],
    relation: Relations = None,
    system: SystemName = "apertium",
    to: Into = "es",
    source: Annotated[str, option("--from", metavar="LANG", help="The source language, that of the sentence.")] = "en",
    workspace: WorkspaceFile = WORKSPACE,
    services: Services,
    as_json: AsJson = False,
) -> None:
    """Check one sentence, and print each translation as it arrives; nothing is stored.

    Word alignment is taken from the system's latest run in the workspace, since one sentence teaches little.
    """
    if not as_json:  # the view takes long to import
        from concord.views import terminal

    def heard(text: api.Text, answer: api.Text) -> None:
        if not as_json:
            say(f"{text.lang}→{answer.lang}  {text.words}  →  {answer.words}")

    relations = api.with_sane(relation or [api.RECOMMENDED])
    results: list[dict[str, Any]] = []
    left_out: dict[str, str] = {}
    where: dict[str, Any] = {"system": system, "to": to, "source": source, "workspace": workspace}
    for tried in api.attempt(sentence, relations=relations, **where, services=services, watch=heard):
        if tried.left_out:
            left_out[tried.relation] = tried.error
            continue
        results.append({"relation": tried.relation, "error": tried.error or None, "rows": tried.rows})
        if not as_json:
            # Flushed, so that the reader sees it at once, and a closed pipe ends the command before the next check.
            print(f"\n{visible(tried.relation)}: {visible(tried.error) or plural(len(tried.rows), 'case')}", flush=True)
            for row in tried.rows:
                terminal.print_case(row, terminal.console())
    if as_json:
        print_json({"sentence": sentence, "relations": results, "left_out": left_out})
    elif left_out:
        print(f"\n{visible(api.left_out_note(left_out))}")
    asked = [result for result in results if result["relation"] != api.SANE] or results
    if all(result["error"] for result in asked):
        raise typer.Exit(1)
