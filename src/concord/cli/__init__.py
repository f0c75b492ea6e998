"""The command line: parse, call one function of `concord.api`, print."""

from __future__ import annotations

import os
import sys

from concord import interruption

TYPE_CHECKING = False  # nothing that takes long is imported before Ctrl-C is heard
if TYPE_CHECKING:
    from typing import NoReturn


def program() -> NoReturn:
    """The command line as a program of its own, which ends even where a plug-in does not."""
    interruption.attend()
    from concord.cli.commands import main

    try:
        with interruption.heard(interruption.interrupt):
            main()
        code: int | str | None = 0
    except SystemExit as end:
        code = end.code
        if isinstance(end.__context__, OSError):  # an event loop, say, that could not be made complains of itself
            _leave(code)
    services = sys.modules.get("concord.engine.services")
    if services is not None and services.left_behind():
        # What is still at work would come back to an interpreter that is being taken down, and abort the process.
        _leave(code)
    sys.exit(code)


def _leave(code: int | str | None) -> NoReturn:
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)
