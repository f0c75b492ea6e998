"""The command that mends translations which a run has found at odds with the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, visible
from concord.errors import UserError

WAYS = ("agreement", "probability")


@app.command()
def repair(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    by: Annotated[
        str,
        option(
            metavar="agreement|probability",
            help="What tells the odd translation: how it agrees with the others, or what the model thinks of it.",
        ),
    ] = "agreement",
    as_json: AsJson = False,
) -> None:
    """Offer mended translations for the violated cases of transrepair and cat; nothing is translated."""
    from concord.api.repair import repair as mended

    if by not in WAYS:
        raise UserError(f"--by cannot be '{by}'. Choose one of: {', '.join(WAYS)}")
    found = mended(workspace, runs or [], by=cast(Any, by))
    if as_json:
        each = [{"run": run, "left": dict(made.unrepaired)} for run, made in found.items()]
        print_json({"rows": [one.plain() for made in found.values() for one in made.offered], "runs": each})
        return
    for run, made in found.items():
        _print(run, made)


def _print(run: int, made: Any) -> None:
    from concord.views import terminal

    screen = terminal.console()
    for each in made.offered:
        facts = each.plain()
        title = f"{facts['segment']}  {facts['side'].replace('_', '-')}  {' → '.join(facts['replaced'])}"
        screen.print(visible(title), style="bold", markup=False, highlight=False, soft_wrap=True)
        terminal.print_records(_texts(facts), screen, indent=2)
        screen.print()
    left = "; ".join(f"{count}: {reason}" for reason, count in made.unrepaired.most_common())
    count = made.unrepaired.total()
    print(f"run {run}: {len(made.offered)} offered, {count} left as they are" + f" ({left})" * bool(left))


def _texts(facts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    from concord.views.highlight import excerpt, marks, plain
    from concord.views.terminal import LIMIT, shown

    old, new = facts["translation"], facts["repaired"]
    brackets = ("⟦", "⟧") if {"«", "»"} & set(old + new) else ("«", "»")
    before, after = (shown(excerpt(pieces, LIMIT), brackets) for pieces in marks(old, new, facts["target_lang"]))
    text, lent = (shown(plain(words, LIMIT), None) for words in (facts["text"], facts["lender"]["translation"]))
    return [("text", text), ("translation", before), ("offered", after), ("lent by", lent)]
