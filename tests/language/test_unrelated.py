"""A word gives way to one that means something else altogether, and the sentence stays English."""

from __future__ import annotations

from random import Random

import pytest

from concord.language.english.lexicon import lexicon, variants
from concord.language.english.unrelated_words import MOST_SIMILARITY, knows, sentences_with_another_word
from concord.language.trees import read_brackets

TREE = read_brackets(
    "(ROOT (S (NP (DT The) (JJ old) (NN nurse)) (VP (VBD bought) (NP (DT a) (NN lamp)) (CC and) (NP (NNS apples)))))"
)
AT = {leaf.words: leaf for leaf in TREE.leaves()}


def new(word: str, seed: int = 1) -> list[str]:
    return [other for _, other in sentences_with_another_word(TREE, AT[word], Random(seed))]


@pytest.mark.parametrize("word", ["old", "nurse", "lamp", "apples"])
def test_none_keeps_the_company_of_the_word_or_is_a_variant_of_it(word):
    found = new(word)
    assert found
    assert max(lexicon().similarity(word, found)) < MOST_SIMILARITY
    assert not any(variants(word, other) for other in found)


def test_persons_stand_for_persons_and_things_for_things():
    assert "judge" in new("nurse")
    assert "doctor" not in new("nurse")
    assert "lemon" in new("lamp")
    assert "judge" not in new("lamp")


def test_a_plural_gives_way_to_a_plural():
    assert all(other.endswith("s") for other in new("apples"))


def test_the_article_is_mended():
    sentences = {other: words for words, other in sentences_with_another_word(TREE, AT["lamp"], Random(1))}
    assert "bought an onion and" in sentences["onion"]
    assert "bought a lemon and" in sentences["lemon"]


def test_the_order_depends_on_the_seed_alone():
    assert new("lamp", 3) == new("lamp", 3)
    assert new("lamp", 3) != new("lamp", 4)
    assert sorted(new("lamp", 3)) == sorted(new("lamp", 4))


def test_what_is_no_noun_and_no_adjective_is_left_alone():
    assert new("bought") == new("The") == []


def test_it_is_for_english():
    assert knows("en-GB")
    assert not knows("es")
