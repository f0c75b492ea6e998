"""The embedded English parser: its trees, where they stand in the text, and what it makes of nonsense."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from importlib.resources import files
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import Refused, UserError
from concord.model import Text
from concord.text.parse._chart import WORTH, best_tree
from concord.text.parse._cores import _openblas, one_core
from concord.text.parse._pieces import Pieces, shape
from concord.text.parse.concord_en import MOST_CHARACTERS, SHIPPED, Parser
from concord.text.trees import DEEPEST, Tree, read_brackets

NEWS = "The chairman of the committee resigned on Friday, and nobody knew why."


def parse(words: str, lang: str = "en") -> Tree | Exception:
    return Parser().parse([Text(words, lang)])[0]


def check(tree: Tree | Exception, words: str) -> Tree:
    """What every tree must be: nested, in order, with the words of the text and nothing left out that can be seen."""
    assert isinstance(tree, Tree)
    assert tree.label == "ROOT"
    assert tree.text == words
    for node in tree.nodes():
        assert node.start < node.end
        if node.children:
            assert (node.children[0].start, node.children[-1].end) == (node.start, node.end)
            assert all(left.end <= right.start for left, right in pairwise(node.children))
    assert max(map(len, tree.paths())) <= DEEPEST
    return tree


@pytest.mark.parametrize(
    "brackets",
    [
        "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))",
        "(ROOT (S (NP (PRP She)) (VP (VBD gave) (NP (PRP him)) (NP (DT a) (JJ red) (NN book))) (. .)))",
        "(ROOT (S (NP (NNP Mary) (CC and) (NNP John)) (VP (MD will) (VP (VB leave) (NP (NN tomorrow)))) (. .)))",
        "(ROOT (SQ (VBD Did) (NP (DT the) (NN train)) (VP (VB arrive) (PP (IN on) (NP (NN time)))) (. ?)))",
    ],
)
def test_plain_sentences_are_parsed_as_a_grammar_has_them(brackets):
    gold = read_brackets(brackets)
    text = gold.text.replace(" .", ".").replace(" ?", "?")
    assert check(parse(text), text).bracketed() == brackets


def test_phrases_are_cut_from_the_text_as_it_is_written():
    words = 'He said:  "Don\'t touch the (very old)\tvase!"'
    tree = check(parse(words), words)
    assert "the (very old)\tvase" in [phrase.words for phrase in tree.phrases("NP")]
    assert [leaf.words for leaf in tree.leaves()][4:7] == ["Do", "n't", "touch"]


def test_amounts_are_cut_as_in_a_treebank():
    words = "It costs $5.20, 8% more."
    assert [leaf.words for leaf in check(parse(words), words).leaves()] == [
        "It", "costs", "$", "5.20", ",", "8", "%", "more", ".",
    ]  # fmt: skip


def test_every_sentence_of_a_text_is_a_child_of_the_root():
    words = "Nobody came. We waited for two hours.\n\nThen we left."
    tree = check(parse(words), words)
    assert [child.words for child in tree.children] == ["Nobody came.", "We waited for two hours.", "Then we left."]


def test_a_text_gets_the_same_tree_alone_and_among_others():
    lines = files("concord.corpus").joinpath("demo.jsonl").read_text("utf-8").splitlines()
    texts = [Text(json.loads(line)["text"], "en") for line in lines[:40]]
    together = Parser().parse(texts)
    assert [tree.bracketed() for tree in together] == [Parser().parse([text])[0].bracketed() for text in texts]


def test_the_bundled_corpus_has_a_tree_for_every_line():
    lines = files("concord.corpus").joinpath("demo.jsonl").read_text("utf-8").splitlines()
    texts = [Text(json.loads(line)["text"], "en") for line in lines]
    for text, tree in zip(texts, Parser().parse(texts), strict=True):
        check(tree, text.words)
        assert "".join(leaf.words for leaf in tree.leaves()) == "".join(text.words.split())


def test_chances_are_probabilities_and_find_more_phrases_than_the_best_tree():
    words = "I saw the man on the hill with the telescope of my brother from the old house by the sea."
    tree = check(parse(words), words)
    assert all(0.05 <= chance.probability <= 1 for chance in tree.chances)
    likely = [(phrase.start, phrase.end) for phrase in tree.phrases("NP", at_least=0.05)]
    assert len(likely) > len(tree.phrases("NP"))
    assert len(likely) == len(set(likely))


def test_errors_stand_in_the_place_of_their_texts():
    found = Parser().parse([Text("", "en"), Text(NEWS, "en"), Text("Bonjour.", "fr"), Text("Go on.", "en-GB")])
    assert [type(each) for each in found] == [Refused, Tree, Refused, Tree]
    assert "not 'fr'" in str(found[2])


@pytest.mark.parametrize("words", ["", "   \n\t ", "\0\x01\x02", "\u200b\ufeff"])
def test_a_text_without_words_is_refused(words):
    refused = parse(words)
    assert isinstance(refused, Refused)
    assert "no word" in str(refused)


@pytest.mark.parametrize("words", ["猫がマットの上に座った。", "Кошка сидела на коврике.", "القطة على السجادة"])
def test_a_text_in_another_script_is_refused(words):
    refused = parse(words)
    assert isinstance(refused, Refused)
    assert "not Latin" in str(refused)


def test_a_word_of_another_script_is_no_obstacle():
    words = "The word 猫 means cat, and Ελλάδα means Greece."
    check(parse(words), words)


def test_control_characters_are_between_the_words():
    words = "The\x00 cat\x07 sat \ufeffon the\u200b mat.\x1b"
    tree = check(parse(words), words)
    assert [leaf.label for leaf in tree.leaves()] == [leaf.label for leaf in parse("The cat sat on the mat.").leaves()]


def test_capitals_alone_are_parsed_much_like_other_text():
    words = "THE CAT SAT ON THE MAT."
    phrases = [phrase.words for phrase in check(parse(words), words).phrases("NP")]
    assert phrases == ["THE CAT", "THE MAT"]


@pytest.mark.parametrize(
    "words",
    ["word " * 5_000, "the cat that " * 1_700, ", " * 5_000, "a" * 90_000, "a-" * 40_000, "(" * 5_000, "x." * 9_000],
    ids=["same word", "nested", "commas", "no spaces", "hyphens", "brackets", "stops"],
)
def test_long_nonsense_has_a_bounded_tree(words):
    check(parse(words), words)


def test_a_text_beyond_all_bounds_is_refused():
    refused = parse("a" * (MOST_CHARACTERS + 1))
    assert isinstance(refused, Refused)
    assert str(MOST_CHARACTERS) in str(refused)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60) | st.text("aB1 .,'-$%(\"\n\0é漢", max_size=60))
def test_any_text_has_a_tree_or_is_refused(words):
    tree = parse(words)
    if not isinstance(tree, Refused):
        check(tree, words)


def test_a_file_that_is_no_model_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none\.npz is not a model"):
        Parser(model=str(tmp_path / "none.npz")).version()
    (tmp_path / "wrong.npz").write_bytes(b"PK nothing")
    with pytest.raises(UserError, match=r"wrong\.npz is not a model"):
        Parser(model=str(tmp_path / "wrong.npz")).parse([Text(NEWS, "en")])


def test_the_version_tells_the_weights():
    assert Parser().version() == Parser(model=str(SHIPPED)).version()
    assert Parser().languages() == {"en"}
    assert Parser().kind == "full"


def test_the_model_file_fits_into_the_wheel():
    assert SHIPPED.stat().st_size <= 8_000_000


def test_the_parser_needs_numpy_alone():
    code = (
        "import sys; from concord.model import Text; from concord.text.parse.concord_en import Parser;"
        f"Parser().parse([Text({NEWS!r}, 'en')]); print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "transformers", "scipy", "tokenizers"} & set(loaded)


@cache
def best_sum(gains: tuple[tuple[float, ...], ...], start: int, end: int) -> float:
    """The obvious slow way: the best cut of every span, again and again."""
    own = max(0.0, gains[start][end])
    if start == 0 and end == len(gains) - 1:
        own = gains[start][end]
    inner = [best_sum(gains, start, cut) + best_sum(gains, cut, end) for cut in range(start + 1, end)]
    return own + max(inner, default=0.0)


@given(st.integers(1, 7), st.integers(0, 10_000))
def test_the_chart_finds_the_best_sum_of_brackets(words, seed):
    random = Random(seed)
    posts = [(start, end) for start in range(words + 1) for end in range(start + 1, words + 1)]
    likely = np.array([[0, random.random(), random.random()] for _ in posts], np.float32)
    gains = [[0.0] * (words + 1) for _ in range(words + 1)]
    for (start, end), (_, one, two) in zip(posts, likely.tolist(), strict=True):
        gains[start][end] = max(one, two) - WORTH
    found = best_tree(likely, words)
    wanted = best_sum(tuple(map(tuple, gains)), 0, words)
    assert sum(gains[start][end] for start, end, _ in found) == pytest.approx(wanted, abs=1e-4)
    assert found[0][:2] == (0, words)
    assert found == sorted(found, key=lambda bracket: (bracket.start, -bracket.end))


def test_matrices_are_multiplied_on_one_core_and_then_as_before():
    count = _openblas()[0]
    before = count()
    with one_core():
        assert count() == 1
    assert count() == before


def test_words_are_cut_into_the_longest_known_pieces():
    pieces = Pieces(["[UNK]", "[CLS]", "[SEP]", "un", "##like", "##ly", "-", "like", "e"])
    assert pieces.of("Unlikely") == (3, 4, 5)
    assert pieces.of("un–like") == (3, 6, 7)
    assert pieces.of("É") == (8,)
    assert pieces.of("ly") == (0,)
    assert pieces.of("") == (0,)
    assert pieces.code(["Unlike", "?"]) == ([1, 3, 4, 0, 2], [4, 1, 1, 4, 4], [0, 1, 3, 4], [0, 2, 3, 4])


def test_shapes_tell_how_words_are_written():
    assert [shape(word) for word in ["a", "A", "AB", "aB", "Ab", "AbC", "1a", "?"]] == [0, 1, 2, 6, 1, 3, 5, 4]
