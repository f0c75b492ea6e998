"""udpipe: noun phrases and dependency relations by a UDPipe model (Straka and Straková, 2017), of over sixty languages.

`--parser de=udpipe:german-gsd.udpipe` names a model file; `pip install ufal.udpipe` installs the library. Nothing is
downloaded. The models are not free for every use: their page names the licence of each.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from concord.errors import BadAnswer, Missing, ServiceError, UserError
from concord.language.models import digest
from concord.language.parse._dependency_tree import phrase_tree
from concord.language.parse._spans import answers, no_word, rooted
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text

INSTALL = "pip install ufal.udpipe"
_ID, _FORM, _UPOS, _HEAD, _LABEL = 0, 1, 3, 6, 7


class Parser:
    """A dependency parser, by the file of its model. Its trees are shallow: words with noun phrases (`NP`)."""

    id = "udpipe"
    kind: Literal["full", "shallow"] = "shallow"

    def __init__(
        self,
        *,
        argument: Annotated[str, "The file of the model, such as german-gsd.udpipe."] = "",
        lang: Annotated[str, "Language of the texts."] = "en",
    ) -> None:
        if not argument:
            raise UserError("udpipe needs the file of a model: --parser LANG=udpipe:FILE")
        self._file, self._lang = Path(argument).expanduser(), lang
        _pipeline(self._file)

    def version(self) -> str:
        """A fingerprint of the model."""
        return digest([self._file])

    def languages(self) -> frozenset[str]:
        """The language that the model is used for."""
        return frozenset({self._lang})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One shallow tree for every text, in order, or the reason why there is none."""

        def trees(words: Sequence[str]) -> list[Tree]:
            return [rooted((phrase_tree(some, text) for some in self._sentences(text)), text) for text in words]

        return answers(texts, "UDPipe", self._lang, trees)

    def depend(self, texts: Sequence[Text]) -> list[list[Relation] | ServiceError]:
        """The universal dependencies between the words of every text, in order."""

        def relations(words: Sequence[str]) -> list[list[Relation]]:
            return [[relation for some in self._sentences(text) for relation in some] for text in words]

        return answers(texts, "UDPipe", self._lang, relations)

    def _sentences(self, text: str) -> list[list[Relation]]:
        pipeline, _ = _pipeline(self._file)
        return read_conllu(pipeline.process(text), text)


def read_conllu(answer: str, text: str) -> list[list[Relation]]:
    """The relations of each sentence of a CoNLL-U answer, whose words are found in the text one after the other.

    Words of a contraction such as German *zum* all have its span.
    """
    sentences: list[list[Relation]] = []
    place = 0
    for block in answer.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        spans: dict[str, tuple[int, int]] = {}
        for row in rows:
            if row[_ID] not in spans and "." not in row[_ID]:
                start = text.find(row[_FORM], place)
                if start < 0:
                    raise BadAnswer(f"UDPipe's answer has the word '{row[_FORM]}', which is not in the text")
                place = start + len(row[_FORM])
                first, _, last = row[_ID].partition("-")
                spans.update((str(number), (start, place)) for number in range(int(first), int(last or first) + 1))
        if words := [row for row in rows if row[_ID].isdigit()]:
            sentences.append(_relations(words, spans, text))
    if not sentences:
        raise no_word()
    return sentences


def _relations(words: Sequence[Sequence[str]], spans: dict[str, tuple[int, int]], text: str) -> list[Relation]:
    leaves = {row[_ID]: Tree(row[_UPOS], *spans[row[_ID]], (), text) for row in words}
    if lost := [row[_HEAD] for row in words if row[_HEAD] not in leaves and row[_HEAD] != "0"]:
        raise BadAnswer(f"UDPipe's answer has a head '{lost[0]}' that is no word of the sentence")
    return [Relation(row[_LABEL], leaves.get(row[_HEAD]), leaves[row[_ID]]) for row in words]


@cache
def _pipeline(file: Path) -> tuple[Any, Any]:
    """The pipeline of a model, and the model, which the pipeline does not keep alive."""
    try:
        udpipe = importlib.import_module("ufal.udpipe")
    except ImportError:
        raise Missing("UDPipe", INSTALL) from None
    model = udpipe.Model.load(str(file)) if file.is_file() else None
    if model is None:
        raise UserError(f"'{file}' is not the file of a UDPipe model")
    options = udpipe.Pipeline.DEFAULT
    return udpipe.Pipeline(model, "tokenize", options, options, "conllu"), model
