"""Which parser serves a language, and how what it started is ended."""

from __future__ import annotations

from typing import ClassVar

import pytest

from concord import metrics
from concord.errors import Missing, UserError
from concord.language.parse._choice import ParserChoice, parsers, shared_parsers
from concord.model import Text


class Parser:
    """Knows some languages, or does not say which."""

    def __init__(self, *known: str) -> None:
        self.known = frozenset(known) or None
        self.closed = 0

    def languages(self):
        return self.known

    def close(self) -> None:
        self.closed += 1


class Choice(ParserChoice):
    """Of parsers that are at hand; those that are not are not installed."""

    preferred = ("none", "english", "any")
    parsers: ClassVar = {"english": Parser("en"), "any": Parser()}

    def make(self, text):
        if text not in self.parsers:
            raise Missing(text, f"pip install {text}")
        return self.parsers[text]


def test_the_first_that_knows_a_language_serves_it():
    choice = Choice()
    assert choice.started() == []
    assert choice.require("en-GB") is Choice.parsers["english"]
    assert choice.require("zh") is Choice.parsers["any"]


def test_one_that_is_chosen_serves_alone_and_must_be_there():
    assert Choice("english").find("zh") is None
    with pytest.raises(UserError, match=r"english does not know 'zh'\. Choose one that does with mine:parser=NAME"):
        Choice("english").require("zh", "mine:parser=NAME")
    with pytest.raises(Missing, match="pip install none"):
        Choice("none").require("en")


def test_what_was_made_is_given_back():
    choice, parser = Choice("english"), Choice.parsers["english"]
    before = parser.closed
    choice.close()
    assert parser.closed == before
    choice.find("en")
    choice.close()
    assert parser.closed == before + 1


def test_metrics_share_a_parser_that_ends_with_the_run(monkeypatch):
    one, other = Text("The cat slept.", "en"), Text("Did it sleep?", "en")
    closed = []
    with shared_parsers():
        for name in ("dependency", "tree_paths:parser=concord_en"):
            metrics.similarity(name, one, other)
        with parsers("concord_en") as choice:
            (parser,) = choice.started()
        monkeypatch.setattr(parser, "close", lambda: closed.append(parser), raising=False)
    assert closed == [parser]


def test_outside_of_runs_a_parser_ends_with_the_call_that_made_it(monkeypatch):
    monkeypatch.setattr("concord.language.parse._choice.ParserChoice", Choice)
    before = Choice.parsers["english"].closed
    with parsers("english") as choice:
        assert choice.find("en")
    assert Choice.parsers["english"].closed == before + 1
