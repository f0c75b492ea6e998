"""Commands on logic and quantities in sentences: regex, prevalence, blame."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from concord import api
from concord.cli.app import app
from concord.cli.exit_codes import FAILED
from concord.cli.options import (
    AsJson,
    CorpusName,
    Format,
    Limit,
    Runs,
    Services,
    WorkspaceFile,
    chosen_plugins,
    gathered,
    option,
)
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
Language = Annotated[str, option("--from", metavar="LANG", help="The language of the sentences (BCP-47).")]
_RIGHTLY = ("forward blamed rightly", "backward", "both")
_COUNTS = ("quantity", "logic", "related")
_PAIR_OPTIONS = {"measure": "--measure", "k": "--k"}
_SENTENCE_OPTIONS = {"source": "--from", "format": "--format", "limit": "--limit"}


@app.command()
def regex(
    context: typer.Context,
    sentences: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A file (lines, TSV, CSV, JSONL, …; also .gz), `-`, or `demo`.")
    ] = None,
    compare: Annotated[
        Path | None,
        option(
            "--compare",
            metavar="PAIRS",
            help="Compare regular expressions: a file with two on each line, separated by a tab.",
        ),
    ] = None,
    measure: Annotated[
        str, option(metavar="geometric|paper", help="With --compare: how the sizes of languages are measured.")
    ] = "geometric",
    k: Annotated[float, option("--k", min=0, max=1, help="With --compare: the weight of r in h.")] = 0.5,
    source: Language = "en",
    format: Format = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Translate sentences into regular expressions, or compare two: r compares tokens, d languages, h combines both.

    Sentences that ask for lines in the words of the regex benchmarks are translated as there, where | binds more
    loosely than concatenation, whatever the sentence means: for `. * ( A ) | ( B ) . *` the column `reading` says what
    is meant. In other words ("show me lines which have 'bar'"), they are translated as they are meant.

    The exit code is 1 if nothing could be read or compared.
    """
    if (sentences is None) == (compare is None):
        raise UserError("name a file of sentences, or --compare a file of pairs of expressions")
    _refuse_unused(context, compare is not None)
    if compare is not None:
        rows = api.compare_expressions(compare, measure=_measure(measure), k=k)
        columns: tuple[str, ...] = ("line", "equal", "r", "d", "h", "note", "error")
    else:
        rows = map(_as_error, api.expressions(sentences or "", source=source, format=format, limit=limit))
        columns = ("confidence", "regex", "reading", "sentence")
    counts = Counter[str]()
    counted = _counted(rows, counts)
    if as_json:
        print_json_rows(counted)
    else:
        listed = list(counted)
        if compare is None and counts["error"]:
            columns = (*columns[:-1], "error", columns[-1])
        print_table(columns, [[_cell(row.get(name)) for name in columns] for row in listed])
    if not counts["good"]:
        missing = "sentence that could be read" if compare is None else "two expressions that could be compared"
        say(f"error: {compare or sentences} has no {missing}; lines with an error: {counts['error']}")
        raise typer.Exit(FAILED)


def _refuse_unused(context: typer.Context, comparing: bool) -> None:
    """Refuse options of the other of the two uses, which would have no effect."""
    for name, typed in (_SENTENCE_OPTIONS if comparing else _PAIR_OPTIONS).items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            use = "is for sentences, and not for --compare" if comparing else "goes with --compare PAIRS"
            raise UserError(f"{typed} {use}. Leave it out")


def _as_error(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a sentence; an error row where `reading` only says why there is no expression."""
    if row["regex"] is None and row["reading"]:
        return {"sentence": row["sentence"], "error": row["reading"]}
    return row


def _counted(rows: Iterable[dict[str, Any]], counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows and count them by kind; a sentence without an expression is silent, neither good nor an error."""
    for row in rows:
        counts["error" if "error" in row else "silent" if row.get("regex", "") is None else "good"] += 1
        yield row


@app.command()
def prevalence(
    corpus: CorpusName = "demo",
    least_words: Annotated[int, option(min=0, help="The minimum number of words in a counted sentence.")] = 10,
    source: Language = "en",
    format: Format = None,
    as_json: AsJson = False,
) -> None:
    """Count the sentences with quantifiers or logic, and those among them without a vague quantity (precise).

    Comparisons, shares, vague quantifiers, inclusion and exclusion count. More words are known than the patterns of
    SemMT's table 1 have, so shares are higher than in the paper.
    """
    tally = api.prevalence(corpus, source=source, format=format, least_words=least_words)
    if not tally.kept:
        raise UserError(
            f"of {plural(tally.total, 'sentence')} none has {plural(least_words, 'word')} or more, so there is"
            " nothing to count. Take shorter ones, too: --least-words 0"
        )
    names = [name for family in _COUNTS for name in (family, f"{family}_precise")]
    if as_json:
        counts = {"least_words": least_words} | {name: getattr(tally, name) for name in ("total", "kept", *names)}
        shares = {name: round(tally.share(name), 6) for name in names}
        print_json(
            {
                **counts,
                "shares": shares,
                "examples": {kind: list(sentences) for kind, sentences in tally.examples.items()},
            }
        )
        return
    family_rows = [
        (family, *(f"{getattr(tally, name):,} ({tally.share(name):.2%})" for name in (family, f"{family}_precise")))
        for family in _COUNTS
    ]
    shorter = f" (shorter ones are left out: --least-words {least_words})" if tally.kept < tally.total else ""
    long = f"{tally.kept:,} of them with {plural(least_words, 'word')} or more"
    print(f"{plural(tally.total, 'sentence')}, {long}{shorter}")
    print_table(("sentences with", "found", "found, and precise"), family_rows)
    print(
        f"Shares are of the {plural(tally.kept, 'sentence')}. Precise: nothing in the sentence has to be approximated."
    )
    print_table(
        ("kind", "example"),
        [(kind, visible(sentence)) for kind, sentences in tally.examples.items() for sentence in sentences],
    )


@app.command()
@gathered(services=chosen_plugins)
def blame(
    *,
    runs: Runs = None,
    workspace: WorkspaceFile = WORKSPACE,
    metric: Annotated[
        list[str] | None,
        option(
            "--metric", "-m", metavar="METRIC", help="A metric by which translations are compared; may be repeated."
        ),
    ] = None,
    services: Services,
    limit: Annotated[int, option(min=1, help="How many round trips to print.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Blame the translation or the back-translation of each flagged round trip, by comparison with other systems."""
    trips = api.blame(workspace, runs or [], metrics=metric or (), services=services)
    if as_json:
        usual, rows = ([entry.plain() for entry in entries] for entries in (trips.usual, trips.blamed))
        print_json({"usual": usual, "rows": rows, "untold": trips.untold})
        return
    columns = ("run", "system", "metric", "correct", "wrong forward", "wrong backward", *_RIGHTLY)
    usual_rows = [
        (
            str(u.run),
            u.system,
            u.metric,
            _similarities(u),
            *map(_similarities, wrong),
            *map(_share, wrong),
            _accuracy(u),
        )
        for u in trips.usual
        for wrong in [u.wrong.values()]
    ]
    print_table(columns, usual_rows)
    print("Mean similarity to other systems' translations, forward / backward, of correct and of wrong round trips")
    names = list(dict.fromkeys(usual.metric for usual in trips.usual))
    blamed_rows = [
        (t.row["system"], t.row["segment"], *(_blamed(t, name) for name in names), visible(t.row["source"]["words"]))
        for t in trips.blamed[:limit]
    ]
    print_table(("system", "segment", *names, "text"), blamed_rows)
    singular, plural_form = "flagged round trip; in brackets its", "flagged round trips; in brackets their"
    print(f"{plural(len(trips.blamed), singular, plural_form)} agreement with the other systems, forward and backward")
    if trips.untold:
        print(f"{trips.untold} more: fewer than two other systems translated them, or there is no usual agreement")


def _measure(name: str) -> Measures:
    if name not in get_args(Measures):
        raise UnknownName("measure", name, get_args(Measures))
    return "paper" if name == "paper" else "geometric"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else visible(value)


def _similarities(side: Any) -> str:
    """The mean similarities of some round trips, forward / backward."""
    return "–" if side.forward is None else f"{side.forward:.3f} / {side.backward:.3f}"


def _share(wrong: Any) -> str:
    return f"{wrong.right} of {wrong.among}"


def _accuracy(usual: Any) -> str:
    return "–" if usual.accuracy is None else f"{usual.accuracy:.1%}"


def _blamed(trip: Any, metric: str) -> str:
    return f"{trip.blame[metric]} ({trip.forward[metric]:.2f}, {trip.backward[metric]:.2f})"
