"""Where a model lies, on this machine or on the Hugging Face hub, and the tokenizer that lies with it."""

import importlib
import re
from pathlib import Path
from typing import Any

from concord.errors import UserError
from concord.language.models import first_line, needed, quiet

TOKENIZERS = frozenset({".json", ".model", ".spm", ".txt"})
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def folder_of(kind: str, argument: str) -> Path:
    """The folder that is meant, or the one into which a model of the Hugging Face hub is downloaded."""
    folder = Path(argument).expanduser()
    if folder.is_dir():
        return folder
    if folder.exists():
        raise UserError(f"{kind}: {argument} is a file; give the folder that the model is in")
    if argument.startswith((".", "/", "~")) or not _HUB_NAME.fullmatch(argument):
        raise UserError(
            f"{kind}: there is no folder {argument}. Give a folder, or a name of the hub such as OWNER/MODEL"
        )
    return _downloaded(kind, argument)


def _downloaded(kind: str, name: str) -> Path:
    needed(kind, "huggingface_hub")
    hub = importlib.import_module("huggingface_hub")
    patterns = [f"*{ending}" for ending in sorted(TOKENIZERS)]
    try:
        folder = Path(hub.snapshot_download(name, allow_patterns=[*patterns, "*.safetensors"]))
        if not any(folder.glob("*.safetensors")):
            folder = Path(hub.snapshot_download(name, allow_patterns=[*patterns, "pytorch_model*.bin"]))
    except Exception as error:  # the hub's client passes on whatever the network does
        raise UserError(_unreachable(kind, name, error)) from None
    return folder


def _unreachable(kind: str, name: str, error: Exception) -> str:
    reason = first_line(error)
    if type(error).__name__ in {"RepositoryNotFoundError", "GatedRepoError", "HFValidationError"}:
        return f"{kind}: there is neither a folder nor a model of the hub called {name} that you may read ({reason})"
    return (
        f"{kind}: there is no folder {name}, and the model of that name cannot be fetched from the hub "
        f"({reason}). Once connected: hf download {name}"
    )


def tokenizer_in(folder: Path) -> Any:
    """The tokenizer of a folder, without running code from there."""
    transformers = importlib.import_module("transformers")
    with quiet():
        try:
            return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        except Exception as error:  # whatever a damaged or foreign file makes the library raise
            raise UserError(f"the tokenizer in {folder} cannot be loaded: {first_line(error)}") from error
