"""BLEU against sacreBLEU and NLTK, and values computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from concord.metrics.bleu import similarity
from concord.model import Text

vocabulary = st.sampled_from(["the", "cat", "sat", "on", "a", "mat"])
sentences = st.lists(vocabulary, max_size=12).map(" ".join)
marks = ["cat", "sat.", "1,000", "3.5", "..", "x,,5", "&amp;", "(a)", "<skipped>", "-\n", "\t.5", "5-6"]
strings = st.one_of(
    sentences,
    st.text(max_size=30),
    st.lists(st.sampled_from(marks)).map(" ".join),
    st.text("ab5 .,-&;\n\t", max_size=20),
    st.text("我爱猫。，a1 \n", max_size=20),
)
TOKENISERS = {"en": "13a", "fr": "13a", "zh": "zh", "zh-Hant": "zh", "ja": "char", "ko": "char", "zha": "13a"}


def text(words, lang="en"):
    return Text(words, lang)


def published(a, b, tokenise):
    return BLEU(tokenize=tokenise, effective_order=True).sentence_score(b, [a]).score / 100


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected", "paper"),
    [
        ("a b c d", "a b c d", 1.0, 1.0),
        ("a b c d e", "a b c d x", (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25, (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25),
        ("a b", "a c", (1 / 2 * 1 / 2) ** 0.5, (2 / 3 * 1 / 2 * 1 / 2 * 1 / 2) ** 0.25),
        ("a a b", "a a a", (2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3), (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25),
        ("a b c d e f g h", "a b c d", 2.718281828459045**-1, 2.718281828459045**-1),
        ("a", "a", 1.0, (1 / 8) ** 0.25),
        ("a b c d", "e f g h", 0.0, 0.0),
        ("a b", "", 0.0, 0.0),
        ("", "a b", 0.0, 0.0),
        ("", " ", 1.0, 1.0),
    ],
)
def test_values_by_hand(reference, hypothesis, expected, paper):
    assert similarity(text(reference), text(hypothesis)) == pytest.approx(expected)
    assert similarity(text(reference), text(hypothesis), variant="paper") == pytest.approx(paper)


@settings(max_examples=2000, deadline=None)
@given(strings, strings, st.sampled_from(sorted(TOKENISERS)))
@example("1,000 cats.", "1,000 cats", "en")
@example("我爱猫。", "我爱狗。", "zh-Hant")
def test_values_are_sacrebleu_s_with_the_language_s_tokens(a, b, lang):
    tokens = BLEU(tokenize=TOKENISERS[lang]).tokenizer
    nothing = not tokens(a.rstrip()).split() and not tokens(b.rstrip()).split()
    expected = 1.0 if nothing else published(a, b, TOKENISERS[lang])
    assert similarity(text(a, lang), text(b, lang)) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.lists(vocabulary, min_size=1), st.lists(vocabulary, min_size=4))
def test_values_are_nltk_s_when_no_order_is_missing(reference, hypothesis):
    expected = sentence_bleu([reference], hypothesis, smoothing_function=SmoothingFunction().method3)
    assert similarity(text(" ".join(reference)), text(" ".join(hypothesis))) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(vocabulary, min_size=1), st.lists(vocabulary, min_size=1))
def test_the_paper_s_values_are_nltk_s_with_one_added_everywhere(reference, hypothesis):
    def one_more(precisions, **_):
        return [Fraction(p.numerator + 1, p.denominator + 1) for p in precisions]

    expected = sentence_bleu([reference], hypothesis, smoothing_function=one_more)
    value = similarity(text(" ".join(reference)), text(" ".join(hypothesis)), variant="paper")
    assert value == pytest.approx(expected)


def test_the_paper_s_tokens_are_what_stands_between_blanks():
    assert similarity(text("cat."), text("cat"), variant="paper") == 0.0
    assert similarity(text("cat."), text("cat")) > 0


@settings(deadline=None)
@given(strings, strings, st.sampled_from(sorted(TOKENISERS)), st.sampled_from(["sacrebleu", "paper"]))
def test_it_is_bounded(a, b, lang, variant):
    assert 0 <= similarity(text(a, lang), text(b, lang), variant=variant) <= 1


@settings(deadline=None)
@given(strings, st.sampled_from(sorted(TOKENISERS)))
def test_a_text_is_like_itself(a, lang):
    assert similarity(text(a, lang), text(a, lang)) == 1.0
    assert (similarity(text(a, lang), text(a, lang), variant="paper") == 1.0) == (len(a.split()) not in {1, 2, 3})


def test_an_unknown_variant_is_not_taken_for_the_default():
    with pytest.raises(KeyError, match="nltk"):
        similarity(text("a"), text("b"), variant="nltk")
