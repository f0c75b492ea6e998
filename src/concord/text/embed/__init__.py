"""Encoders: each file is a plug-in with a class `Encoder` that turns texts into vectors, near ones for like meanings.

An encoder has an `id`, a `version()`, the `languages()` it knows, and `embed(texts)`, which answers a batch.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from concord.errors import Missing
from concord.model import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
Device = Literal["auto", "cpu", "cuda"]


class Encoder(Protocol):
    """What the engine and the metric ask for vectors."""

    id: str

    def version(self) -> str:
        """What the vectors depend on besides the texts."""

    def languages(self) -> frozenset[str] | None:
        """The languages it was made for, or None if it does not say."""

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """One row of length one for every text, in order; the product of two rows is their cosine."""


def needed(kind: str, **libraries: str) -> None:
    """Say what is missing before anything is loaded: modules, by the names they are installed under."""
    for module, package in libraries.items():
        if importlib.util.find_spec(module) is None:
            raise Missing(f"{package}, which the encoder '{kind}' needs,", "pip install 'concord-mt[semantic]'")


def readable(text: Text) -> str:
    """The words without halves of characters, which JSON can hold and no tokenizer can read."""
    return text.words.encode("utf-8", "replace").decode()


def digest(folder: Path, files: Iterable[Path]) -> str:
    """A hash of names and contents."""
    whole = hashlib.sha256()
    for path in sorted(files):
        with path.open("rb") as stream:
            inside = path.relative_to(folder).as_posix()
            whole.update(f"{inside} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def found(device: Device) -> str:
    """The device that is meant: with `auto`, a graphics card where there is one."""
    if device != "auto":
        return device
    return "cuda" if importlib.import_module("torch").cuda.is_available() else "cpu"


def first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@contextmanager
def quiet() -> Iterator[None]:
    """Without progress bars and remarks that are no use to those who run a model."""
    log = importlib.import_module("transformers.utils.logging")
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
