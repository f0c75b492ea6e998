"""Noun phrases are found in shallow trees, with chunks or without."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from concord.language.parse.apertium import Parser
from concord.language.trees import Tree, read_brackets
from concord.language.trees.noun_groups import grouped
from concord.model import Text


def found(tree: Tree, lang: str) -> list[str]:
    return [node.words for node in grouped(tree, lang).phrases("NP")]


def test_groups_that_of_joins_are_phrases_from_every_group_on() -> None:
    text = "Las nuevas empresas del norte de España presentaron ayer sus resultados"
    brackets = (
        "(ROOT (S (SN (DET Las) (ADJ nuevas) (NOUN empresas)) (PREP (ADP del)) (SN (NOUN norte)) (PREP (ADP de))"
        " (SN (PROPN España)) (SV (VERB presentaron)) (ADV ayer) (SN (DET sus) (NOUN resultados))))"
    )
    assert found(read_brackets(brackets, text), "es") == [
        "Las nuevas empresas del norte de España",
        "Las nuevas empresas",
        "norte de España",
        "norte",
        "España",
        "sus resultados",
    ]


def test_a_preposition_that_may_belong_to_the_verb_ends_a_phrase() -> None:
    text = "una carta en la mesa"
    brackets = "(ROOT (S (DET una) (NOUN carta) (ADP en) (DET la) (NOUN mesa)))"
    assert found(read_brackets(brackets, text), "es") == ["una carta", "la mesa"]


def test_apertiums_analysis_is_enough_where_there_are_no_chunks() -> None:
    (tree,) = Parser().parse([Text("O presidente do governo visitou a pequena cidade industrial.", "pt")])
    assert isinstance(tree, Tree)
    assert found(tree, "pt") == ["O presidente do governo", "O presidente", "governo", "a pequena cidade industrial"]


tags = st.lists(st.sampled_from(["DET", "ADJ", "NOUN", "ADP", "VERB", "PUNCT", "X"]), min_size=1, max_size=15)


@given(tags)
def test_no_word_is_lost_or_moved(labels: list[str]) -> None:
    text = " ".join("de" for _ in labels)
    leaves = tuple(Tree(label, 3 * at, 3 * at + 2, (), text) for at, label in enumerate(labels))
    tree = Tree("ROOT", 0, len(text), (Tree("S", 0, len(text), leaves, text),), text)
    assert grouped(tree, "es").leaves() == list(leaves)
