"""A system that does not translate is not ranked, and a failing answer counts once."""

from __future__ import annotations

import pytest

import concord
from concord import api
from concord.analyses.quality.options import QualityTerms
from concord.errors import UserError
from concord.views.quality.tables import quality_tables

QUICK = QualityTerms(resamples=50, seed=1)
CORPUS = [(f"sentence {number}", "", None) for number in range(40)]
COPY = "not judged: the answer to “sentence” is not sane (copy). The answer is a copy of the text."


@pytest.fixture
def system(filled, case):
    """Add a system: of its forty answers the first ones are copies, and `wrong` others are flagged by `rtt`."""

    def add(system, copies, wrong=0, *, sane=True, **facts):
        if sane:
            rows = [(n, [case(f"sentence {n}", "x", float(n < copies))]) for n in range(40)]
            filled(system, "sane", rows, CORPUS, **facts)
        cases = [[case(f"sentence {n}", "x", float(n >= 40 - wrong))] for n in range(40)]
        return filled(system, "rtt", [(n, COPY if n < copies else cases[n]) for n in range(40)], CORPUS, **facts)

    return add


def ranked(found):
    return [(each.system, each.rank) for table in found.tables for each in table.standings]


def unranked(found):
    return [(each.system, each.failing, each.sentences, each.runs) for each in found.unranked]


def test_a_system_with_more_failing_answers_than_a_twentieth_is_not_ranked(system):
    system("good", 0, 1)
    system("fair", 2, 4)
    path = system("copies", 3)
    found = api.quality(path, terms=QUICK)
    assert ranked(found) == [("good", 1), ("fair", 2)]
    assert unranked(found) == [("copies", 3, 40, [5])]
    assert found.runs == [1, 2, 3, 4]


def test_its_sentences_are_not_taken_from_the_others(system):
    system("good", 0, 1)
    path = system("copies", 40)
    (table,) = api.quality(path, terms=QUICK).tables
    assert [(each.system, each.sentences) for each in table.standings] == [("good", 40)]
    assert not any("not tested on every system" in note for note in api.quality(path, terms=QUICK).notes)


def test_it_is_listed_below_the_ranking_with_the_share_and_the_kind(path_of_three):
    *_, table = quality_tables(api.quality(path_of_three, terms=QUICK))
    assert table.title == "Not ranked"
    assert table.columns == ("system", "from→to", "sentences", "not sane", "most often", "runs")
    assert table.rows == [("copies", "en→es", "40", "40 (100.0%)", "copy", "2")]
    assert table.note.startswith("Of more than 5 % of their sentences the answer is not sane")


@pytest.fixture
def path_of_three(system):
    system("good", 0, sane=False)
    return system("copies", 40, sane=False)


def test_without_a_run_of_sane_the_cases_that_are_not_judged_are_the_evidence(path_of_three):
    found = api.quality(path_of_three, terms=QUICK)
    assert (ranked(found), unranked(found)) == ([("good", None)], [("copies", 40, 40, [2])])


def test_a_run_of_sane_that_was_not_named_is_the_evidence(system):
    system("good", 0)
    path = system("copies", 40)
    found = api.quality(path, [2, 4], QUICK)
    assert (ranked(found), unranked(found)) == ([("good", None)], [("copies", 40, 40, [3])])


def test_a_higher_limit_ranks_it_by_what_was_judged_and_last(system):
    system("good", 0)
    path = system("copies", 38)
    found = api.quality(path, terms=QualityTerms(50, 1, max_insane=1.0))
    assert (ranked(found), unranked(found)) == ([("good", 1), ("copies", 2)], [])
    with pytest.raises(UserError, match="max_insane is a share"):
        QualityTerms(max_insane=-0.1)


def test_several_corpora_of_a_system_count_together(system):
    system("a", 4)
    path = system("a", 0, name="d#1")
    assert unranked(api.quality(path, terms=QUICK)) == []
    path = system("a", 1, name="e#1")
    assert unranked(api.quality(path, terms=QualityTerms(50, 1, max_insane=0.04))) == [("a", 5, 120, [1, 3, 5])]


def test_where_no_system_translates_there_is_no_table_but_the_list(system):
    path = system("copies", 40)
    found = api.quality(path, terms=QUICK)
    assert (found.tables, len(found.unranked)) == ([], 1)
    assert [table.title for table in quality_tables(found)] == ["Not ranked"]


def test_a_failing_answer_counts_once_and_does_not_disappear(system):
    """Other relations judge neither system on a sentence that one of them failed at."""
    system("a", 2)
    path = system("b", 0)
    (table,) = api.quality(path, terms=QUICK).tables
    assert [(each.system, each.mean.rate) for each in table.standings] == [("b", 1.0), ("a", pytest.approx(0.975))]
    assert {each.system: each.rates["rtt"].rate for each in table.standings} == {"a": 1.0, "b": 1.0}


def test_a_check_that_everybody_passes_changes_neither_order_nor_ties(system):
    for name, wrong in (("good", 1), ("alike", 2), ("bad", 20)):
        path = system(name, 0, wrong)
    terms = QualityTerms(resamples=200, seed=1)
    alone, both = (api.quality(path, runs, terms).tables[0].standings for runs in ([2, 4, 6], ()))
    assert [(each.system, each.rank, each.letters) for each in alone] == [
        (each.system, each.rank, each.letters) for each in both
    ]


def test_correlations_leave_it_out_unless_it_is_named(system, filled, case):
    corpus = [(f"sentence {number}", "", f"frase {number}") for number in range(4)]
    for relation in ("sane", "rtt"):
        rows = [(n, [case(f"sentence {n}", f"frase {n}", float(n == 0 and relation == "rtt"))]) for n in range(4)]
        path = filled("a", relation, rows, corpus)
    scores = {
        runs: {each.score for each in api.correlate(path, runs, metrics=["chrf"], terms=QUICK)[0].agreements}
        for runs in ((), (1, 2))
    }
    assert scores[()] == {"rtt"}
    assert "sane" in scores[1, 2]


def test_standings_change_with_a_later_run_of_sane(filled, case, system):
    system("good", 0, sane=False)
    path = system("other", 0, sane=False)
    assert api.standings(path, [1, 2])["unranked"] == []
    filled("other", "sane", [(n, [case(f"sentence {n}", "x", 1.0)]) for n in range(40)], CORPUS)
    assert [each["system"] for each in api.standings(path, [1, 2])["unranked"]] == ["other"]


def test_a_program_that_returns_its_input_is_never_ranked_first(tmp_path):
    corpus, path = tmp_path / "c.txt", tmp_path / "concord.sqlite"
    corpus.write_text("The dog sleeps in the garden.\nNobody saw the train.\nWe bought twelve eggs and some bread.\n")
    relations = ["sane", "literals", "rtt"]
    concord.run(corpus, relations=relations, systems=["command:cat", "apertium"], to=["es"], workspace=path)
    found = api.quality(path, terms=QUICK)
    assert [(each.system, each.failing, each.kind) for each in found.unranked] == [("command:cat", 3, "copy")]
    assert [each.system for table in found.tables for each in table.standings] == ["apertium"]
    raised = api.quality(path, terms=QualityTerms(50, 1, max_insane=1.0))
    assert raised.tables[0].standings[0].system == "apertium"
