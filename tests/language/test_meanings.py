"""Meanings: what lies above them, and similarity one by one and of many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.english.lexicon import lexicon
from concord.language.english.wordnet import Groups, Meanings, above

LEMMAS = st.integers(0, len(lexicon().lemma_words) - 1)


def climbed(*edges, count=6):
    rows = np.array(edges).reshape(-1, 2)
    return above(Groups(rows[:, 0], rows[:, 1], count), count)


def test_rows_of_several_numbers_come_one_after_the_other():
    groups = Groups(np.array([2, 0, 2]), np.array([20, 0, 21]), 3)
    rows, begins = groups.rows_of(np.array([2, 1, 0, 2]))
    assert rows.tolist() == [20, 21, 0, 20, 21]
    assert begins.tolist() == [0, 2, 2, 3]
    assert groups[2] == [20, 21]
    assert groups.sizes(np.array([0, 1, 2])).tolist() == [1, 0, 2]


def test_above_a_meaning_are_itself_and_all_broader_ones():
    found = climbed((0, 1), (1, 2), (0, 3), (3, 2), (2, 4))
    assert sorted(found[0]) == [0, 1, 2, 3, 4]
    assert sorted(found[3]) == [2, 3, 4]
    assert found[5] == [5]


@pytest.mark.parametrize("first", range(4))
def test_meanings_that_are_broader_than_each_other_have_the_same_above_them(first):
    found = climbed((0, 1), (1, 2), (2, 1), (2, 3))
    assert first in found[first]
    assert [sorted(found[each]) for each in range(4)] == [[0, 1, 2, 3], [1, 2, 3], [1, 2, 3], [3]]


@given(LEMMAS, st.lists(LEMMAS, min_size=1, max_size=30))
def test_similarity_with_many_is_that_with_each(one, others):
    meanings = lexicon().meanings
    found = meanings.similarities(one, np.array(others))
    assert found.tolist() == pytest.approx([meanings.similarity(one, other) for other in others], abs=1e-12)


def test_similarities_are_the_same_in_threads():
    known = lexicon()
    shelf = known.shelf("NN")
    asked = [(int(shelf.lemmas[row]), shelf.lemmas[row : row + 60]) for row in range(0, 6_000, 20)]
    alone = [known.meanings.similarities(*each).tolist() for each in asked]

    def found(meanings, order):
        return [meanings.similarities(*asked[at]).tolist() for at in order]

    shared = Meanings(known._data)
    with ThreadPoolExecutor(2) as pool:
        forth = pool.submit(found, shared, range(len(asked)))
        back = pool.submit(found, shared, reversed(range(len(asked))))
        assert forth.result() == alone
        assert back.result() == alone[::-1]


def test_similarity_with_nobody_is_nothing():
    assert lexicon().meanings.similarities(0, np.array([], int)).tolist() == []


@given(LEMMAS)
def test_topic_and_plainness_are_of_the_senses(lemma):
    meanings = lexicon().meanings
    shares = [share for _, share in meanings.senses[lemma]]
    assert meanings.plainness[lemma] == max(shares, default=0) / 100
    assert (meanings.topics[lemma] == -1) == (not shares)
