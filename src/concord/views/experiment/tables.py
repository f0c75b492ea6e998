"""Tables of an experiment, for the terminal and the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from concord.analyses.experiment.human_scores import Human, Pace
from concord.analyses.experiment.results import ExperimentResults
from concord.plural import plural
from concord.stats.analysis import Analysis
from concord.stats.correlation import Correlation
from concord.stats.ls_means import Effect
from concord.stats.ranking import Ranked
from concord.stats.sign_test import p_value_text
from concord.views.tables import NONE, TextTable, between, figure

ANOVA = "3"
MOST_CHANGES = 20
MEAN = ("mean", "SE", "interval", "letters")


def tables(findings: ExperimentResults) -> list[TextTable]:
    """Tables 1 to 4 of the papers, and those of human scores if there are any."""
    analysed = tables_of(findings.analysis, factors=("system", "target"))
    return [*analysed, *(_human(findings.human) if findings.human else ())]


def tables_of(analysis: Analysis, factors: Sequence[str] = ()) -> list[TextTable]:
    """The tables of any analysis, restricted to these factors if there are any."""
    every = list(factors) or list(analysis.compared.overall)
    names = [name for name in every if name in analysis.compared.overall]
    made_tables = [_overall(analysis, name) for name in names]
    made_tables.insert(1 if factors else 0, _variance(analysis))
    for name, within in ((name, within) for name in names for within in names if name != within):
        parts = analysis.compared.within.get(f"{name}|{within}", {})
        if any(len(part.means) > 1 for part in parts.values()):
            made_tables.append(_within(name, within, parts))
    return [*made_tables, *_clustered(analysis, names)]


def _overall(analysis: Analysis, name: str) -> TextTable:
    ranked = {level_ranks.level: level_ranks for level_ranks in (analysis.ranking or {}).get(name, [])}
    rows = [
        (*row, *((_ranks(ranked.get(row[0])),) if ranked else ())) for row in _means(analysis.compared.overall[name])
    ]
    note = f"Levels that share a letter do not differ significantly at confidence {analysis.level:g} (Tukey)."
    if ranked:
        note += " Ranks and their letters: by bootstrap over clusters, without the model."
    return TextTable(f"Means by {name}", (name, *MEAN, *(("ranks",) if ranked else ())), rows, note)


def _ranks(ranked: Ranked | None) -> str:
    if ranked is None:
        return NONE
    ranks = str(ranked.best) if ranked.best == ranked.worst else f"{ranked.best}–{ranked.worst}"
    return f"{ranks} {ranked.letters or NONE}"


def _variance(analysis: Analysis) -> TextTable:
    rows = []
    for term in analysis.anova[ANOVA]:
        squares = (_figure(term.sum_sq), f"{term.df:,}", _figure(term.sum_sq / term.df if term.df else None))
        rows.append((term.term, *squares, _figure(term.f), p_value_text(term.p, 4)))
    note = "Type III sums of squares, with effects that sum to zero; types I and II: --json."
    return TextTable("Analysis of variance", ("term", "sum of squares", "df", "mean square", "F", "p"), rows, note)


def _within(name: str, within: str, parts: Mapping[str, Effect]) -> TextTable:
    rows = [(level, *row) for level, part in parts.items() for row in _means(part)]
    note = f"Each {within} is a family of its own for Tukey's adjustment."
    return TextTable(f"Means by {name} within each {within}", (within, name, *MEAN), rows, note)


def _clustered(analysis: Analysis, factors: Sequence[str]) -> Iterator[TextTable]:
    every = analysis.clustered.changes if analysis.clustered else []
    changes = [change for change in every if set(change.where.partition("=")[0].split("|")) <= set(factors)]
    if not changes:
        return
    listed = changes[:MOST_CHANGES]
    rows = [
        (change.where, change.a, change.b, p_value_text(change.p, 4), p_value_text(change.clustered_p, 4))
        for change in listed
    ]
    note = "Rows of one cluster, such as one sentence, are not independent: rely on the clustered p."
    if len(every) > len(rows):
        note += f" {len(every) - len(rows):,} more: --json."
    columns = ("where", "first", "second", "p", "clustered p")
    yield TextTable("Conclusions that change with clustered standard errors", columns, rows, note)


PACES: dict[str, Callable[[Pace], str]] = {
    "judged by": lambda pace: pace.name,
    "judgements": lambda pace: f"{pace.judgements:,}",
    "mean": lambda pace: figure(pace.mean, ".3g"),
    "median": lambda pace: figure(pace.median, ".3g"),
}
CACHED = "Concord's seconds are those of a run, its translations included, but for those that were in the cache."


def _human(human: Human) -> Iterator[TextTable]:
    scores = sorted({score for counts in human.counts.values() for score in counts}, key=float)
    every = {**human.counts, "total": {s: sum(count.get(s, 0) for count in human.counts.values()) for s in scores}}
    rows = [
        (system, *(str(counts.get(score, 0)) for score in scores), str(sum(counts.values())))
        for system, counts in every.items()
    ]
    note = f"{plural(human.unmatched, 'score belongs', 'scores belong')} to no observation." if human.unmatched else ""
    yield TextTable("Human scores", ("system", *scores, "total"), rows, note)
    if human.paces:
        yield TextTable.of("Seconds for a judgement", human.paces, PACES, CACHED)
    groups = {"by sentence": human.by_sentence, "by system": human.by_system}
    groups |= {f"within {system}": correlations for system, correlations in human.within.items()}
    listed = [
        (name, *_correlated(correlation)) for name, correlations in groups.items() for correlation in correlations
    ]
    columns = ("pairs", "method", "n", "r", "interval", "p")
    yield TextTable(
        "Human and metamorphic scores", columns, listed, "Correlations are from -1 to 1; higher is more agreement."
    )


def _means(effect: Effect) -> Iterator[tuple[str, ...]]:
    """The rows of means, the highest first; means that cannot be estimated come last."""
    for mean in sorted(effect.means, key=lambda mean: (mean.mean != mean.mean, -mean.mean)):
        ends = between((mean.lower, mean.upper), ".4f")
        yield mean.level, _figure(mean.mean), _figure(mean.se), ends, mean.letters or NONE


def _correlated(correlation: Correlation) -> tuple[str, ...]:
    return (
        correlation.method,
        str(correlation.n),
        figure(correlation.r),
        between((correlation.lower, correlation.upper)),
        p_value_text(correlation.p, 4),
    )


def _figure(value: float | None) -> str:
    return figure(value, ",.4f" if value is not None and abs(value) < 1e6 else ".4g")
