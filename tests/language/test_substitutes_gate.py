"""The gate turns away what parses differently, is rare, means something else, or was there already."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from concord.errors import Refused
from concord.language.substitutes import FITTING, Slot, Substitute
from concord.language.substitutes._gate import SubstituteGate
from concord.language.substitutes.lexicon import Substitutes
from concord.language.trees import read_brackets
from concord.model import Text

TREE = read_brackets("(S (NP (DT the) (NN bridge)) (VP (VBD fell)))")
SLOT = Slot(TREE, 4, 10, count=3)


def substitute(word, *, score=0.9, kind="similar"):
    return Substitute(Text(f"the {word} fell", "en"), 4, 10, word, score, kind)


def parsed_as(**brackets):
    """A parser that gives each sentence the brackets of the word in it, and the usual ones to all others."""

    def parse(texts):
        shapes = [brackets.get(text.words.split()[1], "(S (NP (DT the) (NN {}))(VP (VBD fell)))") for text in texts]
        return [
            shape if isinstance(shape, Exception) else read_brackets(shape.format(text.words.split()[1]))
            for text, shape in zip(texts, shapes, strict=True)
        ]

    return parse


def passed(gate, *candidates, slot=SLOT):
    (kept,) = gate.admitted([(slot, candidates)])
    return [each.word for each in kept]


def test_what_is_common_and_new_passes_the_best_first():
    gate = SubstituteGate()
    assert passed(gate, substitute("road", score=0.5), substitute("tunnel", score=0.8)) == ["tunnel", "road"]
    assert not gate.rejected


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("the", "function word"),
        ("bridges", "variant"),
        ("Bridge", "variant"),
        ("qwxyz", "frequency"),
        ("overpass", "frequency"),
    ],
)
def test_variants_and_rare_words_are_counted_by_reason(word, reason):
    gate = SubstituteGate(rarest=20_000)
    assert passed(gate, substitute(word)) == []
    assert gate.rejected == {reason: 1}


def test_of_two_spellings_of_a_word_one_passes():
    gate = SubstituteGate()
    assert passed(gate, substitute("theatre", score=0.9), substitute("theater", score=0.8)) == ["theatre"]
    assert gate.rejected == {"variant": 1}


def test_a_kind_that_is_not_wanted_is_turned_away():
    gate = SubstituteGate()
    assert passed(gate, substitute("road"), slot=Slot(TREE, 4, 10, kinds=("antonym",))) == []
    assert gate.rejected == {"kind": 1}


def test_another_tag_another_tree_and_no_tree_are_turned_away():
    gate = SubstituteGate(
        parsed_as(
            road="(S (NP (DT the) (JJ {}))(VP (VBD fell)))",
            tunnel="(S (NP (DT the)) (NP (NN {}))(VP (VBD fell)))",
            canal=Refused("too long"),
        )
    )
    candidates = [substitute(word) for word in ("arch", "road", "tunnel", "canal", "gate")]
    assert passed(gate, *candidates, slot=Slot(TREE, 4, 10, count=4)) == ["arch", "gate"]
    assert gate.rejected == {"tag": 1, "tree": 1, "not parsed": 1}


def test_a_sentence_with_another_number_of_words_has_another_tag():
    gate = SubstituteGate(lambda texts: [read_brackets("(S (DT the))") for _ in texts])
    assert passed(gate, substitute("road")) == []
    assert gate.rejected == {"tag": 1}


def test_the_parser_is_asked_once_for_all_slots():
    asked = []
    parse = parsed_as()

    def listening(texts):
        asked.append(len(texts))
        return parse(texts)

    gate = SubstituteGate(listening)
    gate.admitted([(SLOT, [substitute("road")]), (SLOT, [substitute("tunnel"), substitute("canal")])])
    assert asked == [3]


def listened(parse):
    """A parser, and the words that it was asked for, one list for each time."""
    asked = []

    def listening(texts):
        asked.append([text.words.split()[1] for text in texts])
        return parse(texts)

    return listening, asked


RISING = ("wall", "tower", "gate", "canal", "tunnel", "road")
SIX = [substitute(word, score=score / 10) for score, word in enumerate(RISING, 1)]


def test_no_more_are_parsed_than_are_wanted():
    parse, asked = listened(parsed_as())
    assert passed(SubstituteGate(parse), *SIX) == ["road", "tunnel", "canal"]
    assert asked == [["road", "tunnel"], ["canal"]]


def test_the_next_best_are_parsed_in_place_of_those_that_fail():
    parse, asked = listened(parsed_as(road=Refused("no"), canal=Refused("no")))
    gate = SubstituteGate(parse)
    assert passed(gate, *SIX) == ["tunnel", "gate", "tower"]
    assert asked == [["road", "tunnel"], ["canal", "gate"], ["tower"]]
    assert gate.rejected == {"not parsed": 2}


@pytest.mark.parametrize("count", [1, 3])
def test_a_place_whose_first_two_are_parsed_otherwise_is_given_up(count):
    parse, asked = listened(lambda texts: [Refused("no") for _ in texts])
    assert passed(SubstituteGate(parse), *SIX, slot=Slot(TREE, 4, 10, count=count)) == []
    assert [word for words in asked for word in words] == ["road", "tunnel"]


def test_a_place_that_has_kept_its_tree_may_fail_more_often():
    failing = dict.fromkeys(("tunnel", "canal", "gate"), Refused("no"))
    parse, asked = listened(parsed_as(**failing))
    assert passed(SubstituteGate(parse), *SIX, slot=Slot(TREE, 4, 10, count=2)) == ["road"]
    assert [word for words in asked for word in words] == ["road", "tunnel", "canal", "gate"]


def test_a_slot_that_has_enough_does_not_wait_for_another():
    parse, asked = listened(parsed_as(road=Refused("no")))
    one = Slot(TREE, 4, 10, count=1)
    found = SubstituteGate(parse).admitted([(one, SIX), (one, SIX[:3])])
    assert [[each.word for each in kept] for kept in found] == [["tunnel"], ["gate"]]
    assert asked == [["road", "gate"], ["tunnel"]]


ANGLES = {"bridge": 0.0, "road": 0.5, "tunnel": 1.4, "canal": 0.1}


def embed(texts):
    return [(math.cos(ANGLES[text.words.split()[1]]), math.sin(ANGLES[text.words.split()[1]])) for text in texts]


def test_the_next_best_stands_in_for_what_means_something_else_and_nothing_is_embedded_twice():
    asked = []

    def listening(texts):
        asked.append([text.words.split()[1] for text in texts])
        return embed(texts)

    gate = SubstituteGate(parsed_as(road=Refused("no")), listening)
    candidates = substitute("road", score=0.9), substitute("tunnel", score=0.8), substitute("canal", score=0.7)
    assert passed(gate, *candidates, slot=Slot(TREE, 4, 10, count=1)) == ["canal"]
    assert asked == [["bridge", "tunnel"], ["canal"]]
    assert gate.rejected == {"not parsed": 1, "meaning": 1}


def test_what_is_far_in_meaning_is_turned_away():
    gate = SubstituteGate(embed=embed, meaning=0.5)
    assert passed(gate, substitute("road"), substitute("tunnel")) == ["road"]
    assert gate.rejected == {"meaning": 1}


def test_no_more_pass_than_are_wanted():
    many = [substitute(word) for word in ("road", "tunnel", "canal", "gate", "tower", "wall")]
    assert len(passed(SubstituteGate(), *many)) == SLOT.count


def test_numbers_need_no_frequency():
    assert passed(SubstituteGate(), substitute("1,437", kind="number")) == ["1,437"]


def test_numbers_are_not_parsed_and_count_among_those_that_are_wanted():
    parse, asked = listened(parsed_as(road=Refused("no")))
    numbers = [substitute(number, kind="number", score=0.95) for number in ("14", "15")]
    assert passed(SubstituteGate(parse), *numbers, substitute("road"), substitute("tunnel", score=0.8)) == [
        "14",
        "15",
        "tunnel",
    ]
    assert asked == [["road"], ["tunnel"]]


@pytest.mark.parametrize(
    ("tag", "kind", "words"),
    [
        ("NNP", "co-hyponym", ["Thames"]),
        ("NNP", "synonym", ["Thames"]),
        ("NNP", "masked", []),
        ("NN", "co-hyponym", []),
    ],
)
def test_names_of_the_same_kind_are_not_parsed(tag, kind, words):
    tree = read_brackets(f"(S (NP (DT the) ({tag} Severn)) (VP (VBD rose)))")
    candidate = Substitute(Text("the Thames rose", "en"), 4, 10, "Thames", 0.9, kind)
    parse, asked = listened(lambda texts: [Refused("no") for _ in texts])
    assert passed(SubstituteGate(parse), candidate, slot=Slot(tree, 4, 10, kinds=(kind,))) == words
    assert bool(asked) != bool(words)


def test_words_of_another_language_are_not_looked_up():
    slot = Slot(read_brackets("(S (NP (DT el) (NN puente)))"), 3, 9, lang="es")
    candidate = Substitute(Text("el camino", "es"), 3, 9, "camino", 0.5, "masked")
    assert passed(SubstituteGate(), candidate, slot=slot) == ["camino"]


def test_the_lexicon_passes_the_same_gate():
    source = Substitutes(least=0.1, parse=lambda texts: [Refused("no") for _ in texts])
    assert source.substitutes([replace(SLOT, kinds=FITTING)]) == [[]]
    assert source.rejected["not parsed"] > 0


LONG = read_brackets(
    "(ROOT (S (NP (PRP It)) (VP (VBD rained)) (. .)) (S (NP (DT A) (NN bridge)) (VP (VBD fell)) (. .)))",
    "It rained. A bridge fell.",
)


def later(sentence, word):
    return Substitute(Text(f"It rained. {sentence}", "en"), 13, 19, word, 0.9, "similar")


def test_of_several_sentences_only_the_one_with_the_word_is_parsed():
    asked = []

    def parse(texts):
        asked.extend(text.words for text in texts)
        shapes = {"A road fell.": "(NN road)", "An arch fell.": "(NN arch)"}
        return [
            read_brackets(f"(ROOT (S (NP (DT {text.words.split()[0]}) {shapes[text.words]}) (VP (VBD fell)) (. .)))")
            for text in texts
        ]

    gate = SubstituteGate(parse, rarest=60_000)
    candidates = later("A road fell.", "road"), later("An arch fell.", "arch")
    assert passed(gate, *candidates, slot=Slot(LONG, 13, 19)) == ["road", "arch"]
    assert sorted(asked) == ["A road fell.", "An arch fell."]


def test_a_sentence_that_falls_apart_has_another_tree():
    gate = SubstituteGate(
        lambda texts: [
            read_brackets("(ROOT (S (NP (DT A) (NN road))) (S (VP (VBD fell)) (. .)))", text.words) for text in texts
        ]
    )
    assert passed(gate, later("A road fell.", "road"), slot=Slot(LONG, 13, 19)) == []
    assert gate.rejected == {"tree": 1}


def test_a_parser_that_answers_too_few_is_not_believed():
    with pytest.raises(ValueError, match="zip"):
        passed(SubstituteGate(lambda texts: []), substitute("road"))


def test_what_scores_less_than_the_slot_wants_is_not_parsed():
    parse, asked = listened(parsed_as())
    gate = SubstituteGate(parse)
    found = passed(
        gate, substitute("road", score=0.9), substitute("wall", score=0.5), slot=Slot(TREE, 4, 10, least=0.6)
    )
    assert (found, asked, gate.rejected) == (["road"], [["road"]], {"similarity": 1})


def test_the_least_score_does_not_concern_probabilities():
    slot = Slot(TREE, 4, 10, least=0.6)
    assert passed(SubstituteGate(), substitute("road", score=0.01, kind="masked"), slot=slot) == ["road"]


@pytest.mark.parametrize(
    ("date", "month", "shorter"),
    [
        ("on/IN 31/CD August/NNP", "August", "September"),
        ("on/IN August/NNP 31/CD ,/, 2019/CD", "August", "Feb"),
        ("on/IN the/DT 31st/JJ of/IN March/NNP", "March", "April"),
        ("on/IN April/NNP the/DT thirtieth/JJ", "April", "February"),
    ],
)
def test_a_month_beside_a_day_does_not_become_a_shorter_one(date, month, shorter):
    assert months(date, month, shorter, "July") == (["July"], {"date": 1})


@pytest.mark.parametrize("date", ["in/IN August/NNP 2019/CD", "in/IN August/NNP", "in/IN August/NNP 45/CD times/NNS"])
def test_a_month_without_a_day_may_become_a_shorter_one(date):
    assert months(date, "August", "September", "July") == (["September", "July"], {})


def months(date, month, *others):
    """Which months pass the gate, the first being the best, and what was turned away."""
    tree = read_brackets(f"(S {' '.join('({1} {0})'.format(*each.rsplit('/', 1)) for each in date.split())})")
    start, gate = tree.text.index(month), SubstituteGate()
    end = start + len(month)
    candidates = [
        Substitute(
            Text(tree.text[:start] + word + tree.text[end:], "en"), start, end, word, 0.9 - at / 10, "co-hyponym"
        )
        for at, word in enumerate(others)
    ]
    return passed(gate, *candidates, slot=Slot(tree, start, end)), dict(gate.rejected)


def test_equal_slots_have_one_hash():
    twin = Slot(read_brackets("(S (NP (DT the) (NN bridge)) (VP (VBD fell)))"), 4, 10, count=3)
    assert (twin, hash(twin)) == (SLOT, hash(SLOT))
    assert len({SLOT, twin, Slot(TREE, 4, 10, count=2)}) == 2
