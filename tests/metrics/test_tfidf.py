"""tf-idf by values computed by hand, and what a corpus must be."""

from __future__ import annotations

import math

import pytest

from concord.errors import UserError
from concord.metrics.tfidf import LARGEST, fitted, of_words, similarity
from concord.model import Text

CORPUS = ["the cat sat", "the dog sat", "the bird flew over the cat"]


def text(words):
    return Text(words, "en")


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text("\n".join(CORPUS), encoding="utf-8")
    return file


def test_a_word_weighs_by_how_few_sentences_have_it():
    weight = fitted([sentence.split() for sentence in CORPUS])
    assert weight("the") == 0
    assert weight("cat") == pytest.approx(math.log(4 / 3))
    assert weight("dog") == pytest.approx(math.log(4 / 2))
    assert weight("unheard") == pytest.approx(math.log(4))


def test_values_by_hand(corpus):
    # The only weighty words are cat (log 4/3), sat (log 4/3) and dog (log 2).
    rare, rarer = math.log(4 / 3) ** 2, math.log(2) ** 2
    expected = rare / math.sqrt((rare + rare) * (rarer + rare))
    assert similarity(text("the cat sat"), text("the dog sat"), corpus=str(corpus)) == pytest.approx(expected)
    assert similarity(text("the cat sat"), text("cat sat"), corpus=str(corpus)) == pytest.approx(1)
    assert similarity(text("the"), text("cat"), corpus=str(corpus)) == 0


def test_without_a_corpus_every_word_weighs_the_same():
    assert similarity(text("the cat sat"), text("the dog sat")) == pytest.approx(2 / 3)


def test_texts_with_the_same_words_are_identical_whatever_they_weigh(corpus):
    assert similarity(text("the the"), text("the the"), corpus=str(corpus)) == 1
    assert similarity(text(""), text(""), corpus=str(corpus)) == 1


def test_a_corpus_that_is_written_again_is_read_again(corpus):
    before = similarity(text("the cat"), text("the dog"), corpus=str(corpus))
    corpus.write_text("cat dog\ncat dog and more", encoding="utf-8")
    assert similarity(text("the cat"), text("the dog"), corpus=str(corpus)) > before


@pytest.mark.parametrize(("content", "said"), [(b"", "empty"), (b"\n \n", "empty"), (b"caf\xe9", "not UTF-8")])
def test_a_corpus_that_is_none_is_refused(tmp_path, content, said):
    file = tmp_path / "broken.txt"
    file.write_bytes(content)
    with pytest.raises(UserError, match=said):
        similarity(text("a"), text("b"), corpus=str(file))


def test_a_corpus_that_is_missing_or_too_large_is_refused(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        similarity(text("a"), text("b"), corpus=str(tmp_path / "none.txt"))
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(UserError, match="larger than 50 MB"):
        similarity(text("a"), text("b"), corpus=str(large))


def test_words_that_are_counted_twice_count_twice():
    assert of_words(["a", "a", "b"], ["a", "b"], lambda word: 1.0) == pytest.approx(3 / math.sqrt(5 * 2))
