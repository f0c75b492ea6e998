"""Translation edit rate against sacreBLEU, and values computed by hand."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from concord import metrics, plugins
from concord.language.tokens import split
from concord.metrics import ter
from concord.metrics.ter import similarity
from concord.model import Text

vocabulary = st.sampled_from(["the", "The", "cat", "sat.", "(on)", "a", "mat", "3,5", "it's", "猫"])
sentences = st.lists(vocabulary, max_size=10).map(" ".join)
switches = st.fixed_dictionaries(
    {}, optional={name: st.booleans() for name in ("normalized", "no_punct", "case_sensitive")}
)


def text(words, lang="en"):
    return Text(words, lang)


def published(pairs, **switches):
    rater = TER(asian_support=True, **switches)
    return max(0.0, 1 - rater.corpus_score([b for _, b in pairs], [[a for a, _ in pairs]]).score / 100)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("a b c d e", "a b c d x", 4 / 5),
        ("a b c d e", "c d e a b", 4 / 5),  # two words are moved, which is one edit
        ("a b c d e", "d e c a x b", 2 / 5),  # two shifts and a deletion
        ("A b", "a B", 1.0),
        ("a", "a b c", 0.0),
        ("a b", "", 0.0),
        ("", "a b", 0.0),
        ("", " ", 1.0),
    ],
)
def test_values_by_hand(reference, hypothesis, expected):
    assert similarity(text(reference), text(hypothesis)) == pytest.approx(expected)


@settings(max_examples=300, deadline=None)
@given(sentences, sentences, switches)
def test_values_are_sacrebleu_s(a, b, switches):
    assert similarity(text(a), text(b), **switches) == pytest.approx(published([(a, b)], **switches))


def test_a_value_is_that_of_sacrebleu_as_it_comes():
    a, b = "The house that Jack built, he sold.", "Jack sold the house that he had built ."
    expected = 1 - TER().sentence_score(b, [a]).score / 100
    assert 0 < expected < 1
    assert similarity(text(a), text(b)) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5), switches)
def test_a_corpus_is_sacrebleu_s(corpus, pairs, switches):
    value = corpus(ter, [(text(a), text(b)) for a, b in pairs], **switches)
    assert value == pytest.approx(published(pairs, **switches))


def test_texts_of_more_than_a_hundred_words_go_without_shifts():
    words = [f"w{number}" for number in range(100)]
    moved = [*words[5:25], *words[:5], *words[25:]]
    assert similarity(text(" ".join(words)), text(" ".join(moved))) == pytest.approx(1 - 1 / 100)
    longer = [text(" ".join([*each, "x"])) for each in (words, moved)]
    # Five words are deleted in one place and inserted in another.
    assert similarity(*longer) == pytest.approx(1 - 10 / 101)
    assert similarity(text(" ".join(words)), longer[0], no_punct=True) == pytest.approx(1 - 1 / 100)


def test_words_of_languages_that_do_not_part_them_are_the_tokeniser_s():
    a, b = text("我喜欢吃苹果。", "zh"), text("我喜欢吃香蕉。", "zh")
    joined = [text(" ".join(split(each))) for each in (a, b)]
    assert similarity(a, b) == similarity(*joined) == similarity(a, b, tokens="language")
    assert similarity(a, b, tokens="paper") == 0.0


def test_it_is_found_by_name_and_states_paper_and_range():
    a, b = text("A cat."), text("a cat")
    assert metrics.similarity("ter:no_punct=true", a, b) == 1.0
    assert metrics.similarity("ter:no_punct=true:case_sensitive=true", a, b) == 0.5
    assert "2006" in plugins.purpose("metrics", "ter")
    assert "Range [0, 1]" in inspect.getdoc(ter)
