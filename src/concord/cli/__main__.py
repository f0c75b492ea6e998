"""The program `concord`. Only the program imports this module, because importing it installs signal handlers."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # part of the interpreter, unlike `signal`
import os
import sys

# From here on Ctrl-C leaves no traceback.
_signal.signal(_signal.SIGINT, lambda *_: os._exit(130))
_signal.signal(_signal.SIGTERM, lambda *_: os._exit(143))

import concord.interruption as interruption  # noqa: E402  # `from` would ask `concord.__getattr__` for it

TYPE_CHECKING = False  # nothing slow is imported before Ctrl-C is handled
if TYPE_CHECKING:
    from typing import NoReturn


def program() -> NoReturn:
    """Run the command line as a process, and end it even if a plug-in still runs."""
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
        if isinstance(
            end.__context__, OSError
        ):  # a half-made event loop, for example, would print a traceback of its own
            _leave(code)
    services = sys.modules.get("concord.engine.services")
    if services is not None and services.left_behind():
        # A thread that still runs would return to an interpreter that is shutting down, and abort the process.
        _leave(code)
    sys.exit(code)


def _leave(code: int | str | None) -> NoReturn:
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    program()
