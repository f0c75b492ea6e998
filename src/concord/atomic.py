"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
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


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    with atomic_write(path) as part:
        part.write_text(text, encoding="utf-8")


def write_texts(folder: Path, texts: Mapping[str, str], what: str = "") -> list[Path]:
    """Write files with these names and texts into a folder, which is made if there is none; gives the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror}. Name another folder{what}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]
