"""One self-contained HTML page of runs and findings: no script, no outside asset, readable offline.

Every text on it was written by others. The template escapes each one, and `finalize` makes control
characters and direction overrides visible first, so that no field of a row can be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from concord import __version__
from concord.analyses.case_groups import Group, Translation, by_translation
from concord.analyses.regression import baseline
from concord.atomic import write_text
from concord.language.codes import direction
from concord.language.invisible import blanks, visible
from concord.plural import plural
from concord.runs.summary import Summary, summaries
from concord.signature import option_text
from concord.store import Workspace
from concord.store.finding_filter import Filter
from concord.views.case import CHARACTERS, Drawn, drawn
from concord.views.highlight import Excerpt, plain
from concord.views.wording import moment, number, remarks, share

if TYPE_CHECKING:  # the index brings numpy along, which only its readers should wait for
    from concord.store.index.reader import Reader

MESSAGES = 20
EXAMPLES = 3
BINS = 20
THRESHOLDS = 3
GROUPS = 20
SHORT = 300
ENORMOUS = 1e300


def write(workspace: Workspace, runs: Sequence[int], path: str | Path, *, limit: int = 200) -> None:
    """Write the page to a file, whole or not at all."""
    write_text(Path(path), render(workspace, runs, limit=limit))


def render(workspace: Workspace, runs: Sequence[int], *, limit: int = 200) -> str:
    """The page as a text; `limit` is how many cases of each run are on it."""
    from concord.store.index.reader import read

    records = [workspace.run(run) for run in dict.fromkeys(runs)]
    return read(workspace, records, lambda reader: _page(reader, limit))


def _page(reader: Reader, limit: int) -> str:
    every = summaries(reader)
    beside = baseline.against(reader, every)
    return render_page(
        "concord.views.html",
        totals={name: sum(getattr(each, name) for each in every) for name in ("cases", "violated", "errors")},
        runs=[_Run.of(reader, each, limit) for each in every],
        remarks=[*remarks(every), *baseline.not_compared(beside)],
        beside=baseline.table_rows(beside),
        beside_columns=baseline.COLUMNS,
    )


def environment() -> Environment:
    """Where every page is made: what it is told is escaped, and made neutral first.

    Pages may include what they share: `head.html` with the look, `tables.html` for a list of `tables`.
    """
    made = Environment(
        loader=FunctionLoader(lambda name: files("concord.views.html").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_neutral,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"number": number, "moment": moment, "blanks": blanks, "setting": option_text}
    made.globals["counted"] = plural
    return made


@cache
def page_of(package: str) -> Template:
    """The page of a package, `page.html` in its folder."""
    return environment().from_string(files(package).joinpath("page.html").read_text("utf-8"))


def render_page(package: str, pictures: Iterable[str] = (), **facts: Any) -> str:
    """The page of a package as a text. Pictures are our own SVG, in which every name is escaped already."""
    return page_of(package).render(version=__version__, pictures=[Markup(svg) for svg in pictures], **facts)


def _neutral(value: Any) -> Any:
    return visible(value, keep="\n\t") if isinstance(value, str) and not isinstance(value, Markup) else value


# -- a run -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """What the template is told about a run."""

    summary: Summary
    direction: str
    share: str
    percent: float
    chart: _Chart | None
    groups: list[_Shared]
    violated: list[Drawn]
    others: list[Drawn]
    errors: list[_Failure]
    more_errors: int

    @classmethod
    def of(cls, reader: Reader, total: Summary, limit: int) -> _Run:
        tale = _Tale()
        for row in reader.store.rows([total.run.id]):
            tale.hear(row)
        rows = list(reader.for_run(total.run).rows(Filter(violated=None), limit)[1])
        failures = sorted(tale.failures.values(), key=lambda failure: -failure.count)
        return cls(
            summary=total,
            direction=direction(total.run.source, total.run.target),
            share=share(total),
            percent=100 * total.violated / total.cases if total.cases else 0.0,
            chart=_chart(tale.values) if tale.values else None,
            groups=_shared([row for row in rows if row["violated"]]),
            violated=[drawn(row) for row in rows if row["violated"]],
            others=[drawn(row) for row in rows if not row["violated"]],
            errors=failures[:MESSAGES],
            more_errors=len(failures[MESSAGES:]),
        )


@dataclass(frozen=True, slots=True)
class _Shared:
    """A translation that explains several cases, with the one that would do so as well, if there is one."""

    translations: list[tuple[Translation, Excerpt, Excerpt]]
    ranks: list[int]
    more: int

    @classmethod
    def of(cls, group: Group) -> _Shared:
        named = [one for one in (group.translation, group.rival) if one is not None]
        parts = [(one, plain(one.words, SHORT), plain(one.output, SHORT)) for one in named]
        ranks = [row["rank"] for row in group.rows]
        return cls(parts, ranks[:GROUPS], len(ranks[GROUPS:]))

    @property
    def cases(self) -> int:
        return len(self.ranks) + self.more


def _shared(rows: Sequence[Mapping[str, Any]]) -> list[_Shared]:
    """Those with the most cases; what explains one case alone says no more than the case itself."""
    several = [group for group in by_translation(rows) if len(group.rows) > 1]
    return [_Shared.of(group) for group in sorted(several, key=lambda group: -len(group.rows))[:GROUPS]]


@dataclass(slots=True)
class _Failure:
    """An error message, how often it came, and where."""

    message: Excerpt
    count: int = 0
    examples: list[tuple[Mapping[str, Any], Excerpt]] = field(default_factory=list)


_Value = tuple[float, float, bool]
"""The suspicion of a case, its threshold, and whether it is violated."""


@dataclass(slots=True)
class _Tale:
    """What is kept of all rows of a run: numbers, and failures by message."""

    values: list[_Value] = field(default_factory=list)
    failures: dict[str, _Failure] = field(default_factory=dict)

    def hear(self, row: Mapping[str, Any]) -> None:
        if row["error"] is None:
            self.values.append((row["suspicion"], row["threshold"], row["violated"]))
            return
        failure = self.failures.setdefault(row["error"], _Failure(plain(row["error"], CHARACTERS)))
        failure.count += 1
        if len(failure.examples) < EXAMPLES:
            failure.examples.append((row, plain(row["text"], CHARACTERS // 10)))


# -- the distribution of suspicion -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bar:
    """Cases of similar suspicion; heights and places are shares of the plot."""

    low: float
    high: float
    cases: int
    violated: int


@dataclass(frozen=True, slots=True)
class _Chart:
    """A histogram of suspicion with the threshold in it."""

    low: float
    high: float
    tallest: int
    bars: list[_Bar]
    lines: list[tuple[float, float]]
    said: str


def _chart(values: Sequence[_Value]) -> _Chart | None:
    finite = [value for value in values if abs(value[0]) < ENORMOUS]
    thresholds = sorted({threshold for _, threshold, _ in values if abs(threshold) < ENORMOUS})
    if not finite:
        return None
    lines = thresholds if len(thresholds) <= THRESHOLDS else []
    ends = [suspicion for suspicion, *_ in finite] + lines
    # Most relations measure from 0 to 1; a whole scale shows at once whether a system is good or bad.
    low, high = (0.0, 1.0) if min(ends) >= 0 and max(ends) <= 1 else (min(ends), max(ends))
    span = high - low or 1.0
    bars = _bars(finite, low, span)
    return _Chart(
        low=low,
        high=low + span,
        tallest=max(bar.cases for bar in bars),
        bars=bars,
        lines=[(threshold, (threshold - low) / span) for threshold in lines],
        said=_in_words(values, thresholds),
    )


def _bars(finite: Iterable[_Value], low: float, span: float) -> list[_Bar]:
    cases, violated = [0] * BINS, [0] * BINS
    for suspicion, _, bad in finite:
        place = min(BINS - 1, int((suspicion - low) / span * BINS))
        cases[place] += 1
        violated[place] += bad
    edges = [low + span * i / BINS for i in range(BINS + 1)]
    return [_Bar(edges[i], edges[i + 1], cases[i], violated[i]) for i in range(BINS)]


def _in_words(values: Sequence[_Value], thresholds: Sequence[float]) -> str:
    found = sorted(suspicion for suspicion, *_ in values)
    above = sum(bad for *_, bad in values)
    limit = f"the threshold of {number(thresholds[0])}" if len(thresholds) == 1 else "their thresholds"
    beyond = sum(not abs(suspicion) < ENORMOUS for suspicion in found)
    return (
        f"{above:,} of {plural(len(found), 'case')} above {limit}. Suspicion: lowest {number(found[0])}, "
        f"median {number(median(found))}, highest {number(found[-1])}; higher is worse."
        + (f" Not drawn, because without bounds: {beyond:,}." if beyond else "")
    )
