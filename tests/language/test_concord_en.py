"""The embedded English parser: its trees, where they stand in the text, and what it makes of nonsense."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import Refused, UserError
from concord.language.parse._chart import WORTH, best_trees
from concord.language.parse._network import odds
from concord.language.parse._pieces import Pieces, shape
from concord.language.parse._spans import MOST_CHARACTERS
from concord.language.parse.concord_en import REINSTALL, SHIPPED, Parser
from concord.language.trees import DEEPEST, Tree, read_brackets, visible
from concord.model import Text

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
    bounds = [0, *chain.from_iterable((leaf.start, leaf.end) for leaf in tree.leaves()), len(words)]
    between = [words[end:start] for end, start in zip(bounds[::2], bounds[1::2], strict=True)]
    assert not any(map(visible, "".join(between)))
    assert read_brackets(tree.bracketed(), words) == tree
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


def test_trees_are_the_same_and_chances_to_five_digits_whatever_is_parsed_beside_them():
    lines = files("concord.corpus").joinpath("demo.jsonl").read_text("utf-8").splitlines()
    # One word and two: matrices of few rows are multiplied by other routines.
    others = ["Yes", "Go!", "She was late.", *(json.loads(line)["text"] for line in lines[60:90])]
    swapped = [f"The old {word} stood near the river until {year}." for word in ("house", "mill") for year in range(9)]
    texts = [Text(words, "en") for words in (*others, *swapped)]
    alone = [Parser().parse([text])[0] for text in texts]
    for order in (texts, texts[::-1], texts[1::2] + texts[::2]):
        for text, tree in zip(order, Parser().parse(order), strict=True):
            one = alone[texts.index(text)]
            assert repr(tree) == repr(one)
            assert [each[:3] for each in tree.chances] == [each[:3] for each in one.chances]
            for ours, theirs in zip(tree.chances, one.chances, strict=True):
                assert ours.probability == pytest.approx(theirs.probability, abs=1e-5)


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


def test_phrases_within_a_sentence_are_found_by_their_chances_too():
    words = (
        "I saw the man on the hill with the telescope of my brother from the old house by the sea. "
        "The cat slept on the mat."
    )
    tree = check(parse(words), words)
    everywhere = tree.phrases("NP", at_least=0.05)
    assert [part for child in tree.children for part in child.phrases("NP", at_least=0.05)] == everywhere
    assert len(tree.children[0].phrases("NP", at_least=0.05)) > len(tree.children[0].phrases("NP"))


def test_errors_stand_in_the_place_of_their_texts():
    found = Parser().parse([Text("", "en"), Text(NEWS, "en"), Text("Bonjour.", "fr"), Text("Go on.", "en-GB")])
    assert [type(each) for each in found] == [Refused, Tree, Refused, Tree]
    assert "not 'fr'" in str(found[2])


@pytest.mark.parametrize("words", ["", "   \n\t ", "\0\x01\x02", "\u200b\ufeff", "\ud800"])
def test_a_text_without_words_is_refused(words):
    refused = parse(words)
    assert isinstance(refused, Refused)
    assert "no word" in str(refused)


@pytest.mark.parametrize(
    "words", ["猫がマットの上に座った。", "Кошка сидела на коврике.", "القطة على السجادة", "אב" * 50_000]
)
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


@pytest.mark.parametrize(
    "words",
    [
        "A lone \ud800 surrogate, and one at the end \udfff",
        "The family 👩‍👩‍👧‍👦 waved a flag 🏳️‍🌈 at 👍🏽 us.",
        "She said \u202eabc\u202c and שלום, twice.",
        "The cafe\u0301s of Zu\u0308rich \u0301 are full.",
        "A new sign \U0001fae9\U00043be0 and \uffff are words too.",
        "He typed -LRB- and -LRB(, a ␣, a\\/b and {x\\*}.",
        "soft\u00adhyphens and zero\u200bwidth\u200b \u200bblanks\x85here",
        "one\u2028two\x1cthree\x0bfour",
    ],
)
def test_odd_characters_leave_the_other_words_in_their_places(words):
    check(parse(words), words)


def test_capitals_alone_are_parsed_much_like_other_text():
    words = "THE CAT SAT ON THE MAT."
    phrases = [phrase.words for phrase in check(parse(words), words).phrases("NP")]
    assert phrases == ["THE CAT", "THE MAT"]


@pytest.mark.parametrize(
    "words",
    [
        "word " * 1_500,
        "the cat that " * 500,
        ", " * 5_000,
        "a" * 100_000,
        "a-" * 50_000,
        "(" * 1_500,
        "x." * 9_000,
        "1" * 100_000,
        "$1%" * 500,
        "'" * 3_000,
        "👩‍👩‍👧‍👦" * 60,
        "e\u0301\u0327" * 30_000,
        "THE CAT SAT. " * 1_000,
    ],
    ids=[
        "same word",
        "nested",
        "commas",
        "no spaces",
        "hyphens",
        "brackets",
        "stops",
        "digits",
        "amounts",
        "quotes",
        "emoji",
        "marks",
        "capitals",
    ],
)
def test_long_nonsense_has_a_bounded_tree(words):
    check(parse(words), words)


def test_a_text_beyond_all_bounds_is_refused():
    refused = parse("a" * (MOST_CHARACTERS + 1))
    assert isinstance(refused, Refused)
    assert str(MOST_CHARACTERS) in str(refused)


@settings(deadline=None, max_examples=60)
@given(
    st.text(max_size=60) | st.text("aB1 .,'-$%(\"\n\0é漢\u200b\u00ad\ud800\x1c\x85\u0378\\/*LRB␣😀\u0301", max_size=60)
)
def test_any_text_has_a_tree_or_is_refused(words):
    tree = parse(words)
    if not isinstance(tree, Refused):
        check(tree, words)


def test_a_file_that_is_no_model_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none\.npz is not a model of concord_en \(there is no such file\)"):
        Parser(model=str(tmp_path / "none.npz")).version()
    (tmp_path / "wrong.npz").write_bytes(b"PK nothing")
    with pytest.raises(UserError, match=r"wrong\.npz is not a model of .* the one that ships is used"):
        Parser(model=str(tmp_path / "wrong.npz")).parse([Text(NEWS, "en")])


def test_a_model_of_another_make_is_named(tmp_path):
    np.savez(tmp_path / "other.npz", facts=np.frombuffer(b"[]", np.uint8))
    with pytest.raises(UserError, match=r"other\.npz is not a model"):
        Parser(model=str(tmp_path / "other.npz")).version()


@pytest.mark.parametrize("damage", ["gone", "cut short", "one byte changed", "empty"])
def test_a_damaged_installation_is_to_be_installed_again(damage, tmp_path, monkeypatch):
    whole = bytearray(SHIPPED.read_bytes())
    whole[len(whole) // 2] ^= 1
    left = {"cut short": whole[:1_000_000], "one byte changed": whole, "empty": b""}
    if damage in left:
        (tmp_path / "shipped.npz").write_bytes(left[damage])
    monkeypatch.setattr("concord.language.parse.concord_en.SHIPPED", tmp_path / "shipped.npz")
    with pytest.raises(UserError) as caught:
        Parser().version()
    assert REINSTALL in str(caught.value)
    assert "models.parser" not in str(caught.value)


def test_the_version_tells_the_weights():
    assert Parser().version() == Parser(model=str(SHIPPED)).version()
    assert Parser().languages() == {"en"}
    assert Parser().kind == "full"


def test_the_parser_needs_numpy_alone():
    code = (
        "import sys; from concord.model import Text; from concord.language.parse.concord_en import Parser;"
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
    likely = np.array([random.random() for _ in posts], np.float32)
    gains = [[0.0] * (words + 1) for _ in range(words + 1)]
    for (start, end), chance in zip(posts, likely.tolist(), strict=True):
        gains[start][end] = chance - WORTH
    (found,) = best_trees([likely], [np.arange(len(posts))], [words])
    wanted = best_sum(tuple(map(tuple, gains)), 0, words)
    assert sum(gains[start][end] for start, end, _ in found) == pytest.approx(wanted, abs=1e-4)
    assert found[0][:2] == (0, words)
    assert found == sorted(found, key=lambda bracket: (bracket.start, -bracket.end))
    assert all(posts[label] == (start, end) for start, end, label in found)


def test_charts_that_are_filled_together_are_those_filled_one_by_one():
    random = np.random.default_rng(0)
    words = [7, 1, 12, 12, 3, 100, 100, 2, 30]
    likely = [random.random(count * (count + 1) // 2, np.float32) for count in words]
    labels = [random.integers(1, 9, len(each)) for each in likely]
    alone = [best_trees([one], [named], [count])[0] for one, named, count in zip(likely, labels, words, strict=True)]
    assert best_trees(likely, labels, words) == alone


def test_scores_beyond_what_exponentials_can_hold_give_the_same_shares():
    near = np.random.default_rng(0).normal(size=(4, 5, 6)).astype(np.float32)
    far = near + np.array([0, 300, -300, 0], np.float32)[:, None, None]
    shares = [each / each.sum(-1, keepdims=True) for each in (odds(near), odds(far))]
    assert np.allclose(*shares, atol=1e-4)


def test_a_sentence_far_beyond_leaves_the_others_to_the_last_bit():
    scores = np.random.default_rng(0).normal(size=(3, 5, 6)).astype(np.float32)
    alone = odds(scores[:1].copy())
    scores[1] += 300
    assert (odds(scores)[:1] == alone).all()


def test_threads_parse_at_once_as_one_does():
    texts = [Text(f"{NEWS} The {number} dogs ran.", "en") for number in range(24)]
    alone = Parser().parse(texts)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: Parser().parse([text])[0], texts))
    assert together == alone


def test_words_are_cut_into_the_longest_known_pieces():
    pieces = Pieces(["[UNK]", "[CLS]", "[SEP]", "un", "##like", "##ly", "-", "like", "e"])
    assert pieces.pieces_of("Unlikely") == (3, 4, 5)
    assert pieces.pieces_of("un–like") == (3, 6, 7)
    assert pieces.pieces_of("É") == (8,)
    assert pieces.pieces_of("ly") == (0,)
    assert pieces.pieces_of("") == (0,)
    assert pieces.code(["Unlike", "?"]) == ([1, 3, 4, 0, 2], [4, 1, 1, 4, 4], [0, 1, 3, 4], [0, 2, 3, 4])


def test_shapes_tell_how_words_are_written():
    assert [shape(word) for word in ["a", "A", "AB", "aB", "Ab", "AbC", "1a", "?"]] == [0, 1, 2, 6, 1, 3, 5, 4]
