"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from concord.errors import ConcordError, UserError


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Where to write so that `path` is replaced at the end, or left alone if anything fails."""
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UserError(f"the folder {path.parent} does not exist; make it, or choose another file")
    in_place = path.exists() and not path.is_file()  # a pipe or a device cannot be replaced
    part = path if in_place else path.resolve().with_name(f".{uuid4().hex}.part")
    try:
        yield part
        if not in_place:
            part.replace(path.resolve())
    except OSError as error:
        raise ConcordError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        if not in_place:
            with contextlib.suppress(OSError):  # where nothing can be written, nothing can be left
                part.unlink(missing_ok=True)
