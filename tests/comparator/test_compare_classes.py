"""What only a fitted model goes by: a word's classes, its source word, and whether the other translation has it."""

from __future__ import annotations

from dataclasses import replace

from concord.comparator import compare, rule
from concord.comparator.differences import _presence
from concord.comparator.learned import features
from concord.comparator.word_classes import CLASSES, classes
from concord.comparator.words import Sentence
from concord.model import Text

SOURCE = Text("the dog sees 7 red house", "en")


def left(output, other, aligned):
    """The words in which two translations of one sentence differ, by their spelling."""
    return {word.word: word for word in compare(SOURCE, SOURCE, Text(output, "es"), Text(other, "es"), aligned).words}


def there(word, text, lang):
    return _presence(word, Sentence.from_text(Text(text, lang)))


def test_an_english_word_has_all_the_classes_that_it_can_have():
    assert classes("quickly", "en-GB") == {"adverb"}
    assert classes("Work", "en") == {"noun", "verb"}
    assert classes("red", "en") >= {"adjective", "noun"}


def test_other_languages_and_unknown_words_have_no_classes():
    assert classes("rojo", "es") == classes("红", "zh") == classes("xqzt", "en") == frozenset()


def test_a_left_over_word_tells_whether_its_source_word_is_a_function_word(aligned):
    found = left("el perro ve 7 casa rojo", "perro ve 7 rojo", aligned)
    assert {word: each.of_function for word, each in found.items()} == {"el": True, "casa": False}


def test_a_word_without_a_source_word_is_not_one_of_a_function_word(aligned):
    assert not left("el perro ve 7 casa rojo", "el perro ve 7 casa rojo marciano", aligned)["marciano"].of_function


def test_a_word_is_there_in_any_form_but_not_as_a_part_of_another():
    assert there("books", "the old book", "en") == there("Book", "the old book", "en") == 1.0
    assert there("he", "the old book", "en") == 0.0


def test_without_blanks_the_share_of_characters_is_there():
    assert [there(word, "新书店", "zh") for word in ("书", "旧书", "旧")] == [1.0, 0.5, 0.0]


def test_a_copy_too_many_is_there_and_a_wrong_word_is_not(aligned):
    found = left("el perro ve 7 casa rojo", "el perro ve 7 perro banco", aligned)
    assert {word: each.present for word, each in found.items()} == {"casa": 0, "rojo": 0, "perro": 1, "banco": 0}


def test_the_rule_does_not_go_by_them_but_a_fitted_model_does(aligned):
    word = left("el perro ve 7 casa rojo", "el perro ve 7 rojo", aligned)["casa"]
    for told in ({"of_function": True}, {"present": 0.5}, *({"classes": frozenset({name})} for name in CLASSES)):
        other = replace(word, **told)
        assert rule.suspicion(other) == rule.suspicion(word)
        assert features([other]) != features([word])
