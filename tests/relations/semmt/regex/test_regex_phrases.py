from __future__ import annotations

import pytest

from concord.relations.semmt.regex.phrases import cut, literal


def kinds(sentence: str) -> list[str]:
    return [phrase.kind for phrase in cut(sentence).phrases]


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("3 or more times", 3, None),
        ("greater than or equal to four times in total", 4, None),
        ("at least once", 1, None),
        ("more than 5 times", 6, None),
        ("no more than 7 consecutive times", 0, 7),
        ("up to two times", 0, 2),
        ("fewer than 3 times", 0, 2),
        ("6 or fewer times", 0, 6),
        ("exactly five times", 5, 5),
        ("thrice", 3, 3),
        ("from 4 to 2 times", 2, 4),
        ("any number of times", 0, None),
        ("at least twenty times", 20, None),
        ("two hundred and one times", 201, 201),
        ("at least 1,000 times", 1000, None),
        ("at least 1000 times", 1000, None),
        ("over 3 times", 4, None),
        ("under a dozen times", 0, 11),
    ],
)
def test_a_count_has_its_bounds(said: str, low: int, high: int | None) -> None:
    (_, count) = cut(f"a vowel , {said}").phrases
    assert (count.kind, count.low, count.high) == ("count", low, high)


def test_subjects_and_empty_verbs_are_left_out() -> None:
    assert kinds("the lines that are arranged with a vowel") == ["atom"]
    assert kinds("a vowel before a string that contains a digit") == ["atom", "before", "contain", "atom"]


def test_a_verb_after_a_subject_inside_the_sentence_is_told_apart() -> None:
    assert [phrase.key for phrase in cut("lines ending with a string that contains a vowel").phrases] == [
        "end",
        "contain+",
        "a",
    ]


def test_words_with_a_verb_govern_and_words_without_are_atoms() -> None:
    assert kinds("lines with words that end with a vowel") == ["word", "end", "atom"]
    assert kinds("lines with 3 words") == ["bound", "atom"]


def test_plurals_and_singulars_are_told_apart() -> None:
    assert [phrase.plural for phrase in cut("vowels before a vowel before lettered words").phrases if phrase.atom] == [
        True,
        False,
        True,
    ]


def test_an_exception_denies_or_stands_between() -> None:
    assert kinds("lines excluding vowels") == kinds("lines except those with vowels") == ["not", "atom"]
    assert kinds("lines with letters apart from vowels") == ["atom", "but", "atom"]


def test_quantifiers_of_what_is_contained_are_unknown_and_those_of_lines_are_not() -> None:
    assert cut("all lines with every vowel and some digits").unknown == ["every", "some"]


def test_unknown_words_are_set_aside() -> None:
    assert cut("lines with a purple vowel, hopefully").unknown == ["purple", "hopefully"]


def test_an_apostrophe_is_no_quotation_mark() -> None:
    assert kinds("lines that don't start with the line's digit and doesn't end with 'x'") == kinds(
        "lines that do not start with the digit and does not end with <M0>"
    )


def test_a_private_character_in_the_sentence_is_no_quotation() -> None:
    assert kinds("lines with \ue000 or 'x'") == ["or", "atom"]


@pytest.mark.parametrize(
    ("said", "spelled"), [("dog", "dog"), ("<m0>", "<M0>"), ("a b", r"a \s b"), ("1.5", r"1 \. 5"), ("_", r"\_")]
)
def test_a_quotation_is_spelled_in_the_notation(said: str, spelled: str) -> None:
    assert literal(said) == spelled
