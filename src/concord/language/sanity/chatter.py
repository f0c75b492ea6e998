"""Chatter: answers of language models that speak about the translation, repeat the prompt or decline."""

import re
from functools import cache

from concord.language import word_tables

FENCE = re.compile(r"^\s*```|```\s*$")


def chatter(text: str, answer: str) -> list[list[int]]:
    """The spans of an answer that are chatter; a text that speaks so itself may be translated so.

    >>> chatter("The cat sat.", "Sure! Here is the translation: El gato se sentó.")
    [[0, 30]]
    """
    matches = [*_opening().finditer(answer), *_anywhere().finditer(answer), *FENCE.finditer(answer)]
    if not matches or any(pattern.search(text) for pattern in (_opening(), _anywhere(), FENCE)):
        return []
    return sorted([match.start(), match.end()] for match in matches)


@cache
def _opening() -> re.Pattern[str]:
    """Phrases that an answer begins with."""
    return re.compile(rf"^[\s\"'“*#]*(?:{_phrases('opening')})", re.IGNORECASE)


@cache
def _anywhere() -> re.Pattern[str]:
    """Phrases that no translation has, unless its text speaks of language models."""
    return re.compile(rf"(?:{_phrases('anywhere')})", re.IGNORECASE)


def _phrases(place: str) -> str:
    """The phrases of all languages, since models chat in the language of the prompt, the text or the answer."""
    return "|".join(line for lines in word_tables(__file__)[place].values() for line in lines.strip().splitlines())
