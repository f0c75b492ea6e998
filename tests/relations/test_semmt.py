"""Quantifiers and logic survive a round trip."""

from __future__ import annotations

import pytest

from concord.errors import Refused, UserError
from concord.model import Text
from concord.relations import semmt
from concord.testing import Table, check_relation, now

BANKS = Text("At least three banks have offered to pay.", "en")
THERE = Text("…", "es")


def judged(source: str, back: str, **options: object) -> semmt.Case:
    return semmt.compare(Text(source, "en"), THERE, THERE, Text(back, "en"), **options)


def tripped(source: str, back: str, **options: object) -> list[semmt.Case]:
    table = Table({(source, "es"): "ida", ("ida", "en"): back})
    return now(semmt.check(Text(source, "en"), table, to="es", **options))


def test_a_quantifier_that_comes_back_is_not_suspected():
    (case,) = tripped("At least three banks have offered to pay.", "3 or more banks offered to pay.")
    assert case.suspicion == 0
    assert not case.violated
    assert case.scores["r"] == case.scores["d"] == case.scores["h"] == 1
    assert case.evidence["marked"] == {}


def test_a_quantifier_that_is_lost_is_suspected_and_shown():
    (case,) = tripped("At least three banks have offered to pay.", "At most three banks have offered to pay.")
    assert case.violated
    assert case.evidence["source expression"] == "X{3,}"
    assert case.evidence["back expression"] == "X{0,3}"
    assert case.evidence["source reading"] == "At least three X."
    assert case.evidence["only in source"] == ["At least three"]
    assert case.evidence["only in back"] == ["At most three"]
    assert case.evidence["marked"] == {"source": [[0, 14]], "follow_up_output": [[0, 13]]}


def test_the_case_holds_all_three_texts_and_the_baselines():
    (case,) = tripped("Nobody was hurt.", "Anybody was hurt.")
    assert (case.source.words, case.source_output.words, case.follow_up_output.words) == (
        "Nobody was hurt.",
        "ida",
        "Anybody was hurt.",
    )
    assert case.steps == {"intermediate": Text("ida", "es"), "back translation": Text("Anybody was hurt.", "en")}
    assert case.compared == (case.source, case.follow_up_output)
    assert set(case.scores) == {"r", "d", "h", "levenshtein", "bleu", "chrf"}
    assert case.factors == {"read as": "text", "test": "original"}


def test_a_sentence_without_quantifier_or_logic_is_not_even_translated():
    assert now(semmt.check(Text("I understand.", "en"), Table({}), to="es")) == []


def test_order_alone_leaves_the_marking_to_the_comparison():
    case = judged("lines with a letter before a vowel", "lines with a vowel before a letter")
    assert case.violated
    assert "marked" not in case.evidence


@pytest.mark.parametrize(
    ("source", "back"),
    [
        ("Lines include numbers or letters.", "Lines exclude numbers or letters."),
        ("Lines with at least 3 numbers.", "Lines with at most 3 numbers."),
        (
            "A string that contains only 3 or more uppercase letters.",
            "A string containing only no more than 3 uppercase letters.",
        ),
        (
            "While 19.6% of household not containing only young people live in the northwest sub-area.",
            "And 19.6% of families containing only young people live in the Northwest Division.",
        ),
        (
            "The share of symptomatic children who lose their lives to the virus in China has been estimated as 1 in "
            "25,000, which is 30 times less than of the middle aged and 3,000 times less than the elderly.",
            "It is estimated that the proportion of symptomatic children killed by the virus in China is 1 in 25,000, "
            "which is 30 times that of middle-aged people and 3,000 times that of middle-aged people.",
        ),
        (
            "Diarrheal disease was the cause of every tenth child's death in 2017 – more than half a million of the "
            "5.4 million children that died in 2017 died from diarrheal disease.",
            "Diarrheal disease was the cause of every tenth child death in 2017-of the 5.4 million children who died "
            "in 2017, more than half were due to diarrheal disease.",
        ),
        (
            "lines with the string “dog” before the string “truck” or a letter.",
            "the string “dog” or letter before the string “truck”.",
        ),
        (
            "strings with a letter followed by a lower-case letter, zero or more times.",
            "string, followed by a letter with a lowercase letter, zero or more times.",
        ),
        ("lines with a number, 5 or more times.", "the number of rows is greater than or equal to 5."),
        (
            "lines with the string “dog” before a vowel or a numeric character.",
            "string before vowel or numeric character “dog”.",
        ),
    ],
)
def test_the_mistranslations_that_the_paper_shows_are_found(source, back):
    assert judged(source, back).violated


def test_the_papers_similarities_of_its_running_example():
    case = judged(
        "A string that contains only 3 or more uppercase letters.",
        "A string containing only no more than 3 uppercase letters.",
        measure="paper",
    )
    assert case.scores["r"] == 0.5
    assert case.scores["d"] == pytest.approx(0, abs=0.001)
    assert case.scores["h"] == pytest.approx(0.25, abs=0.001)


def test_vague_quantifiers_are_approximate():
    states = "The U.S. contains {} states which choose to have the judges on the state's courts serve for life terms."
    case = judged(states.format("a few"), states.format("several"))
    assert case.evidence["approximate"] is True
    assert not case.violated
    over = judged(states.format("a few"), states.format("several"), approximation="over")
    assert over.evidence["back expression"].endswith("{5,}")


def test_the_metric_decides_and_k_weighs_it():
    by = {metric: judged(BANKS.words, "At most three banks have offered to pay.", metric=metric) for metric in "rdh"}
    for metric, case in by.items():
        assert case.suspicion == pytest.approx(1 - case.scores[metric])
    case = judged(BANKS.words, "At most three banks have offered to pay.", metric="h", k=0.9)
    assert case.scores["h"] == pytest.approx(0.9 * case.scores["r"] + 0.1 * case.scores["d"])


def test_what_is_as_similar_as_the_threshold_is_flagged_as_in_the_paper():
    case = judged("Lines with at least 3 numbers.", "Lines with at most 3 numbers.", metric="r", threshold=0.5)
    assert case.scores["r"] == 0.5
    assert case.violated
    assert not judged(
        "Lines with at least 3 numbers.", "Lines with at most 3 numbers.", metric="r", threshold=0.51
    ).violated


def test_a_threshold_that_flags_everything_is_refused():
    for threshold in (0, -1, 1.1):
        with pytest.raises(UserError, match=r"0\.000001"):
            judged("Nobody came.", "Nobody came.", threshold=threshold)
    assert not judged("Nobody came.", "No one came.", threshold=0.000001).violated


def test_plurals_matter_only_where_they_are_wanted():
    source, back = "lines containing a capital letter", "lines containing capital letters"
    assert not judged(source, back).violated
    assert judged(source, back, plural="strict").violated


def test_mutants_are_tests_of_their_own():
    table = Table(
        {
            (BANKS.words, "es"): "uno",
            ("No fewer than three banks have offered to pay.", "es"): "dos",
            ("At least 3 banks have offered to pay.", "es"): "tres",
            ("uno", "en"): "At least three banks have offered to pay.",
            ("dos", "en"): "Fewer than three banks have offered to pay.",
            ("tres", "en"): "At least 3 banks have offered to pay.",
        }
    )
    cases = now(semmt.check(BANKS, table, to="es", mutants=2))
    assert [case.violated for case in cases] == [False, True, False]
    assert [case.factors["test"] for case in cases] == ["original", "mutant", "mutant"]
    assert cases[1].evidence["mutant_of"] == BANKS.words
    assert cases[1].evidence["reworded"] == "At least three → No fewer than three"
    assert len(now(semmt.check(BANKS, table, to="es", mutants=1))) == 2


def test_dependencies_are_a_baseline_where_they_are_asked_for():
    case = judged("Nobody was hurt.", "Nobody was hurt.", baselines=("dependency",))
    assert set(case.scores) == {"r", "d", "h", "dependency"}
    assert case.scores["dependency"] == 1


def test_what_is_too_complex_is_an_error_of_that_sentence_alone():
    asked = "lines with the string <M0> , 500 times before the string <M1> , 500 times"
    with pytest.raises(Refused, match="too complex"):
        judged(asked, asked.replace("<M0>", "<M9>"))


def test_the_plan_names_both_trips_and_refuses_what_cannot_work():
    options = {"threshold": 0.4, "k": 0.5, "mutants": 0}
    assert set(semmt.plan("en", to="es", **options).directions) == {("en", "es"), ("es", "en")}
    for source, to, more, message in (
        ("en", "en", {}, "goes nowhere"),
        ("de", "en", {}, "English"),
        ("en", "es", {"mutants": 3}, "0 to 2"),
        ("en", "es", {"k": 2.0}, "0 to 1"),
        ("en", "es", {"threshold": 0.0}, "above 0"),
    ):
        with pytest.raises(UserError, match=message):
            semmt.plan(source, to=to, **(options | more))


def test_regional_english_is_english():
    assert semmt.plan("en-GB", to="es", threshold=0.4, k=0.5, mutants=0).directions
    (case,) = now(
        semmt.check(
            Text("Nobody came.", "en-GB"),
            Table({("Nobody came.", "es"): "Nadie vino.", ("Nadie vino.", "en-GB"): "Nobody came."}),
            to="es",
        )
    )
    assert not case.violated


def test_it_conforms():
    check_relation("semmt")
    check_relation("semmt", "At least three banks have offered to pay.", mutants=2, plural="strict")
    check_relation("semmt", metric="h", measure="paper", k=0.3, approximation="over")
