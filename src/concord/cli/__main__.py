"""The program `concord`, which only the program imports: it takes the signals of the process."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # part of the interpreter, unlike `signal`
import os
import sys

# From here on Ctrl-C leaves no traceback.
_signal.signal(_signal.SIGINT, lambda *_: os._exit(130))
_signal.signal(_signal.SIGTERM, lambda *_: os._exit(143))

import concord.interruption as interruption  # noqa: E402  # `from` would ask `concord.__getattr__` for it

TYPE_CHECKING = False  # nothing that takes long is imported before Ctrl-C is heard
if TYPE_CHECKING:
    from typing import NoReturn


def program() -> NoReturn:
    """The command line as a program of its own, which ends even where a plug-in does not."""
    interruption.attend()
    from concord.cli.commands import main
    from concord.database import bound_memory

    bound_memory()
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


if __name__ == "__main__":
    program()
