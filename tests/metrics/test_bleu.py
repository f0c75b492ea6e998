"""BLEU against sacreBLEU and NLTK, and values computed by hand."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from concord.language.tokens import tokens
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
VARIANTS = ("sacrebleu", "paper", "nltk")
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
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    expected = sentence_bleu([reference], hypothesis, smoothing_function=SmoothingFunction().method3)
    assert similarity(text(" ".join(reference)), text(" ".join(hypothesis))) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(vocabulary, min_size=1), st.lists(vocabulary, min_size=1))
def test_the_paper_s_values_are_nltk_s_with_one_added_everywhere(reference, hypothesis):
    from nltk.translate.bleu_score import sentence_bleu

    def one_more(precisions, **_):
        return [Fraction(p.numerator + 1, p.denominator + 1) for p in precisions]

    expected = sentence_bleu([reference], hypothesis, smoothing_function=one_more)
    value = similarity(text(" ".join(reference)), text(" ".join(hypothesis)), variant="paper")
    assert value == pytest.approx(expected)


def test_the_paper_s_tokens_are_what_stands_between_blanks():
    assert similarity(text("cat."), text("cat"), variant="paper") == 0.0
    assert similarity(text("cat."), text("cat")) > 0


def by_nltk(reference, hypothesis):
    """NLTK's value without smoothing; it warns of every order without a match."""
    from nltk.translate.bleu_score import sentence_bleu

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(sentence_bleu([reference], hypothesis))


@settings(max_examples=500, deadline=None)
@given(st.lists(vocabulary, max_size=14), st.lists(vocabulary, max_size=14))
def test_values_are_nltk_s(reference, hypothesis):
    value = similarity(text(" ".join(reference)), text(" ".join(hypothesis)), variant="nltk")
    if not reference and not hypothesis:
        assert value == 1.0
    else:
        assert value == pytest.approx(by_nltk(reference, hypothesis), rel=1e-9, abs=1e-70)


@settings(max_examples=300, deadline=None)
@given(st.lists(vocabulary, min_size=5, max_size=30), st.data())
def test_values_are_nltk_s_for_sentences_much_alike(reference, data):
    cut = data.draw(st.integers(0, len(reference) - 4))
    hypothesis = reference[:cut] + data.draw(st.lists(vocabulary, max_size=3)) + reference[cut + 1 :]
    value = similarity(text(" ".join(reference)), text(" ".join(hypothesis)), variant="nltk")
    assert value == pytest.approx(by_nltk(reference, hypothesis), rel=1e-9, abs=1e-70)


@pytest.mark.parametrize("hypothesis", ["a", "c", "a b", "b a", "x a", "a b c", "c b a", "a x b", "x y z", "x", ""])
def test_values_are_nltk_s_for_very_short_hypotheses(hypothesis):
    for reference in ("a b c d e", "a b c", "a b", "a"):
        value = similarity(text(reference), text(hypothesis), variant="nltk")
        assert value == pytest.approx(by_nltk(reference.split(), hypothesis.split()), rel=1e-9, abs=1e-70)


@pytest.mark.parametrize("hypothesis", ["a", "a b", "a b c", "d c b a"])
def test_without_smoothing_an_order_without_a_match_makes_0_where_nltk_has_next_to_nothing(hypothesis):
    assert similarity(text("a b c d"), text(hypothesis), variant="nltk") == 0.0
    assert 0 < by_nltk(list("abcd"), hypothesis.split()) < 1e-70


@pytest.mark.large
@settings(deadline=None)
@given(
    strings,
    strings,
    st.sampled_from(sorted(TOKENISERS)),
    st.sampled_from(VARIANTS),
    st.sampled_from(["auto", "language", "paper"]),
)
def test_it_is_bounded(a, b, lang, variant, tokens):
    assert 0 <= similarity(text(a, lang), text(b, lang), variant=variant, tokens=tokens) <= 1


@pytest.mark.large
@settings(deadline=None)
@given(strings, st.sampled_from(sorted(TOKENISERS)))
def test_a_text_is_like_itself(a, lang):
    assert similarity(text(a, lang), text(a, lang)) == 1.0
    assert similarity(text(a, lang), text(a, lang), tokens="language") == 1.0
    assert (similarity(text(a, lang), text(a, lang), variant="paper") == 1.0) == (len(a.split()) not in {1, 2, 3})


@pytest.mark.parametrize("variant", VARIANTS)
def test_tokens_of_the_language_are_what_a_joined_text_has_between_blanks(variant):
    a, b = text("Mr. Fox doesn't pay €3.50, he said."), text("Mr. Fox didn't pay €3.50, he says.")
    joined = [text(" ".join(token.text for token in tokens(each))) for each in (a, b)]
    value = similarity(a, b, variant=variant, tokens="language")
    assert value == similarity(*joined, variant=variant, tokens="paper")
    assert value > similarity(a, b, variant=variant, tokens="paper")


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "sacrebleu"])
def test_the_papers_and_nltk_s_tokens_are_those_between_blanks_unless_the_language_s_are_asked_for(variant):
    a, b = text("我爱猫，我也爱狗，他们都很可爱。", "zh"), text("我爱猫，我也爱鱼，他们都很可爱。", "zh")
    assert similarity(a, b, variant=variant) == similarity(a, b, variant=variant, tokens="paper") == 0.0
    assert similarity(a, b, variant=variant, tokens="language") > 0


def test_the_paper_s_tokens_are_for_every_variant_and_language():
    assert similarity(text("我爱猫", "zh"), text("我爱狗", "zh"), tokens="paper") == 0.0
    assert similarity(text("a cat.", "en"), text("a cat", "en"), tokens="paper") == pytest.approx(math.sqrt(1 / 4))


@pytest.mark.parametrize("wrong", [{"variant": "nltk1"}, {"tokens": "syllables"}])
def test_an_unknown_choice_is_not_taken_for_the_default(wrong):
    with pytest.raises(KeyError, match=r"nltk1|syllables"):
        similarity(text("a"), text("b"), **wrong)
