"""The source word of a blamed word is told by both translations; where they leave it open, none is named."""

from __future__ import annotations

import numpy as np
import pytest

from concord.comparator.alignment import Side
from concord.comparator.blame import blamed
from concord.comparator.differences import Compared, LeftOver
from concord.comparator.source_words import names
from concord.comparator.word_classes import negations
from concord.comparator.words import Sentence, difference, is_number
from concord.language.stopwords import stop_words
from concord.model import Text

SOURCE, FOLLOW_UP = "the man in the blue coat waits", "the man in the green coat waits"
OUTPUT, OTHER = "el hombre en la capa azul espera", "el hombre en la capa verde espera"
RIGHT = {"hombre": "man", "espera": "waits", "en": "in"}


def side(source, output, links):
    """A side whose words are linked as told, each word of the translation to a source word."""
    one, other = Sentence.from_text(Text(source, "en")), Sentence.from_text(Text(output, "es"))
    says = np.zeros((len(one.tokens), len(other.tokens)), np.float32)
    for word, by in links.items():
        says[one.words.index(by), other.words.index(word)] = 1.0
    return Side(one, other, says, says)


def left(side, place, at):
    word = side.output.tokens[place].text
    return LeftOver(
        side=at, place=place, word=word, rarity=1, function=word in stop_words("es"), number=is_number(word),
        negation=word in negations("es"), changed_link=0, changed_word=0, changed_share=0, shared_link=0,
        shared_word=0, link=0, counterparts=(), covered=0, spaced=True, length=7, left=1, beside=0,
    )  # fmt: skip


def compared(one, other):
    sides = side(*one), side(*other)
    sources = difference(sides[0].source, sides[1].source)
    outputs = difference(sides[0].output, sides[1].output)
    words = [left(sides[at], place, at) for at in (0, 1) for place in outputs.own[at]]
    return Compared(sides, sources, outputs, tuple(words))


def named(one, other):
    """Of every left-over word its source word and what stands there instead, if they are told."""
    found = compared(one, other)
    told = names(found)
    made = {}
    for word in found.words:
        here, there = found.sides[word.side], found.sides[1 - word.side]
        source, instead = told.source(word), told.instead(word)
        made[word.word] = (
            "" if source is None else here.source.tokens[source].text,
            "" if instead is None else there.output.tokens[instead].text,
        )
    return made


def test_neighbours_that_the_alignment_exchanges_are_put_right_by_the_other_translation():
    wrong = {**RIGHT, "capa": "blue", "azul": "coat"}
    right = {**RIGHT, "capa": "coat", "verde": "green"}
    assert named((SOURCE, OUTPUT, wrong), (FOLLOW_UP, OTHER, right)) == {
        "azul": ("blue", "verde"),
        "verde": ("green", "azul"),
    }


def test_neighbours_that_are_exchanged_on_both_sides_are_put_right_too():
    wrong, as_wrong = {**RIGHT, "capa": "blue", "azul": "coat"}, {**RIGHT, "capa": "green"}
    found = named((SOURCE, OUTPUT, wrong), (FOLLOW_UP, OTHER, as_wrong))
    assert found == {"azul": ("blue", "verde"), "verde": ("green", "azul")}


def test_what_a_word_of_both_translations_says_is_no_source_of_another():
    right = {**RIGHT, "capa": "coat", "azul": "blue"}
    wrong = {**right, "marciana": "coat"}
    more = "el hombre en la capa marciana azul espera"
    assert named((SOURCE, OUTPUT, right), (SOURCE, more, wrong)) == {"marciana": ("", "")}


def test_a_word_that_the_other_translation_lacks_keeps_its_source_word():
    right = {**RIGHT, "capa": "coat", "azul": "blue"}
    less = "el hombre en la capa espera"
    assert named((SOURCE, OUTPUT, right), (SOURCE, less, {**RIGHT, "capa": "coat"})) == {"azul": ("blue", "")}


def test_other_words_for_a_shared_word_name_it_and_each_other():
    right, wrong = {**RIGHT, "capa": "coat", "azul": "blue"}, {**RIGHT, "capa": "coat"}
    found = named((SOURCE, OUTPUT, right), (SOURCE, OTHER, wrong))
    assert found == {"azul": ("blue", "verde"), "verde": ("blue", "azul")}


def test_a_lost_word_is_not_taken_for_a_change_that_is_said_by_one_word():
    same = {"hombre": "man", "en": "in", "capa": "coat", "espera": "waits", "azul": "blue"}
    one = (SOURCE, OUTPUT, same)
    other = (SOURCE.replace("coat", "cape"), "el hombre en la capa espera", {**RIGHT, "capa": "cape"})
    assert named(one, other) == {"azul": ("blue", "")}


def test_where_two_source_words_remain_none_is_named():
    one = ("the man in the blue coat waits", "el hombre zzz yyy", {"hombre": "man"})
    other = ("the man in the green hat waits", "el hombre xxx vvv", {"hombre": "man"})
    assert {source for source, _ in named(one, other).values()} == {""}


@pytest.mark.parametrize(
    ("source", "output", "word", "of"),
    [
        ("the firms cannot wait", "las empresas no esperan", "no", "cannot"),
        ("the firms wait 90 days", "las empresas esperan 90 días", "90", "90"),
        ("the firms wait two days", "las empresas esperan 2 días", "2", "two"),
    ],
)
def test_a_negation_or_a_number_is_said_by_one_whatever_the_alignment_holds(source, output, word, of):
    phrase = ("the firms", "las empresas", {"empresas": "firms"})
    assert named((source, output, {word: "firms"}), phrase)[word] == (of, "")


def test_a_blame_says_where_the_source_word_and_the_counterpart_stand():
    wrong = {**RIGHT, "capa": "blue", "azul": "coat"}
    right = {**RIGHT, "capa": "coat", "verde": "green"}
    one, other = blamed(compared((SOURCE, OUTPUT, wrong), (FOLLOW_UP, OTHER, right)), [0.5, 0.4])
    assert (OUTPUT[one.start : one.end], SOURCE[slice(*one.source_span)]) == ("azul", "blue")
    assert OTHER[slice(*one.counterpart_span)] == "verde"
    assert (other.side, FOLLOW_UP[slice(*other.source_span)]) == ("follow_up", "green")
