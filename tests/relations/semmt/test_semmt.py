"""Quantifiers and logic survive a round trip."""

from __future__ import annotations

import pytest

from concord import api, plugins
from concord.errors import Refused, Untested, UserError
from concord.model import Text
from concord.relations import semmt
from concord.relations._protocol import load_relation
from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.similarity import claim_similarities
from concord.testing import HashedVectors, Table, check_relation, now
from concord.translators.table import Translator as Answers

BANKS = Text("At least three banks have offered to pay.", "en")
THERE = Text("…", "es")


REWORDED = Table(
    {
        (BANKS.words, "es"): "uno",
        ("No fewer than three banks have offered to pay.", "es"): "dos",
        ("At least 3 banks have offered to pay.", "es"): "tres",
        ("uno", "en"): "At least three banks have offered to pay.",
        ("dos", "en"): "Fewer than three banks have offered to pay.",
        ("tres", "en"): "At least 3 banks have offered to pay.",
    }
)


def judged(source: str, back: str, **options: object) -> semmt.Case:
    return semmt.compare(Text(source, "en"), THERE, THERE, Text(back, "en"), **options)


def tripped(source: str, back: str, **options: object) -> list[semmt.Case]:
    table = Table({(source, "es"): "ida", ("ida", "en"): back})
    return now(semmt.check(Text(source, "en"), table, None, None, to="es", **options))


def test_a_quantifier_that_comes_back_is_not_suspected():
    (case,) = tripped("At least three banks have offered to pay.", "3 or more banks offered to pay.")
    assert case.suspicion == 0
    assert not case.flagged
    assert case.scores["r"] == case.scores["d"] == case.scores["h"] == 1
    assert case.evidence["marked"] == {}


def test_a_quantifier_that_is_lost_is_suspected_and_shown():
    (case,) = tripped("At least three banks have offered to pay.", "At most three banks have offered to pay.")
    assert case.flagged
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
    with pytest.raises(Untested, match="no claim about quantity or logic"):
        now(semmt.check(Text("I understand.", "en"), Table({}), None, None, to="es"))
    with pytest.raises(Refused, match="no quantifier and no logic"):
        judged("I understand.", "Nobody understands.")


def test_order_alone_leaves_the_marking_to_the_comparison():
    case = judged("lines with a letter before a vowel", "lines with a vowel before a letter")
    assert case.flagged
    assert "marked" not in case.evidence


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
    assert not case.flagged
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
    assert case.flagged
    assert not judged(
        "Lines with at least 3 numbers.", "Lines with at most 3 numbers.", metric="r", threshold=0.51
    ).flagged


def test_a_threshold_that_flags_everything_is_refused():
    for threshold in (0, -1, 1.1):
        with pytest.raises(UserError, match="a number above 0 and at most 1"):
            plugins.parse("relations", f"semmt,threshold={threshold}")
    assert not judged("Nobody came.", "No one came.", threshold=0.000001).flagged


def test_plurals_matter_only_where_they_are_wanted():
    source, back = "lines containing a capital letter", "lines containing capital letters"
    assert not judged(source, back).flagged
    assert judged(source, back, plural="strict").flagged


def test_mutants_are_tests_of_their_own():
    cases = now(semmt.check(BANKS, REWORDED, None, None, to="es", mutants=2))
    assert [case.flagged for case in cases] == [False, True, False]
    assert [case.factors["test"] for case in cases] == ["original", "mutant", "mutant"]
    assert cases[1].evidence["mutant_of"] == BANKS.words
    assert cases[1].evidence["reworded"] == "At least three → No fewer than three"
    assert len(now(semmt.check(BANKS, REWORDED, None, None, to="es", mutants=1))) == 2


def test_dependencies_are_a_baseline_where_they_are_asked_for():
    case = judged("Nobody was hurt.", "Nobody was hurt.", baselines=("dependency",))
    assert set(case.scores) == {"r", "d", "h", "dependency"}
    assert case.scores["dependency"] == 1


def test_only_the_services_that_the_baselines_ask_for_are_needed():
    for baselines, services in (
        (semmt.BASELINES, []),
        (("chrf", "dependency"), ["depend"]),
        (("embedding",), ["embed"]),
        (("dependency", "embedding"), ["depend", "embed"]),
        (("dependency:parser=concord_en", "embedding:encoder=minilm"), []),
    ):
        assert list(load_relation("semmt").services({"baselines": baselines})) == services


@pytest.mark.large
@pytest.mark.usefixtures("toy_languages")
def test_a_run_has_the_baselines_of_its_services_and_their_versions_in_its_signature(tmp_path):
    trips = {
        "At least three banks have offered to pay.": "At most three banks offered to pay.",
        "Nobody was hurt.": "Nobody was hurt.",
        "None of the lenders was willing to wait any longer.": "Any of the lenders was had to expect any longer.",
    }
    there = {(source, "en", "es"): f"({source})" for source in trips}
    answers = Answers(rows=there | {(f"({source})", "es", "en"): back for source, back in trips.items()})
    corpus, workspace = tmp_path / "corpus.txt", tmp_path / "concord.sqlite"
    corpus.write_text("\n".join(trips), encoding="utf-8")
    named = ("chrf", "dependency", "embedding", "dependency:parser=concord_en")
    relation = f"semmt,baselines={','.join(named)}"
    (summary,) = api.run(str(corpus), relations=[relation], systems=[answers], to=["es"], workspace=workspace)
    assert "|depend[en]:concord_en@" in summary.run.signature
    assert "|embed[en]:minilm@" in summary.run.signature
    scores = {row["source"]["words"]: row["scores"] for row in api.rows(workspace)}
    assert set(scores) == set(trips)
    for source, back in trips.items():
        case = judged(source, back, baselines=named)
        # An encoder rounds a text otherwise in another batch.
        assert scores[source] == pytest.approx(case.scores, abs=1e-5)
        assert scores[source]["dependency"] == scores[source]["dependency:parser=concord_en"]


class Noting(HashedVectors):
    """Vectors, and what was asked for together."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = []

    async def each(self, xs):
        self.asked.append({x.words for x in xs})
        return await super().each(xs)


def test_rewordings_are_asked_about_together_with_their_sentence():
    vectors = Noting()
    cases = now(semmt.check(BANKS, REWORDED, None, vectors, to="es", mutants=2, baselines=("embedding",)))
    assert vectors.asked == [{case.compared[side].words for case in cases[1:2] for side in (0, 1)}]
    assert [case.scores["embedding"] == 1 for case in cases] == [True, False, True]


def test_what_is_too_complex_is_an_error_of_that_sentence_alone():
    asked = "lines with the string <M0> , 500 times before the string <M1> , 500 times"
    with pytest.raises(Refused, match="too complex"):
        judged(asked, asked.replace("<M0>", "<M9>"))


LONG = "three dogs and " * 200 + "a cat"
NESTED = "lines " + "not " * 21 + "containing a vowel"


def test_one_hostile_sentence_does_not_end_a_run(tmp_path):
    rows = [
        (NESTED, "en", "es", NESTED[::-1]), (NESTED[::-1], "es", "en", NESTED + " or a vowel"),
        ("lines containing a vowel", "en", "es", "líneas con una vocal"),
        ("líneas con una vocal", "es", "en", "lines with a number"),
        (LONG, "en", "es", LONG[::-1]), (LONG[::-1], "es", "en", LONG),
        ("Nobody came.", "en", "es", "Nadie vino."), ("Nadie vino.", "es", "en", "Nobody came."),
    ]  # fmt: skip
    answers = Answers(rows={tuple(row[:3]): row[3] for row in rows})
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(row[0] for row in rows[::2]), encoding="utf-8")
    (summary,) = api.run(
        str(corpus), relations=["semmt"], systems=[answers], to=["es"], workspace=tmp_path / "concord.sqlite"
    )
    assert (summary.cases, summary.errors) == (3, 1)


def test_a_request_is_never_nested_too_deep_for_an_expression():
    for source, back in ((NESTED, "lines containing a vowel"), ("lines containing a vowel", NESTED)):
        assert judged(source, back).flagged
    assert not judged(NESTED, NESTED).flagged


@pytest.mark.parametrize("sentence", ["three dogs and " * 200, "three dogs bark " + "if a dog barks " * 20])
def test_what_cannot_be_read_whole_is_refused_and_not_agreed_on(sentence):
    with pytest.raises(Refused, match="too complex"):
        judged(sentence, sentence)


TURNED = [
    ("At least 3 dogs barked.", "At least 30 dogs barked."),
    ("More than 5 dogs barked and no cat slept.", "More than 50 dogs barked and no cat slept."),
    ("At most 1 dog barked, two cats slept, nobody saw it.", "At most 10 dogs barked, two cats slept, nobody saw it."),
    ("At least 5 million people came.", "At least 5 billion people came."),
    ("It weighs at most 0.5 kg.", "It weighs at most 5 kg."),
    ("30% of voters came.", "30 voters came."),
    ("Every tenth child was ill.", "Ten children were ill."),
    ("It was -5 degrees.", "It was 5 degrees."),
    ("Only children may enter.", "Children may enter."),
    ("Not only Tom came.", "Only Tom came."),
    ("Only Tom came.", "Not only Tom came."),
    ("No one but Tom came.", "No one came."),
    ("Everything but the roof burned.", "Everything burned."),
    ("Not all dogs barked.", "No dogs barked."),
    ("Open it only if it blinks.", "Open it if it blinks."),
    ("If it rains, we leave.", "If it does not rain, we leave."),
    (
        "No employee may be dismissed for refusing a task that puts his or her health at risk, provided that the "
        "danger was reported to a supervisor before the refusal.",
        "Any employee can be refused to refuse a task that puts his or his health in risk, provided that the danger "
        "was informed to a supervisor before the refusal.",
    ),
    ("lines with at most 3 vowels", "lines with at most 30 vowels"),
    ("lines excluding vowels", "lines with vowels"),
    ("lines except those with a vowel", "lines with a vowel"),
    ("lines with every vowel", "lines with some vowels"),
    ("lines with two hundred vowels", "lines with 2 vowels"),
    ("lines with over 3 vowels", "lines with 3 vowels"),
    ("lines with 'letters' in it", "lines with 'letter' in it"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "back"), TURNED)
def test_a_claim_that_was_turned_is_found(source, back):
    assert judged(source, back).flagged
    assert claim_similarities(claim_pair(back, source)).h <= 0.6
    assert not judged(source, source).flagged


@pytest.mark.parametrize(
    ("source", "back"),
    [
        ("At least 7 dogs barked.", "More than 7 dogs barked."),
        ("About 300 people came.", "300 people came."),
        ("A few dogs barked.", "Some dogs barked."),
        ("He did not pay a fee.", "He paid no fee."),
        ("No one but Tom came.", "Only Tom came."),
        ("Everything but the roof burned.", "Everything except the roof burned."),
        ("It was -5 degrees.", "It was minus 5 degrees."),
        ("The box has only one shelf and three doors.", "The box has only a shelf and three doors."),
        ("Every child got one dose of the drug and two sweets.", "Each boy got a dose of the drug and two sweets."),
        ("In other words, nobody sent a number.", "In other words, no one sent a number."),
        ("lines with twenty vowels", "lines with 20 vowels"),
        ("lines with over 3 vowels", "lines with more than 3 vowels"),
    ],
)  # fmt: skip
def test_the_same_claim_in_other_words_is_not_suspected(source, back):
    assert not judged(source, back).flagged
    assert not judged(back, source).flagged


def test_the_plan_names_both_trips_and_refuses_what_cannot_work():
    assert set(semmt.plan("en", to="es").directions) == {("en", "es"), ("es", "en")}
    for source, message in (("en", "goes nowhere"), ("de", "English, and 'de' is another language")):
        with pytest.raises(UserError, match=message):
            semmt.plan(source, to="en")


def test_regional_english_is_english():
    assert semmt.plan("en-GB", to="es").directions
    (case,) = now(
        semmt.check(
            Text("Nobody came.", "en-GB"),
            Table({("Nobody came.", "es"): "Nadie vino.", ("Nadie vino.", "en-GB"): "Nobody came."}),
            None,
            None,
            to="es",
        )
    )
    assert not case.flagged


@pytest.mark.large
def test_it_conforms():
    check_relation("semmt")
    check_relation("semmt", "At least three banks have offered to pay.", mutants=2, plural="strict")
    check_relation("semmt", baselines=("dependency", "embedding"), mutants=1)
    check_relation("semmt", metric="h", measure="paper", k=0.3, approximation="over")
