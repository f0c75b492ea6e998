"""A pseudo-translator that needs nothing: every language is English in a spelling of its own.

Each language but English has its own order of the vowels and of the consonants; a word is spelled
back into English and on into the target. So translations are exact, whatever the detour, except for
`flaws`: that share of the texts gets one mistake (a word lost or doubled, a number changed, a "not"
lost), always the same for the same text and direction. Letters outside a-z stay as they are.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Annotated

from concord.model import Limits, System
from concord.options import Share
from concord.signature import digest
from concord.translators._names import system_id

FLAWS = 0.1
VOWELS = "aeiou"
CONSONANTS = "bcdfghjklmnpqrstvwxyz"

Flaw = Callable[[str, int], "str | None"]


class Translator(System):
    """A fake system: it translates any pair of languages immediately, with a known share of mistakes."""

    limits = Limits(texts=256, characters=1_000_000, in_flight=1)
    deterministic = True
    made_up = True

    def __init__(self, *, flaws: Annotated[Share, "Proportion of the texts that get one mistake."] = FLAWS) -> None:
        self.id = system_id("fake", flaws=(flaws, FLAWS))
        self._flaws = flaws

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        return [self._translated_text(text, source, target) for text in texts]

    def version(self, source: str, target: str) -> str:
        return "1"

    def _translated_text(self, text: str, source: str, target: str) -> str:
        english = text.translate(_spelling(_base(source), back=True))
        drawn = digest(source, target, text)
        if int.from_bytes(drawn[:8]) < self._flaws * 2**64:
            english = flawed(english, int.from_bytes(drawn[8:]))
        return english.translate(_spelling(_base(target), back=False))


def flawed(text: str, drawn: int) -> str:
    """The text with one mistake; `drawn` is any number and decides which. Blank text stays as it is."""
    if not text.strip():
        return text
    kinds: list[Flaw] = [_lose_word, _double_word, _change_number, _lose_not]
    flawed_texts = [wrong for wrong in (kind(text, drawn // 4) for kind in kinds) if wrong is not None]
    return flawed_texts[drawn % len(flawed_texts)]


def _lose_word(text: str, drawn: int) -> str | None:
    words = list(re.finditer(r"\S+\s*", text))
    if len(words) < 2:
        return None
    lost = words[drawn % len(words)]
    return text[: lost.start()] + text[lost.end() :]


def _double_word(text: str, drawn: int) -> str | None:
    words = list(re.finditer(r"\S+", text))
    twice = words[drawn % len(words)]
    return f"{text[: twice.end()]} {twice.group()}{text[twice.end() :]}"


def _change_number(text: str, drawn: int) -> str | None:
    digits = list(re.finditer("[0-9]", text))
    if not digits:
        return None
    digit = digits[drawn % len(digits)]
    return text[: digit.start()] + str(int(digit.group()) % 9 + 1) + text[digit.end() :]


def _lose_not(text: str, drawn: int) -> str | None:
    lost = re.sub(r"\b(?:not|never)\s+(?=\S)", "", text, count=1)
    return None if lost == text else lost


def _base(lang: str) -> str:
    return lang.partition("-")[0].lower()


@lru_cache(maxsize=512)
def _spelling(lang: str, *, back: bool) -> dict[int, int]:
    spelled = dict(zip(VOWELS + CONSONANTS, _shuffled(VOWELS, lang) + _shuffled(CONSONANTS, lang), strict=True))
    alphabet = "".join(spelled[letter] for letter in ascii_lowercase)
    ours, theirs = ascii_lowercase + ascii_lowercase.upper(), alphabet + alphabet.upper()
    return str.maketrans(theirs, ours) if back else str.maketrans(ours, theirs)


def _shuffled(letters: str, lang: str) -> str:
    return letters if lang == "en" else "".join(sorted(letters, key=lambda letter: digest(lang, letter)))
