"""Words of one sentence that are tried at once, and apart where that fails."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.corpus import demo
from concord.engine.run import run
from concord.engine.services import Terms, service
from concord.errors import Refused
from concord.language.mutants import mutants
from concord.language.parse.concord_en import Parser
from concord.language.substitutes import Slot, Substitute
from concord.language.substitutes._gate import SubstituteGate
from concord.language.substitutes._joint_parse import Try, groups, replaced
from concord.language.trees import read_brackets
from concord.model import Segment, Text

WORDS = "a bridge fell on an old road"
TREE = read_brackets("(S (NP (DT a) (NN bridge)) (VP (VBD fell) (PP (IN on) (NP (DT an) (JJ old) (NN road)))))")
SPANS = ((2, 8), (20, 23), (24, 28))


def slot(span, **more):
    return Slot(TREE, *span, **{"count": 2, "together": SPANS, **more})


def substitute(span, word, article="", score=0.9):
    """The word in the place of a span; an article before it may change too."""
    start, end = span
    before = WORDS[:start] if not article else f"{WORDS[:start].rstrip().rpartition(' ')[0]} {article} ".lstrip()
    return Substitute(Text(f"{before}{word}{WORDS[end:]}", "en"), start, end, word, score, "similar")


def tried(span, word, at=0, article="", **more):
    return Try(at, slot(span, **more), substitute(span, word, article))


def joined(*tries):
    return [sorted(each.substitute.word for each in group) for group in groups(tries)]


def test_candidates_for_different_places_of_a_request_make_one_sentence():
    tries = tried(SPANS[0], "tower"), tried(SPANS[1], "new", 1), tried(SPANS[2], "wall", 2)
    assert joined(*tries) == [["new", "tower", "wall"]]
    assert replaced(tries)[1] == Text("a tower fell on an new wall", "en")


def test_an_article_changes_with_its_word():
    tries = tried(SPANS[0], "arch", article="an"), tried(SPANS[1], "new", 1, "a")
    assert tries[0].substitute.text.words == "an arch fell on an old road"
    assert replaced(tries)[1].words == "an arch fell on a new road"


def test_two_candidates_for_one_place_are_tried_one_after_the_other():
    assert joined(tried(SPANS[0], "tower"), tried(SPANS[0], "wall"), tried(SPANS[2], "path", 1)) == [
        ["path", "tower"],
        ["wall"],
    ]


def test_places_that_were_not_asked_for_together_stay_apart():
    assert joined(tried(SPANS[0], "tower", together=()), tried(SPANS[2], "path", 1, together=())) == [
        ["tower"],
        ["path"],
    ]
    other = tried(SPANS[2], "path", 1, together=(SPANS[2],))
    assert joined(tried(SPANS[0], "tower"), other) == [["tower"], ["path"]]


def test_only_words_of_one_sentence_are_tried_together():
    tree = read_brackets(
        "(ROOT (S (NP (PRP It)) (VP (VBD rained)) (. .)) (S (NP (DT A) (NN bridge)) (VP (VBD fell)) (. .)))",
        "It rained. A bridge fell.",
    )
    spans = ((3, 9), (13, 19))
    first = Substitute(Text("It snowed. A bridge fell.", "en"), 3, 9, "snowed", 0.9, "similar")
    second = Substitute(Text("It rained. A road fell.", "en"), 13, 19, "road", 0.9, "similar")
    tries = [Try(at, Slot(tree, *spans[at], together=spans), one) for at, one in enumerate((first, second))]
    assert joined(*tries) == [["snowed"], ["road"]]
    assert [replaced(group)[1].words for group in groups(tries)] == ["It snowed.", "A road fell."]


@given(st.lists(st.tuples(st.sampled_from(SPANS), st.sampled_from(["tower", "wall", "x"])), max_size=8))
def test_every_candidate_is_in_one_group_and_no_group_has_a_place_twice(chosen):
    tries = [tried(span, word, at) for at, (span, word) in enumerate(chosen)]
    found = groups(tries)
    assert sorted(each.slot_number for group in found for each in group) == list(range(len(tries)))
    for group in found:
        assert len({each.substitute.start for each in group}) == len(group)
        changed = replaced(group)[1].words
        assert all(each.substitute.word in changed for each in group)


@given(st.sampled_from(SPANS), st.sampled_from(["tower", "it", "a"]), st.sampled_from(["", "a", "an", "the"]))
def test_one_alone_is_the_substitute_itself(span, word, article):
    one = tried(span, word, article=article if span != SPANS[2] else "")
    assert replaced([one])[1] == one.substitute.text


SHAPE = "(S (NP (DT {}) (NN {})) (VP (VBD {}) (PP (IN {}) (NP (DT {}) (JJ {}) (NN {})))))"


def gate(*refused):
    """A gate whose parser refuses sentences with some words, and the sentences that it was asked for."""
    asked = []

    def parse(texts):
        asked.append([text.words for text in texts])
        return [
            Refused("no")
            if set(refused) & set(text.words.split())
            else read_brackets(SHAPE.format(*text.words.split()))
            for text in texts
        ]

    return SubstituteGate(parse), asked


def admitted(gate, *found):
    return [[each.word for each in kept] for kept in gate.admitted(list(found))]


def test_what_keeps_the_tree_together_is_parsed_once():
    passing, asked = gate()
    found = admitted(
        passing,
        (slot(SPANS[0], count=1), [substitute(SPANS[0], "tower")]),
        (slot(SPANS[2], count=1), [substitute(SPANS[2], "wall")]),
    )
    assert (found, asked) == ([["tower"], ["wall"]], [["a tower fell on an old wall"]])
    assert not passing.rejected


def test_what_does_not_is_parsed_apart_and_the_guilty_one_alone_is_turned_away():
    passing, asked = gate("wall")
    found = admitted(
        passing,
        (slot(SPANS[0], count=1), [substitute(SPANS[0], "tower")]),
        (slot(SPANS[2], count=1), [substitute(SPANS[2], "wall"), substitute(SPANS[2], "path", score=0.8)]),
    )
    assert found == [["tower"], ["path"]]
    assert asked == [
        ["a tower fell on an old wall"],
        ["a tower fell on an old road", "a bridge fell on an old wall"],
        ["a bridge fell on an old path"],
    ]
    assert passing.rejected == {"not parsed": 1}


@pytest.fixture(scope="module")
def texts():
    return [segment.text for segment in demo()][:40]


def made(texts, at_once):
    """The answers of the service for places of texts, so many texts in a run, and how many sentences it had parsed."""
    found, asked = {}, []

    async def one_run(segments):
        serving = service("substitutes", {"parse": "concord_en"}, Terms(source="en"))
        before = serving._parsers.parse
        serving._parsers.parse = lambda texts: asked.extend(texts) or before(texts)

        async def check(segment, repetition):
            (tree,) = Parser().parse([segment.text])
            spans = [(leaf.start, leaf.end) for leaf in tree.leaves() if leaf.label[0] in "NJC"][:5]
            found[segment.text] = await serving.verb.each(tree, spans, count=2)
            return [], None

        async for outcome in run(check, segments, [serving.batched]):
            assert not outcome.error
        await serving.close()

    for start in range(0, len(texts), at_once):
        some = texts[start : start + at_once]
        segments = [Segment(str(number), text, number) for number, text in enumerate(some)]
        asyncio.run(one_run(segments))
    return found, asked


def test_what_is_admitted_does_not_depend_on_the_batch(texts):
    alone, _ = made(texts, 1)
    assert any(any(each) for each in alone.values())
    assert made(texts, 40)[0] == alone


def test_the_service_has_places_of_one_text_parsed_together(texts):
    found, asked = made(texts, 40)
    admitted = [each.text for answers in found.values() for some in answers for each in some]
    assert not set(admitted) <= set(asked)


def test_mutants_ask_for_the_places_of_a_sentence_together(texts):
    tree = Parser().parse(texts[:1])[0]
    seen = []

    class Listening:
        async def each(self, tree, spans, **more):
            seen.append(list(spans))
            return [[] for _ in spans]

    asyncio.run(mutants(tree, Listening(), kinds=("noun", "adjective"), most_words=3, count=1))
    assert len(seen[0]) == 3
