"""spacy: noun phrases and dependency relations by a spaCy pipeline (Honnibal and Montani, 2017, https://spacy.io)."""

import importlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from concord.errors import Missing, ServiceError, UserError
from concord.language.models import digest, files_in
from concord.language.parse._dependency_tree import phrase_tree
from concord.language.parse._spans import answers, rooted, smoothed
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text

INSTALL = "pip install 'spacy>=3.7'"
_OF_WEB = frozenset({"en", "zh"})
"""Languages whose models were trained on text of the web and are named so; those of others, on news."""


class Parser:
    """A dependency parser, by the name of an installed model or the folder of a saved one.

    Its trees are shallow: the words of a sentence with noun phrases (`NP`), by spaCy's rules where it has some for
    the language, otherwise by what depends on a noun. `depend` gives the relations themselves, with the labels of the
    model. The tags are Penn's in English, universal ones in other languages.
    """

    id = "spacy"
    kind: Literal["full", "shallow"] = "shallow"

    def __init__(
        self,
        *,
        model: Annotated[
            str, "Name of an installed model, or the folder of a saved one; by default, spaCy's small one."
        ] = "",
        lang: Annotated[str, "Language of the texts, if no model is named."] = "en",
    ) -> None:
        self._model = model or f"{lang}_core_{'web' if lang in _OF_WEB else 'news'}_sm"
        self._nlp: Any = None

    def version(self) -> str:
        """spaCy's version and the model's; for a folder, a fingerprint of its files as well."""
        return version_of(self._loaded(), self._model)

    def languages(self) -> frozenset[str]:
        """The language of the model."""
        return frozenset({self._lang()})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One shallow tree for every text, in order, or the reason why there is none."""
        return answers(texts, "spaCy", self._lang(), lambda batch: list(map(_tree, self._read(batch))))

    def depend(self, texts: Sequence[Text]) -> list[list[Relation] | ServiceError]:
        """The relations between the words of every text, in order."""
        return answers(
            texts, "spaCy", self._lang(), lambda batch: [_relations(read, read.doc) for read in self._read(batch)]
        )

    def _read(self, texts: Sequence[str]) -> "list[_Document]":
        smooth = [smoothed(text) for text in texts]
        docs = list(self._loaded().pipe([words for words, _ in smooth]))
        if any(not doc.has_annotation("DEP") for doc in docs):
            raise UserError(
                f"the spaCy model '{self._model}' has no dependency parser. Choose one that has, such as en_core_web_sm"
            )
        return [_Document(doc, text, places) for doc, text, (_, places) in zip(docs, texts, smooth, strict=True)]

    def _lang(self) -> str:
        return str(self._loaded().lang)

    def _loaded(self) -> Any:
        if self._nlp is None:
            self._nlp = load(self._model)
        return self._nlp


def load(model: str) -> Any:
    """Load a spaCy pipeline; if spaCy or the model is missing, the error has the command that installs it."""
    download = f"python -m spacy download {model}"
    try:
        spacy = importlib.import_module("spacy")
    except ImportError:
        raise Missing("spaCy", f"{INSTALL} && {download}") from None
    try:
        return spacy.load(model)
    except OSError as error:
        if Path(model).exists() or "/" in model:
            raise UserError(f"'{model}' is not the folder of a spaCy model ({error})") from None
        raise Missing(f"the spaCy model '{model}'", download) from None


def version_of(nlp: Any, model: str) -> str:
    """spaCy's version and that of a loaded pipeline."""
    spacy = importlib.import_module("spacy")
    name = f"{spacy.__version__}+{nlp.meta['lang']}_{nlp.meta['name']}.{nlp.meta['version']}"
    folder = Path(model)
    return f"{name}+{digest(files_in(folder), folder)}" if folder.is_dir() else name


@dataclass(frozen=True, slots=True)
class _Document:
    """spaCy's document for a text, and the index of each of its characters in the original."""

    doc: Any
    text: str
    places: list[int]

    def leaf(self, token: Any) -> Tree:
        start, end = self.places[token.idx], self.places[token.idx + len(token) - 1] + 1
        tags = (token.tag_, token.pos_) if self.doc.lang_ == "en" else (token.pos_, token.tag_)
        return Tree(next(filter(None, tags), "X"), start, end, (), self.text)


def _tree(document: _Document) -> Tree:
    try:
        chunks = list(document.doc.noun_chunks)
    except NotImplementedError:  # spaCy has rules for the noun phrases of some languages only
        return rooted(
            (phrase_tree(_relations(document, words), document.text) for words in document.doc.sents), document.text
        )
    phrases = {token.i: number for number, chunk in enumerate(chunks) for token in chunk}
    return rooted((_sentence(document, sentence, phrases) for sentence in document.doc.sents), document.text)


def _sentence(document: _Document, sentence: Any, phrases: dict[int, int]) -> Tree:
    children: list[Tree] = []
    for phrase, tokens in itertools.groupby(sentence, lambda token: phrases.get(token.i)):
        words = tuple(document.leaf(token) for token in tokens)
        children += words if phrase is None else (Tree("NP", words[0].start, words[-1].end, words, document.text),)
    return Tree("S", children[0].start, children[-1].end, tuple(children), document.text)


def _relations(document: _Document, tokens: Any) -> list[Relation]:
    leaves = {token.i: document.leaf(token) for token in tokens}
    return [
        Relation("root", None, leaves[token.i])
        if token.head.i == token.i
        else Relation(token.dep_, leaves[token.head.i], leaves[token.i])
        for token in tokens
    ]
