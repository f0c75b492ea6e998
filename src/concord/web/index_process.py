"""A process of its own that brings the index up to date, once for each workspace that it is told on stdin.

In a thread of the server this would take turns with the pages. It tells on stdout, line by line, how it went, and ends
with the server, however that ends: what is half done then is rolled back. Nothing else gets there: what a guest prints
when it is imported goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn, TextIO

from concord import api
from concord.api.regression import prepare


def main() -> None:
    answers = _aside()
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        told = json.dumps(_told(Path(json.loads(asked.get()))))
        try:
            print(told, file=answers, flush=True)
        except BrokenPipeError:
            _leave()


def bring_up_to_date(workspace: Path) -> bool:
    """Index what has changed and prepare what comparisons read; says whether all of it is kept."""
    api.update_index(workspace)
    return prepare(workspace)


def _aside() -> TextIO:
    """What was stdout, which is stderr from now on: for Python, for libraries in C and for whatever they start."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # which keeps nothing back
    return answers


def _listen(asked: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line)
    _leave()


def _leave() -> NoReturn:
    """Nobody is there to be told anything: neither answers nor how it ends."""
    os._exit(0)


def _told(workspace: Path) -> dict[str, object]:
    try:
        return {"kept": bring_up_to_date(workspace)}
    except Exception as error:  # a full disk, say: it may go better next time
        return {"error": repr(error)}


if __name__ == "__main__":
    main()
