"""`TextTable`, and the tables of a threshold sweep: cases, precision, translations by category, seconds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TypeVar

from concord.analyses.phrase_filters import FilterPoint
from concord.analyses.threshold_sweep import Scope, Sweep, SweepPoint
from concord.labels.labels import CATEGORIES
from concord.language.codes import direction
from concord.plural import plural
from concord.signature import option_text

STAGES = ("initialisation", "construction", "translation", "detection")

WHERE = ("run", "system", "from→to")
RARE = {"bad tests": "bad_tests", "undecided": "undecided", "stale": "stale"}
PARTIAL = "Precision is that of the labelled cases; the others may differ."
NO_SIDE = "For {} there is no majority on which translation is wrong: neither is counted as wrong."
UNLABELLED = "Nothing is labelled yet: `concord label export` writes a table to fill in."
NONE = "–"
"""A cell without a number."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text cells with a title and a note on how to read it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @classmethod
    def of(cls, title: str, items: Iterable[T], cells: Mapping[str, Callable[[T], str]], note: str = "") -> "TextTable":
        """A table with a row for each item, and its cells by the names of their columns."""
        return cls(title, tuple(cells), [tuple(cell(item) for cell in cells.values()) for item in items], note)


def figure(value: float | None, form: str = ".3f") -> str:
    """A number as a cell shows it."""
    return NONE if value is None or value != value else format(value, form)


def between(ends: Sequence[float] | None, form: str = ".3f") -> str:
    """An interval as text, such as `0.500 … 0.862`."""
    return NONE if ends is None or ends[0] != ends[0] else f"{ends[0]:{form}} … {ends[1]:{form}}"


def tables(sweeps: Sequence[Sweep]) -> list[TextTable]:
    """The tables of each relation; without labels, columns that need them are left out."""
    return [table for sweep in sweeps for table in _tables(sweep)]


def _tables(sweep: Sweep) -> Iterator[TextTable]:
    options = (f"{name}={option_text(value)}" for name, value in sweep.settings.items() if value)
    name = ",".join([sweep.relation, *options])
    labelled = any(point.labelled or point.stale for scope in sweep.scopes for point in scope.points)
    yield _cases(name, sweep, labelled)
    domains = [scope for scope in sweep.scopes if scope.domain is not None]
    if domains:
        heading = "precision (errors / decided)" if labelled else "flagged cases"
        yield _wide(f"{name}: {heading} by domain", sweep, domains, _precision if labelled else _flagged)
    heading = "distinct translations" + (", wrong / flagged" if labelled else " in flagged cases")
    cell = _wrong if labelled else lambda point: f"{point.translations:,}"
    translations = _wide(f"{name}: {heading}", sweep, sweep.scopes, cell)
    unknown = max((point.no_side for scope in sweep.scopes for point in scope.points), default=0)
    yield replace(translations, note=NO_SIDE.format(plural(unknown, "error"))) if unknown else translations
    if labelled:
        yield _categories(name, sweep)
        yield from _validity(name, sweep)
    yield from _filters(name, sweep)
    yield _seconds(name, sweep)


def _cases(name: str, sweep: Sweep, labelled: bool) -> TextTable:
    """Counts of whole runs; a rare count that is zero everywhere has no column."""
    whole = [(scope, point) for scope in sweep.scopes if scope.domain is None for point in scope.points]
    rare = [column for column, name in RARE.items() if any(getattr(point, name) for _, point in whole)]
    labelled_columns = ("labelled", *rare, "precision", "95% interval") if labelled else ()
    rows = [(*_where(scope), f"{point.threshold:g}", *_counts(point, rare, labelled)) for scope, point in whole]
    partial = any(point.labelled < point.flagged for _, point in whole)
    note = UNLABELLED if not labelled else PARTIAL if partial else ""
    return TextTable(f"{name}: cases", (*WHERE, "threshold", "flagged", *labelled_columns), rows, note)


def _wide(title: str, sweep: Sweep, scopes: Sequence[Scope], cell: Callable[[SweepPoint], str]) -> TextTable:
    """A table with a column for each threshold, as in the papers."""
    rows = [(*_where(scope), _domain(scope), *map(cell, scope.points)) for scope in scopes]
    return TextTable(title, (*WHERE, "domain", *(f"> {threshold:g}" for threshold in sweep.thresholds)), rows)


def _categories(name: str, sweep: Sweep) -> TextTable:
    rows = [
        (*_where(scope), _domain(scope), *(f"{count:,}" for count in (*first.categories.values(), first.no_category)))
        for scope in sweep.scopes
        for first in scope.points[:1]
    ]
    title = f"{name}: distinct wrong translations by category, suspicion > {sweep.thresholds[0]:g}"
    return TextTable(title, (*WHERE, "domain", *CATEGORIES, "no category"), rows)


def _validity(name: str, sweep: Sweep) -> Iterator[TextTable]:
    """How many of the labelled variants are valid; only where people call some of them bad tests."""
    if all(scope.valid == scope.tests for scope in sweep.scopes):
        return
    rows = [
        (*_where(scope), _domain(scope), f"{scope.tests:,}", f"{scope.valid / scope.tests:.1%} ({scope.valid:,})")
        for scope in sweep.scopes
        if scope.tests
    ]
    columns = (*WHERE, "domain", "labelled", "no bad test")
    yield TextTable(f"{name}: variants that are valid tests", columns, rows)


def _filters(name: str, sweep: Sweep) -> Iterator[TextTable]:
    """What other limits of words and of content words would leave, as in the grid by which the paper chose its own."""
    cells = {(point.words, point.content): point for point in sweep.filters if point.pairs}
    if cells:
        lengths, contents = (sorted(set(limits)) for limits in zip(*cells, strict=True))
        rows = [(f"≤ {words} words", *(_left(cells.get((words, least))) for least in contents)) for words in lengths]
        columns = ("phrases of", *(f"≥ {least} content" for least in contents))
        yield TextTable(f"{name}: pairs by filter, precision of the flagged", columns, rows)


def _left(point: FilterPoint | None) -> str:
    if point is None:
        return NONE
    judged = "" if point.precision is None else f", {point.precision:.1%} ({point.erroneous}/{point.decided})"
    return f"{point.pairs:,}{judged}"


def _where(scope: Scope) -> tuple[str, ...]:
    if scope.run is None:
        return "all", "", ""
    return str(scope.run), scope.system, direction(scope.source_lang, scope.target_lang)


def _domain(scope: Scope) -> str:
    return "all" if scope.domain is None else scope.domain or NONE


def _counts(point: SweepPoint, rare: Sequence[str], labelled: bool) -> tuple[str, ...]:
    if not labelled:
        return (_flagged(point),)
    counts = (point.flagged, point.labelled, *(getattr(point, RARE[name]) for name in rare))
    ends = NONE if point.interval is None else "{:.1f} … {:.1f}%".format(*(100 * end for end in point.interval))
    return (*(f"{count:,}" for count in counts), _precision(point), ends)


def _precision(point: SweepPoint) -> str:
    if point.precision is None:
        return NONE
    return f"{point.precision:.1%} ({point.erroneous:,}/{point.labelled - point.undecided:,})"


def _flagged(point: SweepPoint) -> str:
    return f"{point.flagged:,}"


def _wrong(point: SweepPoint) -> str:
    return f"{point.wrong_translations:,} / {point.translations:,}"


def _seconds(name: str, sweep: Sweep) -> TextTable:
    measured = {stage for _, seconds in sweep.seconds for stage in seconds}
    stages = [stage for stage in STAGES if stage in measured]
    rows, repeated = [], defaultdict[tuple[str, str], list[dict[str, float]]](list)
    for run, seconds in sweep.seconds:
        where = run.system, direction(run.source, run.target)
        rows.append((str(run.id), *where, *_stages({**seconds, "total": run.seconds}, stages)))
        repeated[where].append({**seconds, "total": run.seconds})
    for where, runs in repeated.items():
        if len(runs) > 1:
            means = {stage: fmean(run[stage] for run in runs) for stage in runs[0] if all(stage in run for run in runs)}
            rows.append((f"mean of {len(runs)}", *where, *_stages(means, stages)))
    return TextTable(f"{name}: seconds", (*WHERE, *(stages or ["by stage"]), "total"), rows, "Stages overlap.")


def _stages(seconds: Mapping[str, float], stages: Sequence[str]) -> list[str]:
    return [*([figure(seconds.get(stage), ".3g") for stage in stages] or [NONE]), f"{seconds['total']:.1f}"]
