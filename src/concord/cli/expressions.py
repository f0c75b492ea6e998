"""Commands on what sentences claim: their expressions, and how common quantifiers and logic are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import AsJson, Format, Runs, WorkspaceFile, option
from concord.cli.output import (
    WORKSPACE,
    print_json,
    print_json_rows,
    print_table,
    say,
    visible,
)
from concord.errors import UnknownName, UserError
from concord.plural import plural

Measures = Literal["geometric", "paper"]
Scopes = Literal["paper", "all"]
Language = Annotated[str, option("--from", metavar="LANG", help="The language of the sentences (BCP-47).")]
_COUNTS = ("quantity", "logic", "related")
_OF_PAIRS = {"measure": "--measure", "k": "--k"}
_OF_SENTENCES = {"source": "--from", "format": "--format", "limit": "--limit"}


@app.command()
def regex(
    context: typer.Context,
    sentences: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A file (lines, TSV, CSV, JSONL, …; also .gz), `-`, or `demo`.")
    ] = None,
    compare: Annotated[
        Path | None,
        option("--compare", metavar="PAIRS", help="Compare expressions: two on a line, a tab between them."),
    ] = None,
    measure: Annotated[
        str, option(metavar="geometric|paper", help="With --compare: how the sizes of languages are measured.")
    ] = "geometric",
    k: Annotated[float, option("--k", min=0, max=1, help="With --compare: the weight of r in h.")] = 0.5,
    source: Language = "en",
    format: Format = None,
    limit: Annotated[int | None, option(min=1, help="Read only the first N sentences.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read sentences as regular expressions, or compare expressions: r by tokens, d by languages, h by both.

    Requests for lines are written as the regex benchmarks write them, where | binds weaker than what stands beside it
    though the request does not mean that: of `. * ( A ) | ( B ) . *` the column reading says how it is meant.

    The exit code is 1 if nothing could be read or compared.
    """
    from concord import api

    if (sentences is None) == (compare is None):
        raise UserError("name a file of sentences, or --compare a file of pairs of expressions")
    _refuse_unused(context, compare is not None)
    if compare is not None:
        rows = api.compare_expressions(compare, measure=_chosen("measure", measure, Measures), k=k)
        columns: tuple[str, ...] = ("line", "equal", "r", "d", "h", "note", "error")
    else:
        rows = map(_said, api.expressions(sentences or "", source=source, format=format, limit=limit))
        columns = ("confidence", "regex", "reading", "sentence")
    made = Counter[str]()
    every = _counted(rows, made)
    if as_json:
        print_json_rows(every)
    else:
        shown = list(every)
        if compare is None and made["error"]:
            columns = (*columns[:-1], "error", columns[-1])
        print_table(columns, [[_cell(row.get(name)) for name in columns] for row in shown])
    if not made["good"]:
        what = "sentence that could be read" if compare is None else "two expressions that could be compared"
        say(f"error: {compare or sentences} has no {what}; lines with an error: {made['error']}")
        raise typer.Exit(FAILED)


def _refuse_unused(context: typer.Context, comparing: bool) -> None:
    """What was typed for the other of the two uses would be passed over without a word."""
    for name, typed in (_OF_SENTENCES if comparing else _OF_PAIRS).items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            use = "is for sentences, and not for --compare" if comparing else "goes with --compare PAIRS"
            raise UserError(f"{typed} {use}. Leave it out")


def _said(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a sentence; where its reading only says why there is none, an error."""
    if row["regex"] is None and row["reading"]:
        return {"sentence": row["sentence"], "error": row["reading"]}
    return row


def _counted(rows: Iterable[dict[str, Any]], made: Counter[str]) -> Iterator[dict[str, Any]]:
    """The rows, counted by kind; a sentence that no expression says is silent, neither good nor an error."""
    for row in rows:
        made["error" if "error" in row else "silent" if row.get("regex", "") is None else "good"] += 1
        yield row


@app.command()
def prevalence(
    corpus: Annotated[
        str, typer.Argument(help="A file (lines, TSV, CSV, JSONL, TMX, XLIFF, PO; also .gz), `-`, or `demo`.")
    ] = "demo",
    scope: Annotated[
        str,
        option(
            metavar="paper|all",
            help="What counts: comparisons, shares, vague quantifiers, inclusion and exclusion; or all quantifiers and "
            "logic but `and`.",
        ),
    ] = "paper",
    least_words: Annotated[int, option(min=0, help="Shorter sentences are left out.")] = 10,
    source: Language = "en",
    format: Format = None,
    as_json: AsJson = False,
) -> None:
    """Count the sentences with quantifiers or logic, and those that an expression can say precisely, with examples."""
    from concord import api

    found = api.prevalence(
        corpus, source=source, format=format, scope=_chosen("scope", scope, Scopes), least_words=least_words
    )
    if not found.kept:
        raise UserError(
            f"of {plural(found.total, 'sentence')} none has {plural(least_words, 'word')} or more, so there is"
            " nothing to count. Take shorter ones, too: --least-words 0"
        )
    names = [name for family in _COUNTS for name in (family, f"{family}_precise")]
    if as_json:
        counts = {"least_words": least_words} | {name: getattr(found, name) for name in ("total", "kept", *names)}
        shares = {name: round(found.share(name), 6) for name in names}
        print_json(
            {**counts, "shares": shares, "examples": {kind: list(each) for kind, each in found.examples.items()}}
        )
        return
    shown = [
        (family, *(f"{getattr(found, name):,} ({found.share(name):.2%})" for name in (family, f"{family}_precise")))
        for family in _COUNTS
    ]
    shorter = f" (shorter ones are left out: --least-words {least_words})" if found.kept < found.total else ""
    long = f"{found.kept:,} of them with {plural(least_words, 'word')} or more"
    print(f"{plural(found.total, 'sentence')}, {long}{shorter}")
    print_table(("sentences with", "found", "found, and precise"), shown)
    print(
        f"Shares are of the {plural(found.kept, 'sentence')}. Precise: nothing in the sentence has to be approximated."
    )
    print_table(
        ("kind", "example"), [(kind, visible(each)) for kind, several in found.examples.items() for each in several]
    )


@app.command()
def blame(
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    metric: Annotated[
        list[str] | None,
        option("--metric", "-m", metavar="METRIC", help="A metric to compare translations by; repeat it."),
    ] = None,
    limit: Annotated[int, option(min=1, help="How many round trips are shown.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Say which trip of suspicious round trips is to blame, by how other systems translate the same."""
    from concord import api

    found = api.blame(workspace, runs or [], metrics=metric or ())
    if as_json:
        shown = {"usual": [each.plain() for each in found.usual], "rows": [each.plain() for each in found.blamed]}
        print_json({**shown, "untold": found.untold})
        return
    columns = ("run", "system", "metric", "usual forward", "usual backward", "labelled", "blamed rightly")
    usual = [
        (str(e.run), e.system, e.metric, f"{e.forward:.3f}", f"{e.backward:.3f}", str(e.among), _accuracy(e.accuracy))
        for e in found.usual
    ]
    print_table(columns, usual)
    names = list(dict.fromkeys(each.metric for each in found.usual))
    rows = [
        (e.row["system"], e.row["segment"], *(_blamed(e, name) for name in names), visible(e.row["source"]["words"]))
        for e in found.blamed[:limit]
    ]
    print_table(("system", "segment", *names, "source"), rows)
    one, many = "suspicious round trip; in brackets its", "suspicious round trips; in brackets their"
    print(f"{plural(len(found.blamed), one, many)} agreement with the others, forward and backward")
    if found.untold:
        print(
            f"{found.untold} more that fewer than two other systems translated, or with no usual agreement to compare"
        )


def _chosen(what: str, value: str, choices: Any) -> Any:
    if value not in get_args(choices):
        raise UnknownName(what, value, get_args(choices))
    return value


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else visible(value)


def _accuracy(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _blamed(each: Any, metric: str) -> str:
    return f"{each.blame[metric]} ({each.forward[metric]:.2f}, {each.backward[metric]:.2f})"
