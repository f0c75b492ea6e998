"""Standings: the results of `quality`, cached in the index until one of the runs changes."""

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
from concord.store.insane_answers import sane_runs
from concord.store.verdict_arrays import TooMuch, more_cases_than, verdicts

SMALL = 20_000
"""The number of cases that are ranked while somebody waits for a page."""


def standings(store: Workspace, runs: Sequence[int], terms: QualityTerms, *, patient: bool) -> dict[str, Any] | None:
    """The quality of these runs as plain data; if not `patient`, None for large runs that are not cached."""

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
    """The cache key of these runs and terms."""
    # The index drops a run's stamp when the run changes, so a new stamp means new content.
    evidence = [run.id for run in sane_runs(store, [store.run(run) for run in runs])]
    read = [*runs, *evidence]
    stamps = [index.blob(run, "changed", lambda: secrets.token_bytes(8)).hex() for run in read]
    # Messages name the workspace and the runs that did not finish, so the key has both.
    facts = [str(store.path), *(str(store.run(run).finished is None) for run in runs)]
    return f"standings4:{digest(*map(str, read), *stamps, *facts, str(terms)).hex()}"


def _compute(store: Workspace, index: Index, runs: Sequence[int], terms: QualityTerms, patient: bool) -> bytes:
    if not patient and more_cases_than(store, runs, SMALL):
        raise TooMuch
    # A cached result needs no scipy, which is slow to import.
    from concord.analyses.quality.quality import ranking

    try:
        tables = ranking(store, runs, terms, partial(verdicts, store, keep=index.blob)).plain()
    except UserError as error:  # cached as well, or an impatient caller would wait for ever
        tables = {"refused": str(error)}
    return json.dumps(tables).encode()
