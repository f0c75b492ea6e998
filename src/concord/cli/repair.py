"""The command `repair`: offer corrected translations for flagged cases."""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from concord.cli.app import app
from concord.cli.options import AsJson, Runs, WorkspaceFile, option
from concord.cli.output import WORKSPACE, print_json, visible
from concord.errors import UserError

CRITERIA = ("agreement", "probability")


@app.command()
def repair(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    by: Annotated[
        str,
        option(
            metavar="agreement|probability",
            help="What decides which translation is wrong: low agreement with the others, or a low probability.",
        ),
    ] = "agreement",
    as_json: AsJson = False,
) -> None:
    """Offer repaired translations for the flagged cases of transrepair and cat; nothing is translated."""
    from concord.api.repair import repair as mended

    if by not in CRITERIA:
        raise UserError(f"--by cannot be '{by}'. Choose one of: {', '.join(CRITERIA)}")
    by_run = mended(workspace, runs or [], by=cast(Any, by))
    if as_json:
        summaries = [{"run": run, "left": dict(offers.unrepaired)} for run, offers in by_run.items()]
        rows = [offer.plain() for offers in by_run.values() for offer in offers.offered]
        print_json({"rows": rows, "runs": summaries})
        return
    for run, offers in by_run.items():
        _print(run, offers)


def _print(run: int, offers: Any) -> None:
    from concord.views import terminal

    screen = terminal.console()
    for offer in offers.offered:
        facts = offer.plain()
        title = f"{facts['segment']}  {facts['side'].replace('_', '-')}  {' → '.join(facts['replaced'])}"
        screen.print(visible(title), style="bold", markup=False, highlight=False, soft_wrap=True)
        terminal.print_records(_texts(facts), screen, indent=2)
        screen.print()
    left = "; ".join(f"{count}: {reason}" for reason, count in offers.unrepaired.most_common())
    count = offers.unrepaired.total()
    print(f"run {run}: {len(offers.offered)} offered, {count} not repaired" + f" ({left})" * bool(left))


def _texts(facts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    from concord.views.highlight import beginning, diff, excerpt
    from concord.views.terminal import LIMIT, excerpt_text

    old, new = facts["translation"], facts["repaired"]
    brackets = ("⟦", "⟧") if {"«", "»"} & set(old + new) else ("«", "»")
    before, after = (excerpt_text(excerpt(pieces, LIMIT), brackets) for pieces in diff(old, new, facts["target_lang"]))
    text, lent = (
        excerpt_text(beginning(words, LIMIT), None) for words in (facts["text"], facts["lender"]["translation"])
    )
    return [("text", text), ("translation", before), ("offered", after), ("lent by", lent)]
