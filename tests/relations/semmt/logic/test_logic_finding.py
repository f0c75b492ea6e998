"""Quantifiers and logical relations are found where they stand, with what they mean."""

from __future__ import annotations

from math import inf, nextafter

import pytest

from concord.errors import UserError
from concord.relations.semmt.logic import find


def found(text, **options):
    return [(text[each.start : each.end], each.kind, each.unit, each.low, each.high) for each in find(text, **options)]


def only(text, **options):
    (one,) = found(text, **options)
    return one


@pytest.mark.parametrize(
    ("text", "words", "kind", "low", "high"),
    [
        ("at least 3 dogs", "at least 3", "at_least", 3, inf),
        ("No more than 5 of us fit", "No more than 5", "at_most", 0, 5),
        ("not less than three", "not less than three", "at_least", 3, inf),
        ("fewer than twenty-five cats", "fewer than twenty-five", "less_than", 0, 24),
        ("more than 2.5 metres", "more than 2.5", "more_than", nextafter(2.5, inf), inf),
        ("5 or more people", "5 or more", "at_least", 5, inf),
        ("18+ years", "18+", "at_least", 18, inf),
        ("greater than or equal to 5", "greater than or equal to 5", "at_least", 5, inf),
        ("exactly four legs", "exactly four", "number", 4, 4),
        ("more than 5 or more people", "more than 5 or more", "more_than", 6, inf),
        ("up to 90 seconds", "up to 90", "at_most", 0, 90),
        ("over 9,500 people", "over 9,500", "more_than", 9501, inf),
        ("between 700 and 900 people", "between 700 and 900", "range", 700, 900),
        ("from 3 to 5 days", "from 3 to 5", "range", 3, 5),
        ("skip steps 6 to 9", "6 to 9", "range", 6, 9),
        ("a 3-5 kg dog", "3-5", "range", 3, 5),
        ("three or four eggs", "three or four", "range", 3, 4),
        ("ten or fifteen eggs", "ten or fifteen", "range", 10, 15),
        ("more than a dozen eggs", "more than a dozen", "more_than", 13, inf),
        ("three hundred and twelve dollars", "three hundred and twelve", "number", 312, 312),
        ("two thousand five hundred men", "two thousand five hundred", "number", 2500, 2500),
        ("5.4 million children", "5.4 million", "number", 5_400_000, 5_400_000),
        ("half a million children", "half a million", "number", 500_000, 500_000),
        ("one and a half litres", "one and a half", "number", 1.5, 1.5),
        ("One and a half million people", "One and a half million", "number", 1_500_000, 1_500_000),
        ("a million and a half people", "a million and a half", "number", 1_500_000, 1_500_000),
        ("40 millions people", "40 millions", "number", 40_000_000, 40_000_000),
        ("a hundred and one dogs", "a hundred and one", "number", 101, 101),
        ("half a dozen eggs", "half a dozen", "number", 6, 6),
        ("2½ litres", "2½", "number", 2.5, 2.5),
        ("a dozen eggs", "a dozen", "number", 12, 12),
        ("two dozen eggs", "two dozen", "number", 24, 24),
        ("48,000 euros", "48,000", "number", 48_000, 48_000),
        ("zero tolerance", "zero", "number", 0, 0),
        ("None of the nurses", "None of", "none", 0, 0),
        ("nobody came", "nobody", "none", 0, 0),
        ("both knees hurt", "both", "both", 2, 2),
    ],
)
def test_a_count_has_its_bounds(text, words, kind, low, high):
    assert only(text) == (words, kind, "count", low, high)


@pytest.mark.parametrize(
    ("text", "words", "kind", "low", "high"),
    [
        ("19.6% of them", "19.6%", "share", 19.6, 19.6),
        ("12 per cent of them", "12 per cent", "share", 12, 12),
        ("more than half of them", "more than half", "more_than", nextafter(50, inf), 100),
        ("at most 30 percent", "at most 30 percent", "at_most", 0, 30),
        ("three quarters of them", "three quarters", "share", 75, 75),
        ("a quarter of them", "a quarter", "share", 25, 25),
        ("3/4 of them", "3/4", "share", 75, 75),
        ("one in five loans", "one in five", "share", 20, 20),
        ("9 out of 10 loans", "9 out of 10", "share", 90, 90),
        ("no more than 6 of the 60", "no more than 6 of the 60", "at_most", 0, 10),
        ("every tenth child", "every tenth", "every", 10, 10),
        ("every child", "every", "every", 100, 100),
        ("all of them", "all of", "every", 100, 100),
        ("a majority of them", "a majority of", "share", nextafter(50, inf), 100),
        ("it fell by a quarter last year", "a quarter", "share", 25, 25),
        ("more than a quarter voted", "more than a quarter", "more_than", nextafter(25, inf), 100),
        ("half as much money", "half as much", "share", 50, 50),
        ("half as long as before", "half as long as", "share", 50, 50),
        ("the price halved", "halved", "share", 50, 50),
        ("Of the 100 boats, 25 sank", "25", "share", 25, 25),
        ("Out of two hundred boats, fifty sank", "fifty", "share", 25, 25),
    ],
)
def test_a_share_is_in_per_cent(text, words, kind, low, high):
    assert only(text) == (words, kind, "share", low, high)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("once a year", ("once", "times", "times", 1, 1)),
        ("at least once", ("at least once", "at_least", "times", 1, inf)),
        ("we met twice", ("twice", "times", "times", 2, 2)),
        ("three times", ("three times", "times", "times", 3, 3)),
        ("zero or more times", ("zero or more times", "at_least", "times", 0, inf)),
        ("4 times less than them", ("4 times less", "ratio", "ratio", 0.25, 0.25)),
        ("30 times more than them", ("30 times", "ratio", "ratio", 30, 30)),
        ("twice as many as them", ("twice as many as", "ratio", "ratio", 2, 2)),
        ("a five-fold rise", ("five-fold", "ratio", "ratio", 5, 5)),
        ("it rose threefold", ("threefold", "ratio", "ratio", 3, 3)),
        ("more than tenfold", ("more than tenfold", "more_than", "ratio", nextafter(10, inf), inf)),
        ("the price doubled", ("doubled", "ratio", "ratio", 2, 2)),
        ("it will double", ("double", "ratio", "ratio", 2, 2)),
        ("double the price", ("double", "ratio", "ratio", 2, 2)),
        ("it tripled", ("tripled", "ratio", "ratio", 3, 3)),
        ("twice as many bikes", ("twice", "ratio", "ratio", 2, 2)),
    ],
)
def test_repetitions_and_ratios_are_units_of_their_own(text, expected):
    assert only(text) == expected


@pytest.mark.parametrize(
    ("text", "over", "under", "between"),
    [
        ("a few", (3, inf), (1, 3), (3, 25)),
        ("several", (5, inf), (1, 5), (5, 25)),
        ("many", (10, inf), (3, 10), (10, 50)),
        ("most", (51, 100), (51, 75), (51, 99)),
    ],
)
def test_a_vague_quantifier_is_approximated_as_asked(text, over, under, between):
    for how, expected in (("over", over), ("under", under), ("range", between)):
        (one,) = find(f"{text} states", approximation=how)
        assert (one.low, one.high) == expected
        assert one.approximate


@pytest.mark.parametrize(
    ("text", "low", "high"), [("about 300 men", 270, 330), ("nearly 20 pages", 18, 20), ("about 50 or more", 45, inf)]
)
def test_a_hedge_makes_a_number_approximate(text, low, high):
    (one,) = find(text)
    assert (one.low, one.high, one.approximate) == (low, high, True)


@pytest.mark.parametrize(
    "text",
    [
        "in July 2018", "since 1993", "on 30 June", "on November 7", "at 8:30", "at 6 p.m.", "half past seven",
        "the Boeing 727 crashed", "Covid-19", "the 1990s", "her 21st birthday", "the pre 9/11 era", "the one who left",
        "no later than Monday", "the most serious threat", "how many", "after all", "Once hired", "2016-2018",
        "a double room", "paid by a third party", "version 3.5.2", "the string <M0>", "9" * 5000,
    ],
)  # fmt: skip
def test_what_only_looks_like_a_quantity_is_left_alone(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She does not smoke", [("not", "negation")]),
        ("She doesn’t smoke", [("doesn’t", "negation")]),
        ("She cannot go", [("cannot", "negation")]),
        ("neither tea nor milk", [("neither", "negation"), ("nor", "negation")]),
        ("either tea or milk", [("either", "either"), ("or", "disjunction")]),
        ("tea and milk", [("and", "conjunction")]),
        ("not only tea but also milk", [("not only", "conjunction"), ("but also", "conjunction")]),
        ("Prices include tax", [("include", "inclusion")]),
        ("it consists of wood", [("consists of", "inclusion")]),
        ("lines with a vowel", [("with", "inclusion")]),
        ("everything without sugar", [("everything", "every"), ("without", "exclusion")]),
        ("days other than Monday", [("other than", "exclusion")]),
        ("only at night", [("only", "only")]),
        ("nothing but sugar", [("nothing but", "only")]),
        ("nobody except him", [("nobody except", "only")]),
        ("Call if it rains", [("if", "condition")]),
        ("Call unless it rains", [("unless", "condition_not")]),
        ("Call only if it rains", [("only if", "condition_only")]),
    ],
)
def test_logical_relations_are_found(text, expected):
    assert [(words, kind) for words, kind, *_ in found(text)] == expected


@pytest.mark.parametrize(
    "text", ["She walked with Trump", "before breakfast", "after the crash", "hit with five suits"]
)
def test_words_of_place_and_company_are_no_relations_in_ordinary_sentences(text):
    assert all(each.family == "quantity" for each in find(text))


def test_places_hold_where_small_letters_are_longer():
    text = "İİ at least 3 dogs"
    assert found(text) == [("at least 3", "at_least", "count", 3, inf)]


def test_findings_know_their_family_and_whether_they_are_precise():
    findings = find("Several of us did not pay 3 euros.")
    assert [(each.kind, each.family) for each in findings] == [
        ("vague", "quantity"),
        ("negation", "logic"),
        ("number", "quantity"),
    ]
    assert [each.approximate for each in findings] == [True, False, False]


def test_another_approximation_or_language_is_the_users_to_cure():
    with pytest.raises(UserError, match=r"there is no approximation 'above'.*over, range, under"):
        find("many", approximation="above")
    with pytest.raises(UserError, match=r"known of: en\. 'fi' is another language"):
        find("moni", lang="fi")


def test_a_region_of_english_is_english():
    assert only("no dogs", lang="en-GB")[1] == "none"


@pytest.mark.parametrize(
    ("text", "words", "low", "high"),
    [
        ("It was -5 degrees.", "-5", 5, 5),
        ("It was minus 5 degrees.", "minus 5", 5, 5),
        ("It was minus five degrees.", "minus five", 5, 5),
        ("It was five below zero.", "five", 5, 5),
        ("It was 5 degrees below zero.", "5", 5, 5),
        ("It was 5 °C below freezing.", "5", 5, 5),
        ("below -5 degrees", "below -5", nextafter(5, inf), inf),
        ("below minus five degrees", "below minus five", nextafter(5, inf), inf),
        ("more than five degrees below zero", "more than five", nextafter(5, inf), inf),
        ("at least -5 degrees", "at least -5", 0, 5),
        ("minus five or less", "minus five or less", 5, inf),
        ("-5 °C or below", "-5 °C or below", 5, inf),
        ("minus five or more", "minus five or more", 0, 5),
        ("5 degrees below zero or less", "5 degrees below zero or less", 5, inf),
        ("temperatures below zero", "below zero", 0, inf),
        ("by -5%", "-5%", 5, 5),
    ],
)
def test_what_is_below_zero_has_a_unit_of_its_own(text, words, low, high):
    assert only(text)[0] == words
    assert only(text)[2:] == ("negative", low, high)


@pytest.mark.parametrize(
    ("text", "whole", "broken"),
    [("more than 50%", 50, 50.5), ("more than doubled", 2, 2.5), ("below minus 5", 5, 5.5), ("over 2 dogs", 2, 3)],
)
def test_only_what_is_counted_has_a_next_number(text, whole, broken):
    (one,) = find(text)
    assert whole < one.low <= broken


@pytest.mark.parametrize(
    ("text", "low", "high"), [("less than 50%", 49.5, 50), ("less than 1%", 0.5, 1), ("a minority of them", 49.5, 50)]
)
def test_a_share_may_be_as_near_to_its_bound_as_it_likes(text, low, high):
    (one,) = find(text)
    assert low < one.high < high


@pytest.mark.parametrize("part", ["3 of 10", "3 out of 10", "30% of 10"])
def test_a_whole_has_one_part(part):
    eaten = found(f"He ate {part} apples, 2 pears and a plum.")
    assert eaten[0][2:] == ("share", 30, 30)
    assert ("2", "number", "count", 2, 2) in eaten


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Sales fell by 30%.", "by"), ("Sales fell sharply to 30%.", "to"), ("Sales fell to at least 30.", "to"),
        ("It rose by a third.", "by"), ("It is down to -5 degrees.", "to"), ("Sales fell 30%.", ""),
        ("He spoke to 30 people.", ""), ("It was written by 30 people.", ""),
    ],
)  # fmt: skip
def test_a_change_is_as_large_as_a_quantity_or_ends_there(text, move):
    (one,) = find(text)
    assert one.move == move


def test_a_dash_between_figures_is_no_sign():
    assert only("rooms 3-5")[2:] == ("count", 3, 5)
    assert only("3 - 5 rooms")[2:] == ("count", 3, 5)


def test_a_fraction_may_be_a_sign():
    assert only("No fewer than ½ of them came.") == ("No fewer than ½", "at_least", "share", 50, 100)
    assert only("¾ of them")[2:] == ("share", 75, 75)


@pytest.mark.parametrize("text", ["no fewer than that", "figures that they watch most closely"])
def test_half_a_comparison_and_a_superlative_are_no_quantity(text):
    assert found(text) == []


def test_almost_all_is_vague_wherever_it_stands():
    assert only("as almost all analysts had expected")[1] == "vague"


def test_what_has_gone_up_to_a_number_has_reached_it():
    assert only("It has gone up to 90 euros.")[0] == "90"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("almost nobody", 0, 10), ("hardly anyone", 0, 10), ("scarcely any dogs", 0, 10), ("next to nothing", 0, 10),
        ("almost never", 0, 10), ("hardly ever", 0, 10), ("rarely", 0, 10), ("virtually no one", 0, 10),
        ("nearly all dogs", 90, 99), ("almost every dog", 90, 99), ("practically everyone", 90, 99),
    ],
)  # fmt: skip
def test_nearly_all_and_hardly_any_are_approximate_shares(text, low, high):
    assert only(text)[1:] == ("vague", "share", low, high)
    assert [each.approximate for each in find(text)] == [True]


def test_numbers_far_apart_are_choices_and_no_range():
    assert [each[3:] for each in found("2 or 10 cards") if each[2]] == [(2, 2), (10, 10)]
    assert [each[1] for each in found("2 or 10 cards")] == ["number", "disjunction", "number"]


def test_zero_behind_a_depth_is_no_number_and_ten_minus_five_has_no_sign():
    assert len(found("5 degrees below zero")) == 1
    assert [each[2:] for each in found("ten minus five")] == [("count", 10, 10), ("count", 5, 5)]


@pytest.mark.parametrize(
    "text",
    [
        "Everything but the roof", "Everyone but Tom", "All but two", "anyone but him", "All dogs but one bark",
        "All the dogs but two bark", "Every day but Monday", "No student but Ann passed", "All children but Tom came",
        "Every child laughed but Tom.", "All of the people but the cook left", "She read all the books but two.",
        "She read all the books but one last year.", "In all the towns but one we slept.", "I saw all my aunts but Ann",
        "He knows all the streets but the new one.", "I read all his books but War and Peace.",
        "We hope that all the guests but two sisters stay.", "Nearly all the dogs but two bark.",
        "They say all the shops but two are closed.",
    ],
)  # fmt: skip
def test_but_excepts_behind_everything(text):
    assert "exclusion" in [each.kind for each in find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The house was all but destroyed.", "All dogs bark but cats sleep.", "Nobody came but we stayed.",
        "Every child laughed but the others cried.", "All prices rose but they fell again.", "He came but one left.",
        "They fed all the horses but dogs barked.", "We visited all the museums but few churches.",
        "I saw all the films but no plays.", "She read all the books but two articles.",
        "We sold all the tickets but several refunds followed.", "He told everyone but nobody listened.",
        "They fed all the horses but the dogs barked for hours.", "They fed all the horses but Ann left.",
    ],
)  # fmt: skip
def test_another_but_excepts_nothing(text):
    assert "exclusion" not in [each.kind for each in find(text)]


def test_each_six_hours_is_every_six_hours():
    assert only("each six hours")[1:] == only("every six hours")[1:]
