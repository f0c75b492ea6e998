"""Any sentence encoder of the sentence-transformers kind (Reimers and Gurevych, 2019), in a folder or by its name.

`sentence_transformers:FOLDER` or, for a model of the hub, `sentence_transformers:OWNER/MODEL`, which is downloaded
once; a name without an owner is one of sentence-transformers' own, such as `paraphrase-multilingual-MiniLM-L12-v2`.
How much of a long text is read, and in which languages, depends on the model. Vectors are normalised to length one.
`batch` is how many texts the network reads at once; it affects speed only. Code that comes with a model is never run.
"""

import importlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from concord.errors import UserError
from concord.language.embed import Vectors, readable
from concord.language.models import BatchSize, Device, device_of, digest, first_line, needed, quiet
from concord.model import Text

LIBRARY = "sentence_transformers"
OWNER = "sentence-transformers"
SETTINGS = (".json", ".txt", ".model")
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
PARTS = "[0-9]_*/pytorch_model.bin"
"""Small parts are often published only in the older format, beside a network in the newer one."""
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


class Encoder:
    """Sentence vectors by a model in a folder or by its name on the hub."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the model, or its name on the hub."] = "",
        batch: BatchSize = 32,
        device: Device = "auto",
    ) -> None:
        needed("semantic", "torch", "transformers", LIBRARY)
        if not argument:
            raise UserError(f"there is no model. Write it like {LIBRARY}:FOLDER or {LIBRARY}:OWNER/MODEL")
        self.id = f"{LIBRARY}:{argument}"
        self._argument, self._batch, self._device = argument, batch, device
        self._path: Path | None = None
        self._loaded: Any = None
        self._digest = ""

    def version(self) -> str:
        """A digest of the weights, the vocabulary and the settings of every part."""
        self._digest = self._digest or digest(_files(self._folder()), self._folder())
        return self._digest

    def languages(self) -> None:
        return None

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """A unit vector for every text, in order."""
        # For no texts the library returns an array of another shape, so one row is computed and dropped.
        words = [readable(text) for text in texts] or [""]
        self._loaded = self._loaded or self._read()
        rows = self._loaded.encode(
            words, batch_size=self._batch, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(rows[: len(texts)], dtype=np.float32)

    def _read(self) -> Any:
        folder = self._folder()
        library = importlib.import_module(LIBRARY)
        try:
            with quiet():
                return library.SentenceTransformer(
                    str(folder), device=device_of(self._device), local_files_only=True, trust_remote_code=False
                )
        except Exception as error:  # damaged files fail in as many ways as there are formats
            raise UserError(f"{LIBRARY}: the model in {folder} cannot be loaded: {first_line(error)}") from error

    def _folder(self) -> Path:
        self._path = self._path or _found_folder(self._argument)
        return self._path


def _found_folder(argument: str) -> Path:
    """The folder of this name, or the one into which a model of the hub is downloaded."""
    folder = Path(argument).expanduser()
    if folder.is_dir():
        return folder
    if argument.startswith((".", "/", "~")) or not _HUB_NAME.fullmatch(argument):
        raise UserError(f"{LIBRARY}: there is no folder {argument}. Give a folder, or a name of the hub: OWNER/MODEL")
    name = argument if "/" in argument else f"{OWNER}/{argument}"
    hub = importlib.import_module("huggingface_hub")
    settings = [PARTS, *(f"*{ending}" for ending in SETTINGS)]
    try:
        for weights in WEIGHTS:
            fetched = Path(hub.snapshot_download(name, allow_patterns=[*settings, weights]))
            if any(fetched.glob(weights)):
                break
    except Exception as error:  # a missing name, a missing network and a missing folder look the same
        raise UserError(
            f"{LIBRARY}: '{argument}' is no folder, and no model {name} could be fetched from the hub "
            f"({type(error).__name__}). With a network: hf download {name}"
        ) from error
    return fetched


def _files(folder: Path) -> Iterator[Path]:
    """Weights and settings of the model's parts, without copies in other formats."""
    for part in sorted({folder, *_parts(folder)}):
        weights = next((files for pattern in WEIGHTS if (files := list(part.glob(pattern)))), [])
        yield from weights
        yield from (path for path in part.glob("*") if path.suffix in SETTINGS and path.is_file())


def _parts(folder: Path) -> Iterator[Path]:
    listed = folder / "modules.json"
    try:
        parts = json.loads(listed.read_text("utf-8")) if listed.is_file() else []
        paths = [Path(part["path"]) for part in parts]
        if any(path.is_absolute() or ".." in path.parts for path in paths):
            raise ValueError("a part lies outside the folder")
        yield from (folder / path for path in paths)
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(f"{LIBRARY}: {listed} is not a list of the model's parts: {first_line(error)}") from None
