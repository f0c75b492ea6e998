"""A process that updates the index, once for each workspace whose path it reads from stdin.

A thread of the server would slow the pages down. The process answers each request with one line on stdout, and ends
with the server; an unfinished update is rolled back. Anything else that is printed, such as by a guest plug-in on
import, goes to stderr.
"""

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
    answers = _take_stdout()
    requests: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        answer = json.dumps(_updated(Path(json.loads(requests.get()))))
        try:
            print(answer, file=answers, flush=True)
        except BrokenPipeError:
            _leave()


def bring_up_to_date(workspace: Path) -> bool:
    """Update the index and the data that comparisons read; return whether all of it was stored."""
    api.update_index(workspace)
    return prepare(workspace)


def _take_stdout() -> TextIO:
    """Return the real stdout, and redirect stdout to stderr for Python, C libraries and child processes."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # which is unbuffered
    return answers


def _listen(requests: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    _leave()


def _leave() -> NoReturn:
    """Exit at once: the server is gone, and nobody reads answers or exit codes."""
    os._exit(0)


def _updated(workspace: Path) -> dict[str, object]:
    try:
        return {"kept": bring_up_to_date(workspace)}
    except Exception as error:  # a full disk, for example: the next update may succeed
        return {"error": repr(error)}


if __name__ == "__main__":
    main()
