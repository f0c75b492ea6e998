"""Numbers that are spelt in words, and the months, in some languages: what digits elsewhere may stand for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from concord.model import Text
from concord.text import number_words
from concord.text.languages import base

_WORDS = re.compile(r"[^\W\d_]+")
_HAN = re.compile("[零〇一二三四五六七八九十百千万萬亿億两兩]+")
_HAN_DIGITS = dict(zip("零〇一二三四五六七八九两兩", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2), strict=True))
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

# The words for 0 to 20, those for one thing in several genders with a stroke; the tens; hundreds; scales.
_SPELT = {
    "ca": (
        "zero un/una dos/dues tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze disset"
        " divuit dinou vint",
        "trenta quaranta cinquanta seixanta setanta vuitanta noranta",
        "cent/cents", "mil milió/milions", "i",
        "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    ),
    "eo": (
        "nul unu du tri kvar kvin ses sep ok naŭ dek dekunu dekdu dektri dekkvar dekkvin dekses deksep dekok deknaŭ"
        " dudek",
        "tridek kvardek kvindek sesdek sepdek okdek naŭdek",
        "cent", "mil miliono/milionoj", "kaj",
        "januaro februaro marto aprilo majo junio julio aŭgusto septembro oktobro novembro decembro",
    ),
    "es": (
        "cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
        " diecisiete dieciocho diecinueve veinte",
        "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "cien/ciento", "mil millón/millones", "y",
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
    ),
    "fr": (
        "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
        " dix-huit dix-neuf vingt",
        "trente quarante cinquante soixante septante huitante nonante",
        "cent/cents", "mille million/millions", "et",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    ),
    "gl": (
        "cero un/unha dous/dúas tres catro cinco seis sete oito nove dez once doce trece catorce quince dezaseis"
        " dezasete dezaoito dezanove vinte",
        "trinta corenta cincuenta sesenta setenta oitenta noventa",
        "cen/cento", "mil millón/millóns", "e",
        "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    ),
    "it": (
        "zero un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici"
        " sedici diciassette diciotto diciannove venti",
        "trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "cento", "mille/mila milione/milioni", "e",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ),
    "pt": (
        "zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze"
        " dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte",
        "trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "cem/cento", "mil milhão/milhões", "e",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
}  # fmt: skip
_GERMAN = (
    "null ein/eins/eine/einen/einem/einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn"
    " fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "hundert", "tausend million/millionen", "",
    "januar/jänner februar märz april mai juni juli august september oktober november dezember",
)  # fmt: skip
_ENGLISH_MONTHS = (
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct"
    " november/nov december/dec"
)
_ENGLISH_WORDS = {
    "dozen": 12, "noon": 12, "midnight": 12, "both": 2, "couple": 2, "pair": 2, "double": 2, "triple": 3, "half": 2,
    "quarter": 4, "quarters": 4, "decade": 10, "decades": 10, "century": 100, "fortnight": 14,
}  # fmt: skip
_LONGEST = 18
"""Characters of the longest number in Chinese characters that is reckoned with."""
_HUNDRED, _THOUSAND, _MILLION = 100, 1_000, 10**6


class _Table:
    """The number words of a language, by what they do to the number."""

    def __init__(self, small: str, tens: str, hundred: str, scales: str, joining: str, months: str) -> None:
        self.added = dict(_numbered(small, 0))
        self.added |= {word: 10 * value for word, value in _numbered(tens, 3)}
        self.scales = dict.fromkeys(hundred.split("/"), _HUNDRED)
        for words, value in zip(scales.split(), (_THOUSAND, _MILLION), strict=True):
            self.scales |= dict.fromkeys(words.split("/"), value)
        self.joining = frozenset(joining.split())
        self.alone = dict(_numbered(months, 1))


def known(lang: str) -> bool:
    """Whether numbers in words can be read in the language."""
    return base(lang) in ("zh", "ja") or _table(base(lang)) is not None


def spelt(text: Text) -> Counter[int]:
    """The numbers that the words of a text can stand for, and how often each does.

    >>> sorted(spelt(Text("Twenty-five of the three hundred came in May.", "en")))
    [3, 5, 20, 25, 100, 300]
    """
    if base(text.lang) in ("zh", "ja"):
        return Counter(_han(found[0][:_LONGEST]) for found in _HAN.finditer(text.words))
    table = _table(base(text.lang))
    if table is None:
        return Counter()
    made: Counter[int] = Counter()
    for run in _runs(text.words, table):
        made.update({_composed(run, table), *(_value(word, table) for word in run)})
    # What is a month only by its spelling ("may") does no harm: it allows a number, and asks for none.
    made.update(months(text))
    return made


def months(text: Text) -> frozenset[int]:
    """The numbers of the months that a text names."""
    table = _table(base(text.lang))
    named = table.alone if table else {}
    return frozenset(named[word] for word in _WORDS.findall(text.words.casefold()) if word in named)


def _runs(words: str, table: _Table) -> Iterator[list[str]]:
    """Number words that follow each other, joined or not."""
    run: list[str] = []
    for word in _WORDS.findall(words.casefold()):
        if word in table.added or word in table.scales:
            run.append(word)
        elif run and word not in table.joining:
            yield run
            run = []
    if run:
        yield run


def _value(word: str, table: _Table) -> int:
    return table.added[word] if word in table.added else table.scales[word]


def _composed(run: list[str], table: _Table) -> int:
    total = group = 0
    for word in run:
        if word in table.added:
            group += table.added[word]
        elif table.scales[word] == _HUNDRED:
            group = max(group, 1) * _HUNDRED
        else:
            total, group = total + max(group, 1) * table.scales[word], 0
    return total + group


def _han(characters: str) -> int:
    """A number in Chinese characters: 三百五十, 二〇二六, 两万."""
    if not set(characters) & _HAN_SCALES.keys():
        return int("".join(str(_HAN_DIGITS[each]) for each in characters))
    total = group = digit = 0
    for each in characters:
        if each in _HAN_DIGITS:
            digit = _HAN_DIGITS[each]
        elif _HAN_SCALES[each] >= 10**4:
            total, group, digit = (total + group + digit or 1) * _HAN_SCALES[each], 0, 0
        else:
            group, digit = group + (digit or 1) * _HAN_SCALES[each], 0
    return total + group + digit


@cache
def _table(lang: str) -> _Table | None:
    if lang == "en":
        return _english()
    if lang == "de":
        return _german()
    return _Table(*_SPELT[lang]) if lang in _SPELT else None


def _english() -> _Table:
    small = " ".join((*number_words.UNITS, number_words.TENS[0]))
    table = _Table(
        small,
        " ".join(number_words.TENS[1:]),
        "hundred/hundreds",
        "thousand million/millions",
        "and a",
        _ENGLISH_MONTHS,
    )
    parts = {f"{word}s": rank for word, rank in number_words.RANKS.items()}
    ages = {f"{word[:-1]}ies": 10 * value for value, word in enumerate(number_words.TENS, 2)}
    table.added |= number_words.RANKS | number_words.OFTEN | parts | ages | _ENGLISH_WORDS
    table.scales |= {"billion": 10**9, "trillion": 10**12}
    return table


def _german() -> _Table:
    table = _Table(*_GERMAN)
    units = {"ein": 1} | {word: value for word, value in table.added.items() if 1 < value < 10}
    tens = {word: value for word, value in table.added.items() if value % 10 == 0 and value >= 20}
    table.added |= {f"{unit}und{ten}": value + more for unit, value in units.items() for ten, more in tens.items()}
    return table


def _numbered(words: str, first: int) -> Iterator[tuple[str, int]]:
    for value, each in enumerate(words.split(), first):
        yield from ((word, value) for word in each.split("/"))
