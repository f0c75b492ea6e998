"""Notes on an analysis that a reader must know before believing it, as sentences."""

from collections.abc import Iterator, Mapping

from concord.plural import plural
from concord.stats.linear import LinearModel
from concord.stats.ranking import Ranked
from concord.stats.robust_comparisons import Clustered, RobustEffects

_MOST_LISTED = 5
_FEW_CLUSTERS = 30


def notes(model: LinearModel, compared: RobustEffects) -> list[str]:
    """Notes on rows that were left out, and on what cannot be estimated and why."""
    return [*_left_out(model), *_balance(model), *_not_estimable(model, compared), *_no_variance(model)]


def clustering_notes(name: str, clusters: int, clustered: Clustered | None, level: float) -> Iterator[str]:
    """Notes on whether clustered standard errors, if there are any, change conclusions."""
    if clustered is None:
        yield f"There are no standard errors clustered by '{name}': they need two clusters and residuals."
        return
    if clusters < _FEW_CLUSTERS:
        few = plural(clusters, "level")
        yield f"'{name}' has only {few}: clustered standard errors are too small with so few clusters."
    if clustered.tested:
        yield f"Standard errors clustered by '{name}' change {_changed(clustered, level)}."
    if clustered.untested:
        lost = f"{clustered.untested:,} of " if clustered.tested else "any of "
        pairs = plural(clustered.tested + clustered.untested, "pair")
        yield f"Whether clustering by '{name}' changes a conclusion could not be tested for {lost}{pairs}."


def ranking_notes(ranking: Mapping[str, list[Ranked]]) -> Iterator[str]:
    """Notes on levels that the ranking could not test."""
    for name, ranked in ranking.items():
        lost = [ranked_level.level for ranked_level in ranked if not ranked_level.letters]
        if lost:
            yield (
                f"The ranking of '{name}' could not test {_listed(lost)}: with a single cluster in a cell there is "
                "nothing to tell chance from. Add replications with other sentences."
            )


def _changed(clustered: Clustered, level: float) -> str:
    if not clustered.changes:
        return f"no conclusion at the level {level:g}"
    pairs = _listed([f"{change.a} and {change.b} ({change.where})" for change in clustered.changes])
    return f"{plural(len(clustered.changes), 'conclusion')}: {pairs}"


def _left_out(model: LinearModel) -> Iterator[str]:
    cells = model.cells
    if cells.dropped:
        yield f"Left out for a gap in a column that matters: {plural(cells.dropped, 'row')}."
    for factor in cells.factors:
        if len(cells.levels[factor]) == 1:
            only = cells.levels[factor][0]
            yield f"'{factor}' has a single level, '{only}': it has no effect to test and is not in the model."


def _balance(model: LinearModel) -> Iterator[str]:
    cells = model.cells
    low, high = int(cells.n.min()), int(cells.n.max())
    if low != high:
        yield (
            f"The table is unbalanced: cells have from {low:,} to {high:,} observations. "
            "Means weight all cells equally, and the three types of sums of squares differ."
        )


def _not_estimable(model: LinearModel, compared: RobustEffects) -> Iterator[str]:
    cells = model.cells
    observed = {tuple(row) for row in cells.index.tolist()}
    grid = [tuple(row) for row in model.design.grid().tolist()]
    missing = [combination for combination in grid if combination not in observed]
    if missing:
        names = [" × ".join(cells.levels[f][i] for f, i in zip(cells.factors, row, strict=True)) for row in missing]
        yield f"Cells without observations: {len(missing):,} of {len(grid):,} ({_listed(names)})."
    lost = {name: [m.level for m in effect.means if m.mean != m.mean] for name, effect in compared.overall.items()}
    for name, levels in lost.items():
        if levels:
            yield (
                f"Not estimable: means of '{name}' for {_listed(levels)}, and their differences from the others, "
                "since they would average over cells without observations. "
                "Compare within levels of the other factors, or leave the interaction out (--additive)."
            )
    if not model.full_rank and any(len(term) > 1 for term in model.design.terms):
        yield "Type III tests of main effects are not defined with missing cells; types I and II are."


def _no_variance(model: LinearModel) -> Iterator[str]:
    if not model.residual_df:
        yield (
            "Every observation has a coefficient of its own, so nothing is left to estimate the error from: "
            "there are no standard errors or tests, and no number of replications follows. "
            "Add replications, or leave the interaction out (--additive)."
        )
    elif not model.residual_squares:
        yield "The model fits every observation exactly: without any variance there is nothing to test with."


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")
