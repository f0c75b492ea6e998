"""What a plug-in answers is looked at: what is wrong is the error of one text, and names the plug-in."""

from __future__ import annotations

import pytest

import concord
import concord.api
from concord.engine.services.validation import (
    relations_fault,
    sound,
    substitutes_fault,
    tree_fault,
    vector_fault,
)
from concord.errors import BadAnswer, Refused
from concord.language.substitutes import Slot, Substitute
from concord.language.trees import DEEPEST, Chance, Tree, read_brackets
from concord.language.trees.dependencies import Relation, relations
from concord.model import Text

WORDS = "Black cats sleep."
TREE = read_brackets("(ROOT (S (NP (JJ Black) (NNS cats)) (VP (VBP sleep)) (. .)))", WORDS)
A, B = Tree("JJ", 0, 5, (), WORDS), Tree("NNS", 6, 10, (), WORDS)
SLOT = Slot(TREE, 6, 10, count=2)


def deep(levels):
    tree = A
    for _ in range(levels - 1):
        tree = Tree("X", 0, 5, (tree,), WORDS)
    return tree


@pytest.mark.parametrize(
    "tree",
    [
        TREE,
        A,
        Tree("ROOT", 0, 17, (A, B), WORDS),
        Tree("ROOT", 0, 5, (Tree("ADP", 0, 5, (), WORDS), Tree("DET", 0, 5, (), WORDS)), WORDS),
        Tree("ROOT", 0, 10, (A, B), WORDS, (Chance("NP", 0, 10, 0.5),)),
        deep(DEEPEST),
    ],
)
def test_a_good_tree_has_no_fault(tree):
    assert tree_fault(WORDS, tree) is None


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ("(ROOT)", "a str instead of a tree"),
        (None, "a NoneType instead of a tree"),
        (Tree("ROOT", 0, 5, (), "Other"), "over another text, 'Other'"),
        (Tree("ROOT", 0, 99, (), WORDS), "at 0:99, outside of the text"),
        (Tree("ROOT", 5, 5, (), WORDS), "at 5:5, outside"),
        (Tree("ROOT", -1, 5, (), WORDS), "at -1:5, outside"),
        (Tree("ROOT", 0.0, 5, (), WORDS), "at 0.0:5, outside"),
        (Tree("", 0, 5, (), WORDS), "without a label"),
        (Tree("NP", 0, 5, (A, B), WORDS), "'NNS' at 6:10, outside of 'NP'"),
        (Tree("NP", 0, 10, (B, A), WORDS), "'cats' and 'Black' overlap or are out of order"),
        (Tree("NP", 0, 10, (A, Tree("X", 4, 10, (), WORDS)), WORDS), "overlap"),
        (Tree("NP", 0, 10, [A, B], WORDS), "not a tuple of trees"),
        (Tree("NP", 0, 10, (A, "cats"), WORDS), "not a tuple of trees"),
        (Tree("NP", 0, 10, (A, Tree("NNS", 6, 10, (), "Other")), WORDS), "over another text"),
        (Tree("NP", 0, 10, (A, B), WORDS, (Chance("NP", 0, 10, 1.5),)), "impossible chance"),
        (Tree("NP", 0, 10, (A, B), WORDS, [1]), "not a tuple of Chance"),
        (deep(DEEPEST + 1), f"more than {DEEPEST} levels"),
    ],
)
def test_a_bad_tree_is_told_what_is_wrong(tree, said):
    assert said in tree_fault(WORDS, tree)


def test_good_relations_have_no_fault():
    assert relations_fault(WORDS, relations(TREE)) is None
    assert relations_fault(WORDS, []) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "not a list of relations"),
        ([1], "not a list of relations"),
        ([Relation("amod", B, A)], "to a word that has none"),
        ([Relation("", None, A)], "without a label"),
        ([Relation("root", None, TREE)], "not a word"),
        ([Relation("root", None, "cats")], "not a word"),
        ([Relation("root", None, Tree("X", 3, 99, (), WORDS))], "outside of the text"),
        ([Relation("root", None, B), Relation("amod", B, A)], "out of order"),
    ],
)
def test_bad_relations_are_told_what_is_wrong(found, said):
    assert said in relations_fault(WORDS, found)


def dogs(words="Black dogs sleep.", *, lang="en", start=6, end=10, word="dogs", score=0.9, kind="similar"):
    return Substitute(Text(words, lang), start, end, word, score, kind)


def test_good_substitutes_have_no_fault():
    assert substitutes_fault(SLOT, [dogs(), dogs("Black rats sleep.", word="rats")]) is None
    assert substitutes_fault(SLOT, []) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("dogs", "not a list of substitutes"),
        (["dogs"], "not a list of substitutes"),
        ([dogs()] * 3, "3 substitutes where 2 were wanted"),
        ([dogs(None)], "not text"),
        ([dogs(word=3)], "not text"),
        ([dogs(WORDS)], "not the text with 'dogs' in it"),
        ([dogs("Black rats sleep.")], "not the text with 'dogs' in it"),
        ([dogs(lang="es")], "not the text"),
        ([dogs(start=0)], "at 0:10, outside of 6:10"),
        ([dogs(end=11)], "at 6:11, outside of 6:10"),
        ([dogs(start=None)], "outside of 6:10"),
        ([dogs(kind="antonym")], "of the kind 'antonym'"),
        ([dogs(score=float("nan"))], "score nan"),
        ([dogs(score=1.5)], "score 1.5"),
    ],
)
def test_bad_substitutes_are_told_what_is_wrong(found, said):
    assert said in substitutes_fault(SLOT, found)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([0.6, float("nan")], "not a number"),
        ([float("inf"), 0.0], "not a number"),
        ([], "empty vector"),
        ([1.0, 0.0, 0.0], "3 numbers after one of 2"),
        ([1.0, 1.0], "length 1.414 instead of 1"),
    ],
)
def test_a_bad_vector_is_told_what_is_wrong(row, said):
    assert vector_fault([0.6, 0.8], 2) is None
    assert said in vector_fault(row, 2)


def test_errors_among_the_answers_are_errors_of_their_texts():
    refused = Refused("no")
    found = sound("it", ["a", "b", "c"], (refused, ValueError("odd"), [1.0]), lambda item, row: row["x"])
    assert found[0] is refused
    assert isinstance(found[1], Refused)
    assert str(found[1]) == "it says ValueError: odd"
    assert isinstance(found[2], BadAnswer)
    assert "it gave an answer that cannot be read (TypeError" in str(found[2])


@pytest.mark.parametrize(
    ("answers", "said"), [([1], "1 answer to 2"), (None, "a NoneType instead"), ("ab", "a str instead")]
)
def test_answers_that_cannot_be_matched_are_bad(answers, said):
    with pytest.raises(BadAnswer, match=said):
        sound("it", ["a", "b"], answers, lambda item, answer: None)


PARSER = r'''
"""A parser for tests that answers what the text asks for."""
import sys
from concord.language.trees import Tree

class Parser:
    id = "odd"
    kind = "full"
    def version(self): return "1"
    def languages(self): return frozenset({"en"})
    def parse(self, texts):
        made = [self.tree(text.words) for text in texts]
        return made[1:] if any("few" in text.words for text in texts) else made
    def tree(self, words):
        if "nothing" in words: return None
        if "raise" in words: raise ZeroDivisionError("oh")
        if "exit" in words: sys.exit(3)
        if "error" in words: return KeyError("what")
        if "outside" in words: return Tree("ROOT", 0, 999, (), words)
        if "list" in words: return Tree("ROOT", 0, len(words), [], words)
        return Tree("ROOT", 0, len(words), (), words)
'''
RELATION = '''
"""Nothing but a parse (for tests)."""
from concord.model import Case

async def check(x, translate, parse, *, to, threshold: float = 0.5):
    tree = await parse(x)
    there = await translate(x, to)
    return [Case(x, x, there, there, (there, there), 0.0, threshold)]
'''


def test_no_answer_of_a_plugin_ends_a_run(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("parsers", "odd", PARSER)
    guest("relations", "parses", RELATION)
    lines = ["good", "nothing", "good too", "raise", "exit", "error", "outside", "list", "few", "the last"]
    (tmp_path / "c.txt").write_text("".join(f"{line}\n" for line in lines))
    settings = concord.Settings(services={"parse": "odd"})
    done = concord.run("c.txt", relations=["parses"], systems=["fake"], to=["es"], settings=settings)[0]
    assert (done.cases, done.errors) == (3, 7)
    said = {row["text"]: row["error"] for row in concord.api.rows("concord.sqlite") if row["error"]}
    assert said == {
        "nothing": "the parser odd answered with a NoneType instead of a tree",
        "raise": "the parser odd failed with ZeroDivisionError: oh",
        "exit": "the parser odd failed with RuntimeError: SystemExit 3",
        "error": "the parser odd says KeyError: 'what'",
        "outside": "the parser odd gave a tree with 'ROOT' at 0:999, outside of the text",
        "list": "the parser odd gave a tree with 'ROOT', whose children are not a tuple of trees",
        "few": "the parser odd gave 0 answers to 1 text",
    }
