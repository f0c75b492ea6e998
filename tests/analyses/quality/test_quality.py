"""Systems are ranked by how often relations hold."""

from __future__ import annotations

import json
import math

import pytest

from concord import api
from concord.analyses.quality.options import QualityTerms
from concord.errors import UserError
from concord.views.quality.tables import quality_tables

QUICK = QualityTerms(resamples=50, seed=1)


def test_rates_and_their_mean_are_those_counted_by_hand(three):
    (table,) = api.quality(three, terms=QUICK).tables
    everywhere = [each for each in table.standings if not each.domain]
    assert [each.system for each in everywhere] == ["good", "fair", "poor"]
    rates = {each.system: [rate.rate for rate in each.rates.values()] for each in everywhere}
    assert rates == {"good": [1, 0.75, 1], "fair": [0.75, 0.25, 0.75], "poor": [0.25, 0, 0.25]}
    assert [each.mean.rate for each in everywhere] == pytest.approx([11 / 12, 7 / 12, 1 / 6])
    law = {each.system: each.mean.rate for each in table.standings if each.domain == "law"}
    assert law == {"good": pytest.approx(5 / 6), "fair": pytest.approx(1 / 3), "poor": pytest.approx(1 / 6)}


def test_sentences_are_counted_by_how_many_relations_hold(three):
    (table,) = api.quality(three, terms=QUICK).tables
    assert table.satisfied == {"good": [0, 0, 0.25, 0.75], "fair": [0, 0.5, 0.25, 0.25], "poor": [0.5, 0.5, 0, 0]}
    assert table.partly == {"good": 0, "fair": 0, "poor": 0}


@pytest.fixture
def many(filled, case):
    """A good system, one that differs by a single sentence of forty, and a bad one."""
    corpus = [(f"sentence {number}", "", None) for number in range(40)]
    bad = {"good": {1}, "alike": {1, 2}, "bad": set(range(0, 40, 2)) | {1}}
    for system, wrong in bad.items():
        rows = [(n, [case(f"sentence {n}", "x", float(n in wrong))]) for n in range(40)]
        path = filled(system, "rtt", rows, corpus)
    return path


def test_systems_that_chance_could_swap_are_tied_and_others_are_not(many):
    (table,) = api.quality(many, terms=QualityTerms(resamples=200, seed=1)).tables
    letters = {each.system: each.letters for each in table.standings}
    assert letters == {"good": "A", "alike": "A", "bad": "B"}
    assert [each.rank for each in table.standings] == [1, 2, 3]


def test_intervals_surround_the_rate_and_a_seed_repeats_them(many):
    found, again = (api.quality(many, terms=QUICK).tables[0].standings for _ in range(2))
    assert found == again
    assert all(each.mean.lower < each.mean.rate < each.mean.upper for each in found)
    assert found != api.quality(many, terms=QualityTerms(50, 2)).tables[0].standings


def test_one_relation_has_no_mean_beside_it_and_one_system_no_rank(filled, case, corpus):
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 1)])], corpus)
    found = api.quality(path, terms=QUICK)
    table = quality_tables(found)[0]
    assert table.columns == ("system", "sentences", "rtt", "rank", "ties")
    assert table.rows[0][:2] == ("a", "2")
    assert table.rows[0][2].startswith("50.0 (")
    assert table.rows[0][3:] == ("–", "–")
    assert "there is one system, a, so none is ranked" in found.notes[0]


def test_a_relation_that_was_not_run_for_a_system_has_no_part_in_the_ranking(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 1)])], corpus)
    filled("a", "pivot", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 0)])], corpus)
    path = filled("b", "rtt", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 0)])], corpus)
    found = api.quality(path, terms=QUICK)
    everywhere = [each for each in found.tables[0].standings if not each.domain]
    assert [(each.system, each.mean.rate, each.rank) for each in everywhere] == [("b", 1, 1), ("a", 0.5, 2)]
    assert all(each.letters for each in everywhere)
    assert everywhere[1].rates["pivot"].rate == 1
    assert math.isnan(everywhere[0].rates["pivot"].rate)
    assert "en→es: pivot has no part in means and ranks: not tested on b" in found.notes
    assert "NaN" not in json.dumps(found.plain())


def test_systems_without_a_relation_in_common_have_neither_mean_nor_rank(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 1)])], corpus)
    path = filled("b", "pivot", [(0, [case("one dog", "x", 0)]), (1, [case("two cats", "x", 0)])], corpus)
    for each in api.quality(path, terms=QUICK).tables[0].standings:
        assert math.isnan(each.mean.rate)
        assert (each.rank, each.letters) == (None, "")


def test_a_relation_without_a_case_in_a_domain_does_not_decide_there(filled, case, corpus):
    for system, bad in (("a", 0.0), ("b", 1.0)):
        filled(system, "rtt", [(n, [case(corpus[n][0], "x", bad)]) for n in range(4)], corpus)
        path = filled(system, "pivot", [(n, [case(corpus[n][0], "x", 0.0)]) for n in (0, 1)], corpus)
    found = api.quality(path, terms=QUICK)
    law = [(each.system, each.mean.rate, each.rank) for each in found.tables[0].standings if each.domain == "law"]
    assert law == [("a", 1, 1), ("b", 0, 2)]
    said = "en→es: pivot has no part in means and ranks of law: no sentence there was tested on every system"
    assert said in found.notes


def test_of_few_sentences_it_is_said_that_intervals_are_narrow_where_there_are_any(filled, case, corpus):
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    narrow = "en→es: with 1 sentence, intervals are narrower than they should be"
    assert narrow in api.quality(path, terms=QUICK).notes
    filled("b", "rtt", [(1, [case("two cats", "x", 0)])], corpus)
    notes = api.quality(path, terms=QUICK).notes
    assert any("no sentence was tested on every system" in note for note in notes)
    assert not any("intervals" in note for note in notes)


def test_sentences_without_a_domain_beside_others_are_among_all_alone(filled, case, corpus):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    plain = [("five cows", "", None)]
    path = filled("a", "rtt", [(0, [case("five cows", "x", 1)])], plain, name="plain#1")
    (table,) = api.quality(path, terms=QUICK).tables
    assert [(each.domain, each.sentences) for each in table.standings] == [("", 2), ("news", 1)]


def test_systems_are_compared_on_the_sentences_that_all_of_them_have(filled, case, corpus):
    """The second system fails at the two sentences that are hard for the first."""
    easy = [(n, [case(corpus[n][0], "x", 0.0)]) for n in (0, 1)]
    hard = [(n, [case(corpus[n][0], "x", 1.0)]) for n in (2, 3)]
    filled("whole", "rtt", [*easy, *hard], corpus)
    path = filled("half", "rtt", [*easy, (2, "timeout"), (3, "timeout")], corpus)
    found = api.quality(path, terms=QUICK)
    everywhere = [each for each in found.tables[0].standings if not each.domain]
    assert {each.system: (each.mean.rate, each.sentences) for each in everywhere} == {"whole": (1, 2), "half": (1, 2)}
    assert {each.letters for each in everywhere} == {"A"}
    assert found.tables[0].satisfied == {"whole": [0, 1], "half": [0, 1]}
    assert found.tables[0].partly == {"whole": 2, "half": 0}
    assert "en→es: 2 sentences of rtt not tested on every system are left out there" in found.notes


def test_many_relations_are_counted_as_few_are(filled, case, corpus):
    for number in range(30):
        path = filled("a", "rtt", [(0, [case("one dog", "x", float(number % 3 == 0))])], corpus, number=number)
    (table,) = api.quality(path, range(1, 31), terms=QUICK).tables
    assert table.satisfied["a"] == [float(number == 20) for number in range(31)]


def test_headings_are_short_and_a_legend_says_what_they_stand_for(filled, case, corpus):
    for tolerance in (0.0, 0.5):
        rows = [(0, [case("one dog", "x", 0)])]
        path = filled("a", "rtt", rows, corpus, metric="chrf", threshold=tolerance)
    tables = quality_tables(api.quality(path, [1, 2], terms=QUICK))
    assert tables[0].columns == ("system", "sentences", "rtt", "rtt·2", "mean", "rank", "ties")
    assert tables[-1].rows == [("rtt", "rtt,threshold=0"), ("rtt·2", "rtt,threshold=0.5")]
    (alone, _) = quality_tables(api.quality(path, [2], terms=QUICK))
    assert alone.columns[2] == "rtt"


def test_no_draws_are_refused(three):
    with pytest.raises(UserError, match="at least one draw, not 0"):
        api.quality(three, terms=QualityTerms(resamples=0))
