"""How alike two sentences are built."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.language.trees.dependencies import counts, relations
from concord.metrics import similarity, similarity_many
from concord.model import Text
from concord.plugins import entry


def en(words: str) -> Text:
    return Text(words, "en")


CAT, DOG = en("The black cat slept on the mat."), en("A small dog barked at the door.")
OTHER = en("Did they really give it to him?")


def test_sentences_that_are_built_alike_are_the_same():
    assert similarity("dependency", CAT, DOG) == 1


def test_it_is_one_minus_the_differences_over_all_relations():
    one, other = (counts(relations(tree)) for tree in entry("parsers", "concord_en")().parse([CAT, OTHER]))
    differences = sum(abs(one[label] - other[label]) for label in one | other)
    assert similarity("dependency", CAT, OTHER) == pytest.approx(1 - differences / (one.total() + other.total()))
    assert similarity("dependency", CAT, OTHER) == similarity("dependency", OTHER, CAT) < 1


def test_blank_texts_are_like_each_other_alone():
    assert similarity("dependency", en(""), en("  ")) == 1
    assert similarity("dependency", en(""), CAT) == 0


def test_many_pairs_are_what_they_are_one_by_one():
    pairs = [(CAT, DOG), (CAT, OTHER), (en(""), DOG), (CAT, CAT)]
    assert similarity_many("dependency", pairs) == [similarity("dependency", a, b) for a, b in pairs]


def test_a_language_that_the_parser_lacks_is_an_error_that_says_so():
    with pytest.raises(UserError, match=r"concord_en does not know 'de'.*dependency:parser=NAME"):
        similarity("dependency", CAT, Text("Die Katze schlief.", "de"))
