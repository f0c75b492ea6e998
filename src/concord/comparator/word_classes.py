"""The classes that an English word can belong to: a lost adverb is another matter than a lost noun."""

from __future__ import annotations

from functools import lru_cache

from concord.language.codes import base

CLASSES = {"adverb": {"RB"}, "adjective": {"JJ"}, "verb": {"VB", "VBD", "VBN", "VBG", "VBZ"}, "noun": {"NN", "NNS"}}
"""The Penn tags of each, without those of comparatives and names."""


@lru_cache(maxsize=100_000)
def classes(word: str, lang: str) -> frozenset[str]:
    """All that the lexicon knows of it, whatever the sentence; none for words that it lacks, or of other languages.

    >>> sorted(classes("work", "en")), sorted(classes("casa", "es"))
    (['noun', 'verb'], [])
    """
    if base(lang) != "en":
        return frozenset()
    from concord.language.english.lexicon import lexicon

    tags = lexicon().tags(word.casefold())
    return frozenset(name for name, those in CLASSES.items() if tags & those)
