"""Dependency relations of Chinese by UDPipe (Straka and Straková, 2017), with the model that udchinese carries."""

import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from concord.errors import BadAnswer
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation

LIBRARIES = ("ufal.udpipe", "udchinese")
MODEL = "ud-chinese.udpipe"


def udpipe_version() -> str:
    """The packages of the program and of its model, with versions."""
    return "+".join(f"{name}@{version(name)}" for name in LIBRARIES)


def sentence_relations(leaves: Sequence[Tree]) -> Iterator[Relation]:
    """The relations between the words of a sentence, one for each."""
    udpipe, model = _udpipe()
    sentence = udpipe.Sentence()
    for leaf in leaves:
        sentence.addWord("".join(leaf.words.split()))
    if not (model.tag(sentence, model.DEFAULT) and model.parse(sentence, model.DEFAULT)):
        raise BadAnswer("UDPipe cannot parse this sentence")
    for leaf, word in zip(leaves, list(sentence.words)[1:], strict=True):
        yield Relation(word.deprel, leaves[word.head - 1] if word.head else None, leaf)


@cache
def _udpipe() -> tuple[Any, Any]:
    """The program, and its model; the package of the model is not imported, since it would import others."""
    udpipe = importlib.import_module("ufal.udpipe")
    spec = importlib.util.find_spec("udchinese")
    assert spec is not None, "the parser has looked for it"
    assert spec.origin is not None, "it is a folder of files"
    return udpipe, udpipe.Model.load(str(Path(spec.origin).parent / MODEL))
