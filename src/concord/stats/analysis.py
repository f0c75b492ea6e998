"""The analysis of a table: a response by one factor, by two with their interaction, or by more."""

from __future__ import annotations

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
    """What a table says: sums of squares, means, pairs and letters, and notes to read first."""

    level: float
    model: LinearModel
    margins: Margins
    anova: dict[str, list[Variation]]
    compared: RobustEffects
    notes: list[str]
    clustered: Clustered | None = None
    ranking: dict[str, list[Ranked]] | None = None

    def json(self) -> dict[str, Any]:
        """Plain data; null stands for what cannot be estimated or tested."""
        found = {
            "n": self.model.cells.total,
            "residual_df": self.model.residual_df,
            "sigma2": self.model.sigma2,
            "anova": self.anova,
            **_comparisons(self.compared),
            "notes": self.notes,
        }
        if self.clustered:
            found["clustered"] = {
                "clusters": self.clustered.clusters,
                **_comparisons(self.clustered.compared),
                "changes": self.clustered.changes,
            }
        if self.ranking is not None:
            found["ranking"] = self.ranking
        return dict(plain(found))

    def replications(self, width: float) -> dict[str, int]:
        """How many observations per cell give every factor's means intervals of that width, as spread as these are.

        Empty where the table says nothing about the variance; a note tells so.
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
    factor the column that it lies in, as `{"path": "target"}`: that column gets means as well, each the
    average of its paths. With `cluster`, a column such as the sentence, all comparisons are repeated with
    clustered standard errors. With `resamples`, levels are also ranked by that many draws of the signs of clusters.
    """
    nested = dict(nested or {})
    _check([response, *factors, *nested.values(), *([cluster] if cluster else [])], factors, level, nested)
    counted = count_cells(ObservationTable(table, response, [*factors, *nested.values()], cluster))
    cells, parents = set_parents_aside(counted, nested)
    model = LinearModel(cells, interaction=interaction)
    margins = Margins(model, parents)
    compared = compare(margins, model.covariance, model.residual_df, level)
    said = notes(model, compared)
    found = None
    if cells.clusters and cluster:
        found = _clustered(margins, cells.clusters, compared, level)
        said += clustering_notes(cluster, cells.clusters.count, found, level)
    ranking = None
    if resamples:
        draws = Draws(cells, resamples, seed)
        ranking = {name: rank(margins, name, draws, level) for name in margins.levels}
        said += ranking_notes(ranking)
    return Analysis(level, model, margins, anova(model), compared, said, found, ranking)


def _check(columns: list[str], factors: Sequence[str], level: float, nested: Mapping[str, str]) -> None:
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if not factors:
        raise UserError("there is nothing to compare: name at least one factor, such as 'system'")
    if twice:
        cure = "The response, each factor, what it is nested in and the cluster must differ"
        raise UserError(f"'{twice[0]}' has two roles. {cure}")
    named = len(factors) + len(nested)
    if named > _MOST_FACTORS:
        raise UserError(f"{named} factors are too many: at most {_MOST_FACTORS} can be analysed together")
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
    found = compare(margins, sandwich.covariance, sandwich.df, level)
    return clustered(compared, found, clusters.count, level)


def _comparisons(compared: RobustEffects) -> dict[str, Any]:
    overall: Mapping[str, Effect] = compared.overall
    return {
        "means": {name: found.means for name, found in overall.items()},
        "pairs": {name: found.pairs for name, found in overall.items()},
        "within": compared.within,
    }


def replications(width: float, sigma2: float, *, cells: int, averaged: int = 1, level: float = 0.95) -> int:
    """The fewest observations per cell, at least two, that make intervals as narrow as `width` from end to end.

    `cells` is how many the design has in all, `averaged` how many of them make up the mean in question.
    Observations are taken to be independent and equally many in every cell.

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
