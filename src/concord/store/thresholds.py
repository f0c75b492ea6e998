"""Which options of a relation are thresholds: they judge its cases, and do not change what is asked.

`threshold` and `d` (that of Purity's paper) are, unless the relation's module names others as its `THRESHOLDS`. Where
only some of several judge a run's cases, the module's function `thresholds(**options)` says which.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from concord import plugins
from concord.errors import MALFORMED, UserError

USUAL = ("threshold", "d")


@cache
def thresholds(relation: str) -> frozenset[str]:
    """The names of the thresholds; the usual ones for a relation that is not installed here."""
    return frozenset(getattr(_module(relation), "THRESHOLDS", USUAL))


def judging(relation: str, settings: Mapping[str, Any]) -> list[str]:
    """Those of the thresholds among these settings that judge cases; of a damaged run, those that are numbers."""
    told = getattr(_module(relation), "thresholds", None)
    chosen = thresholds(relation)
    with contextlib.suppress(*MALFORMED):  # a damaged run may lack the option that says which
        chosen = told(**settings) if told else chosen
    return [name for name, value in settings.items() if name in chosen and isinstance(value, int | float | None)]


def besides(relation: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without thresholds: what makes two runs ask the same."""
    return {name: value for name, value in settings.items() if name not in thresholds(relation)}


@cache
def choosing(relation: str) -> frozenset[str]:
    """The options that say which of several thresholds judge, and on which none of them depends."""
    told = getattr(_module(relation), "thresholds", None)
    named = inspect.signature(told).parameters.values() if told else ()
    return frozenset(each.name for each in named if each.kind is each.KEYWORD_ONLY)


@cache
def _module(relation: str) -> Any:
    with contextlib.suppress(UserError):
        return plugins.load("relations", relation)
    return None
