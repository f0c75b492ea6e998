"""Scores without references beside scores with them, by golds counted by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

from concord import api
from concord.analyses.quality.correlation import _of_means
from concord.analyses.quality.options import QualityTerms
from concord.analyses.quality.results import DOMAIN, SENTENCE, SYSTEM
from concord.errors import UnknownName, UserError
from concord.stats.bootstrap_sentences import SentenceDraws
from concord.views.quality.tables import correlation_tables

QUICK = QualityTerms(resamples=40, seed=1)
WER = {"good": [1, 1, 1, 1], "fair": [1, 1, 0.5, 0], "poor": [0.5, 0, 0.5, 0]}
MGMT = {"good": [1, 1, 1, 2 / 3], "fair": [1, 2 / 3, 1 / 3, 1 / 3], "poor": [1 / 3, 0, 1 / 3, 0]}


@pytest.fixture
def found(three):
    (made,) = api.correlate(three, metrics=["wer"], terms=QUICK)
    return made


def agreement(found, scale, score="mgmt (all tested)", domain=""):
    every = [*found.agreements, *found.by_domain]
    return next(each for each in every if (each.scale, each.score, each.domain) == (scale, score, domain))


def flat(values):
    return [each for system in values.values() for each in system]


def test_sentences_of_all_systems_are_paired(found):
    made = agreement(found, SENTENCE)
    assert made.n == 12
    assert made.of("pearson").r == pytest.approx(np.corrcoef(flat(MGMT), flat(WER))[0, 1])
    assert made.of("kendall").p == pytest.approx(stats.kendalltau(flat(MGMT), flat(WER)).pvalue)
    assert made.of("pearson").lower < made.of("pearson").r <= made.of("pearson").upper


def test_systems_are_paired_by_their_means(found):
    made = agreement(found, SYSTEM)
    assert made.n == 3
    assert made.of("pearson").r == pytest.approx(3.375 / math.sqrt(366 / 9 * 0.28125))
    assert made.of("spearman").r == pytest.approx(1)
    assert made.of("spearman").p == pytest.approx(1 / 3)
    assert made.of("kendall").r == pytest.approx(1)
    assert all(map(math.isnan, made.of("pearson").fisher))


def test_domains_are_paired_with_systems_and_alone(found):
    assert agreement(found, DOMAIN).n == 6
    news = agreement(found, SYSTEM, domain="news")
    x, y = ([np.mean(each[:2]) for each in values.values()] for values in (MGMT, WER))
    assert (news.n, news.of("pearson").r) == (3, pytest.approx(np.corrcoef(x, y)[0, 1]))


def test_every_granularity_and_their_mean_is_a_score(found):
    assert list(found.scores) == ["mgmt sentence", "mgmt phrase", "mgmt word", "mgmt (all tested)"]


def test_scores_by_number_of_satisfied_relations(found):
    (made,) = found.contributed
    assert [each.n for each in made.found.by_number] == [2, 4, 2, 4]
    assert [each.mean for each in made.found.by_number] == pytest.approx([0, 0.375, 1, 1])


def test_what_each_relation_contributes(found):
    (made,) = found.contributed
    assert made.relations == ["mgmt sentence", "mgmt phrase", "mgmt word"]
    assert [each.mean for each in made.found.added] == pytest.approx([(0.5 + 0.75) / 2, 0, (0.25 + 0.5) / 2])
    assert [each.n for each in made.found.added] == [2, 1, 2]


def test_granularities_are_correlated_with_each_other(found):
    sentence, phrase = [1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    made = next(each for each in found.between if (each.score, each.other) == ("mgmt sentence", "mgmt phrase"))
    assert made.of("spearman").r == pytest.approx(stats.spearmanr(sentence, phrase)[0])
    assert len(found.between) == 3


def test_scores_of_the_whole_are_the_metrics_own(found):
    own = {(each.domain, each.system): each.whole for each in found.system_scores if each.score == "1 − WER"}
    assert own["", "fair"] == pytest.approx(1 - 3 / 8)
    assert own["law", "fair"] == pytest.approx(1 - 3 / 4)
    assert math.isnan(next(each.whole for each in found.system_scores if each.score == "mgmt sentence"))


def test_the_scores_of_systems_are_noted_as_few_and_nothing_undefined_reaches_json(found):
    assert "3 systems are few" in found.notes[0]
    assert "NaN" not in json.dumps(found.plain())


def test_what_is_said_of_few_systems_is_what_the_tables_have(found):
    assert "how much, only 5 or more can say" in found.notes[0]
    shown = {table.title: table.columns for table in correlation_tables([found])}
    assert "Fisher" not in shown["en→es: correlation by system"]
    assert "Fisher" in shown["en→es: correlation by domain × system"]


def test_what_counts_translations_is_called_so(found):
    table = next(each for each in correlation_tables([found]) if "by number of satisfied" in each.title)
    assert table.columns == ("satisfied", "translations", "1 − WER")
    assert [row[1] for row in table.rows] == ["2", "4", "2", "4"]


def test_too_few_sentences_have_no_interval_and_that_is_said(filled, case, corpus):
    for number, system in enumerate(("a", "b", "c")):
        rows = [(n, [case(corpus[n][0], corpus[n][2][number:], float(n + number > 1))]) for n in range(3)]
        path = filled(system, "rtt", rows, corpus)
    (made,) = api.correlate(path, metrics=["chrf"], terms=QUICK)
    for scale in (SENTENCE, SYSTEM):
        each = agreement(made, scale, "rtt").of("pearson")
        assert math.isfinite(each.r)
        assert math.isnan(each.lower)
    assert "en→es: fewer than 4 sentences have no intervals (–)" in made.notes


def test_all_five_metrics_are_there_by_default(three):
    (made,) = api.correlate(three, terms=QUICK)
    assert [each.name for each in made.outside] == ["bleu", "chrf", "1 − TER", "meteor", "1 − WER"]


def test_every_table_of_the_paper_is_printed(found):
    titles = [table.title for table in correlation_tables([found])]
    assert titles == [
        "en→es: scores with references or by people",
        "en→es: correlation by sentence",
        "en→es: correlation by domain × system",
        "en→es: correlation by system",
        "en→es: Pearson over 3 systems, by domain",
        "en→es: Spearman over 3 systems, by domain",
        "en→es: Kendall over 3 systems, by domain",
        "en→es: relations with each other, by sentence",
        "en→es: mean scores by number of satisfied relations (mgmt sentence, mgmt phrase, mgmt word)",
        "en→es: mean scores by combination of satisfied relations",
        "en→es: what each relation contributes",
    ]


@pytest.mark.parametrize(
    ("by", "names"), [("suspicion", ["rtt, 1 − suspicion"]), ("both", ["rtt", "rtt, 1 − suspicion"])]
)
def test_suspicion_counts_as_one_minus_it(filled, case, corpus, by, names):
    path = filled("a", "rtt", [(n, [case(corpus[n][0], "x", n / 8)]) for n in range(4)], corpus)
    (found,) = api.correlate(path, metrics=["wer"], terms=QualityTerms(20, 1, by))
    assert list(found.scores) == names
    assert found.scores["rtt, 1 − suspicion"][0].tolist() == [1, 0.875, 0.75, 0.625]


def test_suspicion_of_nothing_but_verdicts_is_refused(three):
    with pytest.raises(UserError, match=r"only 0 or 1\. Leave --by out"):
        api.correlate(three, metrics=["wer"], terms=QualityTerms(20, 1, "suspicion"))
    with pytest.raises(UnknownName, match="satisfied, suspicion"):
        QualityTerms(by="flagged")


@pytest.mark.parametrize(("systems", "words"), [(1, "with one system"), (2, "with two systems")])
def test_few_systems_are_correlated_by_sentence_alone(filled, case, corpus, systems, words):
    for number in range(systems):
        rows = [(n, [case(corpus[n][0], corpus[n][2][: n + 4], float(n % 2))]) for n in range(4)]
        path = filled(f"s{number}", "rtt", rows, corpus)
    (found,) = api.correlate(path, metrics=["chrf"], terms=QUICK)
    assert math.isfinite(agreement(found, SENTENCE, "rtt").of("pearson").r)
    assert math.isnan(agreement(found, SYSTEM, "rtt").of("pearson").r)
    assert any(words in note for note in found.notes)
    assert not found.by_domain


def test_a_score_that_never_varies_has_no_correlation_and_is_shown_as_a_dash(filled, case, corpus):
    path = filled("a", "rtt", [(n, [case(corpus[n][0], corpus[n][2][n:], 0.0)]) for n in range(4)], corpus)
    (found,) = api.correlate(path, metrics=["chrf"], terms=QUICK)
    made = agreement(found, SENTENCE, "rtt").of("spearman")
    assert all(map(math.isnan, (made.r, made.p, made.lower, made.upper)))
    table = next(each for each in correlation_tables([found]) if each.title.endswith("by sentence"))
    assert table.rows[0] == ("rtt", "chrf", "4", *["–"] * 9)
    assert any("the same for all" in note for note in found.notes)
    assert "NaN" not in json.dumps(found.plain())


def test_sentences_without_a_reference_are_left_out_and_said(filled, case, corpus):
    lacking = [(text, domain, None if n == 1 else reference) for n, (text, domain, reference) in enumerate(corpus)]
    rows = [(n, [case(corpus[n][0], corpus[n][2], float(n % 2))]) for n in range(4)]
    (found,) = api.correlate(filled("a", "rtt", rows, lacking), metrics=["chrf"], terms=QUICK)
    assert agreement(found, SENTENCE, "rtt").n == 3
    assert "en→es: 1 of 4 translations has no chrf and is left out there" in found.notes


def test_the_intervals_of_systems_hold_the_correlation_of_what_they_are():
    """Systems whose rates are clearly apart: the truth is the correlation of the rates, not of what was drawn."""
    rng = np.random.default_rng(4)
    quality, held, times = np.array([0.2, 0.35, 0.5, 0.7, 0.9]), 0, 60
    score = quality + np.array([0.05, -0.05, 0.05, 0, -0.05])
    truth = np.corrcoef(quality, score)[0, 1]
    for seed in range(times):
        x = (rng.random((5, 80)) < quality[:, None]).astype(float)
        y = score[:, None] + rng.normal(0, 0.3, (5, 80))
        made = _of_means(SYSTEM, "", ("x", "y", x, y), np.ones((1, 80), dtype=bool), SentenceDraws(80, 100, seed))
        held += made.of("pearson").lower <= truth <= made.of("pearson").upper
    assert held / times >= 0.85
