"""The scripts of languages and of characters, and how words are written, from what Python knows of Unicode."""

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import Literal

from concord.language import word_tables
from concord.language.codes import normalise, usual_scripts

Case = Literal["lower", "title", "upper", "mixed", "none"]

COMMON = "Zyyy"
"""The script of characters that all scripts share: digits, punctuation, emoji."""

_SCRIPTS: dict[str, str] = dict(entry.split() for entry in word_tables(__file__)["codes"].split(","))
_SECOND = [entry.split() for entry in word_tables(__file__)["second"].split(",")]
_DRAWN_FROM: dict[str, str] = word_tables(__file__)["drawn_from"]
_WIDTHS = frozenset({"FULLWIDTH", "HALFWIDTH"})
_JOINTS = re.compile("[-‐‑'’·]")

HANGUL_LETTERS = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc"
"""The ranges of Korean letters, for a character class."""

UNSPACED_LETTERS = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u103f\u1050-\u109d\u1780-\u17d3"  # Thai to Khmer
    "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"  # radicals, iteration marks
    "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af"  # Han, Yi, half-width kana
)
"""The ranges of letters that are written without blanks between words, for a character class."""


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    if not character.isalpha():
        return COMMON
    words = unicodedata.name(character, "").split()
    first = next((word for word in words if word not in _WIDTHS), "")
    return _SCRIPTS.get(first, COMMON)


def script(words: str) -> str:
    """The ISO 15924 code of the script that most letters belong to; `Zyyy` if there are none.

    >>> [script(word) for word in ("word", "слово", "言葉です", "42")]
    ['Latn', 'Cyrl', 'Hani', 'Zyyy']
    """
    if len(words) == 1:  # letters are asked for one by one, and often
        return _script(words)
    counts = Counter(map(_script, words))
    del counts[COMMON]
    return max(counts, key=lambda code: counts[code]) if counts else COMMON


@cache
def scripts_of(code: str) -> frozenset[str]:
    """The scripts (ISO 15924) that the language is usually written in.

    >>> sorted(scripts_of("ru")), sorted(scripts_of("zh-TW")), sorted(scripts_of("sr"))
    (['Cyrl'], ['Hani'], ['Cyrl', 'Latn'])
    """
    language, *rest = normalise(code).split("-")
    # Bare `zh` leaves open whether characters are simplified or traditional; both are the script Hani.
    explicit = [part for part in rest if len(part) == 4 and part.isalpha()] or ["Hans"] * (language == "zh")
    names = explicit or [script for other, script in (*usual_scripts(), *_SECOND) if other == language]
    return frozenset(part for script in names for part in _DRAWN_FROM.get(script, script).split())


def script_name(code: str) -> str:
    """The English name of a script.

    >>> script_name("Arab"), script_name("Hani")
    ('Arabic', 'Chinese')
    """
    names: dict[str, str] = {script: name.title() for name, script in _SCRIPTS.items()}
    names |= word_tables(__file__)["names"]
    return names.get(code, code)


def case(word: str) -> Case:
    """How a word is written. One capital alone is `title`: a sentence may begin with it.

    >>> [case(word) for word in ("don't", "Jean-Luc", "NATO", "iPhone", "42", "I")]
    ['lower', 'title', 'upper', 'mixed', 'none', 'title']
    """
    if word.islower():
        return "lower"
    if word.isupper() and sum(map(str.isalnum, word)) > 1:
        return "upper"
    if word.lower() == word == word.upper():
        return "none"
    first, *rest = (part for part in _JOINTS.split(word) if part)
    is_title = _is_title(first) and all(part == part.lower() or _is_title(part) for part in rest)
    return "title" if is_title else "mixed"


def _is_title(part: str) -> bool:
    return not part[0].islower() and part[0].isalpha() and part[1:] == part[1:].lower()


@cache
def marks() -> str:
    """The ranges of combining characters, for a character class; `\\w` does not match them."""
    planes = (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0))
    codes = [code for code in planes if unicodedata.category(chr(code))[0] == "M"]
    starts = [code for before, code in zip([-1, *codes], codes, strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if after != code + 1]
    ranges = zip(starts, ends, strict=True)
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in ranges) + "\u200c\u200d\u00ad"
