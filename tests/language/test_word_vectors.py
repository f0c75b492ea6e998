"""The word vectors that ship say which words a sentence encoder holds to be alike."""

from __future__ import annotations

import numpy as np
import pytest

from concord.language.english.lexicon import lexicon
from concord.language.substitutes._word_vectors import SHIPPED, UNKNOWN, WordVectors, word_vectors


def similarity(one, other, tag):
    known = lexicon()
    (form,), (wanted,) = known.forms(one, tag), known.forms(other, tag)
    shelf = known.shelf(tag)
    (row,) = np.flatnonzero((shelf.words == wanted.number) & (shelf.lemmas == wanted.lemma))
    return float(word_vectors().cosines(form)[row])


@pytest.mark.parametrize(
    ("tag", "word", "nearer", "farther"),
    [("NN", "bridge", "tunnel", "anger"), ("NNS", "doctors", "nurses", "bridges"), ("JJ", "small", "tiny", "legal")],
)
def test_words_of_one_matter_are_nearer_than_others(tag, word, nearer, farther):
    assert similarity(word, nearer, tag) > similarity(word, farther, tag) + 0.1


def test_it_does_not_matter_which_word_is_asked_for():
    assert similarity("tunnel", "bridge", "NN") == similarity("bridge", "tunnel", "NN")


def test_a_word_is_as_similar_to_itself_as_can_be_and_one_without_a_vector_as_most_are():
    known = lexicon()
    with np.load(SHIPPED) as file:
        words = set(bytes(file["words"]).decode().split("\n"))
        assert file["vectors"].dtype == np.int8
        assert len(file["vectors"]) == len(words)
    assert similarity("bridge", "bridge", "NN") == pytest.approx(1)
    (aide,) = known.forms("standpoint", "NN")
    assert "standpoint" not in words
    assert set(word_vectors().cosines(aide).tolist()) == {UNKNOWN}


def test_the_version_is_that_of_the_file():
    assert WordVectors(lexicon()).version == word_vectors().version
