"""Which parser serves a language, and how what it started is ended."""

from __future__ import annotations

import pytest

from concord import metrics
from concord.errors import Missing, UserError
from concord.language.parse._choice import ParserChoice, parsers, shared_parsers
from concord.language.plugin_choice import EMBEDDED, chosen
from concord.model import Text

GUEST = '''
"""A parser for tests."""
from concord.errors import Missing

class Parser:
    id = "NAME"
    kind = "shallow"
    closed = 0
    def __init__(self, *, lang: str = "LANGS"):
        if lang == "none":
            raise Missing("NAME", "pip install NAME")
        self.lang = lang
    def languages(self): return frozenset(self.lang.split("+")) if self.lang else None
    def close(self): type(self).closed += 1
'''


@pytest.fixture
def installed(guest, monkeypatch):
    """Embedded parsers of English and of any language behind one that is not installed, and two that may be named."""
    for name, langs in (("lacking", "none"), ("english", "en"), ("any", ""), ("romance", "es+fr"), ("slavic", "ru+uk")):
        guest("parsers", name, GUEST.replace("NAME", name).replace("LANGS", langs))
    monkeypatch.setitem(EMBEDDED, "parsers", {"lacking": ("en", "zh"), "english": ("en",)})


def test_the_first_that_knows_a_language_serves_it(installed, monkeypatch):
    monkeypatch.setitem(EMBEDDED, "parsers", {"lacking": ("en",), "english": ("en",), "any": ()})
    choice = ParserChoice()
    assert choice.started() == []
    assert choice.require("en-GB").id == "english"
    assert choice.require("zh").id == "any"
    assert len(choice.started()) == 2


def test_one_that_is_named_serves_what_it_knows_and_the_embedded_ones_the_rest(installed):
    choice = ParserChoice("romance")
    assert [choice.require(lang).id for lang in ("es", "fr", "en")] == ["romance", "romance", "english"]
    assert [choice.unused(lang) for lang in ("es", "en")] == [[], ["romance"]]
    assert ParserChoice("romance", alone=True).find("en") is None
    with pytest.raises(UserError, match="neither parser romance nor an embedded one knows 'de'"):
        choice.require("de")


def test_one_that_is_named_for_a_language_serves_that_one_and_is_told_it(installed):
    choice = ParserChoice("sr=slavic;ru=slavic;any")
    assert [choice.require(lang).lang for lang in ("sr", "ru", "ru-RU")] == ["sr", "ru", "ru"]
    assert choice.require("de").id == "any"
    assert str(choice.spec("sr")) == "slavic,lang=sr"


def test_one_that_does_not_know_the_language_that_it_is_named_for_is_refused(installed):
    choice = ParserChoice("en=romance,lang=es")
    with pytest.raises(UserError, match=r"does not know 'en', only: es\. Leave out --parser en=romance,lang=es"):
        choice.find("en")
    with pytest.raises(UserError, match=r"only: es\. Take another"):
        ParserChoice("de=romance,lang=es").find("de")


def test_what_is_not_installed_says_what_installs_it(installed):
    with pytest.raises(Missing, match="pip install lacking"):
        ParserChoice("lacking").require("es")
    assert ParserChoice().find("zh") is None
    with pytest.raises(Missing, match="pip install lacking"):
        ParserChoice().require("zh")


def test_what_was_made_is_given_back(installed):
    choice = ParserChoice("english")
    choice.close()
    parser = choice.require("en")
    assert type(parser).closed == 0
    choice.close()
    assert type(parser).closed == 1


def test_metrics_share_a_parser_that_ends_with_the_run(monkeypatch):
    one, other = Text("The cat slept.", "en"), Text("Did it sleep?", "en")
    closed = []
    with shared_parsers():
        for name in ("dependency", "tree_paths:parser=auto"):
            metrics.similarity(name, one, other)
        with parsers("auto") as choice:
            (parser,) = choice.started()
        monkeypatch.setattr(parser, "close", lambda: closed.append(parser), raising=False)
    assert closed == [parser]


def test_outside_of_runs_a_parser_ends_with_the_call_that_made_it(installed):
    with parsers("english") as choice:
        parser = choice.require("en")
    assert type(parser).closed == 1


def test_what_is_chosen_for_a_context_serves_where_nothing_is_named(installed):
    with chosen({"parsers": "es=romance"}), parsers("auto") as choice:
        assert choice.require("es").id == "romance"
    with chosen({"parsers": "es=romance"}), parsers("english") as choice:
        assert choice.find("es") is None
