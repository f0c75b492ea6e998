"""Ranges, shares and bounds that are told in several words, or in two places of a sentence, are one quantity."""

from __future__ import annotations

import re
from math import inf

import pytest

from concord.corpus import demo
from concord.relations.semmt.logic import abstract, align, find

RANGES = [
    ("More than 2 but fewer than 5 people came.", (3, 4)),
    ("More than 2 and less than 5 people came.", (3, 4)),
    ("Fewer than 5 but more than 2 people came.", (3, 4)),
    ("At least 3 but no more than 7 files came.", (3, 7)),
    ("At least 3, but no more than 7, files came.", (3, 7)),
    ("Over 10 but under 20 files came.", (11, 19)),
    ("A minimum of 3 and a maximum of 5 people came.", (3, 5)),
    ("No more than three and no fewer than two people came.", (2, 3)),
    ("5 or more but less than 10 people came.", (5, 9)),
    ("More than 5 but fewer than 10 million people came.", (5_000_001, 9_999_999)),
    ("From 3 up to 5 people came.", (3, 5)),
    ("It lasted more than 2 but less than 3 hours.", (2, 3)),
    ("5 to 10 million people came.", (5e6, 1e7)),
    ("Between 5 and 10 million people came.", (5e6, 1e7)),
    ("500 to 1 million people came.", (500, 1e6)),
    ("Two or three hundred people came.", (200, 300)),
    ("It cost $5 to $10.", (5, 10)),
    ("It cost between $5 and $10.", (5, 10)),
    ("It cost more than $5.", (6, inf)),
    ("One or two people came.", (1, 2)),
    ("One or more people came.", (1, inf)),
    ("It rains once or twice a week.", (1, 2)),
    ("No more and no less than 5 people came.", (5, 5)),
    ("It must not exceed 5 metres.", (0, 5)),
    ("It has at least a window.", (1, inf)),
    ("Among 3 and 5 people came.", (3, 5)),
    ("A few hundred people came.", (300, 2_500)),
    ("Several hundred thousand people came.", (500_000, 2_500_000)),
    ("2 500 000 people came.", (2_500_000, 2_500_000)),
    ("It costs 6 1/2 billion.", (6.5e9, 6.5e9)),
    ("It costs 1,5 euros.", (1.5, 1.5)),
    ("It costs 1.5 euros.", (1.5, 1.5)),
    ("It costs 1,000 euros.", (1_000, 1_000)),
    ("The dose is between 5 mg and 10 mg.", (5, 10)),
    ("The dose is 5 mg to 10 mg.", (5, 10)),
    ("The dose is 5 mg - 10 mg.", (5, 10)),
    ("The dose is from 5 mg to 10 mg.", (5, 10)),
    ("It takes 1 hour to 2 hours.", (1, 2)),
    ("It takes from one hour up to two hours.", (1, 2)),
    ("Store it between 2 °C and 8 °C.", (2, 8)),
    ("Store it at 5 degrees Celsius to 10 degrees Celsius.", (5, 10)),
    ("It cost USD 5 to USD 10.", (5, 10)),
    ("It cost 5 USD to 10 USD.", (5, 10)),
    ("He ate 2 apples or 3 apples.", (2, 3)),
    ("It is equal to or less than 5.", (0, 5)),
    ("It is equal to or greater than 5.", (5, inf)),
    ("It is equal or more than 5.", (5, inf)),
    ("The tank holds over 10 and up to 20 litres.", (11, 20)),
    ("More than 10 but not more than 20 litres are left.", (11, 20)),
    ("The dose is at least 5 but does not exceed 10 mg.", (5, 10)),
    ("The dose is ≥ 5 mg.", (5, inf)),
    ("The value is >= 5.", (5, inf)),
    ("The value is > 5.", (6, inf)),
    ("The value is ≤5.", (0, 5)),
    ("The value is <5.", (0, 4)),
    ("He is younger than 18.", (0, 17)),
    ("He is older than 65.", (66, inf)),
    ("It is no longer than 5 metres.", (0, 5)),
    ("Pay within 30 days.", (0, 30)),
    ("It comes within 2 to 3 days.", (2, 3)),
    ("Children between the ages of 6 and 12 pay.", (6, 12)),
    ("Come between the hours of 8 and 10.", (8, 10)),
    ("1 000 000 000 000 000 000 dogs barked.", (1e18, 1e18)),
]


@pytest.mark.parametrize(("text", "bounds"), RANGES)
def test_one_quantity_has_one_range(text, bounds):
    assert [(each.low, each.high) for each in find(text)] == [bounds]


@pytest.mark.parametrize(
    ("text", "unit", "bounds"),
    [
        ("At least 10% but no more than 20% of them left.", "share", (10, 20)),
        ("At least 10 but no more than 20% of them left.", "share", (10, 20)),
        ("5% to 10% of them left.", "share", (5, 10)),
        ("At least half and at most three quarters left.", "share", (50, 75)),
        ("Between a quarter and a half left.", "share", (25, 50)),
        ("A quarter to a half of it is left.", "share", (25, 50)),
        ("One out of every five people left.", "share", (20, 20)),
        ("It is a fifth as large as France.", "share", (20, 20)),
        ("It is twice her age.", "ratio", (2, 2)),
        ("It was 10 to 15 degrees below zero.", "negative", (10, 15)),
        ("It was between minus 10 and minus 5 degrees.", "negative", (5, 10)),
        ("It was minus 10 to minus 15 degrees.", "negative", (10, 15)),
        ("Come back every four to six hours.", "step", (4, 6)),
        ("Come back every 4-6 hours.", "step", (4, 6)),
        ("Come back every 4 hours to 6 hours.", "step", (4, 6)),
        ("Come back every two or three days.", "step", (2, 3)),
        ("Come back every other day.", "step", (2, 2)),
        ("Every second house is empty.", "share", (50, 50)),
        ("Every one of us left.", "share", (100, 100)),
        ("People in every five houses left.", "share", (20, 20)),
    ],
)
def test_a_range_is_of_what_its_second_number_counts(text, unit, bounds):
    assert [(each.unit, each.low, each.high) for each in find(text)] == [(unit, *bounds)]


@pytest.mark.parametrize(
    "text",
    [
        "At least 10 but fewer than 5 people came.",
        "At least 5 and more than 10 people came.",
        "Under 5 and over 65 people came.",
        "More than 3 people but at least half of them came.",
        "The dose is 5 g to 10 mg.",
        "He ran 5 km to 10 parks.",
    ],
)
def test_bounds_that_bound_nothing_together_stay_two(text):
    assert sum(each.family == "quantity" for each in find(text)) == 2


@pytest.mark.parametrize(
    ("text", "sentence", "regex"),
    [
        (
            "At least 3 metres and at most 5 metres of rope are needed.",
            "At least 3 metres and at most 5 X.",
            "X{3,5}",
        ),
        ("More than 2 people but fewer than 5 were hurt.", "More than 2 people but fewer than 5 X.", "X{3,4}"),
        ("He bought at least 3 apples and at most 5.", "X at least 3 Y and at most 5.", "Y{3,5}"),
        ("3 metres or more are needed.", "3 X or more.", "X{3,}"),
        ("It lasts for 2 hours or less.", "X 2 Y or less.", "Y{0,2}"),
        ("It takes 3 days at least.", "X 3 Y at least.", "Y{3,}"),
        ("It takes 3 days at most.", "X 3 Y at most.", "Y{0,3}"),
        ("It takes 3 days at the very least.", "X 3 Y at the very least.", "Y{3,}"),
        ("Pay in 30 days at the latest.", "X 30 Y at the latest.", "Y{0,30}"),
        ("20 people at the most may enter the room.", "20 X at the most.", "X{0,20}"),
        ("The dose is 5 mg or more.", "X 5 Y or more.", "Y{5,}"),
        (
            "Use more than 10 litres but not more than 20 litres.",
            "X more than 10 litres but not more than 20 Y.",
            "Y{11,20}",
        ),
        ("Use 10 litres or more and 20 litres or less.", "X 10 litres or more and 20 Y or less.", "Y{10,20}"),
        ("Use 10 litres or more but less than 20 litres.", "X 10 litres or more but less than 20 Y.", "Y{10,19}"),
        (
            "The dose is at least 5 mg but does not exceed 10 mg.",
            "X at least 5 mg but does not exceed 10 Y.",
            "Y{5,10}",
        ),
        (
            "The dose is at least 5 mg but must not exceed 10 mg.",
            "X at least 5 mg but must not exceed 10 Y.",
            "Y{5,10}",
        ),
        ("30 people out of 100 left.", "30 people out of 100 X.", "%X{30,30}"),
        ("One person in five was ill.", "One person in five X.", "%X{20,20}"),
    ],
)
def test_what_is_counted_may_stand_in_between(text, sentence, regex):
    made = abstract(text)
    assert (made.sentence, made.regex) == (sentence, regex)


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("He has at least 2 cats and fewer than 5 dogs.", "(Y{2,})(Z{0,4})"),
        ("It weighs less than 2 kg but more than 50 g.", "(Y{0,1})(Z{51,})"),
        ("At least 3 men came, and at most 5 were hurt.", "(X{3,})(Y{0,5})"),
        ("One man in five cars sang.", "(X)(Y{5,5})"),
        ("He bought 3 apples or more bread.", "(Y{3,3})|Z"),
    ],
)
def test_other_things_are_counted_apart(text, regex):
    assert abstract(text).regex == regex


@pytest.mark.parametrize(
    ("text", "regex"),
    [
        ("Two thirds of them left.", "%X{67,67}"),
        ("Every third student left.", "%X{33,33}"),
        ("It weighs 18.6 kg.", "Y{19,19}"),
        ("It weighs 18.5 kg.", "Y{19,19}"),
        ("It weighs 6 1/2 pounds.", "Y{7,7}"),
        ("It weighs 1.2 kg.", "Y{2,2}"),
        ("It weighs 2.6 to 3 kg.", "Y{2,3}"),
    ],
)
def test_broken_numbers_are_rounded_unless_two_become_one(text, regex):
    assert abstract(text).regex == regex


def _symbols(text):
    return set(re.findall(r"(?<!\w)[Α-ЯA-Z](?!\w)", text))


def test_the_reading_names_every_symbol_of_the_expression():
    texts = [segment.text.words for segment in demo()] + [text for text, _ in RANGES]
    missing = [text for text in texts if not _symbols((made := abstract(text)).regex) <= _symbols(made.sentence)]
    assert not missing


def test_the_readings_of_two_sentences_have_the_symbols_of_their_expressions():
    made = align(abstract("In Rome two cats saw three dogs."), abstract("Three dogs were seen by two cats in Rome."))
    assert (made.left, made.right) == ("(X{2,2})(Y{3,3})", "(X{2,2})(Y{3,3})")
    assert made.readings == ("In Rome two X three Y.", "Three Y two X.")
