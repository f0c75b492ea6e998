"""Stop words: the pronouns, articles, prepositions, conjunctions and auxiliaries of eleven languages, as tokens."""

from functools import cache

from concord.language import word_set, word_tables
from concord.language.codes import base


@cache
def stop_words(lang: str) -> frozenset[str]:
    """The function words of a language, in lower case, cut as `tokens` cuts; none for a language without a list."""
    return word_set(word_tables(__file__).get(base(lang), ""))


def languages() -> tuple[str, ...]:
    """The languages that have a list."""
    return tuple(word_tables(__file__))
