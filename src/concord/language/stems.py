"""Stems of words by the Snowball algorithms (Porter 2001)."""

from functools import cache, lru_cache
from importlib.metadata import version as installed
from typing import Any

from concord.language import word_tables
from concord.language.codes import base

_ALGORITHMS: dict[str, str] = word_tables(__file__)["algorithms"]
_LONGEST = 60


def stems(lang: str) -> bool:
    """Whether words of the language can be stemmed."""
    return base(lang) in _ALGORITHMS


@lru_cache(maxsize=100_000)
def stem(word: str, lang: str) -> str:
    """The stem of a word in lower case; the word itself where the language has no stemmer.

    >>> [stem(word, "es") for word in ("rojo", "rojas", "nacionales")]
    ['roj', 'roj', 'nacional']
    """
    if len(word) > _LONGEST or not stems(lang):
        return word
    return str(_stemmer(_ALGORITHMS[base(lang)]).stemWord(word))


def version() -> str:
    """The version of the stemmer, for signatures."""
    return f"snowball@{installed('snowballstemmer')}"


@cache
def _stemmer(algorithm: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(algorithm)
