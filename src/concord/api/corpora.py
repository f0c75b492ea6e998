"""The corpora that a page may use: the bundled one, and those that were given to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord.corpus import Corpus, read
from concord.errors import UserError
from concord.signature import digest
from concord.store.corpora import Corpora

BUNDLED = "demo"


def corpora(workspace: str | Path) -> list[str]:
    """Their names."""
    return [BUNDLED, *Corpora(workspace).names()]


def keep_corpus(workspace: str | Path, name: str, data: bytes, source: str = "en") -> str:
    """Keep a file beside the workspace; gives the name under which it can be read. What cannot be read is not kept."""
    known = corpora(workspace)
    kept = Corpora(workspace).keep(name, data)
    try:
        open_corpus(workspace, kept, source)
    except UserError:
        if kept not in known:
            forget_corpus(workspace, kept)
        raise
    return kept


def forget_corpus(workspace: str | Path, name: str) -> None:
    """Remove a file that was kept; a run that was made of it stays, but cannot go on."""
    Corpora(workspace).remove(name)


def requests(workspace: str | Path) -> list[dict[str, Any]]:
    """What runs were last asked for on the page, the latest first."""
    return Corpora(workspace).requests()


def request_name(asked: Mapping[str, Any]) -> str:
    """What tells one request from another."""
    return digest(json.dumps(asked, sort_keys=True)).hex()


def remember_request(workspace: str | Path, asked: Mapping[str, Any]) -> None:
    Corpora(workspace).remember(asked)


def open_corpus(workspace: str | Path, name: str, source: str, limit: int | None = None) -> Corpus:
    """A corpus by its name, and by nothing else: no file elsewhere can be read by this."""
    return read(BUNDLED if name == BUNDLED else Corpora(workspace).path(name), source, limit=limit)
