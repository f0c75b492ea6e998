"""The layouts of folders that hold a model for CTranslate2 and SentencePiece models: OPUS-MT's and Argos'."""

import json
from pathlib import Path
from typing import Any

from concord.translators._families import NamedLanguages, PieceTokenizer, prefixes_in

OPUS_MT = ("source.spm", "target.spm")
ARGOS = "sentencepiece.model"


def weights_in(folder: Path) -> Path:
    """The folder of the weights, which is a subfolder in a package of Argos."""
    return folder / "model" if (folder / "model" / "model.bin").is_file() else folder


def pieces_in(folder: Path, weights: Path, name: str, languages: NamedLanguages) -> PieceTokenizer | None:
    """The tokenizer of a folder in one of the two layouts; None for any other layout."""
    if all((folder / file).is_file() for file in OPUS_MT):
        return _opus_mt(folder, weights, name, languages)
    if (folder / ARGOS).is_file():
        return _argos(folder, name, languages)
    return None


def _opus_mt(folder: Path, weights: Path, name: str, languages: NamedLanguages) -> PieceTokenizer:
    """A model for each language, and the languages where the Hugging Face tokenizer would look for them."""
    prefixes = prefixes_in(_vocabulary(weights))
    settings = _object(folder / "tokenizer_config.json")
    directions = languages.of_marian(name, (settings.get("source_lang"), settings.get("target_lang")), prefixes)
    # Converters differ in who ends a text: the library, or whoever calls it.
    end = [] if _object(weights / "config.json").get("add_source_eos") else ["</s>"]
    models = (folder / OPUS_MT[0], folder / OPUS_MT[1])
    return PieceTokenizer(models, directions, prefixes=prefixes, end=end)


def _argos(folder: Path, name: str, languages: NamedLanguages) -> PieceTokenizer:
    """One model for both languages, which `metadata.json` names; like Argos itself, nothing is put after a text."""
    settings = _object(folder / "metadata.json")
    directions = languages.of_marian(name, (settings.get("from_code"), settings.get("to_code")), {})
    models = (folder / ARGOS, folder / ARGOS)
    return PieceTokenizer(models, directions, opening=settings.get("target_prefix") or None)


def _vocabulary(folder: Path) -> list[str]:
    for name in ("shared_vocabulary", "source_vocabulary"):
        if (folder / f"{name}.json").is_file():
            return [str(piece) for piece in _read(folder / f"{name}.json", [])]
        if (folder / f"{name}.txt").is_file():
            return (folder / f"{name}.txt").read_text("utf-8").split("\n")
    return []


def _object(path: Path) -> dict[str, Any]:
    content = _read(path, {})
    return content if isinstance(content, dict) else {}


def _read(path: Path, otherwise: Any) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return otherwise
