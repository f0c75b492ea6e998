"""stanza: trees and dependency relations by Stanza's neural pipelines (Qi et al., ACL 2020; Bauer et al., 2023)."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from concord.errors import BadAnswer, Missing, ServiceError, UserError
from concord.language.models import digest
from concord.language.parse._dependency_tree import phrase_tree
from concord.language.parse._spans import Span, answers, placed, rooted
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text

T = TypeVar("T")

INSTALL = "pip install 'stanza>=1.8'"
TREES = "tokenize,pos,constituency"
RELATIONS = "tokenize,pos,lemma,depparse"
CONSTITUENCY = frozenset({"da", "de", "en", "es", "id", "it", "ja", "pt", "tr", "vi", "zh", "zh-hans"})
"""The languages for which Stanza has models of constituency trees."""


class Parser:
    """Constituency trees, and dependency relations by `depend`, for one language.

    Stanza has constituency trees for eleven languages; for the others trees are shallow, with noun phrases (`NP`).
    `folder` has Stanza's models, if they are not in Stanza's own folder. Nothing is downloaded.
    """

    id = "stanza"

    def __init__(
        self,
        *,
        lang: Annotated[str, "Language of the texts."] = "en",
        folder: Annotated[str, "Folder of Stanza's models; by default the one where Stanza puts them."] = "",
    ) -> None:
        self._lang = lang
        self._folder = folder
        self.kind: Literal["full", "shallow"] = "full" if lang in CONSTITUENCY else "shallow"
        self._trees = TREES if lang in CONSTITUENCY else RELATIONS

    def version(self) -> str:
        """Stanza's version, its language and a fingerprint of the models, which are loaded for this."""
        fingerprint = _fingerprint(_load(self._lang, self._trees, self._folder))
        return f"{_library(self._lang).__version__}+{self._lang}+{fingerprint}"

    def languages(self) -> frozenset[str]:
        """The language it was set up for."""
        return frozenset({self._lang})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One tree for every text, in order, or the reason why there is none."""
        tree = tree_of if self.kind == "full" else shallow_tree_of
        return answers(texts, "Stanza", self._lang, lambda batch: self._processed(batch, self._trees, tree))

    def depend(self, texts: Sequence[Text]) -> list[list[Relation] | ServiceError]:
        """The universal dependencies between the words of every text, in order."""
        return answers(texts, "Stanza", self._lang, lambda batch: self._processed(batch, RELATIONS, relations_of))

    def _processed(self, texts: Sequence[str], processors: str, make: Callable[[Any, str], T]) -> list[T]:
        documents = _load(self._lang, processors, self._folder).bulk_process(list(texts))
        return [make(document, text) for document, text in zip(documents, texts, strict=True)]


@cache
def _fingerprint(pipeline: Any) -> str:
    """A digest of the files that a pipeline's configuration names: models, word vectors, language models."""
    return digest(sorted(set(_paths(pipeline.config))))


def tree_of(document: Any, text: str) -> Tree:
    """The tree of a Stanza document whose sentences have been parsed."""
    sentences = []
    for sentence in document.sentences:
        if sentence.constituency is None:
            raise UserError("Stanza's pipeline has no constituency parser. Choose a language that has one, such as en")
        sentences.append(placed(str(sentence.constituency), _spans(sentence), text))
    return rooted(sentences, text)


def shallow_tree_of(document: Any, text: str) -> Tree:
    """The tree of a Stanza document whose sentences have relations alone."""
    return rooted((phrase_tree(_relations(sentence, text), text) for sentence in document.sentences), text)


def relations_of(document: Any, text: str) -> list[Relation]:
    """The relations of a Stanza document; words that share a token share its span."""
    return [relation for sentence in document.sentences for relation in _relations(sentence, text)]


def _relations(sentence: Any, text: str) -> list[Relation]:
    # Outside of English, other tags are those of a treebank.
    tags = [word.upos or word.xpos or "X" for word in sentence.words]
    leaves = [Tree(tag, *span, (), text) for tag, span in zip(tags, _spans(sentence), strict=True)]
    heads = [word.head for word in sentence.words]
    if any(not isinstance(head, int) or not 0 <= head <= len(leaves) for head in heads):
        raise BadAnswer("Stanza's document has words without a head")
    return [
        Relation(word.deprel if word.head else "root", leaves[word.head - 1] if word.head else None, leaves[index])
        for index, word in enumerate(sentence.words)
    ]


def _spans(sentence: Any) -> list[Span]:
    """The spans of the words; the parts of a contraction such as Spanish *del* all have its span."""
    spans: list[Span] = []
    for token in sentence.tokens:
        for word in token.words:
            own = (word.start_char, word.end_char)
            start, end = own if None not in own else (token.start_char, token.end_char)
            if not isinstance(start, int) or not isinstance(end, int):
                raise BadAnswer("Stanza's document has words without a span in the text")
            spans.append((start, end))
    return spans


def _download(lang: str) -> str:
    # Both kinds of models at once, since a run may need the one for trees and the other for relations.
    processors = "tokenize,pos,lemma,constituency,depparse" if lang in CONSTITUENCY else RELATIONS
    return f"python -c \"import stanza; stanza.download('{lang}', processors='{processors}')\""


def _library(lang: str) -> Any:
    try:
        return importlib.import_module("stanza")
    except ImportError:
        raise Missing("Stanza", f"{INSTALL} && {_download(lang)}") from None


def _paths(configured: Any) -> Iterator[Path]:
    """The files among the values of a configuration, which nests them in lists for some processors."""
    if isinstance(configured, dict):
        configured = list(configured.values())
    if isinstance(configured, (list, tuple)):
        for nested in configured:
            yield from _paths(nested)
    elif isinstance(configured, str) and Path(configured).is_file():
        yield Path(configured)


# A run asks for versions before it begins; the models need not be loaded once more when it does.
@cache
def _load(lang: str, processors: str, folder: str) -> Any:
    stanza = _library(lang)
    place = {"dir": folder} if folder else {}
    try:
        return stanza.Pipeline(lang, processors=processors, download_method=None, verbose=False, **place)
    except FileNotFoundError:
        raise Missing(f"Stanza's models for '{lang}' ({processors})", _download(lang)) from None
    except (ValueError, KeyError) as error:
        raise UserError(f"Stanza has no pipeline '{processors}' for '{lang}': {error}") from None
