"""Temporary folders. Those that a killed process left behind are removed when a run starts or another one is made.

The owner of a folder holds a lock on a file in it, which the system releases when the process ends in any way.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from concord.errors import ConcordError

FULL = "Make room there, or name another folder in the environment: TMPDIR=FOLDER"
"""What to do when the disk of temporary files is full."""
_LOCK = ".concord-lock"


@contextlib.contextmanager
def temporary_folder(within: str | None = None) -> Iterator[Path]:
    """A folder that is removed at the end, in the usual folder for temporary files unless another is named."""
    with contextlib.ExitStack() as cleanup:
        try:
            folder = _locked_folder(within or tempfile.gettempdir(), cleanup)
        except OSError as error:
            raise ConcordError(f"no temporary folder can be made: {error.strerror or error}. {FULL}") from None
        yield folder


def _locked_folder(parent: str, cleanup: contextlib.ExitStack) -> Path:
    clear_abandoned(parent)
    new = Path(tempfile.mkdtemp(prefix=".concord-", dir=parent))
    cleanup.callback(shutil.rmtree, new, ignore_errors=True)
    lock = os.open(new / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    cleanup.callback(os.close, lock)
    with contextlib.suppress(OSError):  # where files cannot be locked, nothing is removed either
        fcntl.flock(lock, fcntl.LOCK_EX)
    # It gets the name by which others look for it only now, so that nobody finds it unlocked.
    folder = new.rename(new.with_name(new.name.removeprefix(".")))
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


def clear_abandoned(parent: str | None = None) -> None:
    """Remove the folders whose owner has ended: real folders of this user, with a lock that nobody holds."""
    with contextlib.suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith("concord-") and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_abandoned(entry)


def _remove_if_abandoned(entry: os.DirEntry[str]) -> None:
    if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
        return
    lock = os.open(Path(entry, _LOCK), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(entry)  # which follows no link
    finally:
        os.close(lock)
