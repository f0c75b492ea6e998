"""A second copy of a word needs a second counterpart, and a word's place counts where the run keeps its order."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from concord.comparator import align, compare
from concord.comparator.alignment import IN_ORDER
from concord.comparator.rule import LOOSE, misplaced
from concord.model import Text

SOURCE = Text("the dog sees 7 red house", "en")
OUTPUT = Text("el perro ve 7 casa rojo", "es")
WORDS = {
    "anna": "ana", "peter": "pedro", "maria": "marina", "sells": "vende", "paints": "pinta", "breaks": "rompe",
    "tables": "mesas", "chairs": "sillas", "lamps": "faroles", "today": "hoy", "often": "siempre", "here": "aqui",
}  # fmt: skip


def es(words):
    return Text(words, "es")


def seen(output, aligned, source=SOURCE):
    return compare(SOURCE, source, OUTPUT, es(output), aligned)


@pytest.fixture(scope="module")
def monotone():
    """Translations word by word, in the order of their sources."""
    rng, rows = random.Random(2), [list(WORDS)[start : start + 3] for start in range(0, len(WORDS), 3)]
    texts = [[rng.choice(row) for row in rows] for _ in range(120)]
    return align([(Text(" ".join(text), "en"), es(" ".join(WORDS[word] for word in text))) for text in texts])


@pytest.mark.parametrize("output", ["el perro perro ve 7 casa rojo", "el perro ve 7 el perro ve 7 casa rojo"])
def test_what_is_said_twice_at_once_is_suspicious_and_blamed_as_repeated(aligned, output):
    found = seen(output, aligned)
    assert found.suspicion > 0.5
    assert {blame.why for blame in found.blames} == {"repeated"}
    assert all(blame.side == "follow_up" for blame in found.blames)


def test_no_change_of_the_text_explains_what_is_said_twice_at_once(aligned):
    found = seen("el perro ve 7 árbol árbol rojo", aligned, Text("the dog sees 7 red tree", "en"))
    assert [(blame.word, blame.why) for blame in found.blames] == [("árbol", "repeated")]


def test_a_text_that_repeats_itself_may_be_translated_so(aligned):
    twice = Text("the dog dog sees 7 red house", "en")
    assert not any(word.again for word in seen("el perro perro ve 7 casa rojo", aligned, twice).words)


def test_a_row_that_both_translations_say_twice_is_no_difference(aligned):
    output = es("el perro ve muy muy rojo")
    longer = es("el perro ve la casa muy muy rojo")
    assert not any(word.again for word in compare(SOURCE, SOURCE, output, longer, aligned).words)


def test_words_with_a_mark_between_are_not_said_twice_at_once(aligned):
    assert not any(word.again for word in seen("el perro, perro ve 7 casa rojo", aligned).words)


def test_a_second_copy_elsewhere_is_not_excused_by_the_first(aligned):
    found = seen("el perro ve 7 casa rojo perro", aligned)
    (word,) = found.words
    assert (word.word, word.copy, word.again, word.like) == ("perro", True, False, 0.0)
    assert found.suspicion > 0.1


def test_a_word_that_is_only_elsewhere_is_no_copy(aligned):
    words = seen("rojo el perro ve 7 casa", aligned).words
    assert words
    assert not any(word.copy for word in words)


def test_two_copies_for_two_are_counterparts_of_each_other(aligned):
    one, other = es("el perro ve perro casa"), es("perro casa ve el perro")
    assert not any(word.copy for word in compare(SOURCE, SOURCE, one, other, aligned).words)


def test_a_run_knows_how_far_it_keeps_the_order_of_its_texts(monotone, aligned):
    assert monotone.in_order > 0.9 > aligned.in_order
    assert align([]).in_order == IN_ORDER


def test_a_crossed_link_is_suspicious_where_links_do_not_cross(monotone):
    source, output = Text("anna sells lamps today", "en"), es("ana vende faroles hoy")
    found = compare(source, source, output, es("ana faroles vende hoy"), monotone)
    assert {blame.why for blame in found.blames} == {"reordered"}
    worst = found.blames[0]
    assert (worst.side, worst.suspicion > 0.2) == ("follow_up", True)
    assert max(word.crossed for word in found.words if word.side == 0) == 0
    assert max(word.crossed for word in found.words if word.side == 1) > 0.5


def test_the_same_move_means_next_to_nothing_where_links_cross_all_the_time(monotone):
    loose = replace(monotone, in_order=LOOSE)
    source, output = Text("anna sells lamps today", "en"), es("ana vende faroles hoy")
    found = compare(source, source, output, es("ana faroles vende hoy"), loose)
    assert found.words
    assert found.suspicion < 0.05


def test_a_word_that_has_not_moved_is_not_misplaced(aligned):
    (word,) = (each for each in seen("el perro ve 7 casa verde", aligned).words if each.word == "verde")
    assert misplaced(word) == 0


def test_a_moved_word_has_jumped_over_what_stands_between(monotone):
    source, output = Text("anna sells lamps today", "en"), es("ana vende faroles hoy")
    found = compare(source, source, output, es("hoy ana vende faroles"), monotone)
    assert {(word.word, word.jumped) for word in found.words} == {("hoy", 3)}
