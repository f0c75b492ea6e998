"""A daemon thread that does one task after the other for asyncio code, and can be abandoned when it hangs."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
_Task = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
_Tasks = SimpleQueue["_Task | None"]


class WorkerThread:
    """The thread of a service; it starts with the first task. It is a daemon, so that no exit waits for it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: _Tasks | None = None

    @property
    def running(self) -> bool:
        """Whether there is a thread now."""
        return self._tasks is not None

    async def do(self, work: Callable[[], T]) -> T:
        """The result of the work, which the thread does."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if self._tasks is None:
            self._tasks = SimpleQueue()
            _Thread(target=_serve, args=(self._tasks,), name=self._name, daemon=True).start()
        self._tasks.put((work, loop, future))
        return await future

    def leave(self, last: Callable[[], None] = lambda: None) -> None:
        """Let the thread go: it ends after its present task, should that ever end, and one last task.

        The next task starts a new thread.
        """
        if self._tasks is not None:
            loop = asyncio.get_running_loop()
            self._tasks.put((last, loop, loop.create_future()))
            self._tasks.put(None)
            self._tasks = None


class _Thread(threading.Thread):
    """A class of its own, by which `left_behind` tells these threads from others."""


def left_behind() -> bool:
    """Whether such a thread is still at work or hangs.

    A program should then end by `os._exit`: where native code returns to an interpreter that is shutting down, the
    process aborts.
    """
    return any(isinstance(thread, _Thread) for thread in threading.enumerate())


def _serve(tasks: _Tasks) -> None:
    while (task := tasks.get()) is not None:
        work, loop, future = task
        result, error = _outcome(work)
        with contextlib.suppress(RuntimeError):  # the loop is closed where nobody waits any longer
            loop.call_soon_threadsafe(_settle, future, result, error)
        del task, work, loop, future, result, error


def _outcome(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return work(), None
    except BaseException as error:
        # What would end the thread, or the event loop, is no more than a failure of this work.
        usual = isinstance(error, Exception) and not isinstance(error, StopIteration)
        return None, error if usual else RuntimeError(f"{type(error).__name__} {error}")  # type: ignore[return-value]


def _settle(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
