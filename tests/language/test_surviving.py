"""Literals survive a translation in the notation of its language, and what does not survive is said."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concord.language.literals.find import literals
from concord.language.literals.match import survival
from concord.language.numbers.digits import amounts, folded
from concord.language.numbers.spelled import spelt
from concord.model import Text


def found(source: str, output: str, langs: str = "en es") -> list[tuple[str, str]]:
    ours, theirs = langs.split()
    made = survival(Text(source, ours), Text(output, theirs))
    return [(each.how if each.sure else f"perhaps {each.how}", str(each)) for each in made]


@pytest.mark.parametrize(
    ("source", "output", "langs"),
    [
        ("It cost $1,000.", "Costó 1.000 $.", "en es"),
        ("1,000 units", "1 000 unités", "en fr"),
        ("1,000 units", "1\u202f000 unités", "en fr"),
        ("1,00,000 rupees", "100 000 roupies", "en fr"),
        ("12,345,678.9", "12.345.678,9", "en de"),
        ("2.6 metres", "2,6 metros", "en es"),
        ("2.6 metres", "2.6 metros", "en es"),
        ("on 3/4/2026", "am 3.4.2026", "en de"),
        ("on 3/4/2026", "el 2026-04-03", "en es"),
        ("on 3/4/26", "el 3/4/2026", "en es"),
        ("on April 3, 2026", "el 3/4/2026", "en es"),
        ("on April 3, 2026", "2026年4月3日", "en zh"),
        ("on 3/4/2026", "el 3 de abril de 2026", "en es"),
        ("at 5 p.m.", "a las 17:00", "en es"),
        ("at 5 pm", "a las 5 de la tarde", "en es"),
        ("at 5:30 pm", "um 17.30 Uhr", "en de"),
        ("at 9:30", "à 9h30", "en fr"),
        ("at 17:45", "17时45分", "en zh"),
        ("12 eggs", "doce huevos", "en es"),
        ("25 eggs", "fünfundzwanzig Eier", "en de"),
        ("three eggs", "3 huevos", "en es"),
        ("twenty-five of three hundred", "25 de 300", "en es"),
        ("300 people", "三百人", "en zh"),
        ("5.4 million", "540万", "en zh"),
        ("2 billion", "2.000 millones", "en es"),
        ("2 billion", "2 Milliarden", "en de"),
        ("5 km and 3 kg", "5 км и 3 кг", "en ru"),
        ("25 files", "٢٥ ملف", "en ar"),
        ("25 files", "२५ फ़ाइलें", "en hi"),
        ("25 files", "２５ファイル", "en ja"),
        ("5% off", "5 % de descuento", "en es"),
        ("50 %discount", "50 %de descuento", "en es"),
        ("the 3rd floor", "el 3º piso", "en es"),
        ("in the 1990s", "en los años 90", "en es"),
        ("-5 °C", "5 grados bajo cero", "en es"),
        ("17 million views", "1700 万次观看", "en zh"),
        ("1亿730万欧元", "107.3 million euros", "zh en"),
        ("20世纪60年代", "the 20th century, the 1960s", "zh en"),
        ("过去10年间", "over the past decade", "zh en"),
        ("2001年9月11日", "11-Sep-01", "zh en"),
        ("2008年1月到2009年1月", "January 2008 to January 2009", "zh en"),
        ("1/2 cup", "½ taza", "en es"),
        ("10-15 days", "10–15 días", "en es"),
        ("version 1.2.3", "versión 1.2.3", "en es"),
        ("call 020 7946 0958", "llame al 020 7946 0958", "en es"),
        ("Fish &amp; chips", "Pescado & patatas", "en es"),
        ("a<br>b", "a<br/>b", "en es"),
        ('<a href="x" title="cat">y</a>', '<a href="x" title="gato">y</a>', "en es"),
        ("{ name } has %(n)d", "{name} tiene %(n)d", "en es"),
        ("%1$s of %2$d", "%2$d de %1$s", "en es"),
        ("{n, plural, one {# file}}", "{n, plural, one {# archivo}}", "en es"),
        ("see http://a.org/b.", "véase http://a.org/b", "en es"),
        ("write to Anna@a.org", "escriba a anna@a.org", "en es"),
        ("25 files", "veinticinco archivos", "en es"),
        ("200 people", "doscientas personas", "en es"),
        ("85 people", "quatre-vingt-cinq personnes", "en fr"),
        ("300 people", "trecento persone", "en it"),
        ("-5 °C", "menos 5 °C", "en es"),
        ("-5 °C", "cinco grados bajo cero", "en es"),
        ("on 2024-01-05", "5 января 2024 г.", "en ru"),
        ("on 2024-01-24", "el 24 de enero de 2024", "en es"),
        ("on 2024-05-01", "el primero de mayo de 2024", "en es"),
        ("on 2024-05-01", "1 พฤษภาคม 2024", "en th"),
        ("on 2024-05-03", "2024년 5월 3일", "en ko"),
        ("10 May 2024", "10 de mayo de 2024", "en es"),
        ("May 5 and June 5", "5 de junio y 5 de mayo", "en es"),
        ("5 km or 5 miles", "5 millas o 5 km", "en es"),
        ("at 2:30 pm", "à 14 h 30", "en fr"),
        ("at 2:30 pm", "下午2点30分", "en zh"),
        ("at 2:30 pm", "14時30分", "en ja"),
        ("at 5 PM", "a las 5:00 de la tarde", "en es"),
        ("at 11 at night", "à 23 heures", "en fr"),
        ("at 12:15 a.m.", "a las 00:15", "en es"),
        ("at 9 in the morning", "um 9 Uhr morgens", "en de"),
        ("%{name} %name% [[name]] $HOME 5%%", "%{name} %name% [[name]] $HOME 5 %%", "en es"),
        ("%d%% of %s", "%d%% de %s", "en es"),
        ("5 kg", "5 kilos", "en es"),
        ("£20 off", "20 libras de descuento", "en es"),
        ("$5 million", "5 millones de dólares", "en es"),
        ("5%–10%", "5–10 %", "en es"),
        ("5 percent", "5 por ciento", "en es"),
        ("5%", "百分之5", "en zh"),
        ("worth $ 2 billion", "价值 20 亿美元的股票", "en zh"),
        ("€5–€10", "entre 5 y 10 euros", "en es"),
        ("5% or 10%", "el 5 o el 10 %", "en es"),
        ("R&amp;D", "I+D", "en es"),
        ("Fish &amp; chips", "Pescado y patatas", "en es"),
        ("&quot;Save&quot;", "«Guardar»", "en es"),
        ("Wait&hellip;", "Espere...", "en es"),
        ("2½ cups", "2,5 tazas", "en es"),
        ("2 1/2 cups", "2½ tazas", "en es"),
        ("2½ cups", "dos tazas y media", "en es"),
        ("HTTPS://A.org/B", "https://a.org/B", "en es"),
        ("48,000 €", "48,000 €", "en es"),
        ("It cost $1,000.", "Costó $1,000.", "en es"),
        ("1,234 men", "1,234 Mann", "en de"),
        ("1.234 litres", "1.234 Liter", "en de"),
        ("1/2 cup", "media taza", "en es"),
        ("media taza", "1/2 cup", "es en"),
        ("1/2 cup", "eine halbe Tasse", "en de"),
        ("on 3/4", "el 3 de abril", "en es"),
        ("$1.5M", "1,5 millones de $", "en es"),
        ("$1.5M", "1,5 M$", "en es"),
        ("$5B", "5.000 millones de dólares", "en es"),
        ("£5m", "5 millones de libras", "en es"),
        ("<img src='a.png' alt='cat'>", '<img alt="gato" src="a.png"/>', "en es"),
        ("<g id='1'>a</g> <g id='2'>b</g>", "<g id='2'>b</g> <g id='1'>a</g>", "en es"),
        ("</b>a<b>", "</b>a<b>", "en es"),
        ('<a title="an id=1 b">', '<a title="un id=2 b">', "en es"),
        ("{{x}} ${y}", "{{ x }} ${ y }", "en es"),
    ],
)
def test_a_literal_in_another_notation_survives(source, output, langs):
    assert found(source, output, langs) == []


@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        ("30 to 40 days", "30 a 50 días", ("changed", "number 40 → 50")),
        ("30 days", "días", ("missing", "number 30")),
        ("3 cats", "gatos", ("missing", "number 3")),
        ("some days", "77 días", ("added", "number 77")),
        ("2 billion", "2 billones", ("changed", "number 2 billion → 2 billones")),
        ("1.5 litres", "15 litros", ("changed", "number 1.5 → 15")),
        ("1,500 men", "1,5 hombres", ("changed", "number 1,500 → 1,5")),
        ("a fee of 0.4%", "una tarifa de 0.7%", ("changed", "number 0.4 → 0.7")),
        ("5 km", "5 m", ("changed", "number 5 km → 5 m")),
        ("$5", "5 €", ("changed", "number 5 $ → 5 €")),
        ("-5 °C", "5 °C", ("changed", "number -5 → 5")),
        ("at 5 p.m.", "a las 17:30", ("changed", "time 5 p.m. → 17:30")),
        ("at 5 p.m.", "a las 5:00 a.m.", ("changed", "time 5 p.m. → 5:00 a.m.")),
        ("on 3/4/2026", "el 3/5/2026", ("changed", "date 3/4/2026 → 3/5/2026")),
        ("Hi {name}", "Hola {nombre}", ("changed", "placeholder {name} → {nombre}")),
        ("%s of %d", "%d de %s", ("changed", "placeholder %s → %d")),
        ("%s files", "archivos", ("missing", "placeholder %s")),
        ("${A} {{b}}", "${A}", ("missing", "placeholder {{b}}")),
        ("<b>x</b>", "<b>x", ("missing", "tag </b>")),
        ("Fish &amp; chips", "Pescado con patatas", ("missing", "entity &amp;")),
        ("-5 °C for at least 3 days", "5 °C durante al menos 3 días", ("changed", "number -5 → 5")),
        ("as shown below, is -120", "es 120", ("changed", "number -120 → 120")),
        ("10 May 2024", "10 de marzo de 2024", ("changed", "number 10 (month 5) → 10 (month 3)")),
        ("on 5 May", "el 5 de junio", ("changed", "number 5 (month 5) → 5 (month 6)")),
        ("at 5 PM", "a las 5:00 de la mañana", ("changed", "time 5 PM → 5:00 de la mañana")),
        ("at 17:00", "a las 5:00 a. m.", ("changed", "time 17:00 → 5:00 a. m.")),
        ("%{name}", "%{nombre}", ("changed", "placeholder %{name} → %{nombre}")),
        ("%name%", "%nombre%", ("changed", "placeholder %name% → %nombre%")),
        ("[[name]]", "[[nombre]]", ("changed", "placeholder [[name]] → [[nombre]]")),
        ("in $HOME", "en $CASA", ("changed", "placeholder $HOME → $CASA")),
        ("%d%%", "%d %", ("missing", "placeholder %%")),
        ("5 kg", "5 libras", ("changed", "number 5 kg → 5 lb")),
        ("5 mg", "5 μg", ("changed", "number 5 mg → 5 µg")),
        ("20 hours", "20 minutos", ("changed", "number 20 h → 20 min")),
        ("2½ cups", "2 tazas", ("changed", "number 2½ → 2")),
        ("17 cats", "dieciocho gatos", ("missing", "number 17")),
        ("on 3 March", "en marzo", ("missing", "number 3")),
        ("at http://x.org/A", "en http://x.org/a", ("changed", "url http://x.org/A → http://x.org/a")),
        ('<a href="http://x.org">', '<a href="http://y.org">', ("changed", "url http://x.org → http://y.org")),
        ('<a href="{u}">', '<a href="{v}">', ("changed", "placeholder {u} → {v}")),
        ("<x id='1'/> and <x id='2'/>", "<x id='1'/> y <x id='1'/>", ("changed", "tag <x id='2'/> → <x id='1'/>")),
        ("<x id=1/> a", "<x id=2/> b", ("changed", "tag <x id=1/> → <x id=2/>")),
        ("<img src='a.png'>", "<img src='b.png'>", ("changed", "tag <img src='a.png'> → <img src='b.png'>")),
        ('<i class="a">', "<i>", ("changed", 'tag <i class="a"> → <i>')),
        ("<b>x</b>", "</b>x<b>", ("changed", "tag <b> → </b>")),
        ("<b>x</b>", "x</b>", ("missing", "tag <b>")),
        ("{0} files", "{ 0 } archivos", ("changed", "placeholder {0} → { 0 }")),
        ("1/2 cup", "1/4 taza", ("changed", "number 2 → 4")),
        ("$5M", "5.000 $", ("changed", "number 5M → 5.000")),
        ("mail a@b.org", "correo", ("missing", "email a@b.org")),
        ("at http://x.org/1", "en http://x.org/2", ("changed", "url http://x.org/1 → http://x.org/2")),
    ],
)
def test_what_does_not_survive_is_said(source, output, told):
    assert found(source, output) == [told]


@pytest.mark.parametrize(
    ("source", "output", "langs", "told"),
    [
        ("1 cat", "gato", "en es", ("perhaps missing", "number 1")),
        ("the 2nd man", "el segundo hombre", "en es", ("perhaps missing", "number 2")),
        ("7 cats", "แมว", "en th", ("perhaps missing", "number 7")),
        ("100 cats", "แมว", "en th", ("perhaps missing", "number 100")),
        ("แมว", "25 cats", "th en", ("perhaps added", "number 25")),
        ("5 and 5", "5", "en es", ("perhaps missing", "number 5")),
        ("17 cats", "кошки", "en ru", ("perhaps missing", "number 17")),
        ("1/2 cup", "1 taza", "en es", ("perhaps missing", "number 2")),
        ("3/4 cup", "tres cuartos de taza", "en es", ("perhaps missing", "number 4")),
        ("Version 2.10", "Versión 2.1", "en es", ("perhaps changed", "number 2.10 → 2.1")),
        ("3.5% more", "3,5 más", "en es", ("perhaps changed", "number 3.5 → 3,5")),
        ("$5", "5", "en es", ("perhaps changed", "number 5 $ → 5")),
        ("10% off", "10 € menos", "en es", ("perhaps changed", "number 10 % → 10 €")),
        ("Fish &amp; chips", "ปลา", "en th", ("perhaps missing", "entity &amp;")),
    ],
)
def test_what_may_be_there_in_words_is_a_doubt(source, output, langs, told):
    assert found(source, output, langs) == [told]


def test_the_day_and_the_month_of_a_date_are_not_exchanged():
    told = found("2024-01-05", "1. Mai 2024", "en de")
    assert told[0] == ("changed", "date 2024-01-05 → 1")


def test_a_number_that_nobody_spells_is_missed_in_any_language():
    assert found("77 cats", "แมว", "en th") == [("missing", "number 77")]


def test_a_literal_stands_where_it_says():
    words = "Pay ٢٥ € to a@b.org by 3/4/2026."
    for each in literals(Text(words, "en")):
        assert words[each.start : each.end] == each.text


def test_a_text_without_literals_has_none():
    assert literals(Text("Nobody was hurt.", "en")) == []
    assert found("Nobody was hurt.", "Nadie resultó herido.") == []


def test_amounts_follow_the_language():
    assert {str(each) for each in amounts("1.234", "en")} == {"1.234"}
    assert {str(each) for each in amounts("1.234", "es")} == {"1234"}
    assert {str(each) for each in amounts("1.234", "es-MX")} == {"1.234", "1234"}
    assert amounts("1.2.3", "en") == amounts("9" * 50, "en") == frozenset()
    assert folded("٣१５") == "315"


def test_numbers_in_chinese_characters_are_read():
    assert {20_000, 2026} <= set(spelt(Text("两万，二〇二六", "zh")))


written = st.text(alphabet="0123456789.,:/- \u00a0'%$€kmh{}<>&;@abnps½٣", max_size=40)


@given(words=written, langs=st.sampled_from(["en es", "en zh", "es en", "de fr", "ru th"]))
@example(words="0 00٣", langs="en es")
def test_a_text_that_is_left_as_it_is_keeps_every_literal(words, langs):
    assert all(how.startswith("perhaps") for how, _ in found(words, words, langs))


@given(one=written, other=written)
def test_what_is_found_lies_in_the_texts(one, other):
    for each in survival(Text(one, "en"), Text(other, "es")):
        assert each.source or each.output
        for literal, words in ((each.source, one), (each.output, other)):
            assert literal is None or words[literal.start : literal.end] == literal.text
