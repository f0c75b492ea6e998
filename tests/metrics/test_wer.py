"""Word error rate against jiwer, and values computed by hand."""

from __future__ import annotations

import inspect

import jiwer
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from concord import metrics, plugins
from concord.language.tokens import split
from concord.metrics import wer
from concord.metrics.wer import counts, similarity
from concord.model import Text

# Few words, so that insertions, deletions and substitutions all occur; jiwer cuts at blanks alone.
sentences = st.lists(st.sampled_from(["the", "The", "cat", "sat.", "on", "mat"]), max_size=10).map(" ".join)
strings = sentences | st.text("ab c", max_size=12)


def text(words, lang="en"):
    return Text(words, lang)


def rate(reference, hypothesis):
    edits, size = counts(reference, hypothesis)
    return edits / max(1, size)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("the cat sat on the mat", "the cat sat on mat", 1 / 6),
        ("the cat sat on the mat", "the cat lay on a mat", 2 / 6),
        ("the cat", "on the mat sat the cat", 4 / 2),
        ("The cat.", "the cat", 2 / 2),
        ("a b", "", 2 / 2),
        ("", "a b", 2.0),
        ("", " \n", 0.0),
    ],
)
def test_rates_by_hand(reference, hypothesis, expected):
    assert rate(text(reference), text(hypothesis)) == pytest.approx(expected)
    assert similarity(text(reference), text(hypothesis)) == pytest.approx(max(0.0, 1 - expected))


@settings(max_examples=500, deadline=None)
@given(strings, strings)
@example("", "a")
@example("a", "")
def test_rates_are_jiwer_s(a, b):
    assert rate(text(a), text(b)) == pytest.approx(jiwer.wer(a, b))


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5))
def test_a_corpus_is_jiwer_s(corpus, pairs):
    expected = jiwer.wer([a for a, _ in pairs], [b for _, b in pairs])
    assert corpus(wer, [(text(a), text(b)) for a, b in pairs]) == pytest.approx(max(0.0, 1 - expected))


@settings(deadline=None)
@given(strings, strings)
def test_it_is_bounded_and_one_for_the_same_words_only(a, b):
    value = similarity(text(a), text(b))
    assert 0 <= value <= 1
    assert (value == 1) == (a.split() == b.split())


@pytest.mark.parametrize(
    ("lang", "reference", "hypothesis"),
    [
        ("zh", "我喜欢吃苹果。", "我喜欢吃香蕉。"),
        ("ja", "私は猫が好きです。", "私は犬が好きです。"),
        pytest.param("ko", "나는 고양이를 좋아한다.", "나는 강아지를 좋아한다.", marks=pytest.mark.large),
    ],
)
def test_words_of_languages_that_do_not_part_them_are_the_tokeniser_s(lang, reference, hypothesis):
    a, b = text(reference, lang), text(hypothesis, lang)
    joined = [text(" ".join(split(each))) for each in (a, b)]
    assert similarity(a, b) == similarity(*joined) == similarity(a, b, tokens="language")
    assert similarity(a, b) > similarity(a, b, tokens="paper")


def test_tokens_of_the_language_part_words_from_marks():
    assert similarity(text("a cat."), text("a cat"), tokens="language") == pytest.approx(2 / 3)
    assert similarity(text("a cat."), text("a cat")) == similarity(text("a cat."), text("a cat"), tokens="paper") == 0.5


def test_it_is_found_by_name_and_states_paper_and_range():
    a, b = text("a cat."), text("a cat")
    assert metrics.similarity("wer:tokens=language", a, b) == similarity(a, b, tokens="language")
    assert "1990" in plugins.purpose("metrics", "wer")
    assert "Range [0, 1]" in inspect.getdoc(wer)
