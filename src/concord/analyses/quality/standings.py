"""Standings: what `quality` finds of runs, remembered in the index until one of them changes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from concord.analyses.quality.options import QualityTerms
from concord.errors import UserError
from concord.signature import digest
from concord.store import Workspace
from concord.store.index import Index, with_index
from concord.store.verdict_arrays import TooMuch, more_cases_than, verdicts

SMALL = 20_000
"""So many cases are ranked while somebody waits for a page."""


def standings(store: Workspace, runs: Sequence[int], terms: QualityTerms, *, patient: bool) -> dict[str, Any] | None:
    """What is found of these runs, as plain data; without patience, None where large runs are not remembered."""

    def ask(index: Index) -> bytes:
        name = _name(store, index, runs, terms)
        return index.blob(runs[0], name, lambda: _compute(store, index, runs, terms, patient))

    try:
        tables: dict[str, Any] = json.loads(with_index(store, ask))
    except TooMuch:
        return None
    if "refused" in tables:
        raise UserError(tables["refused"])
    return tables


def _name(store: Workspace, index: Index, runs: Sequence[int], terms: QualityTerms) -> str:
    """What is remembered is looked up by this."""
    # A number that is drawn anew once its run has changed: together they say whether any of them has.
    stamps = [index.blob(run, "changed", lambda: secrets.token_bytes(8)).hex() for run in runs]
    # What is said of the runs besides names the workspace, and those that did not finish.
    facts = [str(store.path), *(str(store.run(run).finished is None) for run in runs)]
    return f"standings3:{digest(*map(str, runs), *stamps, *facts, str(terms)).hex()}"


def _compute(store: Workspace, index: Index, runs: Sequence[int], terms: QualityTerms, patient: bool) -> bytes:
    if not patient and more_cases_than(store, runs, SMALL):
        raise TooMuch
    # Only who has nothing to remember waits for scipy.
    from concord.analyses.quality.fast_counts import counted
    from concord.analyses.quality.quality import quality

    try:
        tables = quality(counted(store, runs, partial(verdicts, store, keep=index.blob)), terms).plain()
    except UserError as error:  # whoever has no patience could otherwise wait for it for ever
        tables = {"refused": str(error)}
    return json.dumps(tables).encode()
