"""Chinese words are replaced by words that are used alike, numbers by others of their shape."""

from __future__ import annotations

import pytest

from concord.errors import Refused
from concord.language.mutants import WORD_KINDS, words
from concord.language.substitutes import Slot
from concord.language.substitutes._chinese_numbers import other_chinese_numbers
from concord.language.substitutes.lexicon_zh import AlikeWords, Substitutes
from concord.language.trees import read_brackets
from concord.testing import check_substitutes

STUDENTS = "(ROOT (S (NP (NUM 三个) (NOUN 学生)) (VERB 去) (PART 了) (NP (ADJ 新) (NOUN 餐厅)) (PUNCT 。)))"


def tree_of(brackets, text):
    return read_brackets(brackets, text)


@pytest.fixture
def tree():
    return tree_of(STUDENTS, "三个学生去了新餐厅。")


def slot(tree, word, **options):
    start = tree.text.index(word)
    return Slot(tree, start, start + len(word), lang="zh", **options)


def substitutes(*slots, **options):
    return Substitutes(**options).substitutes(slots)


def test_a_word_is_replaced_by_words_that_are_used_alike_the_nearest_first(tree):
    (found,) = substitutes(slot(tree, "餐厅", count=3))
    assert found[0].word == "餐馆"
    assert found[0].text.words == "三个学生去了新餐馆。"
    assert found[0].kind == "similar"


def test_the_source_conforms(tree):
    check_substitutes(Substitutes, [slot(tree, "餐厅"), slot(tree, "三个"), slot(tree, "去")], "zh")


def test_neither_a_word_that_the_sentence_has_nor_one_that_it_has_twice_is_used():
    text = "学生和教师去了餐厅和餐厅。"
    leaves = "(NOUN 学生) (CCONJ 和) (NOUN 教师) (VERB 去) (PART 了) (NOUN 餐厅) (CCONJ 和) (NOUN 餐厅) (PUNCT 。)"
    tree = tree_of(f"(ROOT (S {leaves}))", text)
    source = Substitutes()
    first, second = source.substitutes([slot(tree, "学生", count=5), slot(tree, "餐厅", count=5)])
    assert first
    assert "教师" not in [each.word for each in first]
    assert second == []
    assert source.rejected["named twice"] >= 2


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("三个", ["五个", "两个", "六个"]),
        ("两个", ["四个", "五个", "三个"]),
        ("十二个", ["十四个", "十五个", "十三个"]),
        ("二十元", ["四十元", "五十元", "三十元"]),
        ("百分之十五", ["百分之十七", "百分之十四", "百分之十八"]),
        ("15%", ["17%", "14%", "18%"]),
        ("3.5亿美元", ["3.7亿美元", "3.4亿美元", "3.8亿美元"]),
        ("一个", []),
        ("许多", []),
        ("二十三", []),
        ("2比1", []),
    ],
)
def test_a_number_is_replaced_within_its_word(word, others):
    assert other_chinese_numbers(word)[:3] == others


def test_numbers_are_substitutes_of_their_own_kind(tree):
    (found,) = substitutes(slot(tree, "三个", count=1))
    assert (found[0].word, found[0].kind) == ("五个", "number")


def test_no_word_is_listed_with_its_opposite_or_a_part_of_itself():
    alike = AlikeWords()
    for word in ("增长", "上升", "国家", "餐厅"):
        for other, _ in alike.others(word):
            assert word not in other
            assert other not in word
    assert "减少" not in [other for other, _ in alike.others("增加")]


def test_stop_words_and_measure_words_are_left_alone():
    tree = tree_of("(ROOT (S (PRON 我们) (VERB 可以) (VERB 去) (NOUN 个) (PUNCT 。)))", "我们可以去个。")
    source = Substitutes()
    assert source.substitutes([slot(tree, "可以"), slot(tree, "个")]) == [[], []]


def test_another_language_is_refused(tree):
    (refusal,) = substitutes(Slot(tree, 2, 4, lang="en"))
    assert isinstance(refusal, Refused)


@pytest.mark.parametrize(
    ("tag", "kind"), [("NR", "name"), ("VV", "verb"), ("VA", "adjective"), ("AD", "adverb"), ("OD", "number")]
)
def test_tags_of_the_chinese_treebank_are_kinds_of_words(tag, kind):
    tree = tree_of(f"(ROOT (IP ({tag} 漂亮)))", "漂亮")
    assert [leaf.words for leaf in words(tree, (kind,))] == ["漂亮"]
    assert not words(tree, tuple(other for other in WORD_KINDS if other != kind))


@pytest.mark.parametrize("tag", ["VV", "VA", "AD"])
def test_words_with_tags_of_the_chinese_treebank_are_replaced(tag):
    tree = tree_of(f"(ROOT (IP ({tag} 有名)))", "有名")
    (found,) = substitutes(Slot(tree, 0, 2, lang="zh"))
    assert found
