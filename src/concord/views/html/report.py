"""The report: one self-contained HTML page of runs and findings, without scripts or external assets.

Every text on it is untrusted. The template escapes each one, and `finalize` first makes control characters and
direction overrides visible, in every field.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from concord import __version__
from concord.analyses.regression.baseline import against
from concord.atomic import write_text
from concord.language.codes import direction
from concord.language.invisible import blanks, visible
from concord.plural import plural
from concord.runs.summary import Summary, summaries
from concord.signature import option_text
from concord.store import Workspace
from concord.store.finding_filter import Filter
from concord.store.findings import Problem, TranslationFinding
from concord.store.index.finding_reader import read_findings, read_problems
from concord.store.index.reader import Reader, read
from concord.views.case import CHARACTERS, drawn
from concord.views.highlight import beginning
from concord.views.notes import failed_answers, notes
from concord.views.reason import reason
from concord.views.regression.baseline import baseline_tables, not_compared
from concord.views.wording import cases_text, moment, number, share

MESSAGES = 20
EXAMPLES = 3
BINS = 20
THRESHOLDS = 3
PROBLEMS = 20
ENORMOUS = 1e300


def write(workspace: Workspace, runs: Sequence[int], path: str | Path, *, limit: int = 200) -> None:
    """Write the page to a file atomically."""
    write_text(Path(path), render(workspace, runs, limit=limit))


def render(workspace: Workspace, runs: Sequence[int], *, limit: int = 200) -> str:
    """The page as HTML, with at most `limit` findings and unflagged cases of each run."""
    records = [workspace.run(run) for run in dict.fromkeys(runs)]
    return read(workspace, records, lambda reader: _page(reader, limit))


def _page(reader: Reader, limit: int) -> str:
    totals = summaries(reader)
    _, findings = read_findings(reader, Filter(), limit * max(1, len(totals)))
    beside = against(reader, totals)
    return render_page(
        "concord.views.html",
        totals={name: sum(getattr(summary, name) for summary in totals) for name in ("cases", "flagged", "errors")},
        runs=[_run(reader, summary, findings, limit) for summary in totals],
        problems=[_problem(problem) for problem in read_problems(reader, Filter(), PROBLEMS)[1]],
        failed=failed_answers(totals),
        remarks=notes(totals, not_compared(beside)),
        beside=list(baseline_tables(beside)),
    )


def environment() -> Environment:
    """The Jinja environment of every page: values are escaped, and control characters in them made visible.

    Pages can include shared templates: `head.html` with the style, `tables.html` for a list of `tables`.
    """
    pages = Environment(
        loader=FunctionLoader(lambda name: files("concord.views.html").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_neutral,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {
        "number": number,
        "moment": moment,
        "blanks": blanks,
        "setting": option_text,
        "cases_text": cases_text,
    }
    pages.globals["counted"] = plural
    return pages


@cache
def page_of(package: str) -> Template:
    """The template `page.html` in the folder of a package."""
    return environment().from_string(files(package).joinpath("page.html").read_text("utf-8"))


def render_page(package: str, pictures: Iterable[str] = (), **facts: Any) -> str:
    """The page of a package as HTML. Charts are our own SVG, in which every name is escaped already."""
    return page_of(package).render(version=__version__, pictures=[Markup(svg) for svg in pictures], **facts)


def _neutral(value: Any) -> Any:
    return visible(value, keep="\n\t") if isinstance(value, str) and not isinstance(value, Markup) else value


# -- a run -----------------------------------------------------------------------------------------

_Value = tuple[float, float, bool]
"""The suspicion of a case, its threshold, and whether it is flagged."""


def _run(reader: Reader, total: Summary, findings: Sequence[TranslationFinding], limit: int) -> dict[str, Any]:
    """The data of a run for the template; its findings are those whose worst case it has."""
    values: list[_Value] = []
    failures: dict[str, dict[str, Any]] = {}
    for row in reader.store.rows([total.run.id]):
        if row["error"] is None:
            values.append((row["suspicion"], row["threshold"], row["flagged"]))
        else:
            _count(row, failures)
    rows = list(reader.for_run(total.run).rows(Filter(flagged=None), limit)[1])
    return {
        "summary": total,
        "direction": direction(total.run.source, total.run.target),
        "share": share(total),
        "percent": 100 * total.flagged / total.cases if total.cases else 0.0,
        "chart": _chart(values),
        "findings": [
            (finding, drawn(finding.rows[0])) for finding in findings if finding.rows[0]["run"] == total.run.id
        ][:limit],
        "unflagged": [drawn(row) for row in rows if not row["flagged"]],
        "errors": sorted(failures.values(), key=lambda failure: -failure["count"])[:MESSAGES],
        "more_errors": max(0, len(failures) - MESSAGES),
    }


def _count(row: Mapping[str, Any], failures: dict[str, dict[str, Any]]) -> None:
    """Count a row with an error by its message; the first rows of each message are examples."""
    new = {"message": beginning(row["error"], CHARACTERS), "count": 0, "examples": []}
    failure = failures.setdefault(row["error"], new)
    failure["count"] += 1
    if len(failure["examples"]) < EXAMPLES:
        failure["examples"].append((row, beginning(row["text"], CHARACTERS // 10)))


def _problem(problem: Problem) -> dict[str, Any]:
    row = problem.rows[0]
    return {
        "problem": problem,
        "system": row["system"],
        "direction": direction(row["source_lang"], row["target_lang"]),
        "wrong": [beginning(word, CHARACTERS // 50) for word in problem.wrong],
        "reason": reason(row),
    }


# -- the distribution of suspicion -----------------------------------------------------------------


def _chart(values: Sequence[_Value]) -> dict[str, Any] | None:
    """A histogram of suspicion with the thresholds as lines."""
    finite = [value for value in values if abs(value[0]) < ENORMOUS]
    thresholds = sorted({threshold for _, threshold, _ in values if abs(threshold) < ENORMOUS})
    if not finite:
        return None
    lines = thresholds if len(thresholds) <= THRESHOLDS else []
    ends = [suspicion for suspicion, *_ in finite] + lines
    # Most relations measure from 0 to 1; the full scale shows at once whether a system is good or bad.
    low, high = (0.0, 1.0) if min(ends) >= 0 and max(ends) <= 1 else (min(ends), max(ends))
    span = high - low or 1.0
    bars = _bars(finite, low, span)
    return {
        "low": low,
        "high": low + span,
        "tallest": max(bar["cases"] for bar in bars),
        "bars": bars,
        "lines": [(threshold, (threshold - low) / span) for threshold in lines],
        "description": _in_words(values, thresholds),
    }


def _bars(finite: Iterable[_Value], low: float, span: float) -> list[dict[str, float]]:
    """The bars of the histogram: the cases whose suspicion is from `low` to `high`."""
    cases, flagged = [0] * BINS, [0] * BINS
    for suspicion, _, bad in finite:
        bin = min(BINS - 1, int((suspicion - low) / span * BINS))
        cases[bin] += 1
        flagged[bin] += bad
    edges = [low + span * i / BINS for i in range(BINS + 1)]
    bars = zip(edges[:-1], edges[1:], cases, flagged, strict=True)
    return [dict(zip(("low", "high", "cases", "flagged"), bar, strict=True)) for bar in bars]


def _in_words(values: Sequence[_Value], thresholds: Sequence[float]) -> str:
    suspicions = sorted(suspicion for suspicion, *_ in values)
    above = sum(bad for *_, bad in values)
    limit = f"the threshold of {number(thresholds[0])}" if len(thresholds) == 1 else "their thresholds"
    beyond = sum(not abs(suspicion) < ENORMOUS for suspicion in suspicions)
    return (
        f"{above:,} of {plural(len(suspicions), 'case')} beyond {limit}. Suspicion: lowest {number(suspicions[0])}, "
        f"median {number(median(suspicions))}, highest {number(suspicions[-1])}; higher is worse."
        + (f" Not drawn, because not finite: {beyond:,}." if beyond else "")
    )
