"""Word segmentation of Chinese, Japanese and Korean, by the segmenters that their extras install."""

import importlib
import logging
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from concord.language.codes import base

Span = tuple[int, int]

# Characters that UTF-8 or UTF-16 cannot encode, or that end a string in C; no word boundary depends on them.
_UNSPEAKABLE = re.compile("[\0-\x08\x0e-\x1f\x7f\ud800-\udfff]")
# The time of segmenters grows with the square of the length of unknown text, so they get a thousand
# characters at a time, up to a mark or a blank if there is one.
_CHUNK = re.compile(r"(?s:.{1,1000}(?:\Z|(?<=[\s。！？．，、.!?,]))|.{1,1000})")


class Segmenter(NamedTuple):
    """`spans(text)` are the morphemes, as pairs of offsets; they may overlap."""

    version: str
    spans: Callable[[str], Iterable[Span]]


class _Extra(NamedTuple):
    packages: tuple[str, ...]
    language: str
    make: Callable[[Any], Callable[[str], Iterable[Span]]]


def _jieba(module: Any) -> Callable[[str], Iterable[Span]]:
    # Jieba logs to standard error that it reads its dictionary.
    module.setLogLevel(logging.WARNING)
    tokenizer = module.Tokenizer()
    return lambda text: ((start, end) for _, start, end in tokenizer.tokenize(text))


def _fugashi(module: Any) -> Callable[[str], Iterable[Span]]:
    tagger = module.Tagger()

    def spans(text: str) -> Iterator[Span]:
        end = 0
        for node in tagger(text):
            start = end + len(node.white_space)
            end = start + len(node.surface)
            yield start, end

    return spans


def _kiwi(module: Any) -> Callable[[str], Iterable[Span]]:
    # One worker: a thread for each core would outlive the call.
    kiwi = module.Kiwi(num_workers=1)
    return lambda text: ((token.start, token.start + token.len) for token in kiwi.tokenize(text))


_EXTRAS = {
    "zh": _Extra(("jieba",), "Chinese", _jieba),
    "ja": _Extra(("fugashi", "unidic-lite"), "Japanese", _fugashi),
    "ko": _Extra(("kiwipiepy", "kiwipiepy-model"), "Korean", _kiwi),
}


def segmenter(lang: str) -> Segmenter | None:
    """The segmenter of the language; None if the language needs none, or it is not installed."""
    return _loaded(base(lang))


@cache
def _loaded(language: str) -> Segmenter | None:
    extra = _EXTRAS.get(language)
    if extra is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(extra.packages[0])
            name = "+".join(f"{package}@{version(package)}" for package in extra.packages)
            return Segmenter(name, extra.make(module))
    except (ImportError, RuntimeError):  # a tagger may be there without its dictionary
        return None


def wants_segmenter(lang: str) -> bool:
    """Whether there is an extra with a segmenter for the language."""
    return base(lang) in _EXTRAS


def note(lang: str) -> str | None:
    """The note for users that the segmenter of a language is not installed; None if it is, or is not needed."""
    language = base(lang)
    if not wants_segmenter(lang) or segmenter(lang) is not None:
        return None
    name = _EXTRAS[language].language
    return f'{name} is split into characters. To split it into words: pip install "concord-mt[{language}]"'


def boundaries(text: str, spans: Callable[[str], Iterable[Span]]) -> list[int]:
    """The offsets where a morpheme ends and no other morpheme overlaps, in order.

    Korean morphemes can share a syllable, and then stay together.
    """
    cuts = set()
    reach = 0
    for chunk in _CHUNK.finditer(_UNSPEAKABLE.sub("\ufffd", text)):
        for begin, stop in sorted(spans(chunk[0])):
            start, end = chunk.start() + begin, chunk.start() + stop
            if start >= reach:
                cuts |= {reach, start}
            reach = max(reach, end)
    return sorted({*cuts, reach})
