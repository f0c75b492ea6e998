"""The tables of an experiment in words and figures, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from concord.analyses.experiment.human_scores import Human
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
    """What the papers have in tables 1 to 4, and what they leave out."""
    made = tables_of(findings.analysis, factors=("system", "target"))
    return [*made, *(_human(findings.human) if findings.human else ())]


def tables_of(analysis: Analysis, factors: Sequence[str] = ()) -> list[TextTable]:
    """The tables of any analysis; of these factors alone, if some are named."""
    every = list(factors) or list(analysis.compared.overall)
    shown = [name for name in every if name in analysis.compared.overall]
    found = [_overall(analysis, name) for name in shown]
    found.insert(1 if factors else 0, _variance(analysis))
    for name, other in ((name, other) for name in shown for other in shown if name != other):
        parts = analysis.compared.within.get(f"{name}|{other}", {})
        if any(len(part.means) > 1 for part in parts.values()):
            found.append(_within(name, other, parts))
    return [*found, *_clustered(analysis, shown)]


def _overall(analysis: Analysis, name: str) -> TextTable:
    ranked = {each.level: each for each in (analysis.ranking or {}).get(name, [])}
    rows = [
        (*row, *((_ranks(ranked.get(row[0])),) if ranked else ())) for row in _means(analysis.compared.overall[name])
    ]
    note = f"Those that share a letter are not told apart at the level {analysis.level:g} (Tukey)."
    if ranked:
        note += " Ranks and their letters: by drawing clusters anew, without the model."
    return TextTable(f"Means by {name}", (name, *MEAN, *(("ranks",) if ranked else ())), rows, note)


def _ranks(ranked: Ranked | None) -> str:
    if ranked is None:
        return NONE
    places = str(ranked.best) if ranked.best == ranked.worst else f"{ranked.best}–{ranked.worst}"
    return f"{places} {ranked.letters or NONE}"


def _variance(analysis: Analysis) -> TextTable:
    rows = []
    for each in analysis.anova[ANOVA]:
        squares = (_figure(each.sum_sq), f"{each.df:,}", _figure(each.sum_sq / each.df if each.df else None))
        rows.append((each.term, *squares, _figure(each.f), p_value_text(each.p, 4)))
    note = "Type III sums of squares, with effects that sum to zero; types I and II: --json."
    return TextTable("Analysis of variance", ("term", "sum of squares", "df", "mean square", "F", "p"), rows, note)


def _within(name: str, other: str, parts: Mapping[str, Effect]) -> TextTable:
    rows = [(level, *row) for level, part in parts.items() for row in _means(part)]
    note = f"Each {other} is a family of its own for Tukey's adjustment."
    return TextTable(f"Means by {name} within each {other}", (other, name, *MEAN), rows, note)


def _clustered(analysis: Analysis, shown: Sequence[str]) -> Iterator[TextTable]:
    every = analysis.clustered.changes if analysis.clustered else []
    changes = [each for each in every if set(each.where.partition("=")[0].split("|")) <= set(shown)]
    if not changes:
        return
    shown_changes = changes[:MOST_CHANGES]
    rows = [
        (change.where, change.a, change.b, p_value_text(change.p, 4), p_value_text(change.clustered_p, 4))
        for change in shown_changes
    ]
    note = "Rows of one cluster, such as a sentence that was drawn often, are not independent: believe the clustered p."
    if len(every) > len(rows):
        note += f" {len(every) - len(rows):,} more: --json."
    columns = ("where", "one", "other", "p", "clustered p")
    yield TextTable("Conclusions that change with clustered standard errors", columns, rows, note)


def _human(human: Human) -> Iterator[TextTable]:
    scores = sorted({score for counts in human.counts.values() for score in counts}, key=float)
    every = {**human.counts, "total": {s: sum(count.get(s, 0) for count in human.counts.values()) for s in scores}}
    rows = [
        (system, *(str(counts.get(score, 0)) for score in scores), str(sum(counts.values())))
        for system, counts in every.items()
    ]
    note = f"{plural(human.unmatched, 'score belongs', 'scores belong')} to no observation." if human.unmatched else ""
    yield TextTable("Human scores", ("system", *scores, "total"), rows, note)
    groups = {"by sentence": human.by_sentence, "by system": human.by_system}
    groups |= {f"within {system}": found for system, found in human.within.items()}
    listed = [(name, *_correlated(each)) for name, found in groups.items() for each in found]
    columns = ("pairs", "method", "n", "r", "interval", "p")
    yield TextTable("Human and metamorphic scores", columns, listed, "Correlation from -1 to 1; higher is more alike.")


def _means(found: Effect) -> Iterator[tuple[str, ...]]:
    """The best first; what cannot be estimated last."""
    for each in sorted(found.means, key=lambda mean: (mean.mean != mean.mean, -mean.mean)):
        ends = between((each.lower, each.upper), ".4f")
        yield each.level, _figure(each.mean), _figure(each.se), ends, each.letters or NONE


def _correlated(each: Correlation) -> tuple[str, ...]:
    return each.method, str(each.n), figure(each.r), between((each.lower, each.upper)), p_value_text(each.p, 4)


def _figure(value: float | None) -> str:
    return figure(value, ",.4f" if value is not None and abs(value) < 1e6 else ".4g")
