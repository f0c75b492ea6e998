"""BLEU and chrF of a whole corpus against sacreBLEU and NLTK."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from concord.errors import UserError
from concord.metrics import bleu, chrf, meteor, ter, wer
from concord.model import Text

vocabulary = st.sampled_from(["the", "cat", "sat.", "on", "a", "mat", "(1,000)"])
sentences = st.lists(vocabulary, max_size=12).map(" ".join)
documents = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5)
# With one of the first two words exchanged, four in a row still match; NLTK warns where none do.
near = st.lists(st.tuples(st.lists(vocabulary, min_size=6, max_size=12), st.integers(0, 1)), min_size=1, max_size=4)
options = st.fixed_dictionaries(
    {}, optional={"char_order": st.integers(1, 8), "word_order": st.integers(0, 3), "beta": st.integers(1, 3)}
)
SHORT = [("a b", "a b"), ("c", "c")]


def texts(pairs, lang="en"):
    return [(Text(a, lang), Text(b, lang)) for a, b in pairs]


def sides(pairs):
    return [b for _, b in pairs], [[a for a, _ in pairs]]


@settings(max_examples=300, deadline=None)
@given(documents)
@example(SHORT)
@example([("the cat sat on a mat", "the cat sat on a mat"), ("", "the cat"), ("a mat", "")])
def test_bleu_of_a_corpus_is_sacrebleu_s(corpus, pairs):
    expected = BLEU().corpus_score(*sides(pairs)).score / 100 if any(a or b for a, b in pairs) else 1.0
    assert corpus(bleu, texts(pairs)) == pytest.approx(expected, abs=1e-9)


def test_bleu_of_a_chinese_corpus_is_sacrebleu_s(corpus):
    pairs = [("我爱猫，我也爱狗。", "我爱猫，我不爱狗。"), ("他们都很可爱。", "他们真可爱。")]
    expected = BLEU(tokenize="zh").corpus_score(*sides(pairs)).score / 100
    assert 0.1 < expected < 0.9
    assert corpus(bleu, texts(pairs, "zh")) == pytest.approx(expected)


@settings(max_examples=200, deadline=None)
@given(near)
def test_bleu_of_a_corpus_is_nltk_s_for_its_variant(corpus, sentences):
    pairs = [(words, [*words[:cut], "x", *words[cut + 1 :]]) for words, cut in sentences]
    expected = corpus_bleu([[a] for a, _ in pairs], [b for _, b in pairs])
    value = corpus(bleu, texts((" ".join(a), " ".join(b)) for a, b in pairs), variant="nltk")
    assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("variant", ["sacrebleu", "paper", "nltk"])
def test_a_corpus_of_one_sentence_that_is_long_enough_has_that_sentence_s_bleu(corpus, variant):
    a, b = Text("the cat sat on the mat today", "en"), Text("the cat sat on a mat today", "en")
    assert corpus(bleu, [(a, b)], variant=variant) == pytest.approx(bleu.similarity(a, b, variant=variant))


def test_bleu_of_a_corpus_without_four_words_in_a_row_is_0_as_with_sacrebleu(corpus):
    assert corpus(bleu, texts(SHORT)) == 0.0
    assert [bleu.similarity(a, b) for a, b in texts(SHORT)] == [1.0, 1.0]


@settings(max_examples=300, deadline=None)
@given(documents, options)
@example([("", "cat"), ("cat sat", "a"), ("a", "cat sat")], {})
@example([("", "cat"), ("a", "cat sat")], {"word_order": 2})
def test_chrf_of_a_corpus_is_sacrebleu_s(corpus, pairs, options):
    expected = CHRF(**options).corpus_score(*sides(pairs)).score / 100 if any(a or b for a, b in pairs) else 1.0
    assert corpus(chrf, texts(pairs), **options) == pytest.approx(expected, abs=1e-9)


def test_orders_that_mean_nothing_are_refused_for_a_corpus_too(corpus):
    with pytest.raises(UserError, match="the defaults are"):
        corpus(chrf, texts(SHORT), char_order=0)


@pytest.mark.parametrize("metric", [bleu, chrf])
def test_a_corpus_without_a_word_is_the_same(corpus, metric):
    assert corpus(metric, texts([("", " "), ("\n", "")])) == 1.0


@settings(deadline=None)
@given(documents)
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (bleu, {"variant": "nltk"}),
        (bleu, {"tokens": "language"}),
        (chrf, {"word_order": 2, "beta": 1}),
        (meteor, {"alpha": 0.5, "synonyms": "none"}),
        (ter, {"no_punct": True}),
        (wer, {"tokens": "language"}),
    ],
)
def test_counts_of_each_pair_make_its_own_score(metric, options, pairs):
    counts = [metric.counts(a, b, **options) for a, b in texts(pairs)]
    alone = [metric.scored(each, whole=False, **options) for each in counts]
    assert alone == pytest.approx([metric.similarity(a, b, **options) for a, b in texts(pairs)])
