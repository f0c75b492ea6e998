"""DeepSelect draws one of the deepest words or phrases.

The tree that the tests draw from, with the number of labels on the way to each node:

    1 ROOT
    2 └─ S
    3    ├─ NP
    4    │  ├─ DT The   ├─ JJ old   └─ NN man
    3    ├─ VP
    4    │  ├─ VBD chased
    4    │  └─ NP
    5    │     ├─ NP
    6    │     │  ├─ DT a   └─ NN dog
    5    │     └─ PP
    6    │        ├─ IN with
    6    │        └─ NP
    7    │           ├─ DT a
    7    │           ├─ ADJP
    8    │           │  ├─ RB very   └─ JJ thick
    7    │           └─ NN tail
    3    └─ .
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.language.trees import read_brackets
from concord.relations.mgmt.deep_select import deep_phrases, deep_words, draws

TREE = read_brackets(
    "(ROOT (S (NP (DT The) (JJ old) (NN man)) (VP (VBD chased) (NP (NP (DT a) (NN dog)) (PP (IN with)"
    " (NP (DT a) (ADJP (RB very) (JJ thick)) (NN tail))))) (. .)))"
)
LABELS = ("NP", "VP", "PP", "ADJP", "ADVP")


def test_words_come_the_deepest_first_and_from_left_to_right():
    assert [each.node.words for each in deep_words(TREE, "en")] == ["thick", "tail", "dog", "old", "man", "chased"]


def test_a_word_has_the_labels_above_it_and_its_own():
    assert deep_words(TREE, "en")[0].path == ("ROOT", "S", "VP", "NP", "PP", "NP", "ADJP", "JJ")


def test_phrases_with_several_content_words_come_first_and_of_either_kind_the_deepest():
    assert [each.node.words for each in deep_phrases(TREE, "en", LABELS)] == [
        "a very thick tail",
        "with a very thick tail",
        "a dog with a very thick tail",
        "The old man",
        "chased a dog with a very thick tail",
        "very thick",
        "a dog",
    ]


def test_only_phrases_of_the_labels_are_taken():
    assert [each.node.words for each in deep_phrases(TREE, "en", ("PP", "ADJP"))] == [
        "with a very thick tail",
        "very thick",
    ]


def test_a_phrase_knows_its_content_words_by_their_number():
    leaves = TREE.leaves()
    found = {each.node.words: [leaves[at].words for at in each.words] for each in deep_phrases(TREE, "en", LABELS)}
    assert found["a very thick tail"] == ["thick", "tail"]
    assert found["a dog with a very thick tail"] == ["dog", "thick", "tail"]


def test_of_phrases_over_the_same_words_the_deepest_is_taken():
    tree = read_brackets("(ROOT (S (VP (VB Watch) (NP (NP (NNS birds))))))")
    (found,) = deep_phrases(tree, "en", ("NP",))
    assert found.path == ("ROOT", "S", "VP", "NP", "NP")


def test_a_phrase_without_a_content_word_is_none():
    tree = read_brackets("(ROOT (S (NP (PRP It)) (VP (VBZ rains))))")
    assert [each.node.words for each in deep_phrases(tree, "en", LABELS)] == ["rains"]


def test_the_first_draw_is_one_of_the_candidates_and_each_of_them_in_time():
    ordered = deep_words(TREE, "en")
    first = Counter(next(draws(ordered, 3, random.Random(seed))).node.words for seed in range(300))
    assert set(first) == {"thick", "tail", "dog"}
    assert min(first.values()) > 60


def test_a_phrase_with_one_content_word_is_drawn_after_all_with_several():
    ordered = deep_phrases(TREE, "en", LABELS)
    for seed in range(20):
        drawn = [len(each.words) > 1 for each in draws(ordered, 9, random.Random(seed))]
        assert drawn == [True] * 5 + [False] * 2


def test_words_that_serve_grammar_have_no_content_of_their_own():
    tree = read_brackets("(ROOT (S (NP (JJ Other) (NNS dogs)) (VP (VBD made) (NP (DT a) (NN noise)))))")
    assert [each.node.words for each in deep_words(tree, "en")] == ["noise", "dogs"]
    assert [each.node.words for each in deep_words(tree, "de")] == ["a", "noise", "Other", "dogs", "made"]


def test_a_single_candidate_leaves_nothing_to_chance():
    drawn = [each.node.words for each in draws(deep_words(TREE, "en"), 1, random.Random(5))]
    assert drawn == ["thick", "tail", "dog", "old", "man", "chased"]


@given(seed=st.integers(), candidates=st.integers(1, 9))
def test_who_asks_again_gets_each_of_them_once_and_in_one_order_for_a_seed(seed, candidates):
    ordered = deep_phrases(TREE, "en", LABELS)
    drawn = list(draws(ordered, candidates, random.Random(seed)))
    assert sorted(map(ordered.index, drawn)) == list(range(len(ordered)))
    assert drawn == list(draws(ordered, candidates, random.Random(seed)))
    assert all(ordered.index(each) < candidates + place for place, each in enumerate(drawn))


@pytest.mark.parametrize("words", ["a" * 3, "..."])
def test_a_tree_of_one_word_has_it_or_nothing(words):
    tree = read_brackets(f"(ROOT (X {words}))")
    assert [each.node.words for each in deep_words(tree, "en")] == ([words] if words.isalpha() else [])
