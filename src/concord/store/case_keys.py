"""What makes two cases the same test."""

from __future__ import annotations

import json
from collections.abc import Mapping

from concord.model import Case, RelationFacts
from concord.signature import digest
from concord.store.records import RunRecord


def asked_factors(relation: RelationFacts, factors: Mapping[str, str]) -> str:
    """The factors of a case that are part of its question, as one text: all but those that came out."""
    return json.dumps({name: each for name, each in factors.items() if name not in relation.answered}, sort_keys=True)


def case_key(run: RunRecord, case: Case) -> bytes:
    """What makes two cases the same test, whatever the threshold and the answers."""
    settings = {} if run.facts.distinct else run.question
    # What the system itself produced on the way is an answer, not an input.
    produced = (case.source_output, *case.steps.values())
    inputs = (case.source,) if case.follow_up in produced else (case.source, case.follow_up)
    return digest(
        run.relation.partition(":")[0],  # whoever judges it, a case is the same
        json.dumps(settings, sort_keys=True, default=list),
        run.system,
        run.source,
        run.target,
        asked_factors(run.facts, case.factors),
        *(part for text in inputs for part in (text.lang, text.words)),
    )
