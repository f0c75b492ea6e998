"""The corpora that the page may use: the bundled one and those that were uploaded."""

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
    """The names of the corpora."""
    return [BUNDLED, *Corpora(workspace).names()]


def keep_corpus(workspace: str | Path, name: str, data: bytes, source: str = "en") -> str:
    """Store a file beside the workspace and return its name there. A file that cannot be read is not stored."""
    earlier = corpora(workspace)
    stored = Corpora(workspace).keep(name, data)
    try:
        open_corpus(workspace, stored, source)
    except UserError:
        if stored not in earlier:
            forget_corpus(workspace, stored)
        raise
    return stored


def forget_corpus(workspace: str | Path, name: str) -> None:
    """Delete an uploaded file. Runs on it stay, but cannot be resumed."""
    Corpora(workspace).remove(name)


def requests(workspace: str | Path) -> list[dict[str, Any]]:
    """The latest requests for runs on the page, newest first."""
    return Corpora(workspace).requests()


def request_name(request: Mapping[str, Any]) -> str:
    """A hash that tells one request from another."""
    return digest(json.dumps(request, sort_keys=True)).hex()


def remember_request(workspace: str | Path, request: Mapping[str, Any]) -> None:
    Corpora(workspace).remember(request)


def open_corpus(workspace: str | Path, name: str, source: str, limit: int | None = None) -> Corpus:
    """Open a corpus by its name. No file elsewhere can be read through this."""
    return read(BUNDLED if name == BUNDLED else Corpora(workspace).path(name), source, limit=limit)
