from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.language.parse.apertium import Parser
from concord.language.trees import DEEPEST, Tree, read_brackets
from concord.language.trees.dependencies import Relation, counts, relations
from concord.model import Text


def told(brackets: str) -> list[str]:
    """Relations as they are commonly written: `label(head, dependent)`."""
    return [
        f"{each.label}({each.head.words if each.head else 'ROOT'}, {each.dependent.words})"
        for each in relations(read_brackets(brackets))
    ]


WORKED = {
    "(S (NP (DT The) (JJ old) (NN man)) (VP (VBD gave) (NP (PRP her)) (NP (DT a) (NN book))) (. .))": (
        "det(man, The)|amod(man, old)|nsubj(gave, man)|root(ROOT, gave)|iobj(gave, her)|det(book, a)|obj(gave, book)|"
        "punct(gave, .)"
    ),
    "(S (NP (PRP He)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))))": (
        "nsubj(sat, He)|root(ROOT, sat)|case(mat, on)|det(mat, the)|obl(sat, mat)"
    ),
    "(S (NP (NNS Prices)) (VP (VBP have) (VP (VBN been) (VP (VBG rising) (ADVP (RB fast))))))": (
        "nsubj(rising, Prices)|aux(rising, have)|aux(rising, been)|root(ROOT, rising)|advmod(rising, fast)"
    ),
    "(S (NP (DT The) (NN house)) (VP (VBD was) (VP (VBN sold) (PP (IN by) (NP (NNP Ann))))))": (
        "det(house, The)|nsubj:pass(sold, house)|aux:pass(sold, was)|root(ROOT, sold)|case(Ann, by)|obl(sold, Ann)"
    ),
    "(S (NP (PRP She)) (VP (VBZ is) (RB not) (NP (DT a) (NN doctor))))": (
        "nsubj(doctor, She)|cop(doctor, is)|advmod(doctor, not)|det(doctor, a)|root(ROOT, doctor)"
    ),
    "(S (NP (PRP It)) (VP (VBZ is) (ADJP (RB very) (JJ old))))": (
        "nsubj(old, It)|cop(old, is)|advmod(old, very)|root(ROOT, old)"
    ),
    "(S (NP (NP (NNP John) (POS 's)) (CD two) (NN garden) (NNS chairs)) (VP (VBD broke)))": (
        "nmod:poss(chairs, John)|case(John, 's)|nummod(chairs, two)|compound(chairs, garden)|nsubj(broke, chairs)|"
        "root(ROOT, broke)"
    ),
    "(S (NP (NNS Cats) (, ,) (NNS dogs) (CC and) (NNS birds)) (VP (VBP eat) (CC and) (VBP sleep)))": (
        "nsubj(eat, Cats)|punct(Cats, ,)|conj(Cats, dogs)|cc(birds, and)|conj(Cats, birds)|root(ROOT, eat)|"
        "cc(sleep, and)|conj(eat, sleep)"
    ),
    "(S (NP (PRP I)) (VP (VBP try) (S (VP (TO to) (VP (VB go)))) (SBAR (IN as) (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj(try, I)|root(ROOT, try)|mark(go, to)|xcomp(try, go)|mark(rains, as)|nsubj(rains, it)|advcl(try, rains)"
    ),
    "(S (NP (PRP He)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP she)) (VP (MD would) (VP (VB come)))))))": (
        "nsubj(said, He)|root(ROOT, said)|mark(come, that)|nsubj(come, she)|aux(come, would)|ccomp(said, come)"
    ),
    "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD left)))))": (
        "det(man, the)|root(ROOT, man)|nsubj(left, who)|acl:relcl(man, left)"
    ),
    "(NP (NP (DT the) (NN book)) (SBAR (WHNP (WDT that)) (S (NP (PRP I)) (VP (VBD read)))))": (
        "det(book, the)|root(ROOT, book)|obj(read, that)|nsubj(read, I)|acl:relcl(book, read)"
    ),
    "(SQ (MD Can) (NP (PRP you)) (VP (VB turn) (PRT (RP off)) (NP (DT the) (NN light))) (. ?))": (
        "aux(turn, Can)|nsubj(turn, you)|root(ROOT, turn)|compound:prt(turn, off)|det(light, the)|obj(turn, light)|"
        "punct(turn, ?)"
    ),
    "(NP (NP (NN part)) (PP (IN of) (NP (DT the) (NN plan))))": (
        "root(ROOT, part)|case(plan, of)|det(plan, the)|nmod(part, plan)"
    ),
    "(S (INTJ (UH Oh)) (, ,) (NP-TMP (NN today)) (NP-SBJ (PRP we)) (VP (VBP rest)))": (
        "discourse(rest, Oh)|punct(rest, ,)|obl:tmod(rest, today)|nsubj(rest, we)|root(ROOT, rest)"
    ),
}


@pytest.mark.parametrize("brackets", WORKED)
def test_relations_follow_from_head_rules(brackets: str) -> None:
    assert told(brackets) == WORKED[brackets].split("|")


def test_every_sentence_of_a_text_has_a_root() -> None:
    text = "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep)) (. .)) (S (NP (NNS Dogs)) (VP (VBP bark)) (. .)))"
    assert [each for each in told(text) if each.startswith("root")] == ["root(ROOT, sleep)", "root(ROOT, bark)"]


def test_labels_are_counted() -> None:
    found = relations(read_brackets("(NP (DT the) (JJ old) (JJ red) (NN car))"))
    assert counts(found) == Counter({"amod": 2, "det": 1, "root": 1})
    assert counts([]) == Counter()


def test_shallow_trees_have_relations_too() -> None:
    parser = Parser(target="en")
    text = "Los gatos del vecino duermen en la casa grande y los perros comen carne."
    found = parser.parse([Text(text, "es")])[0]
    parser.close()
    assert isinstance(found, Tree)
    assert [(each.label, each.head.words if each.head else "", each.dependent.words) for each in relations(found)] == [
        ("det", "gatos", "Los"),
        ("nsubj", "duermen", "gatos"),
        ("case", "vecino", "del"),
        ("obl", "duermen", "vecino"),
        ("root", "", "duermen"),
        ("case", "casa", "en"),
        ("det", "casa", "la"),
        ("obl", "duermen", "casa"),
        ("amod", "casa", "grande"),
        ("cc", "comen", "y"),
        ("det", "perros", "los"),
        ("nsubj", "comen", "perros"),
        ("conj", "duermen", "comen"),
        ("obj", "comen", "carne"),
        ("punct", "comen", "."),
    ]


def ends_at_the_root(found: list[Relation]) -> bool:
    above = {id(each.dependent): each.head for each in found}
    for each in found:
        word, steps = each.head, 0
        while word is not None and steps <= len(found):
            word, steps = above[id(word)], steps + 1
        if word is not None:
            return False
    return True


TAGS = "NN NNS VBD VBN VBZ IN DT JJ CC , . RB PRP MD TO CD POS NOUN VERB ADP PUNCT XYZ"
PHRASES = "S NP VP PP SBAR ADJP WHNP SQ QP PRN SN SV FRAG UCP NP-TMP XYZ"
LEAVES = st.sampled_from(TAGS.split()).map(lambda tag: f"({tag} is)")
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(st.sampled_from(PHRASES.split()), st.lists(inner, min_size=1, max_size=5)).map(
        lambda made: f"({made[0]} {' '.join(made[1])})"
    ),
    max_leaves=25,
)


@given(TREES)
@settings(deadline=None)
def test_any_tree_gives_every_word_one_relation_and_a_way_to_the_root(brackets: str) -> None:
    tree = read_brackets(brackets)
    found = relations(tree)
    assert [each.dependent for each in found] == tree.leaves()
    assert counts(found)["root"] == 1
    assert ends_at_the_root(found)


def test_a_single_word_is_its_own_root() -> None:
    assert told("(NN cat)") == ["root(ROOT, cat)"]


def test_wide_and_deep_trees_are_done() -> None:
    wide = read_brackets(f"(VP (VBD ate) {'(NP (NN cake)) (CC and) ' * 2500})")
    assert counts(relations(wide)).total() == 5001
    deep = read_brackets("(NP (DT a) " * (DEEPEST - 1) + "(NN b)" + ")" * (DEEPEST - 1))
    assert counts(relations(deep))["det"] == DEEPEST - 1
