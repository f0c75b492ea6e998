"""What everything shares that runs a model on this machine: its libraries, its device, its fingerprint, its silence."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from concord.errors import Missing
from concord.options import Count

Device = Annotated[Literal["auto", "cpu", "cuda"], "Where to compute; auto takes a GPU if there is one."]
BatchSize = Annotated[Count, "How many texts the network reads at once; a matter of speed and memory."]


def needed(extra: str, *libraries: str) -> None:
    """Say what is missing, and the extra that brings it, before anything is loaded."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise Missing(f"the library {library.replace('_', '-')}", f"pip install 'concord-mt[{extra}]'")


def device_of(wanted: Device) -> str:
    """The device that is meant: with `auto`, a graphics card where there is one."""
    if wanted != "auto":
        return wanted
    return "cuda" if importlib.import_module("torch").cuda.is_available() else "cpu"


def digest(files: Iterable[Path], folder: Path | None = None) -> str:
    """A hash of contents and names, as they are called within the folder."""
    names = {path: path.relative_to(folder).as_posix() if folder else path.name for path in files}
    whole = hashlib.sha256()
    for path, name in sorted(names.items(), key=lambda each: each[1]):
        with path.open("rb") as stream:
            whole.update(f"{name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def files_in(folder: Path) -> list[Path]:
    """Every file of a folder and of those within it."""
    return [path for path in folder.rglob("*") if path.is_file()]


def first_line(error: Exception) -> str:
    """The part of a library's complaint that a reader can bear."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@contextmanager
def quiet() -> Iterator[None]:
    """Without progress bars and remarks that are no use to those who run a model."""
    log = importlib.import_module("transformers.utils.logging")
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
