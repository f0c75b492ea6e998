"""Which digits count something, and which only name a day, a room or a telephone."""

from __future__ import annotations

from math import inf

import pytest

from concord.relations.semmt.logic import find


def counted(text: str) -> list[float]:
    return [each.low for each in find(text) if each.family == "quantity" and each.low == each.high]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("On Tuesday 3 people died.", [3]),
        ("In March 3 people died.", [3]),
        ("In early March 12 people died.", [12]),
        ("On Monday 12 children and 3 adults came.", [12, 3]),
        ("On 5 May three people died.", [3]),
        ("On 5 May 3 people died.", [3]),
        ("On 5th May 3 people died.", [3]),
        ("On the 5th of May 3 people died.", [3]),
        ("On Sunday 12 May 3 people died.", [3]),
    ],
)
def test_a_number_behind_a_day_or_a_month_counts(text, numbers):
    assert counted(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "On March 3 the shop opened.",
        "The March 3 election was lost.",
        "It opened on 5 May.",
        "It opened on 3 March 2026.",
        "It ends on 31 March 2027 unless it is renewed.",
        "It opened in May 2026.",
        "It opened on Tuesday 3 March.",
        "It opened on Friday 13 at noon.",
        "Chapter 3 is long.",
        "Room 7 was full.",
    ],
)
def test_a_date_or_a_number_of_something_counts_nothing(text):
    assert counted(text) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("On May 5 200 people came.", [200]),
        ("In May 5 200 people came.", [5_200]),
        ("In Room 7 120 people waited.", [120]),
        ("In Germany 2 500 people waited.", [2_500]),
        ("We ate 5 500 gram steaks.", [5, 500]),
        ("We ate 5 500-gram steaks.", [5, 500]),
        ("We bought 3 500 ml bottles.", [3, 500]),
        ("We built 5 500 km of road.", [5_500]),
        ("A trail of 2 500 km was built.", [2_500]),
        ("At the gate 2 000 people waited.", [2_000]),
        ("By bus 1 500 people came.", [1_500]),
        ("In Unit 5 000 people waited.", [5_000]),
        ("We built 5 000 gram scales.", [5_000]),
        ("1 000 000 000 000 000 000 dogs barked.", [1e18]),
    ],
)
def test_digits_in_groups_are_one_number_unless_the_first_one_stands_alone(text, numbers):
    assert counted(text) == numbers


def test_however_many_groups_there_are_the_number_is_finite():
    (found,) = find("1" + " 000" * 500 + " trillion trillion dogs barked.")
    assert 1e200 < found.low < inf


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("Call 555-1234.", []),
        ("Call 555-1234 now.", []),
        ("Call 020-7946-0958.", []),
        ("It came on 2026-05-03.", []),
        ("500-1000 people came.", [(500, 1_000)]),
        ("It holds 100-1500 ml.", [(100, 1_500)]),
        ("It costs $500-1000.", [(500, 1_000)]),
    ],
)
def test_what_is_dialled_is_no_range(text, ranges):
    assert [(each.low, each.high) for each in find(text)] == ranges
