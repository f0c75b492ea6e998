"""Hashes by which cases and their outputs are looked up: two cases with one key are the same test.

A key has 16 bytes, of which arrays hold the first half. The outputs of a case have a hash of 6 bytes: text in sheets,
forms and files of accepted findings, and the same as a number in arrays.
"""

import json
from collections.abc import Mapping

from concord.model import Case, RelationFacts
from concord.signature import digest
from concord.store.records import RunRecord

_SIZE = 6


def asked_factors(relation: RelationFacts, factors: Mapping[str, str]) -> str:
    """The factors that are part of a case's question, as JSON: all but those that depend on the answers."""
    question = {name: value for name, value in factors.items() if name not in relation.answered}
    return json.dumps(question, sort_keys=True)


def case_key(run: RunRecord, case: Case) -> bytes:
    """The hash of what a case asks; it depends neither on the threshold nor on the answers."""
    settings = {} if run.facts.distinct else run.question
    # A follow-up that the system itself produced is an answer, not an input.
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


def key_number(key: bytes) -> int:
    """The first half of a key or of a digest as a number."""
    return int.from_bytes(key[:8])


def sentence_number(text: str) -> int:
    """The hash by which a sentence is known in all runs, however often it stands in a corpus."""
    return key_number(digest(text, size=8))


def outputs_id(outputs: str) -> str:
    """A short id of outputs; its first letter keeps spreadsheets from reading it as a number."""
    return "o" + digest(outputs, size=_SIZE).hex()


def outputs_number(outputs: str) -> int:
    """The same hash as arrays hold it.

    >>> outputs_number("{}") == int(outputs_id("{}")[1:], 16)
    True
    """
    return key_number(digest(outputs, size=_SIZE))
