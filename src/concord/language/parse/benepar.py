"""benepar: trees by the Berkeley neural parser inside of spaCy (Kitaev, Cao and Klein, ACL 2019)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from concord.errors import Missing, ServiceError, UserError
from concord.language.models import digest, files_in
from concord.language.parse._spans import answers, placed, rooted, smoothed
from concord.language.parse.spacy import load, version_of
from concord.language.trees import Tree
from concord.model import Text

INSTALL = "pip install 'benepar>=0.2' 'spacy>=3.7'"


class Parser:
    """Constituency trees by a benepar model, on sentences and words as a spaCy model cuts them.

    `model` is the name of a benepar model or its folder, `spacy` that of a spaCy model of the same language.
    """

    id = "benepar"
    kind: Literal["full", "shallow"] = "full"

    def __init__(self, *, model: str = "benepar_en3", spacy: str = "en_core_web_md") -> None:
        self._model = model
        self._spacy = spacy
        self._nlp: Any = None

    def version(self) -> str:
        """The versions of benepar and spaCy, and their models."""
        own = Path(self._model)
        model = f"{own.name}.{digest(files_in(own), own)}" if own.is_dir() else self._model
        return f"{_release()}+{model}+{version_of(self._loaded(), self._spacy)}"

    def languages(self) -> frozenset[str]:
        """The language of the spaCy model."""
        return frozenset({str(self._loaded().lang)})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One tree for every text, in order, or the reason why there is none."""
        return answers(texts, "benepar", str(self._loaded().lang), self._trees)

    def _trees(self, texts: Sequence[str]) -> list[Tree]:
        smooth = [smoothed(text) for text in texts]
        docs = self._loaded().pipe([words for words, _ in smooth])
        return [_tree(doc, text, places) for doc, text, (_, places) in zip(docs, texts, smooth, strict=True)]

    def _loaded(self) -> Any:
        if self._nlp is None:
            self._nlp = _load(self._model, self._spacy)
        return self._nlp


def _release() -> str:
    try:
        return metadata.version("benepar")
    except metadata.PackageNotFoundError:
        return "untold"


def _load(model: str, spacy: str) -> Any:
    download = f"python -c \"import benepar; benepar.download('{model}')\""
    try:
        importlib.import_module("benepar")
    except ImportError:
        raise Missing("benepar", f"{INSTALL} && python -m spacy download {spacy} && {download}") from None
    nlp = load(spacy)
    if "benepar" in nlp.pipe_names:
        return nlp
    try:
        nlp.add_pipe("benepar", config={"model": model})
    except LookupError:
        raise Missing(f"the benepar model '{model}'", download) from None
    except (OSError, ValueError) as error:
        raise UserError(f"benepar cannot load its model '{model}': {error}") from None
    return nlp


def _tree(doc: Any, text: str, places: list[int]) -> Tree:
    sentences = []
    for sentence in doc.sents:
        spans = [(places[token.idx], places[token.idx + len(token) - 1] + 1) for token in sentence]
        sentences.append(placed(sentence._.parse_string, spans, text))
    return rooted(sentences, text)
