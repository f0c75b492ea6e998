"""Word classes and negations: losing an adverb, a noun or a negation is not equally serious."""

from functools import cache, lru_cache

from concord.language import word_set, word_tables
from concord.language.codes import base

CLASSES = {"adverb": {"RB"}, "adjective": {"JJ"}, "verb": {"VB", "VBD", "VBN", "VBG", "VBZ"}, "noun": {"NN", "NNS"}}
"""The Penn tags of each, without those of comparatives and names."""


@lru_cache(maxsize=100_000)
def classes(word: str, lang: str) -> frozenset[str]:
    """All classes that the lexicon has for a word, in any sentence; none for unknown words and other languages.

    >>> sorted(classes("work", "en")), sorted(classes("casa", "es"))
    (['noun', 'verb'], [])
    """
    if base(lang) != "en":
        return frozenset()
    from concord.language.english.lexicon import lexicon

    tags = lexicon().tags(word.casefold())
    return frozenset(name for name, those in CLASSES.items() if tags & those)


@cache
def negations(lang: str) -> frozenset[str]:
    """The words that turn a claim into its opposite, in lower case; none for a language without a list."""
    return word_set(word_tables(__file__)["negations"].get(base(lang), ""))
