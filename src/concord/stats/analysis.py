"""The analysis of a table: a response by one factor, by two with their interaction, or by more."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from concord.errors import UserError
from concord.plain_data import plain
from concord.stats.anova import Variation, anova
from concord.stats.caveats import clustering_notes, notes, ranking_notes
from concord.stats.cells import Clusters, count_cells
from concord.stats.linear import LinearModel
from concord.stats.ls_means import Effect
from concord.stats.marginal_means import Margins, set_parents_aside
from concord.stats.ranking import Draws, Ranked, rank
from concord.stats.robust_comparisons import Clustered, RobustEffects, Sandwich, clustered, compare
from concord.stats.table import ObservationTable, Source

_MOST_FACTORS = 6


@dataclass(frozen=True, slots=True)
class Analysis:
    """The results of an analysis: sums of squares, means, pairs and letters, and notes to read first."""

    level: float
    model: LinearModel
    margins: Margins
    anova: dict[str, list[Variation]]
    compared: RobustEffects
    notes: list[str]
    clustered: Clustered | None = None
    ranking: dict[str, list[Ranked]] | None = None

    def json(self) -> dict[str, Any]:
        """The analysis as plain data; null if something cannot be estimated or tested."""
        data = {
            "n": self.model.cells.total,
            "residual_df": self.model.residual_df,
            "sigma2": self.model.sigma2,
            "anova": self.anova,
            **_comparisons(self.compared),
            "notes": self.notes,
        }
        if self.clustered:
            data["clustered"] = {
                "clusters": self.clustered.clusters,
                **_comparisons(self.clustered.compared),
                "changes": self.clustered.changes,
            }
        if self.ranking is not None:
            data["ranking"] = self.ranking
        return dict(plain(data))

    def replications(self, width: float) -> dict[str, int]:
        """The observations per cell at which the means of each factor have intervals of that width, by this variance.

        Empty where the table does not determine the variance; a note says so.
        """
        if math.isnan(self.model.sigma2):
            return {}
        grid = self.model.design.grid()
        counts = {name: int(np.bincount(self.margins.numbers(name, grid)).min()) for name in self.margins.levels}
        return {
            name: replications(width, self.model.sigma2, cells=len(grid), averaged=averaged, level=self.level)
            for name, averaged in counts.items()
        }


def analyse(
    table: Source,
    response: str,
    factors: Sequence[str],
    *,
    level: float = 0.95,
    interaction: bool = True,
    nested: Mapping[str, str] | None = None,
    cluster: str | None = None,
    resamples: int = 0,
    seed: int = 0,
) -> Analysis:
    """Fit a linear model of a response to categorical factors, and compare their levels.

    The table is a CSV, TSV or JSONL file, or an iterable of mappings; it is read once, in pieces.
    `level` is that of intervals, and 1 - level the family-wise error of the pairs. `nested` names for a
    factor the column that it is nested in, as `{"path": "target"}`: that column gets means as well, each the
    average of its paths. With `cluster`, a column such as the sentence, all comparisons are repeated with
    clustered standard errors. With `resamples`, levels are also ranked by that many draws of the signs of clusters.
    """
    nested = dict(nested or {})
    _check([response, *factors, *nested.values(), *([cluster] if cluster else [])], factors, level, nested)
    all_cells = count_cells(ObservationTable(table, response, [*factors, *nested.values()], cluster))
    cells, parents = set_parents_aside(all_cells, nested)
    model = LinearModel(cells, interaction=interaction)
    margins = Margins(model, parents)
    compared = compare(margins, model.covariance, model.residual_df, level)
    all_notes = notes(model, compared)
    with_clusters = None
    if cells.clusters and cluster:
        with_clusters = _clustered(margins, cells.clusters, compared, level)
        all_notes += clustering_notes(cluster, cells.clusters.count, with_clusters, level)
    ranking = None
    if resamples:
        draws = Draws(cells, resamples, seed)
        ranking = {name: rank(margins, name, draws, level) for name in margins.levels}
        all_notes += ranking_notes(ranking)
    return Analysis(level, model, margins, anova(model), compared, all_notes, with_clusters, ranking)


def _check(columns: list[str], factors: Sequence[str], level: float, nested: Mapping[str, str]) -> None:
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if not factors:
        raise UserError("there is nothing to compare: name at least one factor, such as 'system'")
    if twice:
        cure = "The response, each factor, what it is nested in and the cluster must differ"
        raise UserError(f"'{twice[0]}' has two roles. {cure}")
    count = len(factors) + len(nested)
    if count > _MOST_FACTORS:
        raise UserError(f"{count} factors are too many: at most {_MOST_FACTORS} can be analysed together")
    if not 0 < level < 1:
        raise UserError(f"the level is {level}, but must lie between 0 and 1, such as 0.95")
    for factor in nested:
        if factor not in factors:
            raise UserError(f"'{factor}' cannot be nested: it is not a factor. Factors: {', '.join(factors)}")


def _clustered(margins: Margins, clusters: Clusters, compared: RobustEffects, level: float) -> Clustered | None:
    model = margins.model
    if clusters.count < 2 or not model.residual_df:
        return None
    sandwich = Sandwich(model, clusters)
    robust = compare(margins, sandwich.covariance, sandwich.df, level)
    return clustered(compared, robust, clusters.count, level)


def _comparisons(compared: RobustEffects) -> dict[str, Any]:
    overall: Mapping[str, Effect] = compared.overall
    return {
        "means": {name: effect.means for name, effect in overall.items()},
        "pairs": {name: effect.pairs for name, effect in overall.items()},
        "within": compared.within,
    }


def replications(width: float, sigma2: float, *, cells: int, averaged: int = 1, level: float = 0.95) -> int:
    """The fewest observations per cell, at least two, that make intervals as narrow as `width` from end to end.

    `cells` is the number of cells of the design, `averaged` the number that the mean in question averages over.
    Observations are assumed to be independent and equally many in every cell.

    >>> replications(0.02, 0.04, cells=168, averaged=7)
    220
    """
    if not (width > 0 and sigma2 >= 0 and math.isfinite(width) and math.isfinite(sigma2)):
        raise UserError(f"no number of replications follows from width={width} and a variance of {sigma2}")
    enough = 2
    while _width(enough, sigma2, cells, averaged, level) > width:
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if _width(middle, sigma2, cells, averaged, level) <= width else (middle, enough)
    return max(2, enough)


def _width(n: int, sigma2: float, cells: int, averaged: int, level: float) -> float:
    return 2 * float(stdtrit((n - 1) * cells, (1 + level) / 2)) * math.sqrt(sigma2 / (n * averaged))
