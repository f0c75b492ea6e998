"""What makes two cases the same test."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from functools import cache

from concord import plugins
from concord.errors import UserError
from concord.model import Case
from concord.signature import digest
from concord.store.records import RunRecord
from concord.store.thresholds import besides


@cache
def is_distinct(relation: str) -> bool:
    """Whether the texts of a case say all that it asks, whatever the options and wherever it stands in a corpus."""
    with contextlib.suppress(UserError):
        return bool(getattr(plugins.load("relations", relation), "DISTINCT", False))
    return False


@cache
def _answered(relation: str) -> frozenset[str]:
    with contextlib.suppress(UserError):
        return frozenset(getattr(plugins.load("relations", relation), "ANSWERED", ()))
    return frozenset()


def asked_factors(relation: str, factors: Mapping[str, str]) -> str:
    """The factors of a case that are part of its question, as one text: all but those of the relation's `ANSWERED`."""
    answered = _answered(relation)
    return json.dumps({name: each for name, each in factors.items() if name not in answered}, sort_keys=True)


def case_key(run: RunRecord, case: Case) -> bytes:
    """What makes two cases the same test, whatever the threshold and the answers."""
    told = {} if is_distinct(run.relation) else run.settings
    settings = besides(run.relation, told)
    # What the system itself produced on the way is an answer, not an input.
    produced = (case.source_output, *case.steps.values())
    inputs = (case.source,) if case.follow_up in produced else (case.source, case.follow_up)
    return digest(
        run.relation,
        json.dumps(settings, sort_keys=True, default=list),
        run.system,
        run.source,
        run.target,
        asked_factors(run.relation, case.factors),
        *(part for text in inputs for part in (text.lang, text.words)),
    )
