"""Every pair of sentences that Cao et al. 2021 (SemMT) print, through the comparison that users get.

S5 and T5 are the paper's example of what it cannot tell apart (section 5.3); it finds a similarity of 0.957.
"""

from __future__ import annotations

import pytest

from concord.model import Text
from concord.relations import semmt

THERE = Text("…", "zh")
S5 = "The U.S. contains a few states which choose to have the judges on the state's courts serve for life terms."
T5 = "The United States contains several states, which choose to let judges in state courts serve for life."

PAIRS = [
    pytest.param("Lines include numbers or letters.", "Lines exclude numbers or letters.", id="E1, E2"),
    pytest.param("Lines with at least 3 numbers.", "Lines with at most 3 numbers.", id="E3, E4"),
    pytest.param(
        "A string that contains only 3 or more uppercase letters.",
        "A string containing only no more than 3 uppercase letters.",
        id="S1, S2",
    ),
    pytest.param(
        "While 19.6% of household not containing only young people live in the northwest sub-area.",
        "And 19.6% of families containing only young people live in the Northwest Division.",
        id="S3, S4",
    ),
    pytest.param(
        "The share of symptomatic children who lose their lives to the virus in China has been estimated as 1 in "
        "25,000, which is 30 times less than of the middle aged and 3,000 times less than the elderly.",
        "It is estimated that the proportion of symptomatic children killed by the virus in China is 1 in 25,000, "
        "which is 30 times that of middle-aged people and 3,000 times that of middle-aged people.",
        id="figure 2, first",
    ),
    pytest.param(
        "Diarrheal disease was the cause of every tenth child's death in 2017 – more than half a million of the "
        "5.4 million children that died in 2017 died from diarrheal disease.",
        "Diarrheal disease was the cause of every tenth child death in 2017-of the 5.4 million children who died "
        "in 2017, more than half were due to diarrheal disease.",
        id="figure 2, second",
    ),
    pytest.param(
        "While 19.6% of household not containing only young people live in the northwest sub-area, only 4.8% of young "
        "person only and 10% of young person with child live in this area.",
        'Although only 19.6% of families containing only young people live in the "Northwest" subregion, only 4.8% of '
        "young people and 10% of young people with children live in this area.",
        id="figure 2, third",
    ),
    pytest.param(
        "lines with the string “dog” before the string “truck” or a letter.",
        "the string “dog” or letter before the string “truck”.",
        id="table 5, first",
    ),
    pytest.param(
        "strings with a letter followed by a lower-case letter, zero or more times.",
        "string, followed by a letter with a lowercase letter, zero or more times.",
        id="table 5, second",
    ),
    pytest.param(
        "lines with a number, 5 or more times.",
        "the number of rows is greater than or equal to 5.",
        id="table 5, third",
    ),
    pytest.param(
        "lines with the string “dog” before a vowel or a numeric character.",
        "string before vowel or numeric character “dog” .",
        id="table 5, fourth",
    ),
    pytest.param(
        "lines starting with a lower case letter at least once or a capital letter .",
        "lines beginning with lowercase letters or lines with at least one capital letter",
        id="table 5, fifth",
    ),
]


@pytest.mark.parametrize(("source", "back"), PAIRS)
def test_the_mistranslations_that_the_paper_shows_are_found(source, back):
    assert semmt.compare(Text(source, "en"), THERE, THERE, Text(back, "en")).flagged


def test_a_few_and_several_are_as_alike_as_the_paper_finds_them():
    case = semmt.compare(Text(S5, "en"), THERE, THERE, Text(T5, "en"), measure="paper", approximation="over")
    assert case.scores["d"] == pytest.approx(0.957, abs=0.002)
    assert not case.flagged


def test_a_few_and_several_bounded_by_half_of_the_states_share_21_of_23_lengths():
    # Section 5.3 has {3,25} and {5,25} for them. It prints 0.84, which is 21/25 and not what its equation 2 gives.
    case = semmt.compare(Text(S5, "en"), THERE, THERE, Text(T5, "en"), measure="paper", approximation="range")
    assert (case.evidence["source expression"], case.evidence["back expression"]) == ("X{3,25}", "X{5,25}")
    assert case.scores["d"] == pytest.approx(21 / 23)
