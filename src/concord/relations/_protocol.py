"""What a relation may define beside `check`, read for whoever needs it: the record of a run, judging, teaching.

- `DISTINCT`: the texts of a case say all that it asks.
- `ANSWERED`: the factors that come out of the answers, and so are no part of the question.
- `THRESHOLDS`: the options that judge cases, where they are not `threshold` and `d`. Where only some of several judge a
  run's cases, the function `thresholds(**options)` says which; its keyword-only options are those that choose.
- `OPERATOR`: `>=` in a relation that flags what is at its threshold, too.
- `WORSE_WHEN_HIGHER`: the scores of its own that are worse when higher.
- `EXPLAINS`: which texts of a case our comparison compares; `LANGS`: the language of each role.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from typing import Any

from concord import plugins
from concord.errors import MALFORMED, UserError
from concord.model import FLAGS, ROLES, Operator, RelationFacts
from concord.relations._judgement import USUAL, Roles

LANGS = ("source", "source", "target", "target")


def relation_facts(relation: str, settings: Mapping[str, Any] | None = None) -> RelationFacts:
    """What the record of a run with these settings says of its relation, which is installed."""
    module = plugins.load("relations", relation)
    thresholds = tuple(getattr(module, "THRESHOLDS", RelationFacts().thresholds))
    told, chosen = getattr(module, "thresholds", None), thresholds
    with contextlib.suppress(*MALFORMED):  # a damaged run may lack the option that says which
        chosen = told(**settings or {}) if told else chosen
    return RelationFacts(
        distinct=bool(getattr(module, "DISTINCT", False)),
        answered=tuple(getattr(module, "ANSWERED", ())),
        thresholds=thresholds,
        judging=tuple(
            name for name, value in (settings or {}).items() if name in chosen and isinstance(value, int | float | None)
        ),
        operator=_operator(relation, getattr(module, "OPERATOR", ">")),
        worse_when_higher=tuple(getattr(module, "WORSE_WHEN_HIGHER", ())),
        better_when_higher=tuple(plugins.names("metrics")),
    )


def _operator(relation: str, told: Any) -> Operator:
    for operator in FLAGS:
        if told == operator:
            return operator
    raise UserError(f"the OPERATOR of the relation '{relation}' cannot be {told!r}. Choose one of: {', '.join(FLAGS)}")


def choosing(relation: str) -> frozenset[str]:
    """The options that say which of several thresholds judge, and on which none of them depends."""
    told = getattr(plugins.load("relations", relation), "thresholds", None)
    named = inspect.signature(told).parameters.values() if told else ()
    return frozenset(each.name for each in named if each.kind is each.KEYWORD_ONLY)


def roles(relation: str) -> Roles:
    """Which texts of a case are compared: two texts, and what became of each; by default those of the case itself."""
    told: Roles = getattr(plugins.load("relations", relation), "EXPLAINS", USUAL)
    return told


def langs_of(relation: str) -> tuple[str, ...]:
    """The language of each role: that of the source, or of the target."""
    told: tuple[str, ...] = getattr(plugins.load("relations", relation), "LANGS", LANGS)
    return told


def turned(relation: str) -> bool:
    """Whether the texts that are compared are in the source language, and translate texts in the target language."""
    return langs_of(relation)[ROLES.index(roles(relation)[2])] == "source"
