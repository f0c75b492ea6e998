from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus.sampling.wikitext import HOLE, plain, without_headings

ARTICLE = """{{Short description|English writer}}
{{Infobox person
| name = Ada {{nowrap|Lovelace {{small|(Countess)}}}}
}}
[[File:Ada.jpg|thumb|left|Portrait of [[Ada Lovelace|Ada]] in 1840]]
'''Ada''' was an ''[[English people|English]]'' [[writer]].<ref name="a">{{cite book|title=X}} p. 5</ref><ref name=b />
She wrote notes{{sfn|Smith|2001}} on the engine.<!-- really? -->
{| class="wikitable"
|-
! Year !! Work
|-
| 1843 || [[Notes]] {{yes}}
|}
== Legacy ==
* A [[Ada (language)|language]]
See [https://example.org/x the site] and AT&amp;T&nbsp;Inc.<br />Next line. [[:Category:Women|women]]
__NOTOC__
[[Category:1815 births]]
[[de:Ada Lovelace]]
"""


def test_an_article_becomes_paragraphs_of_running_text():
    assert plain(ARTICLE).split("\n\n") == [
        "Ada was an English writer.",
        "She wrote notes on the engine.",
        "* A language",
        "See the site and AT&T Inc.",
        "Next line. women",
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("It is {{convert|5|km}} long.", f"It is {HOLE} long."),
        ("Ada ({{IPA|x}}) wrote.", f"Ada ({HOLE}) wrote."),
        ("{{lang|fr|Le mot}} is French.", f"{HOLE} is French."),
        ("Here <math>x^2</math> is a square.", f"Here {HOLE} is a square."),
        ("A fact.{{citation needed}} Another.", "A fact. Another."),
        ("{{Box}}\nText.", "Text."),
        ("{{a|}} b", f"{HOLE} b"),
    ],
)
def test_a_template_that_carries_words_leaves_a_hole_and_a_note_does_not(markup, text):
    assert plain(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("One <ref>never closed. Two.", "One never closed. Two."),
        ("One </ref> two.", "One two."),
        ("One {{never closed. Two.", "One {{never closed. Two."),
        ("One }} two |} three ]] four.", "One }} two |} three four."),
        ("One [[never closed. Two.", "One never closed. Two."),
        ("One <!-- never closed", "One"),
        ("{| a {{b |} c", "c"),
        ("<ref><ref>a</ref> b", "b"),
        ("<nowiki>a</nowiki> <b>c</b>", "a c"),
        ("[[a|b|c]] [[:File:x.jpg]] [[File:x.jpg]]", "c File:x.jpg"),
    ],
)
def test_what_is_never_closed_takes_little_with_it(markup, text):
    assert plain(markup) == text


def test_headings_of_plain_extracts_are_left_out():
    assert without_headings("A.\n\n\n== Life ==\nB.  C.\n=== Early ===\n") == "A.\n\nB. C."


UNITS = [
    "{{",
    "}}",
    "{|",
    "|}",
    "[[",
    "]]",
    "[[a",
    "<ref>",
    "<ref",
    "</ref>",
    "<math>",
    "<!--",
    "[http://",
    "''",
    "=",
    "= ",
]


@pytest.mark.parametrize("unit", [*UNITS, "[[File:[[", "{{a|}}", "&amp", "<br", "\n="])
def test_hostile_markup_takes_steps_in_proportion_to_its_length(unit):
    deep = unit * (100_000 // len(unit))
    assert len(plain(deep + "}}]]</ref>" * 10_000)) <= len(deep) * 3 + 100_000


def test_a_hundred_thousand_templates_inside_each_other_are_one():
    assert plain("a" + "{{" * 100_000 + "}}" * 100_000 + " b") == "a b"
    assert plain("[[" * 50_000 + "x" + "]]" * 50_000 + " b") == "b"


@given(st.lists(st.sampled_from([*UNITS, "a", "|", "\n", " ", "-->", "/>", "x:"])).map("".join))
def test_any_markup_becomes_text_without_empty_lines(markup):
    assert all(line.strip() == line != "" for line in plain(markup).split("\n\n") if plain(markup))
