"""Reads numbers in words, and the names of months, in several languages."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from concord.language import word_set, word_tables
from concord.language.codes import base
from concord.language.numbers import english
from concord.model import Text

_WORDS = re.compile(r"[^\W\d_]+")
_HAN = re.compile("[零〇一二三四五六七八九十百千万萬亿億两兩]+")
_HAN_DIGITS = dict(zip("零〇一二三四五六七八九两兩", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2), strict=True))
HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ENGLISH_WORDS = {
    "dozen": 12, "noon": 12, "midnight": 12, "both": 2, "couple": 2, "pair": 2, "double": 2, "triple": 3, "half": 2,
    "quarter": 4, "quarters": 4, "decade": 10, "decades": 10, "century": 100, "fortnight": 14,
}  # fmt: skip
_LONGEST = 18
"""Characters of the longest number in Chinese characters that is read."""
_LONGEST_WORD = 70
"""Letters of the longest number in one word: 777,777 in German has 65."""
_HUNDRED, _THOUSAND, _MILLION = 100, 1_000, 10**6
_SHORT = (3, 4)
"""Letters of an abbreviated month."""
_AFTER_DAY = re.compile(r"(?:st|nd|rd|th|er|[ºª.]|-?го|-?е)?[ \u00a0]?(?:(?:of|de|di|del) |d['’])?([^\W\d_]{3,12})")
_BEFORE_DAY = re.compile(r"([^\W\d_]{3,12})\.?[ \u00a0](?:the )?\Z")


@dataclass(frozen=True, slots=True)
class Spelling:
    """The number words of a language; a slash separates spellings of one value.

    `small` counts from 0, `tens` from 30. A `hundred` multiplies the number before it, `hundreds` are single words.
    `compound` says how tens and units make one word: "units first" with a word of `joining` between, or "tens first".
    `whole` is false if not all inflected forms are listed, so that a number may be there without being read.
    """

    small: str
    tens: str
    hundred: str
    scales: str
    joining: str
    hundreds: str = ""
    more: str = ""
    compound: str = ""
    whole: bool = True


class _Table:
    """The number words of a language, by whether they add, multiply or join."""

    def __init__(self, words: Spelling) -> None:
        self.added = dict(_numbered(words.small, 0))
        self.added |= {word: 10 * value for word, value in _numbered(words.tens, 3)}
        self.joining = frozenset(words.joining.split())
        if words.compound:
            self.added |= dict(_compounds(self.added, words))
        self.added |= {word: _HUNDRED * value for word, value in _numbered(words.hundreds, 1)}
        more = (entry.split("=") for entry in words.more.split())
        self.added |= {word.casefold(): int(value) for word, value in more}
        self.hundreds = tuple(filter(None, words.hundred.split("/")))
        self.thousands, millions = (tuple(spellings.split("/")) for spellings in words.scales.split())
        self.scales = dict.fromkeys(self.hundreds, _HUNDRED) | dict.fromkeys(self.thousands, _THOUSAND)
        self.scales |= dict.fromkeys(millions, _MILLION)
        self.joins_words = bool(words.compound)
        self.whole = words.whole
        self.twenties = frozenset({"vingt", "vingts"} & self.added.keys())

    def value(self, word: str) -> int | None:
        """The value of a word that is a number or a compound of numbers."""
        if word in self.added:
            return self.added[word]
        return self._compound_value(word) if self.joins_words and len(word) <= _LONGEST_WORD else None

    def _compound_value(self, word: str) -> int | None:
        """The value of a compound with a thousand or hundred inside: zweitausendfünfhundert, duecentotto."""
        for names, factor, limit in ((self.thousands, _THOUSAND, _THOUSAND), (self.hundreds, _HUNDRED, 10)):
            for name in names:
                head, separator, tail = word.partition(name)
                if not separator:
                    continue
                before, behind = self.value(head) if head else 1, self._tail(tail)
                if before is None or behind is None or before >= limit or behind >= factor:
                    return None
                return before * factor + behind
        return None

    def _tail(self, word: str) -> int | None:
        """The value of the rest of a compound, perhaps after a joining word or a lost vowel."""
        if not word:
            return 0
        forms = (word, f"o{word}", *(word.removeprefix(joint) for joint in self.joining if word.startswith(joint)))
        return next((value for form in forms if (value := self.value(form)) is not None), None)


def reads_every_number(lang: str) -> bool:
    """Whether all number words of the language are known."""
    table = _table(base(lang))
    return base(lang) in ("zh", "ja") or (table is not None and table.whole)


def spelt(text: Text) -> Counter[int]:
    """The numbers that words of a text can express, and how often each occurs.

    >>> sorted(spelt(Text("Twenty-five of the three hundred came.", "en")))
    [3, 5, 20, 25, 100, 300]
    """
    if base(text.lang) in ("zh", "ja"):
        return Counter(_han(match[0][:_LONGEST]) for match in _HAN.finditer(text.words))
    table = _table(base(text.lang))
    if table is None:
        return Counter()
    counts: Counter[int] = Counter()
    for run in _runs(text.words, table):
        counts.update({_composed(run, table), *(table.scales[word] if value is None else value for word, value in run)})
    return counts


def half_said(text: Text) -> bool:
    """Whether the text has a word for a half."""
    return not word_set(word_tables(__file__)["halves"]).isdisjoint(_WORDS.findall(text.words.casefold()))


def and_said(text: Text) -> bool | None:
    """Whether the text has the word for "and"; None if that word is not known in the language."""
    lang = base(text.lang)
    signs, words = word_tables(__file__)["and_signs"].get(lang), word_tables(__file__)["and"].get(lang)
    if signs:
        return any(sign in text.words for sign in signs)
    return None if words is None else not word_set(words).isdisjoint(_WORDS.findall(text.words.casefold()))


def months(text: Text) -> frozenset[int] | None:
    """The numbers of the months that a text names; None if the names are not known in the language."""
    by_name = _months(base(text.lang))
    if not by_name:
        return None
    return frozenset(by_name[word] for word in _WORDS.findall(text.words.casefold()) if word in by_name)


def month_beside(words: str, start: int, end: int, lang: str) -> int:
    """The month beside a day at `start:end`, or 0."""
    by_name = _months(base(lang))
    if not by_name:
        return 0
    for match in (_AFTER_DAY.match(words, end), _BEFORE_DAY.search(words, max(0, start - 20), start)):
        # English months have a capital: "may 10" is no date.
        if match and (base(lang) != "en" or match[1][0].isupper()) and match[1].casefold() in by_name:
            return by_name[match[1].casefold()]
    return 0


def _runs(words: str, table: _Table) -> Iterator[list[tuple[str, int | None]]]:
    """Runs of number words, each with the value that it adds, or None if it multiplies."""
    run: list[tuple[str, int | None]] = []
    for word in _WORDS.findall(words.replace("İ", "i").casefold()):
        value = None if word in table.scales else table.value(word)
        if value is not None or word in table.scales:
            run.append((word, value))
        elif run and word not in table.joining:
            yield run
            run = []
    if run:
        yield run


def _composed(run: list[tuple[str, int | None]], table: _Table) -> int:
    total = group = 0
    for word, value in run:
        if value is not None:
            score = word in table.twenties and group % _HUNDRED == 4
            group += 76 if score else value
        elif table.scales[word] == _HUNDRED:
            group = max(group, 1) * _HUNDRED
        else:
            total, group = total + max(group, 1) * table.scales[word], 0
    return total + group


def _han(characters: str) -> int:
    """A number in Chinese characters: 三百五十, 二〇二六, 两万."""
    if not set(characters) & HAN_SCALES.keys():
        return int("".join(str(_HAN_DIGITS[character]) for character in characters))
    total = group = digit = 0
    for character in characters:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif HAN_SCALES[character] >= 10**4:
            total, group, digit = (total + group + digit or 1) * HAN_SCALES[character], 0, 0
        else:
            group, digit = group + (digit or 1) * HAN_SCALES[character], 0
    return total + group + digit


@cache
def _table(lang: str) -> _Table | None:
    if lang == "en":
        return _english()
    spelling = word_tables(__file__)["spellings"].get(lang)
    return _Table(Spelling(**spelling)) if spelling else None


@cache
def _months(lang: str) -> dict[str, int]:
    """The months by name, and by unambiguous abbreviations."""
    by_name = dict(_numbered(word_tables(__file__)["months"].get(lang, ""), 1))
    for size in _SHORT:
        candidates: dict[str, set[int]] = {}
        for word, month in by_name.items():
            if len(word) > size:
                candidates.setdefault(word[:size], set()).add(month)
        by_name |= {short: month for short, (month, *more) in candidates.items() if not more and short not in by_name}
    return by_name


def _english() -> _Table:
    small = " ".join((*english.UNITS, english.TENS[0]))
    tens = " ".join(english.TENS[1:])
    table = _Table(Spelling(small, tens, "hundred/hundreds", "thousand/thousands million/millions", "and a"))
    parts = {f"{word}s": rank for word, rank in english.RANKS.items()}
    ages = {f"{word[:-1]}ies": 10 * value for value, word in enumerate(english.TENS, 2)}
    table.added |= english.RANKS | english.OFTEN | parts | ages | _ENGLISH_WORDS
    table.scales |= {word: english.SCALES[word] for word in ("billion", "trillion")}
    return table


def _compounds(words: dict[str, int], spelling: Spelling) -> Iterator[tuple[str, int]]:
    """Tens and units in one word: fünfundzwanzig, venticinque; one of two vowels may be dropped, as in ventotto."""
    units = [(word, value) for word, value in words.items() if 1 <= value < 10]
    tens = [(word, value) for word, value in words.items() if value >= 20 and value % 10 == 0]
    for ten, more in tens:
        for unit, value in units:
            if spelling.compound == "tens first":
                yield ten + unit, more + value
                yield ten[:-1] + unit, more + value
            else:
                yield from ((unit + joined + ten, more + value) for joined in spelling.joining.split())


def _numbered(words: str, first: int) -> Iterator[tuple[str, int]]:
    for value, spellings in enumerate(words.casefold().split(), first):
        yield from ((word, value) for word in spellings.split("/"))
