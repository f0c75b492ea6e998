"""Ctrl-C and SIGTERM: the first asks for a clean end, the second one ends the process at once.

A program calls `attend` before its slow imports. Where Concord is a library, its host handles signals, except for the
first Ctrl-C during a run. Python runs a signal handler between two bytecode instructions only, so one long call of
compiled code, such as the comparison of two very long texts, delays it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys

from concord.processes import descendants, kill, workers

TYPE_CHECKING = False  # `typing` takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from types import FrameType
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
GRACE = 8.0
"""Seconds after SIGTERM by which the process has ended: `docker stop` kills it after ten."""

companions: set[int] = set()
"""Leaders of process groups that are killed, with all their descendants, when this process ends at once."""

_requests: list[Callable[[], object]] = []
_attended = False
_first: int | None = None


def attend() -> None:
    """Handle both signals from now on. Outside of any `heard`, the first one ends the process at once, too."""
    global _attended
    _attended = True
    sys.excepthook, sys.unraisablehook = _uncaught, _unraisable
    signal.signal(signal.SIGALRM, lambda *_: leave())
    for number in CODES:
        signal.signal(number, _hear)


def _hear(number: int, frame: FrameType | None) -> None:
    global _first
    again = _first is not None
    _first = _first or number
    if again or not _requests:
        leave()
    if number == signal.SIGTERM:
        signal.setitimer(signal.ITIMER_REAL, GRACE)
    _requests[-1]()


@contextlib.contextmanager
def heard(request: Callable[[], object]) -> Iterator[None]:
    """Within the context, the first signal (in a library, only Ctrl-C) calls `request`, which may raise."""
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _attended:
        _requests.append(request)
        try:
            yield
        finally:
            _requests.pop()
            if not _requests:
                signal.setitimer(signal.ITIMER_REAL, 0)  # nothing would handle it while Python shuts down
        return
    before = signal.getsignal(signal.SIGINT)

    def once(number: int, frame: FrameType | None) -> None:
        signal.signal(number, before)
        request()

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def cancellable(work: Coroutine[Any, Any, T]) -> T:
    """The result of the work, which the first signal cancels; in a library, asyncio does that itself."""
    if not _attended:
        return await work
    import asyncio

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    with heard(lambda: loop.call_soon_threadsafe(task.cancel)):
        try:
            return await work
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


def interrupt() -> NoReturn:
    """Raise KeyboardInterrupt in whatever is going on."""
    raise KeyboardInterrupt


def terminated() -> bool:
    """Whether the first signal was SIGTERM."""
    return _first == signal.SIGTERM


def code() -> int:
    """The exit code of a process that a signal has ended."""
    return CODES[signal.SIGTERM if terminated() else signal.SIGINT]


def leave() -> NoReturn:
    """End the process immediately, and its child processes."""
    signal.pthread_sigmask(signal.SIG_BLOCK, CODES)
    left = [*companions, *workers()]
    kill([*left, *(descendant for process in left for descendant in descendants(process))])
    with contextlib.suppress(OSError, ValueError):
        if select.select([], [2], [], 0)[1]:  # a reader that does not read must not hold it up
            # Where there is a progress bar, it has hidden the cursor.
            show_cursor = "\x1b[?25h\n" if os.isatty(2) else ""
            os.write(2, f"{show_cursor}{'SIGTERM: ' if terminated() else ''}stopped at once\n".encode())
    os._exit(code())


def _uncaught(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        leave()
    sys.__excepthook__(kind, error, trace)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        leave()  # raised where nobody can catch it, such as in a finalizer
    sys.__unraisablehook__(unraisable)
