"""Validity: whether a sentence of a text or wiki is fit to be translated, and if not, why."""

import re
from dataclasses import dataclass
from functools import cache

from concord.language.codes import base
from concord.language.scripts import COMMON, script
from concord.language.stopwords import languages, stop_words
from concord.language.tokens import tokens
from concord.model import Text

_MOST_CHARACTERS_PER_WORD = 50
_UNREADABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffd\ufffe\uffff]")
_MARKUP = re.compile(
    r"\ufffc|\[\[|\]\]|\{\{|\}\}|\{\||\|\}|'''|</?[a-z][^<>]*+>|&[a-z]{2,8};|\(\s*+[,;:)]|={2,}|__|\\[a-z]{2}|https?://",
    re.IGNORECASE,
)
_TABLE = re.compile(r"[*#:;|!•·▪‣–—-]\s?|\d{1,3}[.)]\s|[^|]*\|[^|]*\||[^\t]*\t")
_END = re.compile(r"[.!?…。！？｡।؟۔][\"'»«”“’‘)\]」』）]*\Z")
_PAIRS = {")": "(", "]": "[", "}": "{", "）": "（", "」": "「", "』": "『", "】": "【", "》": "《"}
_OPENERS = frozenset(_PAIRS.values())
# Which mark opens and which one closes depends on the language: „so“, ”så”, “so”, »so«, « so ». Their number does not.
_QUOTES = ('"', "“”„‟", "«»")
_MARKS = re.compile(r"(?<=\d)[\"”]")
# Some words begin with an apostrophe, as in 'tis and rock 'n' roll.
_SINGLE = re.compile(
    r"(?<![^\s(\[\"“«—–-])['‘](?=[^\W\d_])(?!(?:tis|twas|em|til|cause|bout|round|[a-z])\b)", re.IGNORECASE
)
_SINGLE_END = re.compile(r"(?<=\S)['’](?!\w)")
_SCRIPTS = {"ru": {"Cyrl"}, "zh": {"Hani"}, "ja": {"Hani", "Hira", "Kana"}, "ko": {"Hang"}}
_FEW_WORDS = 8


@dataclass(frozen=True, slots=True)
class Validity:
    """The requirements of a sentence: its language, and its least and most number of words."""

    lang: str
    lengths: tuple[int, int]

    def flaw(self, words: str) -> str | None:
        """The reason why the sentence is not valid, as `concord sample` lists it; None if it is valid."""
        if _UNREADABLE.search(words):
            return "unreadable characters"
        if len(words) > self.lengths[1] * _MOST_CHARACTERS_PER_WORD:
            return "too long"
        if _MARKUP.search(words):
            return "left-over markup"
        if _TABLE.match(words):
            return "table or list"
        if not _is_whole(words):
            return "not a whole sentence"
        return "unbalanced brackets or quotes" if not _is_balanced(words) else self._flaw_of_words(words)

    def _flaw_of_words(self, words: str) -> str | None:
        lowered = [token.text.lower() for token in tokens(Text(words, self.lang)) if token.kind in ("word", "number")]
        if len(lowered) < self.lengths[0]:
            return "too short"
        if len(lowered) > self.lengths[1]:
            return "too long"
        return None if _is_in(self.lang, words, lowered) else "another language"


def _is_whole(words: str) -> bool:
    first = next((character for character in words if character.isalnum()), "")
    return bool(first) and not first.islower() and _END.search(words[-12:]) is not None


def _is_balanced(words: str) -> bool:
    if not all(_is_paired(words, kind) for kind in _QUOTES) or not _is_closed(words):
        return False
    waiting: list[str] = []
    for character in words:
        if character in _OPENERS:
            waiting.append(character)
        elif character in _PAIRS and (not waiting or waiting.pop() != _PAIRS[character]):
            return False
    return not waiting


def _is_paired(words: str, kind: str) -> bool:
    count = sum(map(words.count, kind))
    # A mark after a digit may mean inches or seconds (12" record), or end a quotation that ends in a number.
    after_digits = sum(len(match[0]) for match in _MARKS.finditer(words) if match[0] in kind)
    return count % 2 == 0 or (count - after_digits) % 2 == 0


def _is_closed(words: str) -> bool:
    """Whether the last single quote that opens at a word is closed; inside words and after them it is an apostrophe."""
    starts = [quote.end() for quote in _SINGLE.finditer(words)]
    return not starts or _SINGLE_END.search(words, starts[-1]) is not None


def _is_in(lang: str, words: str, lowered: list[str]) -> bool:
    """A rough language check by the script, and by which language has most of the function words."""
    language = base(lang)
    own = stop_words(lang)
    expected = _SCRIPTS.get(language, {"Latn"} if own else None)
    if expected and script(words) not in expected | {COMMON}:
        return False
    if not own:
        return True
    hits = sum(word in own for word in lowered)
    if not hits and len(lowered) >= _FEW_WORDS:
        return False
    rival = max((sum(word in theirs for word in lowered) for theirs in _stop_words_of_others(language)), default=0)
    return rival < hits + 2 or rival * 2 < hits * 3


@cache
def _stop_words_of_others(language: str) -> tuple[frozenset[str], ...]:
    return tuple(stop_words(code) for code in languages() if code != language)
