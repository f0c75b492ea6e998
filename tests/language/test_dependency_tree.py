"""Noun phrases from dependency relations."""

from __future__ import annotations

import pytest

from concord.language.parse._dependency_tree import phrase_tree
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation


def relations(text: str, tags: str, heads: list[int]) -> list[Relation]:
    """One relation for each word of a text; a head of 0 is none, as in CoNLL-U."""
    leaves, place = [], 0
    for word, tag in zip(text.split(), tags.split(), strict=True):
        place = text.index(word, place)
        leaves.append(Tree(tag, place, place + len(word), (), text))
        place += len(word)
    return [Relation("dep", leaves[head - 1] if head else None, leaf) for head, leaf in zip(heads, leaves, strict=True)]


@pytest.mark.parametrize(
    ("text", "tags", "heads", "phrases"),
    [
        (
            "the house near the old river fell",
            "DET NOUN ADP DET ADJ NOUN VERB",
            [2, 7, 6, 6, 6, 2, 0],
            ["the house near the old river", "the old river"],
        ),
        ("старый дом у реки упал", "ADJ NOUN ADP NOUN VERB", [2, 5, 4, 2, 0], ["старый дом у реки", "реки"]),
        ("büyük evin kapısı açık", "ADJ NOUN NOUN ADJ", [2, 3, 4, 0], ["büyük evin kapısı", "büyük evin"]),
    ],
)
def test_what_depends_on_a_noun_is_its_phrase(text, tags, heads, phrases):
    tree = phrase_tree(relations(text, tags, heads), text)
    found = [phrase.words for phrase in tree.phrases("NP")]
    assert found == phrases
    assert [leaf.words for leaf in tree.leaves()] == text.split()


def test_a_particle_at_an_end_is_left_outside():
    text = "その 家 は 古い"
    tree = phrase_tree(relations(text, "DET NOUN ADP ADJ", [2, 4, 2, 0]), text)
    assert [phrase.words for phrase in tree.phrases("NP")] == ["その 家"]


def test_a_gap_ends_a_phrase():
    text = "a hearing is scheduled on it"
    tree = phrase_tree(relations(text, "DET NOUN AUX VERB ADP PRON", [2, 4, 4, 0, 6, 2]), text)
    assert [phrase.words for phrase in tree.phrases("NP")] == ["a hearing", "it"]


def test_relations_in_a_circle_end():
    text = "one two"
    made = relations(text, "NOUN NOUN", [2, 1])
    assert phrase_tree(made, text).leaves()[1].words == "two"
