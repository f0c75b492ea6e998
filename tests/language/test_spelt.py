"""Numbers and months in words are read in the languages that have a table, whole numbers from 0 to the millions."""

from __future__ import annotations

import pytest

from concord.language import word_tables
from concord.language.numbers import spelled
from concord.language.numbers.spelled import and_said, half_said, month_beside, months, reads_every_number, spelt
from concord.model import Text

FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf"
)
GERMAN = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn"
)
ITALIAN = (
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove"
)


def french(number: int) -> str:
    if number >= 100:
        many = "" if number < 200 else FRENCH.split()[number // 100] + " "
        return f"{many}cent{'s' if number > 100 and number % 100 == 0 else ''}" + behind(french, number % 100, " ")
    tens, rest = divmod(number, 10)
    if number < 20:
        return FRENCH.split()[number]
    if tens in (7, 9):
        tens, rest = tens - 1, rest + 10
    name = ("vingt", "trente", "quarante", "cinquante", "soixante", "", "quatre-vingt")[tens - 2]
    if not rest:
        return name + ("s" if tens == 8 else "")
    return name + (" et " if rest in (1, 11) and tens < 8 else "-") + FRENCH.split()[rest]


def german(number: int) -> str:
    if number >= 100:
        return ("ein" if number < 200 else GERMAN.split()[number // 100]) + "hundert" + behind(german, number % 100, "")
    tens, rest = divmod(number, 10)
    if number < 20:
        return GERMAN.split()[number]
    name = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")[tens - 2]
    return ("ein" if rest == 1 else GERMAN.split()[rest]) + "und" + name if rest else name


def italian(number: int) -> str:
    if number >= 100:
        return ("" if number < 200 else ITALIAN.split()[number // 100]) + "cento" + behind(italian, number % 100, "")
    tens, rest = divmod(number, 10)
    if number < 20:
        return ITALIAN.split()[number]
    name = ("venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta")[tens - 2]
    return (name[:-1] if rest in (1, 8) else name) + ITALIAN.split()[rest].replace("tre", "tré") if rest else name


def behind(words, rest: int, blank: str) -> str:
    return blank + words(rest) if rest else ""


@pytest.mark.parametrize(("lang", "words"), [("fr", french), ("de", german), ("it", italian)])
def test_every_number_below_a_thousand_is_read(lang, words):
    unread = [number for number in range(1, 1000) if number not in spelt(Text(words(number), lang))]
    assert unread == []


@pytest.mark.parametrize(
    ("lang", "words", "number"),
    [
        ("ca", "dues-centes vint-i-cinc", 225),
        ("ca", "mil nou-cents vuitanta-quatre", 1984),
        ("da", "femogtyve", 25),
        ("da", "to hundrede og halvtreds", 250),
        ("de", "zweitausenddreihundertfünfundvierzig", 2345),
        ("de", "hundertundeins", 101),
        ("de", "null", 0),
        ("en", "two thousand and one", 2001),
        ("eo", "ducent dudek kvin", 225),
        ("es", "veintidós", 22),
        ("es", "quinientas una", 501),
        ("es", "ciento un mil quinientos", 101_500),
        ("fr", "deux mille quatre cent quatre-vingt-dix-neuf", 2499),
        ("fr", "nonante-neuf", 99),
        ("fr", "une douzaine", 12),
        ("gl", "douscentos vinte e cinco", 225),
        ("it", "duemilacinquecentotto", 2508),
        ("it", "centoottanta", 180),
        ("it", "milleduecento", 1200),
        ("nb", "tjuefem", 25),
        ("nl", "tweeëntwintig", 22),
        ("nl", "driehonderdvijftig", 350),
        ("pt", "mil e duzentas", 1200),
        ("ru", "двадцати пяти", 25),
        ("ru", "триста сорок один", 341),
        ("sv", "tvåhundrafemtiofem", 255),
    ],
)
def test_a_number_in_words_is_read(lang, words, number):
    assert number in spelt(Text(f"X {words}.", lang))


@pytest.mark.parametrize("words", ["hunderttausendfach", "tausend" * 5000, "einhundertzwölfhundert", "siebzigfünf"])
def test_what_is_no_number_in_one_word_is_not_read(words):
    assert not spelt(Text(words, "de"))


def test_a_language_is_known_where_every_number_is_read():
    spellings = word_tables(spelled.__file__)["spellings"]
    assert [lang for lang in (*spellings, "en", "zh", "ja", "pt-BR", "th") if not reads_every_number(lang)] == [
        "ru",
        "tr",
        "th",
    ]


def test_a_month_is_read_whole_or_cut_short():
    assert months(Text("5 января, 3 февр.", "ru")) == {1, 2}
    assert months(Text("le 3 juil. et le 3 jui.", "fr")) == {7}
    assert months(Text("niemand", "de")) == frozenset()
    assert months(Text("มกราคม", "th")) is None


@pytest.mark.parametrize(
    ("words", "lang", "month"),
    [
        ("on 5 May", "en", 5),
        ("on May 5", "en", 5),
        ("on May the 5th", "en", 5),
        ("the 5th of May", "en", 5),
        ("they may 5 times", "en", 0),
        ("el 5 de mayo", "es", 5),
        ("el 5 d'abril", "ca", 4),
        ("am 5. Mai", "de", 5),
        ("5 января", "ru", 1),
        ("5 พฤษภาคม", "th", 0),
    ],
)
def test_a_day_has_the_month_beside_it(words, lang, month):
    at = words.index("5")
    assert month_beside(words, at, at + 1, lang) == month


def test_and_and_a_half_are_heard():
    assert half_said(Text("dos horas y media", "es"))
    assert not half_said(Text("dos horas", "es"))
    assert and_said(Text("pan y agua", "es"))
    assert and_said(Text("面包和水", "zh"))
    assert and_said(Text("pan", "es")) is False
    assert and_said(Text("ขนมปัง", "th")) is None
