"""A substitute fits its place: same tag, natural, no variant; what cannot be replaced is left alone."""

from __future__ import annotations

import random

import pytest

from concord import plugins
from concord.errors import Refused
from concord.language.english.lexicon import lexicon
from concord.language.substitutes import KINDS, NATURAL, Slot
from concord.language.substitutes._numbers import other_numbers
from concord.language.substitutes._ranker import NearForms
from concord.language.substitutes._word_vectors import word_vectors
from concord.language.substitutes.lexicon import Substitutes
from concord.language.trees import read_brackets
from concord.model import Text

BRIDGE = "(S (NP (DT The) (JJ old) (NN bridge)) (VP (VBD was) (VP (VBN closed))) (. .))", "The old bridge was closed."


def tree(brackets, original=None):
    return read_brackets(brackets, original)


def flat(tagged):
    """A flat tree of word/TAG pairs."""
    return tree(
        "(S " + " ".join(f"({tag} {word})" for word, tag in (pair.rsplit("/", 1) for pair in tagged.split())) + ")"
    )


def slot(parsed, word, **options):
    start = parsed.text.index(word)
    return Slot(parsed, start, start + len(word), **{"kinds": KINDS, **options})


def found(parsed, word, *, similarity=0.5, **options):
    (answer,) = Substitutes(least=similarity).substitutes([slot(parsed, word, **options)])
    return answer


def words(answer):
    return [each.word for each in answer]


def near(word, tag):
    known = lexicon()
    return [known.form(known.shelf(tag), row) for form in known.forms(word, tag) for row in NearForms(known, form).rows]


def test_a_word_is_replaced_in_its_sentence():
    parsed = tree(*BRIDGE)
    answer = found(parsed, "bridge", count=4)
    assert 0 < len(answer) <= 4
    for each in answer:
        assert each.text == Text(f"The old {each.word} was closed.", "en")
        assert parsed.text[each.start : each.end] == "bridge"
        assert 0 <= each.score <= 1
        assert each.kind in KINDS
    assert [each.score for each in answer] == sorted((each.score for each in answer), reverse=True)


def test_a_higher_similarity_gives_a_part_of_what_a_lower_one_gives():
    parsed = tree(*BRIDGE)
    few, many = (set(words(found(parsed, "bridge", count=50, similarity=least))) for least in (0.8, 0.5))
    assert few < many


def test_a_substitute_is_inflected_like_the_word():
    answer = found(flat("Two/CD villages/NNS were/VBD evacuated/VBN ./."), "villages", count=9)
    assert answer
    assert all(lexicon().forms(word, "NNS") for word in words(answer))


def test_a_substitute_has_the_case_of_the_word():
    title = words(found(flat("Villages/NNS were/VBD lost/VBN ./."), "Villages"))
    upper = words(found(flat("VILLAGES/NNS were/VBD lost/VBN ./."), "VILLAGES"))
    assert title
    assert all(word.istitle() for word in title)
    assert all(word.isupper() for word in upper)


def test_the_article_before_it_is_repaired():
    parsed = flat("She/PRP saw/VBD a/DT museum/NN there/RB ./.")
    sentences = {each.word: each.text.words for each in found(parsed, "museum", count=50, similarity=0.3)}
    assert sentences["archive"] == "She saw an archive there ."
    assert sentences["gallery"] == "She saw a gallery there ."


def test_no_substitute_is_a_variant_of_the_word():
    parsed = flat("It/PRP rose/VBD by/IN several/JJ metres/NNS ./.")
    answer = words(found(parsed, "metres", count=50, similarity=0.0))
    assert answer
    assert not {"metre", "meters", "metres"} & set(answer)


def test_no_substitute_repeats_a_word_of_the_sentence():
    parsed = flat("They/PRP sold/VBD towns/NNS and/CC villages/NNS ./.")
    assert "towns" not in words(found(parsed, "villages", count=50, similarity=0.0))


def test_a_verb_takes_what_follows_it():
    parsed = flat("The/DT village/NN was/VBD evacuated/VBN ./.")
    assert "arrived" in words(near("evacuated", "VBN"))
    answer = words(found(parsed, "evacuated", count=80, similarity=0.0))
    assert "rescued" in answer
    assert "arrived" not in answer
    assert "purchase" in words(found(flat("Did/VBD you/PRP buy/VB the/DT milk/NN ?/."), "buy"))


@pytest.mark.parametrize("tagged", ["She/PRP needed/VBD advice/NN ./.", "He/PRP drank/VBD milk/NN ./."])
def test_a_bare_noun_is_replaced_by_one_that_needs_no_article(tagged):
    word = tagged.split()[2].split("/")[0]
    rejected = Substitutes(least=0.0)
    rejected.substitutes([slot(flat(tagged), word, count=50)])
    assert rejected.rejected["countability"] > 0


@pytest.mark.parametrize(
    ("tagged", "word"),
    [
        ("We/PRP saw/VBD it/PRP last/JJ night/NN ./.", "night"),
        ("It/PRP appears/VBZ twice/RB a/DT week/NN ./.", "week"),
        ("The/DT monthly/JJ payment/NN rose/VBD ./.", "monthly"),
    ],
)
def test_times_that_a_sentence_reckons_with_are_left_alone(tagged, word):
    source = Substitutes(least=0.0)
    assert source.substitutes([slot(flat(tagged), word)]) == [[]]
    assert source.rejected == {"measure": 1}


def test_a_time_stands_for_nothing_else():
    parsed = flat("They/PRP enjoyed/VBD the/DT winter/NN ./.")
    answer = words(found(parsed, "winter", count=80, similarity=0.0))
    assert "summer" in answer
    assert not {"weekend", "morning", "season"} & set(answer)
    assert "weekend" in words(near("winter", "NN"))


def test_a_person_is_replaced_by_persons_and_a_thing_by_things():
    parsed = flat("The/DT passengers/NNS waited/VBD for/IN the/DT bus/NN ./.")
    assert "planes" in words(near("passengers", "NNS"))
    assert not {"planes", "flights"} & set(words(found(parsed, "passengers", count=80, similarity=0.0)))
    assert not {"driver", "passenger"} & set(words(found(parsed, "bus", count=80, similarity=0.0)))


def test_a_word_that_suits_the_rest_of_the_sentence_scores_higher():
    law = flat("The/DT landlord/NN and/CC the/DT tenant/NN signed/VBD the/DT lease/NN ./.")
    alone = flat("They/PRP did/VBD see/VB the/DT lease/NN ./.")
    with_law, without = (
        {each.word: each.score for each in found(parsed, "lease", count=80, similarity=0.0)} for parsed in (law, alone)
    )
    assert with_law["concession"] < without["concession"]


def test_a_name_is_replaced_by_names_of_its_kind_alone():
    parsed = flat("She/PRP left/VBD Portugal/NNP on/IN Tuesday/NNP ./.")
    assert set(words(found(parsed, "Tuesday", count=9))) <= {
        "Monday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    }
    assert {"Spain", "Italy"} <= set(words(found(parsed, "Portugal", count=9)))
    assert "Lisbon" not in words(found(parsed, "Portugal", count=50, similarity=0.0))


def test_given_names_keep_their_sex():
    parsed = flat("I/PRP saw/VBD Lucy/NNP ./.")
    answer = words(found(parsed, "Lucy", count=50))
    assert "Alice" in answer
    assert not {"Peter", "John", "London"} & set(answer)


@pytest.mark.parametrize(
    ("tagged", "word", "reason"),
    [
        ("Nobody/NN saw/VBD the/DT freight/NN train/NN ./.", "train", "fixed expression"),
        ("Ask/VB John/NNP Smith/NNP now/RB ./.", "Smith", "part of a name"),
        ("They/PRP are/VBP willing/JJ to/TO wait/VB ./.", "willing", "complement"),
        ("They/PRP blew/VBD up/RP the/DT bridge/NN ./.", "blew", "fixed expression"),
        ("They/PRP towed/VBD off/RP the/DT car/NN ./.", "towed", "complement"),
        ("The/DT main/JJ text/NN and/CC the/DT other/JJ texts/NNS ./.", "text", "named twice"),
        ("The/DT qwxyz/NN fell/VBD ./.", "qwxyz", "unknown word"),
        ("A/DT water/NN -/HYPH based/VBN paint/NN ./.", "water", "no content word"),
        ("The/DT cat/NN slept/VBD ./.", "The", "no content word"),
        ("He/PRP did/VBD make/VB it/PRP ./.", "make", "no content word"),
        ("A/DT well-known/JJ man/NN left/VBD ./.", "well-known", "no content word"),
    ],
)
def test_what_cannot_be_replaced_is_left_alone_and_counted(tagged, word, reason):
    source = Substitutes(least=0.0)
    assert source.substitutes([slot(flat(tagged), word)]) == [[]]
    assert source.rejected[reason] == 1


def test_of_a_phrase_the_content_words_are_replaced_one_at_a_time():
    parsed = tree(*BRIDGE)
    answer = found(parsed, "The old bridge", count=40, similarity=0.1)
    assert {parsed.text[each.start : each.end] for each in answer} == {"old", "bridge"}


def test_only_the_kinds_that_are_asked_for_are_given():
    parsed = tree(*BRIDGE)
    answer = found(parsed, "old", kinds=("antonym",), similarity=0.3)
    assert {each.kind for each in answer} == {"antonym"}
    assert "young" in words(answer)


def test_the_same_slots_get_the_same_substitutes_in_any_batch():
    slots = [slot(tree(*BRIDGE), word) for word in ("old", "bridge", "closed")]
    together = Substitutes().substitutes(slots)
    random.Random(3).shuffle(slots)
    alone = [Substitutes().substitutes([each])[0] for each in slots]
    assert sorted(map(str, together)) == sorted(map(str, alone))


def test_a_span_without_a_word_and_another_language_are_refused_alone():
    parsed = tree(*BRIDGE)
    wrong, spanish, right = Substitutes(least=0.5).substitutes(
        [Slot(parsed, 1, 2), slot(parsed, "bridge", lang="es"), slot(parsed, "bridge")]
    )
    assert isinstance(wrong, Refused)
    assert isinstance(spanish, Refused)
    assert "English (en), not es" in str(spanish)
    assert right


@pytest.mark.parametrize("word", ["\x00\x07", "ЖЖЖ", "x" * 5000, "42x42", "—", "☃"])
@pytest.mark.parametrize("tag", ["NN", "NNP", "VBD", "JJ", "CD", "RB"])
def test_odd_words_have_no_substitutes_and_break_nothing(word, tag):
    parsed = tree(f"(S (DT the) ({tag} {word}))")
    assert Substitutes().substitutes([Slot(parsed, 4, 4 + len(word))]) == [[]]


def test_a_phrase_of_thousands_of_words_is_answered():
    nouns = ["bridge", "village", "museum", "river", "doctor"] * 50
    parsed = flat(" ".join(f"{word}/NN ,/, " + "the/DT " * 20 for word in nouns))
    assert len(found(parsed, parsed.text, count=7)) <= 7


def test_the_plug_in_says_what_it_is():
    source = plugins.entry("substitutes", "lexicon")()
    assert source.id == "lexicon"
    assert source.languages() == {"en"}
    assert source.version().endswith(f"{lexicon().version}-{word_vectors().version}")


# -- numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "some"),
    [
        ("3", {"5", "2"}), ("1,200", {"1,400", "1,500"}), ("two", {"four", "three"}), ("2019", {"2021", "2018"}),
        ("12%", {"14%", "11%"}), ("2.6", {"2.8", "2.5"}), ("€3.50", {"€3.52"}), ("twenty", {"forty", "fifty"}),
        ("twenty-five", {"twenty-seven"}), ("3:30", {"5:30"}), ("850", {"950", "800"}), ("200,000", {"400,000"}),
    ],
)  # fmt: skip
def test_a_number_is_replaced_by_others_of_its_shape(number, some):
    found = other_numbers(number)
    assert some <= set(found)
    assert number not in found
    assert all(sum(c.isdigit() for c in each) == sum(c.isdigit() for c in number) for each in found)


@pytest.mark.parametrize("number", ["1", "0", "007", "one", "hundred", "1.2.3", "2024-05-01", "12/05", "x", "", "³"])
def test_what_is_no_plain_number_has_no_other(number):
    assert other_numbers(number) == []


def test_a_day_of_a_month_and_an_hour_stay_in_their_range():
    assert all(1 <= int(day) <= 28 for day in other_numbers("31", "", ["December"]) + other_numbers("3", "March"))
    assert all(1 <= int(hour) <= 12 for hour in other_numbers("11", "", ["p.m."]))


def test_an_hour_stays_in_its_part_of_the_day():
    assert set(other_numbers("four", "by", ["in", "the", "afternoon"])) <= {"one", "two", "three", "five"}
    assert set(other_numbers("8:30", "after", ["in", "the", "evening"])) == {"6:30", "7:30", "9:30"}
    assert set(other_numbers("ten", "", ["at", "night"])) <= {"nine", "eleven"}
    assert "nine" in other_numbers("four", "by", ["in", "the", "end"])


@pytest.mark.parametrize("number", ["7", "4"])
def test_of_two_numbers_that_are_compared_the_greater_stays_the_greater(number):
    parsed = flat("The/DT council/NN voted/VBD 7/CD to/TO 4/CD ./.")
    answer = [int(word) for word in words(found(parsed, number, count=20))]
    assert answer
    assert all(other > 4 if number == "7" else other < 7 for other in answer)


def test_a_number_beside_one_that_cannot_be_read_is_left_alone():
    assert found(flat("It/PRP takes/VBZ one/CD or/CC two/CD visits/NNS ./."), "two") == []


def test_a_number_in_a_sentence_is_replaced():
    parsed = flat("At/IN least/JJS three/CD villages/NNS ./.")
    answer = found(parsed, "three")
    assert words(answer)[0] == "five"
    assert {each.kind for each in answer} == {"number"}


@pytest.mark.parametrize(
    "tagged",
    [
        "Neither/DT of/IN the/DT two/CD men/NNS left/VBD ./.",
        "Two/CD men/NNS left/VBD ,/, neither/DT of/IN whom/WP returned/VBD ./.",
        "Nearly/RB two/CD thirds/NNS left/VBD ./.",
    ],
)
def test_a_number_that_its_neighbours_fix_is_left_alone(tagged):
    parsed = flat(tagged)
    assert found(parsed, "Two" if "Two" in parsed.text else "two") == []


def test_an_opposite_is_given_only_when_asked_for():
    parsed = flat("The/DT door/NN is/VBZ open/JJ ./.")
    assert not [each for each in found(parsed, "open", similarity=0.0, kinds=NATURAL) if each.kind == "antonym"]


@pytest.mark.parametrize(
    ("tagged", "word"),
    [("It/PRP takes/VBZ 45/CD minutes/NNS ./.", "minutes"), ("The/DT cash/NN box/NN is/VBZ empty/JJ ./.", "box")],
)
def test_measures_and_parts_of_compounds_are_left_alone(tagged, word):
    assert found(flat(tagged), word, similarity=0.0) == []


def test_a_currency_is_replaced_by_currencies_that_the_sentence_lacks():
    parsed = flat("It/PRP cost/VBD 40/CD euros/NNS and/CC 30/CD cents/NNS ,/, or/CC a/DT dollar/NN ./.")
    answer = words(found(parsed, "euros", count=9))
    assert {"pounds", "francs"} <= set(answer)
    assert "dollars" not in answer


def test_a_family_name_after_a_title_and_a_given_name_before_an_unknown_one_are_replaced():
    assert words(found(flat("I/PRP met/VBD Mr./NNP Tanaka/NNP there/RB ./."), "Tanaka"))
    assert "Maria" in words(found(flat("I/PRP met/VBD Anna/NNP Lindqvist/NNP there/RB ./."), "Anna", count=9))


@pytest.mark.parametrize(
    ("tagged", "word"),
    [
        ("We/PRP met/VBD in/IN Lucy/NNP Street/NNP ./.", "Lucy"),
        ("Analysts/NNS at/IN Corvin/NNP Partners/NNS agree/VBP ./.", "Partners"),
        ("I/PRP met/VBD Mr./NNP Viktor/NNP Hallberg/NNP ./.", "Viktor"),
    ],
)
def test_parts_of_other_names_are_left_alone(tagged, word):
    assert found(flat(tagged), word, similarity=0.0) == []
