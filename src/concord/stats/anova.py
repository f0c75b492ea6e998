"""Analysis of variance: how much each term explains, by sums of squares of type I, II or III.

I: after the terms before it; II: after all terms that do not contain it; III: after all others, with effects that sum
to zero. The types are those of SAS; they agree where every cell has the same number of observations.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scipy.special import fdtrc

from concord.stats.linear import LinearModel, Term


@dataclass(frozen=True, slots=True)
class Variation:
    """A row of the table; f and p are nan where nothing can be tested.

    A term without df has no hypothesis to test at all, since some of its cells are missing.
    """

    term: str
    df: int | None = None
    sum_sq: float = float("nan")
    f: float = float("nan")
    p: float = float("nan")


def f_test(sum_sq: float, df: int, residual_squares: float, residual_df: int) -> tuple[float, float]:
    """F and its p-value from sums of squares and degrees of freedom.

    >>> f, p = f_test(30.0, 2, 60.0, 12)
    >>> round(f, 2), round(p, 4)
    (3.0, 0.0878)
    """
    if not df or not residual_df or not residual_squares:
        return float("nan"), float("nan")
    f = sum_sq / df / (residual_squares / residual_df)
    return f, float(fdtrc(df, residual_df, f))


def anova(model: LinearModel) -> dict[str, list[Variation]]:
    """The three tables, by type."""
    residuals = Variation("residuals", model.residual_df, model.residual_squares)
    comparisons = {"1": _first, "2": _second, "3": _third}
    return {kind: [*_lines(model, compared), residuals] for kind, compared in comparisons.items()}


Compared = Callable[[LinearModel, Term], tuple[list[Term], list[Term]] | None]


def _first(model: LinearModel, term: Term) -> tuple[list[Term], list[Term]]:
    before = model.design.terms[: model.design.terms.index(term)]
    return before, [*before, term]


def _second(model: LinearModel, term: Term) -> tuple[list[Term], list[Term]]:
    without = [candidate for candidate in model.design.terms if not set(term) <= set(candidate)]
    return without, [*without, term]


def _third(model: LinearModel, term: Term) -> tuple[list[Term], list[Term]] | None:
    remaining = [candidate for candidate in model.design.terms if candidate != term]
    # Averages over the levels of another factor do not exist where some of its cells are missing.
    if not model.full_rank and any(set(term) < set(candidate) for candidate in remaining):
        return None
    return remaining, model.design.terms


def _lines(model: LinearModel, compared: Compared) -> Iterator[Variation]:
    for term in model.design.terms:
        pair = compared(model, term)
        if pair is None:
            yield Variation(":".join(term))
            continue
        less, more = (model.fitted_with(terms) for terms in pair)
        df, sum_sq = more.rank - less.rank, max(0.0, more.explained - less.explained)
        yield Variation(":".join(term), df, sum_sq, *f_test(sum_sq, df, model.residual_squares, model.residual_df))
