"""A difference that the sources explain is none; any other is blamed on its word, with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.comparator import Evidence, align, compare
from concord.comparator.rule import weight
from concord.comparator.words import value
from concord.language.align.model import LONGEST
from concord.model import Text
from concord.relations._judgement import DEFAULT_THRESHOLD


def en(words):
    return Text(words, "en")


def es(words):
    return Text(words, "es")


SOURCE = en("the dog sees 7 red house")
OUTPUT = es("el perro ve 7 casa rojo")


def found(follow_up, follow_up_output, aligned, source=SOURCE, output=OUTPUT):
    return compare(source, en(follow_up), output, es(follow_up_output), aligned)


def test_a_word_that_was_exchanged_explains_its_translation(aligned):
    seen = found("the dog sees 7 red tree", "el perro ve 7 árbol rojo", aligned)
    assert seen.suspicion < 0.02
    assert {word.word for word in seen.words} == {"casa", "árbol"}
    assert seen.blames == ()


def test_equal_translations_are_not_suspicious(aligned):
    assert found(SOURCE.words, OUTPUT.words, aligned).suspicion == 0


FAULTS = [
    ("el perro ve 7 árbol verde", "verde", "red", "mistranslation"),
    ("el perro ve 7 árbol", "rojo", "red", "omission"),
    ("el perro ve 15 árbol rojo", "15", "7", "number"),
    ("el perro nunca ve 7 árbol rojo", "nunca", "", "negation"),
    ("el perro ve 7 árbol rojo marciano", "marciano", "", "addition"),
]


# In this world every word is common, which makes all of them less suspicious than words are elsewhere.
@pytest.mark.parametrize(("fault", "least"), list(zip(FAULTS, (0.25, 0.2, 0.4, 0.1, 0.05), strict=True)))
def test_what_no_change_explains_is_blamed(aligned, fault, least):
    output, word, source_word, why = fault
    seen = found("the dog sees 7 red tree", output, aligned)
    blame = next(each for each in seen.blames if each.word == word)
    assert (blame.source_word, blame.why) == (source_word, why)
    assert least < seen.suspicion < DEFAULT_THRESHOLD
    text = OUTPUT.words if blame.side == "source" else output
    assert text[blame.start : blame.end] == word


@pytest.mark.parametrize(
    ("output", "why", "least"),
    [
        ("el perro ve 7 casa verde", "mistranslation", DEFAULT_THRESHOLD),
        ("el perro ve 7 casa", "omission", DEFAULT_THRESHOLD),
        ("el perro ve 15 casa rojo", "number", DEFAULT_THRESHOLD),
        ("el perro ve 7 casa rojo marciano", "addition", 0.45),
        ("el perro nunca ve 7 casa rojo", "negation", 0.1),
    ],
)
def test_without_a_change_most_faults_are_above_the_default_threshold(aligned, output, why, least):
    seen = found(SOURCE.words, output, aligned)
    assert seen.blames[0].why == why
    assert seen.suspicion > least


def test_a_change_that_no_translation_shows_is_not_judged(aligned):
    seen = found("the dog sees 7 red tree", OUTPUT.words, aligned)
    assert (seen.suspicion, seen.blames, seen.words) == (0, (), ())


def test_a_number_may_be_in_digits_or_in_words(aligned):
    spelt = found("the dog sees 7 red tree", "el perro ve siete árbol rojo", aligned)
    assert spelt.suspicion < 0.01
    assert spelt.blames == ()
    other = found("the dog sees 7 red tree", "el perro ve ocho árbol rojo", aligned)
    assert other.suspicion > 0.4
    assert {blame.word for blame in other.blames} == {"7", "ocho"}


def test_a_number_in_words_is_blamed_on_the_source_word_that_says_it(aligned):
    (blame,) = found(SOURCE.words, "el perro ve 7 casa rojo siete", aligned).blames
    assert (blame.word, blame.source_word, blame.counterpart, blame.why) == ("siete", "7", "", "number")


def test_a_negation_weighs_as_much_as_any_other_word(aligned):
    (word,) = found(SOURCE.words, "el perro no ve 7 casa rojo", aligned).words
    assert (word.function, word.negation) == (True, True)
    assert weight(word) == weight(replace(word, function=False)) == 2 * weight(replace(word, negation=False))


def test_a_mistranslation_names_its_counterpart_and_where_it_stands(aligned):
    output = "el perro ve 7 árbol verde"
    seen = found("the dog sees 7 red tree", output, aligned)
    blame = next(each for each in seen.blames if each.word == "rojo")
    assert blame.counterpart == "verde"
    assert output[slice(*blame.counterpart_span)] == "verde"


def test_a_word_left_in_the_script_of_the_source_is_untranslated(aligned):
    model = align([(source, Text("собака видит дом", "ru")) for source, _ in aligned.sides])
    texts = en("the dog sees the garden"), Text("собака видит garden", "ru"), Text("собака видит сад", "ru")
    seen = compare(texts[0], texts[0], texts[1], texts[2], model)
    assert {blame.word: blame.why for blame in seen.blames}["garden"] == "untranslated"


def test_a_clause_that_was_added_explains_its_translation(aligned):
    seen = compare(
        SOURCE, en(SOURCE.words + " the friend wants 2 black book"),
        OUTPUT, es(OUTPUT.words + " el amigo quiere 2 libro negro"), aligned,
    )  # fmt: skip
    assert seen.suspicion < 0.05


def test_a_phrase_alone_is_compared_with_the_sentence_that_it_came_from(aligned):
    right = compare(SOURCE, en("7 red house"), OUTPUT, es("7 casa rojo"), aligned)
    wrong = compare(SOURCE, en("7 red house"), OUTPUT, es("7 banco rojo"), aligned)
    assert right.suspicion < 0.1 < wrong.suspicion


def test_nothing_explains_the_differences_of_a_round_trip(aligned):
    seen = compare(SOURCE, SOURCE, OUTPUT, es("el perro ve 7 banco rojo"), aligned)
    assert {blame.word for blame in seen.blames} == {"casa", "banco"}
    assert seen.suspicion > 0.3


def test_a_number_may_be_written_with_a_sign_or_a_word(aligned):
    seen = compare(SOURCE, SOURCE, es("el 42 perro"), es("el 42% perro"), aligned)
    assert seen.suspicion == 0


def test_a_word_that_nobody_has_met_is_explained_by_what_stands_in_its_place(aligned):
    output = es("el perro ve 7 zzz rojo")
    known = found("the dog sees 7 red garden", "el perro ve 7 jardín rojo", aligned, output=output)
    assert known.suspicion < 0.2
    unknown = found("the dog sees 7 red qqq", "el perro ve 7 xxx rojo", aligned, output=output)
    assert unknown.suspicion < 0.5


def test_what_stands_elsewhere_than_the_change_is_not_explained_by_it(aligned):
    elsewhere = found("the dog sees 7 red garden", "el zzz ve 7 jardín rojo", aligned)
    assert elsewhere.suspicion > 0.5
    assert elsewhere.blames[0].word in {"perro", "zzz"}


def test_a_phrase_of_its_sentence_exchanges_nothing(aligned):
    assert found("7 red house", "7 zzz rojo", aligned).suspicion > 0.5


@pytest.mark.parametrize(
    ("lang", "one", "other", "same"),
    [
        ("es", "1,5", "15", False),
        ("es", "1,5", "1.5", True),
        ("es", "1.500", "1500", True),
        ("en", "1,500", "1500", True),
        ("en", "1.500", "1500", False),
        ("en", "2.50", "2.5", True),
        ("en", "$3,000.50", "3000.5", True),
        ("en", "-5", "5", False),
        ("en", "10:30", "10/30", False),
        ("en", "1.2.3", "1.23", False),
        ("zh", "２５", "25", True),
        ("ar", "٢٥", "٢٦", False),
        ("und", "1.234", "1234", False),
    ],
)
def test_a_number_is_what_its_language_reads_in_it(lang, one, other, same):
    assert (value(one, lang) == value(other, lang)) is same


def test_sides_can_be_exchanged(aligned):
    follow_up, output = en("the dog sees 7 red tree"), es("el perro ve 7 árbol verde")
    there = compare(SOURCE, follow_up, OUTPUT, output, aligned)
    back = compare(follow_up, SOURCE, output, OUTPUT, aligned)
    assert there.suspicion == pytest.approx(back.suspicion, abs=1e-6)
    assert {each.word for each in there.blames} == {each.word for each in back.blames}


def test_a_moved_word_is_marked_as_reordered_and_hardly_suspicious(aligned):
    seen = compare(SOURCE, SOURCE, OUTPUT, es("rojo el perro ve 7 casa"), aligned)
    assert seen.suspicion < 0.1
    assert all(blame.why == "reordered" for blame in seen.blames)


def test_the_rest_of_a_run_does_not_matter_to_a_known_pair(aligned):
    assert aligned.side(SOURCE, OUTPUT).says.shape == (6, 6)
    known = next(iter(aligned.sides))
    assert aligned.side(*known) is aligned.sides[known]


@pytest.mark.parametrize("empty", ["", "   ", "!?"])
def test_texts_without_words_are_compared_too(aligned, empty):
    gone = compare(SOURCE, en(empty), OUTPUT, es(empty), aligned)
    assert gone.suspicion < 0.001
    assert (gone.blames, [word.word for word in gone.words]) == ((), OUTPUT.words.split())
    assert compare(SOURCE, SOURCE, OUTPUT, es(empty), aligned).suspicion > 0.9
    assert compare(en(empty), en(empty), es(empty), es(empty), aligned).suspicion == 0


def test_endless_texts_are_judged_by_their_beginning(aligned):
    one, other = (es(" ".join(f"{letter}{number}x" for number in range(3000))) for letter in "ab")
    seen = compare(SOURCE, SOURCE, one, other, aligned)
    assert len(seen.words) == 500
    assert seen.suspicion > 0.99


def test_what_stands_behind_the_beginning_of_endless_texts_has_no_links(aligned):
    source, output = en("dog " * 300), es("perro " * 600)
    side = aligned.side(source, output)
    assert side.says.shape == side.says_back.shape == (LONGEST, LONGEST)
    assert side.link(0, LONGEST) == side.link(LONGEST, 0) == 0
    assert len(side.said_by(range(300))) == len(side.surest()) == 600
    assert side.surest()[0] > 0
    assert not side.surest()[LONGEST:].any()
    assert not side.of_source(299).any()
    assert not side.of_output(599).any()


PERFECT = [
    ("the dog sees 7 red tree", "el perro ve 7 árbol rojo"),
    ("the friend sees 7 red tree", "el amigo ve 7 árbol rojo"),
    ("the friend sees 7 green tree", "el amigo ve 7 árbol verde"),
]


@pytest.mark.parametrize("pairs", [0, 1])
@pytest.mark.parametrize("pair", PERFECT)
def test_what_has_learnt_next_to_nothing_does_not_flag_a_perfect_pair(world, pair, pairs):
    assert 0 < found(*pair, align(world[:pairs])).suspicion < DEFAULT_THRESHOLD


def test_what_has_learnt_nothing_is_less_sure_of_an_added_word(aligned):
    added = "el perro ve 7 casa rojo marciano"
    unsure, sure = (found(SOURCE.words, added, known).suspicion for known in (align([]), aligned))
    assert 0.1 < unsure < sure / 2


def test_no_pairs_at_all_have_the_languages_of_the_evidence():
    known = align([], Evidence(("en", "es")))
    assert known.model.langs == ("en", "es")
    assert found(SOURCE.words, "el perro ve siete casa rojo", known).suspicion < 0.05
    assert found(SOURCE.words, "el perro ve ocho casa rojo", known).suspicion > 0.3


TOKENS = ["el", "perro", "ve", "casa", "rojo", "7", "15%", "nunca", "banco", "xyz", ",", ".", "–", "’s"]
words = st.lists(st.sampled_from(TOKENS), max_size=7).map(" ".join)


@given(words, words, words, words)
def test_suspicion_is_always_a_share_and_blames_point_into_the_texts(aligned, one, two, three, four):
    seen = compare(en(one), en(two), es(three), es(four), aligned)
    assert 0 <= seen.suspicion <= 1
    assert bool(seen.words) >= bool(seen.suspicion)
    for blame in seen.blames:
        text = three if blame.side == "source" else four
        assert text[blame.start : blame.end] == blame.word
