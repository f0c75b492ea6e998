"""Untranslated words: source words that are still in a translation into a language with another script."""

import re
from typing import NamedTuple

from concord.language.codes import is_spaced
from concord.language.scripts import UNSPACED_LETTERS, case, script, scripts_of
from concord.model import Text

_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
# Letters of scripts without blanks end a word: in 的budget问题 one English word is left.
_WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|['’-](?={_LETTER}))*+|[{UNSPACED_LETTERS}]++")

LONGEST_UNIT = 4


class Leftover(NamedTuple):
    """A word in the source's script, and its span in the translation."""

    words: str
    start: int
    end: int


def left_over(source: Text, translation: Text) -> list[Leftover]:
    """The words of the source that the translation contains in the source's script.

    Names may stay: a word with a capital in the source counts only if nothing at all was translated.

    >>> [each.words for each in left_over(Text("the Budget deficit", "en"), Text("Budget deficit问题", "zh"))]
    ['deficit']
    """
    theirs, ours = scripts_of(translation.lang), scripts_of(source.lang)
    if not theirs or not ours or theirs & ours:
        return []
    every = _WORD.findall(source.words)
    small = [word for word in every if case(word) in ("lower", "none")]
    untouched = not any(script(character) in theirs for character in set(translation.words))
    meant = {word.casefold() for word in (every if untouched and small else small)}
    words = (Leftover(match[0], *match.span()) for match in _WORD.finditer(translation.words))
    spaced = is_spaced(source.lang)
    return [
        word
        for word in words
        if script(word.words) in ours
        # In a source without blanks, a run of characters may be any part of it.
        and (word.words.casefold() in meant if spaced else word.words in source.words)
        and not _is_unit(translation.words, word)
    ]


def _is_unit(translation: str, word: Leftover) -> bool:
    """Whether a short word follows a number, as in "5 km"."""
    return len(word.words) <= LONGEST_UNIT and translation[: word.start].rstrip()[-1:].isdigit()
