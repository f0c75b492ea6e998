"""Other processes: the descendants of a process, and how to kill them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

TYPE_CHECKING = False  # `typing` would delay the moment from which the program hears Ctrl-C
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def descendants(parent: int) -> list[int]:
    """The processes that a process has started, and those that these have started."""
    pairs = list(_parents())
    family = [parent]
    for member in family:  # the list grows while it is walked
        family += [child for child, parent_of_child in pairs if parent_of_child == member]
    return family[1:]


def kill(processes: Iterable[int]) -> None:
    """Kill the processes that are still alive, and the groups that they lead."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)


def workers() -> list[int]:
    """The processes that `multiprocessing` has started for this one."""
    active = getattr(sys.modules.get("multiprocessing"), "active_children", tuple)
    return [process.pid for process in active()]


def _parents() -> Iterator[tuple[int, int]]:
    """Every process with its parent; small systems have no `ps`, and systems other than Linux no /proc."""
    if not os.path.exists("/proc/self/stat"):
        import subprocess

        listing = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
        for line in listing.splitlines():
            child, parent = map(int, line.split())
            yield child, parent
        return
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as stat:  # it may have ended meanwhile
            yield int(name), int(stat.read().rpartition(")")[2].split()[1])
