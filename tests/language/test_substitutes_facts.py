"""Facts of the forms under a tag."""

from __future__ import annotations

import pytest

from concord.language.english.lexicon import lexicon
from concord.language.substitutes._form_features import NEVER, PERSONS, UNFIT, facts


def row_of(word, tag):
    known = lexicon()
    shelf = known.shelf(tag)
    (form,) = known.forms(word, tag)
    (row,) = ((shelf.words == form.number) & (shelf.lemmas == form.lemma)).nonzero()[0]
    assert known.form(shelf, row) == form
    return facts(known, tag), row, form


@pytest.mark.parametrize(
    ("word", "tag", "reason"),
    [("week", "NN", "measure"), ("bridge", "NN", ""), ("saw", "NN", "part of speech"), ("make", "VB", "function word")],
)
def test_what_stands_nowhere_says_why(word, tag, reason):
    found, row, _ = row_of(word, tag)
    assert ("", *UNFIT)[found.unfit[row]] == reason


@pytest.mark.parametrize(("word", "tag"), [("doctor", "NN"), ("bridges", "NNS"), ("built", "VBD"), ("old", "JJ")])
def test_facts_of_a_form_are_those_that_the_lexicon_tells_of_it(word, tag):
    found, row, form = row_of(word, tag)
    known = lexicon()
    assert found.rank[row] == known.rank(word)
    assert found.lemma[row] == known.lemma_words[form.lemma]
    assert found.person[row] == (known.topic(form) == PERSONS)
    assert found.frames[row] == known.all_frames[form.lemma]
    assert not found.capital[row]


def test_a_plural_is_so_many_times_rarer():
    known = lexicon()
    found, row, _ = row_of("bridge", "NN")
    assert found.plural[row] == pytest.approx((1 + known.rank("bridges")) / (1 + known.rank("bridge")))
    found, row, _ = row_of("furniture", "NN")
    assert found.plural[row] == NEVER
