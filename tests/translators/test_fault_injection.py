"""One fault in one answer: what each kind does to a text, and what its note says."""

from __future__ import annotations

import doctest
import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import UnknownName
from concord.model import Noted
from concord.translators import _fault_injection as faulty
from concord.translators._fault_injection import FAULTS, NEGATION, UNRELATED_WORDS, inject

CHINESE = "我昨天买了3本书，今天很开心。"


def made(kind, answer, lang="en", seed=0, source="el texto"):
    return inject(kind, answer, lang, random.Random(seed), source)


WORDS = [
    "The",
    "old",
    "captain",
    "did",
    "not",
    "sell",
    "25",
    "ships,",
    "(slowly)",
    "«people»",
    "never",
    "3.5%",
    "İ",
    "ß!",
]
words = st.sampled_from(WORDS)
sentences = st.lists(words, max_size=12).map(" ".join)
languages = st.sampled_from([*NEGATION, "zh", "ja", "zh-Hant", "hi", "xx"])


@settings(deadline=None)
@given(st.sampled_from([*FAULTS, "any"]), sentences | st.text(), languages, st.integers(), st.text())
def test_a_fault_changes_the_text_and_its_note_says_how(kind, answer, lang, seed, source):
    wrong = made(kind, answer, lang, seed, source)
    if wrong is None:
        return
    note = wrong.note
    start, end = note["at"]
    assert wrong.split() != answer.split()
    assert wrong.strip()
    assert note["clean"] == answer
    assert 0 <= start <= end <= len(wrong)
    assert wrong[:start] + note["was"] + wrong[end:] == answer
    assert note["fault"] in (FAULTS if kind == "any" else {kind})
    assert json.loads(json.dumps(note)) == note


@settings(deadline=None)
@given(st.sampled_from([*FAULTS, "any"]), sentences, languages, st.integers())
def test_the_same_draw_makes_the_same_fault(kind, answer, lang, seed):
    assert made(kind, answer, lang, seed) == made(kind, answer, lang, seed)


@pytest.mark.parametrize("kind", [*FAULTS, "any"])
@pytest.mark.parametrize("seed", range(20))
def test_every_kind_applies_to_an_ordinary_sentence(kind, seed):
    assert made(kind, "The captain did not sell 25 ships yesterday.", seed=seed) is not None


@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind != "lose_negation"])
@pytest.mark.parametrize("lang", ["zh", "zh-Hant", "ja"])
def test_text_without_spaces_is_cut_by_characters(kind, lang):
    wrong = made(kind, CHINESE, lang)
    assert wrong is not None
    assert " " not in wrong.replace("el texto", "")
    assert len(CHINESE) / 2 <= len(wrong.replace("el texto", CHINESE)) <= len(CHINESE) * 1.5


@pytest.mark.parametrize("seed", range(20))
def test_a_dropped_word_takes_its_space_and_leaves_the_punctuation(seed):
    answer = "Yesterday, the captain (slowly) sold ships."
    wrong = made("drop_word", answer, seed=seed)
    assert wrong is not None
    assert "  " not in wrong
    assert wrong[-1] == "."
    assert len(re.findall(r"\w+", wrong)) == 5
    assert sorted(re.findall(r"[^\w\s]", wrong)) == sorted(re.findall(r"[^\w\s]", answer))


def test_a_sentence_that_loses_its_first_word_keeps_its_capital():
    found = {str(made("drop_word", "Captains sleep.", seed=seed)) for seed in range(20)}
    assert found == {"Sleep.", "Captains."}


@pytest.mark.parametrize("seed", range(20))
def test_a_dropped_phrase_is_two_to_four_words_and_at_most_half(seed):
    wrong = made("drop_phrase", "one two three four five six seven eight nine ten", seed=seed)
    assert wrong is not None
    assert 6 <= len(wrong.split()) <= 8
    short = made("drop_phrase", "one two three four", seed=seed)
    assert short is not None
    assert len(short.split()) == 2


@pytest.mark.parametrize("seed", range(20))
def test_a_repeated_phrase_stands_twice_side_by_side(seed):
    wrong = made("repeat_phrase", "one two three four five", seed=seed)
    assert wrong is not None
    start, end = wrong.note["at"]
    again = wrong[start:end]
    assert len(again.split()) in (1, 2, 3)
    assert len(wrong.split()) == 5 + len(again.split())
    assert wrong[:start].endswith(again.strip())
    assert wrong[:start] + wrong[end:] == "one two three four five"


@pytest.mark.parametrize("lang", sorted(UNRELATED_WORDS))
def test_a_wrong_word_is_another_word_of_the_language(lang):
    for seed in range(20):
        wrong = made("wrong_word", CHINESE if lang in ("zh", "ja") else "Captains sold SHIPS slowly", lang, seed)
        assert wrong is not None
        start, end = wrong.note["at"]
        assert wrong[start:end].casefold() in {word.casefold() for word in UNRELATED_WORDS[lang]}
        assert wrong[start:end].casefold() != wrong.note["was"].casefold()
        assert wrong[start:end][0].isupper() or not wrong.note["was"][0].isupper()
        assert wrong[start:end].isupper() or wrong.note["was"] != "SHIPS"


def test_a_wrong_word_in_another_language_comes_from_the_sentence():
    assert made("wrong_word", "laiva laiva", "fi") is None
    found = {str(made("wrong_word", "laiva meri", "fi", seed)) for seed in range(20)}
    assert found == {"meri meri", "laiva laiva"}


@settings(deadline=None)
@given(st.from_regex(r"[a-z ]{0,5}[0-9]{1,6}([.,][0-9]{1,3})?[a-z ]{0,5}", fullmatch=True), st.integers())
def test_a_changed_number_has_another_value_and_as_many_digits(answer, seed):
    wrong = made("change_number", answer, seed=seed)
    assert wrong is not None
    old, new = re.findall("[0-9]+", answer), re.findall("[0-9]+", wrong)
    assert sum(int(a) != int(b) for a, b in zip(old, new, strict=True)) == 1
    assert [len(number) for number in old] == [len(number) for number in new]
    assert re.sub("[0-9]", "", wrong) == re.sub("[0-9]", "", answer)


def test_a_changed_number_does_not_begin_with_nought():
    found = {str(made("change_number", "10", seed=seed)) for seed in range(200)}
    assert found == {f"{tens}0" for tens in range(2, 10)} | {f"1{ones}" for ones in range(1, 10)}


def test_a_number_stays_in_its_script():
    wrong = made("change_number", "٣ كتب", "ar")
    assert wrong is not None
    assert wrong[0] in "٠١٢٣٤٥٦٧٨٩"
    assert wrong[0] != "٣"


@pytest.mark.parametrize(
    ("lang", "answer", "without"),
    [
        ("en", "He is not here.", "He is here."),
        ("en", "Not all came.", "All came."),
        ("en", "She doesn't know.", "She does know."),
        ("en", "I won’t go.", "I will go."),
        ("en", "It cannot be.", "It can be."),
        ("en", "Can't you?", "Can you?"),
        ("en", "I never said so.", "I said so."),
        ("en", "There is no proof.", "There is proof."),
        ("es", "El gato no duerme.", "El gato duerme."),
        ("es", "¿No lo sabes?", "¿Lo sabes?"),
        ("es", "Nunca viene.", "Viene."),
        ("ca", "El gat no dorm.", "El gat dorm."),
        ("gl", "O gato non dorme.", "O gato dorme."),
        ("pt", "O gato não dorme.", "O gato dorme."),
        ("pt-BR", "Não vem.", "Vem."),
        ("it", "Il gatto non dorme.", "Il gatto dorme."),
        ("eo", "La kato ne dormas.", "La kato dormas."),
        ("fr", "Il ne vient pas.", "Il vient."),
        ("fr", "Il ne passe plus.", "Il passe."),
        ("fr", "Je n'ai pas vu.", "J'ai vu."),
        ("fr", "Ce n’est pas vrai.", "C’est vrai."),
        ("fr", "Il n'est pas là.", "Il est là."),
        ("fr", "Je ne l'ai jamais vu.", "Je l'ai vu."),
        ("fr", "Il ne me le dit pas.", "Il me le dit."),
        ("fr", "Ne pas fumer ici.", "Fumer ici."),
        ("de", "Er kommt nicht.", "Er kommt."),
        ("de", "Das ist kein Hund.", "Das ist ein Hund."),
        ("de", "Keine Katze schläft.", "Eine Katze schläft."),
    ],
)
def test_a_lost_negation_leaves_the_opposite(lang, answer, without):
    assert made("lose_negation", answer, lang) == without


@pytest.mark.parametrize(
    ("lang", "answer"),
    [
        ("en", "He is here."),
        ("en", "No, thanks."),
        ("en", "Whether or not it rains, we go."),
        ("en", "Not only he came."),
        ("en", "A knot is nothing."),
        ("es", "No viene nadie."),
        ("es", "No viene nunca."),
        ("es", "No, gracias."),
        ("es", "No obstante, viene."),
        ("ca", "No ve mai."),
        ("gl", "Non vén ninguén."),
        ("pt", "Não vem ninguém."),
        ("it", "Non viene nessuno."),
        ("eo", "Neniu venas, ne venas."),
        ("fr", "Il ne vient que demain."),
        ("fr", "Il n'y a rien."),
        ("de", "Nicht nur er kommt."),
        ("fi", "En tule."),
    ],
)
def test_where_no_negation_can_be_lost_cleanly_nothing_is_done(lang, answer):
    assert made("lose_negation", answer, lang) is None


def test_swapped_words_are_the_same_words():
    for seed in range(20):
        wrong = made("swap_order", "One, two (three) four.", seed=seed)
        assert wrong is not None
        assert sorted(re.findall(r"\w+", wrong)) == sorted(["One", "two", "three", "four"])
        assert re.sub(r"\w+", "", wrong) == ",  () ."
    assert made("swap_order", "ha ha Ha") is None


def test_a_copied_source_is_the_source():
    wrong = made("copy_source", "La casa.", source="The house.")
    assert wrong == "The house."
    assert made("copy_source", "Oslo", source="Oslo") is None
    assert made("copy_source", "Oslo", source=" ") is None


@pytest.mark.parametrize("kind", [*FAULTS, "any"])
def test_an_answer_without_words_is_left_alone(kind):
    for answer in ("", " ", "...", "—!"):
        assert made(kind, answer, source=answer) is None


def test_an_earlier_note_is_kept():
    wrong = made("change_number", Noted("3 ships", {"model": "x"}))
    assert wrong is not None
    assert wrong.note["model"] == "x"
    assert type(wrong.note["clean"]) is str


def test_any_makes_every_kind_of_fault():
    found = [made("any", "The captain did not sell 25 ships.", seed=seed) for seed in range(200)]
    assert {wrong.note["fault"] for wrong in found if wrong} == set(FAULTS)


def test_a_kind_that_is_none_is_told():
    with pytest.raises(UnknownName, match="Did you mean 'drop_word'"):
        made("drop_words", "x")


def test_the_examples_in_the_documentation_hold():
    assert doctest.testmod(faulty) == doctest.TestResults(failed=0, attempted=2)
