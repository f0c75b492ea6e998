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


def test_a_language_that_no_parser_knows_is_an_error_that_says_so():
    with pytest.raises(UserError, match=r"knows 'ja'.*dependency:parser=ja=stanza"):
        similarity("dependency", CAT, Text("猫が寝た。", "ja"))


PARSER = """
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation

class Parser:
    id = "few"
    kind = "shallow"
    def version(self): return "1"
    def languages(self): return frozenset({"ja"})
    def parse(self, texts):
        return [Tree("ROOT", 0, len(each.words), (), each.words) for each in texts]
"""
DEPEND = """
    def depend(self, texts):
        return [[Relation(label, None, None) for label in each.words] for each in texts]
"""


def test_a_parser_that_is_named_does_the_languages_that_it_knows_and_the_embedded_one_does_the_rest(guest):
    guest("parsers", "few", PARSER + DEPEND)
    pairs = [(Text("ab", "ja"), Text("ac", "ja")), (CAT, OTHER)]
    assert similarity_many("dependency:parser=few", pairs) == [0.5, similarity("dependency", CAT, OTHER)]


def test_shallow_trees_have_no_dependency_relations(guest):
    guest("parsers", "few", PARSER)
    with pytest.raises(UserError, match=r"few gives 'ja' shallow trees.*Name one: dependency:parser=ja=stanza"):
        similarity("dependency:parser=few", Text("a", "ja"), Text("b", "ja"))
