"""Chatter, wrappers and broken outputs: what an answer has, in place of a translation or around it, by tables."""

import re
from functools import cache

from concord.language import word_tables
from concord.language.codes import base, is_spaced
from concord.language.identification import UNITS, words_of
from concord.model import Text

_NO_WORD = re.compile(r"\W*(?:undefined|null|None|NaN|nil)\W*")
"""What programs print in place of a text; of a short text it may be the translation: "Ninguno"."""
LEAST_TOGETHER = 20
"""Letters without a blank that are several words, if the text has many."""
MANY_WORDS = 6


def unlike_a_translation(kind: str, text: str, answer: str) -> list[list[int]]:
    """The spans of an answer that are `chatter`, `wrapped` or `broken`; what the text has as well may be translated so.

    >>> unlike_a_translation("chatter", "The cat sat.", "Sure! Here is the translation: El gato se sentó.")
    [[0, 30]]
    """
    groups = [(pattern, may_say) for pattern, may_say in _patterns(kind) if pattern.search(answer)]
    matches = (match for pattern, may_say in groups if not may_say.search(text) for match in pattern.finditer(answer))
    return sorted([match.start(), match.end()] for match in matches)


def broken_output(text: Text, answer: Text) -> list[list[int]]:
    """The spans of an answer that a program has left there, or all of it if its blanks are lost."""
    is_long = sum(map(str.isalpha, UNITS.findall(text.words))) >= MANY_WORDS
    if (is_long or base(text.lang) == "en") and _NO_WORD.fullmatch(answer.words) and not _NO_WORD.fullmatch(text.words):
        return [[0, len(answer.words)]]
    longest = max(map(len, words_of(answer.words)), default=0)
    if is_long and is_spaced(answer.lang) and longest >= LEAST_TOGETHER and len(answer.words.split()) == 1:
        return [[0, len(answer.words)]]
    return unlike_a_translation("broken", text.words, answer.words)


@cache
def _patterns(kind: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """For each group: what is no translation, and what a text has for which it may be one."""
    groups = []
    for group in word_tables(__file__)[kind].values():
        lines = {key: "|".join(text.strip().splitlines()) for key, text in group.items()}
        start, end, unless = lines.pop("start", ""), lines.pop("end", ""), lines.pop("unless", "(?!)")
        phrases = f"{start}(?:{'|'.join(lines.values())}){end}"
        groups.append((re.compile(phrases, re.IGNORECASE), re.compile(f"{phrases}|{unless}", re.IGNORECASE)))
    return groups
