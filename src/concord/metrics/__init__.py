"""Metrics: how alike two texts are, from 0 (nothing in common) to 1 (the same)."""

from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any

from concord import plugins
from concord.model import Text

__all__ = ["similarity", "similarity_many"]


def similarity(name: str, a: Text, b: Text, **options: Any) -> float:
    """The similarity of two texts in [0, 1], by a metric such as `chrf` or `bleu:variant=paper`; higher is more
    similar.

    `a` is what it should be, `b` what it is; some metrics are not symmetric.
    """
    metric, settings = _metric(name)
    if hasattr(metric, "similarity"):
        return float(metric.similarity(a, b, **settings, **options))
    return 1.0 - float(metric.distance(a, b, **settings, **options))


def similarity_many(name: str, pairs: Sequence[tuple[Text, Text]], **options: Any) -> list[float]:
    """`similarity` of every pair, in one go where the metric is faster that way."""
    metric, settings = _metric(name)
    if hasattr(metric, "similarity_many"):
        return [float(value) for value in metric.similarity_many(pairs, **settings, **options)]
    return [similarity(name, a, b, **options) for a, b in pairs]


def _metric(name: str) -> tuple[ModuleType, dict[str, Any]]:
    # Looking a plug-in up searches folders, which costs more than most metrics do; a user's file may have changed.
    return plugins.metric(name) if ".py" in name else _remembered(name)


@cache
def _remembered(name: str) -> tuple[ModuleType, dict[str, Any]]:
    return plugins.metric(name)
