"""Trees: phrases are cut from the original text, brackets are read and written, nothing is too deep to walk."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.language.trees import DEEPEST, Chance, Tree, read_brackets, visible

BRACKETS = "(ROOT (S (NP (NP (DT The) (NN cat)) (PP (IN on) (NP (DT the) (NN mat)))) (VP (VBD sat)) (. .)))"
TEXT = "The cat\ton  the mat sat."


@pytest.fixture
def cat() -> Tree:
    return read_brackets(BRACKETS, TEXT)


def test_words_are_cut_from_the_original_text(cat):
    assert [phrase.words for phrase in cat.phrases("NP")] == ["The cat\ton  the mat", "The cat", "the mat"]
    assert cat.words == TEXT


def test_every_node_shares_the_one_text(cat):
    assert all(node.text is cat.text for node in cat.nodes())


def test_nodes_come_parents_first_and_leaves_in_order(cat):
    assert [node.label for node in cat.nodes()][:5] == ["ROOT", "S", "NP", "NP", "DT"]
    assert [leaf.words for leaf in cat.leaves()] == ["The", "cat", "on", "the", "mat", "sat", "."]


def test_a_tag_is_not_a_phrase(cat):
    assert cat.phrases("NN") == []


def test_paths_go_from_the_root_to_every_tag(cat):
    assert cat.paths()[0] == ("ROOT", "S", "NP", "NP", "DT")
    assert cat.paths()[-2:] == [("ROOT", "S", "VP", "VBD"), ("ROOT", "S", ".")]


def test_the_shape_has_no_words(cat):
    assert cat.shape() == "(ROOT (S (NP (NP DT NN) (PP IN (NP DT NN))) (VP VBD) .))"
    assert read_brackets(BRACKETS.replace("cat", "dog")).shape() == cat.shape()


def likely(*chances: Chance) -> Tree:
    tree = read_brackets(BRACKETS, TEXT)
    return Tree(tree.label, tree.start, tree.end, tree.children, tree.text, chances)


def test_likely_phrases_need_not_stand_in_the_best_tree():
    cat = likely(Chance("NP", 0, 7, 0.9), Chance("NP", 4, 19, 0.2), Chance("NP", 12, 19, 0.04), Chance("PP", 0, 7, 0.5))
    found = cat.phrases("NP", at_least=0.1)
    assert [phrase.words for phrase in found] == ["The cat", "cat\ton  the mat"]
    assert found[0] is cat.phrases("NP")[1]
    assert [leaf.words for leaf in found[1].children] == ["cat", "on", "the", "mat"]


def test_an_improbable_phrase_of_the_best_tree_is_not_likely():
    cat = likely(Chance("NP", 0, 19, 0.6), Chance("NP", 0, 7, 0.3))
    assert [phrase.words for phrase in cat.phrases("NP", at_least=0.5)] == ["The cat\ton  the mat"]


def test_likely_phrases_come_outermost_first():
    cat = likely(Chance("NP", 0, 7, 0.9), Chance("NP", 0, 19, 0.9))
    assert [phrase.end for phrase in cat.phrases("NP", at_least=0.5)] == [19, 7]


def test_likely_phrases_are_found_within_a_phrase_too():
    chances = (Chance("NP", 0, 19, 0.9), Chance("NP", 0, 7, 0.9), Chance("NP", 8, 19, 0.2), Chance("NP", 4, 14, 0.5))
    tree = read_brackets("(PP (IN on) (NP (DT the) (NN mat)))", TEXT[8:19])
    above = Tree("PP", 8, 19, tuple(Tree(leaf.label, leaf.start + 8, leaf.end + 8, (), TEXT, chances)
                                    for leaf in tree.leaves()), TEXT, chances)  # fmt: skip
    assert [phrase.words for phrase in above.phrases("NP", at_least=0.1)] == ["on  the mat"]
    again = above.phrases("NP", at_least=0.1)[0]
    assert again.phrases("NP", at_least=0.1) == [again]


def test_trees_are_equal_whatever_their_chances(cat):
    assert likely(Chance("NP", 0, 7, 0.9)) == cat
    assert hash(likely(Chance("NP", 0, 7, 0.9))) == hash(cat)


def test_without_chances_the_likely_phrases_are_those_of_the_tree(cat):
    assert cat.phrases("NP", at_least=0.1) == cat.phrases("NP")


def test_brackets_are_read_and_written_alike(cat):
    assert cat.bracketed() == BRACKETS
    assert read_brackets(cat.bracketed(), TEXT) == cat


def test_brackets_may_stand_on_many_lines_and_lack_a_label_on_top():
    assert read_brackets("( (NP\n    (DT a)\n\t(NN b)) )").bracketed() == "(ROOT (NP (DT a) (NN b)))"


def test_brackets_in_words_are_escaped():
    tree = read_brackets("(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-) (SYM -LSB-) (NN b\\/c))")
    assert tree.words == "( a ) [ b/c"
    assert tree.bracketed() == "(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-) (SYM -LSB-) (NN b/c))"


def test_what_parsers_write_differently_is_found_in_the_original():
    brackets = "(S (`` ``) (NN don) (POS 's) ('' '') (: --) (: ...) (-LRB- -LRB-))"
    original = "“don’s” —…("
    assert [leaf.words for leaf in read_brackets(brackets.replace("'s", "’s"), original).leaves()] == [
        "“", "don", "’s", "”", "—", "…", "(",
    ]  # fmt: skip


def test_invisible_characters_may_be_missing_from_the_brackets():
    tree = read_brackets("(S (UH oh) (. !))", "\ufeffoh\u200b !\x00")
    assert [(leaf.start, leaf.end) for leaf in tree.leaves()] == [(1, 3), (5, 6)]


@pytest.mark.parametrize(
    ("original", "complaint"),
    [
        ("the dog", "'cat' of the tree is not in the original text, which goes on 'dog'"),
        ("the cat sat", "'sat' has no"),
    ],
)
def test_brackets_of_another_text_are_refused(original, complaint):
    with pytest.raises(UserError, match=complaint):
        read_brackets("(NP (DT the) (NN cat))", original)


@pytest.mark.parametrize(
    ("brackets", "complaint"),
    [
        ("", "there are none"),
        ("cat", "'cat' is outside"),
        ("(NP the (NN cat))", "'the' is outside"),
        ("(NP (NN cat)", "1 of them never close"),
        ("(NP (NN cat)))", "close before their end"),
        ("(NP (NN a)) (NP (NN b))", "not one tree"),
        ("(NP)", "'NP' has no words"),
        ("(NP (NN a) ())", "'ROOT' has no words"),
    ],
)
def test_broken_brackets_are_refused_with_the_reason(brackets, complaint):
    with pytest.raises(UserError, match=complaint):
        read_brackets(brackets)


@pytest.mark.parametrize("nest", ["(" * 100_000, "(A " * 100_000, "(A " * 100_000 + "(B c)" + ")" * 100_000])
def test_a_hundred_thousand_nested_brackets_are_refused(nest):
    with pytest.raises(UserError, match=f"nested more than {DEEPEST} deep"):
        read_brackets(nest)


def test_the_deepest_tree_can_be_compared_hashed_printed_and_kept():
    nest = "(A " * DEEPEST + "(B c)" + ")" * DEEPEST
    tree = read_brackets(nest)
    assert tree == read_brackets(nest)
    assert hash(tree) == hash(read_brackets(nest))
    assert repr(tree).count("Tree(") == DEEPEST + 1
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert len(tree.paths()[0]) == DEEPEST + 1


def test_a_tree_of_a_hundred_thousand_words_is_read_and_written():
    flat = "(S" + " (NN word)" * 100_000 + ")"
    tree = read_brackets(flat)
    assert tree.bracketed() == flat
    assert len(tree.leaves()) == 100_000


# Anything may stand within a word, but its ends are to be seen.
words = (
    st.lists(
        st.characters() | st.sampled_from([*"()[]{}-/\\*'`\"␣ \t\n\x1c", "-LRB-", "-RCB-", "\\/"]),
        min_size=1,
        max_size=8,
    )
    .map("".join)
    .filter(lambda word: visible(word[0]) and visible(word[-1]))
)
labels = st.sampled_from(["S", "NP", "VP", "NN", "-LRB-"])
leaves = st.tuples(labels, words)
nested = st.recursive(leaves, lambda inner: st.tuples(labels, st.lists(inner, min_size=1, max_size=4)), max_leaves=12)
blanks = st.sampled_from(["", " ", "\n", " \u00a0 ", "\u200b", "\0\ud800", "\x1c\x85"])


def planted(plan, blank: str) -> Tree:
    """A tree after a plan of nested (label, word) and (label, plans), its words with the same blank between them."""
    found: list[str] = []

    def span(plan) -> tuple:
        label, inner = plan
        if isinstance(inner, str):
            start = len(blank.join([*found, ""]))
            found.append(inner)
            return label, start, start + len(inner), ()
        parts = [span(each) for each in inner]
        return label, parts[0][1], parts[-1][2], parts

    def grown(part) -> Tree:
        label, start, end, parts = part
        return Tree(label, start, end, tuple(grown(each) for each in parts), text)

    whole = span(plan)
    text = blank.join(found)
    return grown(whole)


@given(nested, blanks)
def test_a_tree_written_as_brackets_is_read_back_from_its_text(plan, blank):
    tree = planted(("ROOT", [plan]), blank)
    assert read_brackets(tree.bracketed(), tree.text) == tree


@given(st.text("()AB -", max_size=60))
def test_any_brackets_are_a_tree_or_a_user_error(brackets):
    try:
        tree = read_brackets(brackets)
    except UserError:
        return
    assert read_brackets(tree.bracketed()).shape() == tree.shape()
