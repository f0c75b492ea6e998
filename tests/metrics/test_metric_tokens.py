"""The words of a language are found once for both metrics that count them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.language.tokens import tokens
from concord.metrics import _tokens, bleu, cosine
from concord.model import Text


@pytest.fixture
def remembered():
    _tokens._remembered.cache_clear()
    yield _tokens._remembered.cache_info
    _tokens._remembered.cache_clear()


def test_two_metrics_cut_a_pair_once(remembered):
    a, b = Text("The cat sat.", "en"), Text("A cat sat.", "en")
    bleu.similarity(a, b, tokens="language")
    cosine.similarity(a, b, tokens="language")
    assert (remembered().misses, remembered().hits) == (2, 2)


def test_the_same_words_in_another_language_are_cut_anew(remembered):
    assert _tokens.words(Text("don't", "en")) == ["do", "n't"]
    assert _tokens.words(Text("don't", "de")) == ["don't"]
    assert remembered().misses == 2


def test_what_is_remembered_cannot_be_changed_by_who_asked(remembered):
    text = Text("The cat.", "en")
    _tokens.words(text).clear()
    _tokens.content(text).clear()
    assert _tokens.words(text) == ["The", "cat", "."]
    assert _tokens.content(text) == ["The", "cat"]


def test_long_texts_are_cut_but_not_remembered(remembered):
    length = _tokens._LONGEST
    assert _tokens.words(Text("a" * (length - 1) + ".", "en")) == ["a" * (length - 1), "."]
    assert remembered().currsize == 1
    assert _tokens.words(Text("a" * length + ".", "en")) == ["a" * length, "."]
    assert remembered().currsize == 1


def test_only_so_many_texts_are_remembered(remembered):
    for number in range(_tokens._REMEMBERED + 10):
        _tokens.words(Text(f"text {number}", "en"))
    assert remembered().currsize == _tokens._REMEMBERED


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from(["en", "fr", "zh"]))
def test_words_are_the_tokens_but_blanks_and_content_is_among_them(words, lang):
    text = Text(words, lang)
    found = _tokens.words(text)
    assert found == [token.text for token in tokens(text) if token.kind != "blank"]
    assert all(word.strip() for word in found)
    punctuation = [token.text for token in tokens(text) if token.kind in {"mark", "symbol", "other"}]
    assert sorted(found) == sorted(_tokens.content(text) + punctuation)
