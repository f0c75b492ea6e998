"""A daemon thread that does one thing after the other for asyncio code, and can be left behind when it hangs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
_Task = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
_Tasks = SimpleQueue["_Task | None"]


class Hand:
    """The thread of a service; it begins with the first task. A daemon, so that no exit waits for it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: _Tasks | None = None

    @property
    def hired(self) -> bool:
        """Whether there is a thread at present."""
        return self._tasks is not None

    async def do(self, work: Callable[[], T]) -> T:
        """The result of the work, done in the thread."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        if self._tasks is None:
            self._tasks = SimpleQueue()
            _Thread(target=_serve, args=(self._tasks,), name=self._name, daemon=True).start()
        self._tasks.put((work, loop, done))
        return await done

    def leave(self, last: Callable[[], None] = lambda: None) -> None:
        """Let the thread go: it ends after what it does now, should that ever end, and one last thing.

        The next task gets a new one.
        """
        if self._tasks is not None:
            loop = asyncio.get_running_loop()
            self._tasks.put((last, loop, loop.create_future()))
            self._tasks.put(None)
            self._tasks = None


class _Thread(threading.Thread):
    """Told from other threads by its class."""


def left_behind() -> bool:
    """Whether a thread is still at work or hangs.

    A program that ends then is better ended by `os._exit`: where native code comes back to an interpreter that is
    being taken down, the process aborts.
    """
    return any(isinstance(each, _Thread) for each in threading.enumerate())


def _serve(tasks: _Tasks) -> None:
    while (task := tasks.get()) is not None:
        work, loop, done = task
        result, error = _outcome(work)
        with contextlib.suppress(RuntimeError):  # the loop is closed where nobody waits any longer
            loop.call_soon_threadsafe(_settle, done, result, error)
        del task, work, loop, done, result, error


def _outcome(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return work(), None
    except BaseException as error:
        # What would end the thread, or the event loop, is no more than a failure of this work.
        usual = isinstance(error, Exception) and not isinstance(error, StopIteration)
        return None, error if usual else RuntimeError(f"{type(error).__name__} {error}")  # type: ignore[return-value]


def _settle(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)
