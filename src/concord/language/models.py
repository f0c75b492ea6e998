"""Helpers for models that run on this machine: required libraries, device, digest of the files, quiet loading."""

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
    """Raise `Missing`, with the extra that installs it, for the first library that is not installed."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise Missing(f"the library {library.replace('_', '-')}", f"pip install 'concord-mt[{extra}]'")


def device_of(device: Device) -> str:
    """The device to use: with `auto`, a graphics card if there is one."""
    if device != "auto":
        return device
    return "cuda" if importlib.import_module("torch").cuda.is_available() else "cpu"


def digest(files: Iterable[Path], folder: Path | None = None) -> str:
    """A hash of the files' contents and names, relative to the folder if there is one."""
    names = {path: path.relative_to(folder).as_posix() if folder else path.name for path in files}
    whole = hashlib.sha256()
    for path, name in sorted(names.items(), key=lambda entry: entry[1]):
        with path.open("rb") as stream:
            whole.update(f"{name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def files_in(folder: Path) -> list[Path]:
    """Every file below a folder."""
    return [path for path in folder.rglob("*") if path.is_file()]


def first_line(error: Exception) -> str:
    """The first line of a library's error message, or its type if it has no message."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress the progress bars and log messages of transformers."""
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
