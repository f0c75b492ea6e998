"""Files that appear under their name only when they are complete."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from uuid import uuid4

from concord.errors import ConcordError, UserError


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A path to write to; at the end it replaces `path`, unless anything has failed."""
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


def write_texts(folder: Path, texts: Mapping[str, str], purpose: str = "") -> list[Path]:
    """Write files with these names and texts into a folder, which is made if it is missing; gives their paths."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror}. Name another folder{purpose}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]
