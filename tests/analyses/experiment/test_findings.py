"""What an experiment found stands in tables and pictures that agree with the statistics."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from statistics import mean

import pytest

from concord import api
from concord.analyses.experiment.rating_sheet import rating_lines
from concord.errors import UserError
from concord.views.experiment.charts import pictures, write_pictures
from concord.views.experiment.page import lead, render_page
from concord.views.experiment.tables import tables

GOOD, BAD = "fake", "faulty:fake,kind=drop_word,rate=0.5,seed=0"


@pytest.fixture
def found(experiment):
    return api.analyse_experiment(experiment(30))


def test_the_worse_system_is_ranked_second_with_a_letter_of_its_own(found):
    means = {each.level: each for each in found.analysis.compared.overall["system"].means}
    assert (means[GOOD].letters, means[BAD].letters) == ("A", "B")
    assert [each.level for each in found.analysis.ranking["system"]] == [GOOD, BAD]
    assert lead(found).startswith("fake is the most consistent")


def test_a_balanced_mean_is_the_plain_average_and_the_score_the_mean_of_the_metrics(found):
    for system in (GOOD, BAD):
        scores = [each.score for each in found.observed if each.system == system]
        (estimate,) = [each.mean for each in found.analysis.compared.overall["system"].means if each.level == system]
        assert estimate == pytest.approx(mean(scores))
    assert all(each.score == pytest.approx(mean(each.scores.values())) for each in found.observed)
    assert all(len(each.scores) == 3 for each in found.observed)


def test_the_tables_are_those_of_the_papers(found):
    titles = [table.title for table in tables(found)]
    assert titles[:5] == [
        "Means by system",
        "Analysis of variance",
        "Means by target",
        "Means by system within each target",
        "Means by target within each system",
    ]
    variance = tables(found)[1].rows
    assert [row[0] for row in variance] == ["system", "path", "system:path", "residuals"]
    assert [row[2] for row in variance] == ["1", "5", "5", "348"]


def test_residuals_sum_to_zero_around_each_cell(found):
    fitted, residuals = found.residuals()
    assert len(fitted) == len(residuals) == 360
    assert sum(residuals) == pytest.approx(0, abs=1e-9)
    assert len({round(each, 9) for each in fitted}) <= 12


def test_every_picture_is_svg_and_can_be_written(found, tmp_path):
    drawn = pictures(found)
    assert {"systems_by_target", "metrics_by_target", "residuals", "quantiles"} <= set(drawn)
    assert sum(name.startswith("paths_") for name in drawn) == 2
    for svg in drawn.values():
        assert ET.fromstring(svg).tag.endswith("svg")
    files = write_pictures(found, tmp_path / "charts")
    assert {file.stem: file.read_text() for file in files} == drawn


def test_the_page_stands_alone(found):
    page = render_page(found)
    assert "<script" not in page
    assert "src=" not in page
    assert page.count("<svg") >= 6
    assert all(table.title in page for table in tables(found))


def test_at_random_targets_are_the_factor(experiment):
    found = api.analyse_experiment(experiment(40, 'allocation = "random"'))
    assert list(found.analysis.compared.overall) == ["system", "target"]
    assert len(found.observed) == 240


def test_one_system_alone_is_described(experiment):
    found = api.analyse_experiment(experiment(10, systems=["fake"]))
    assert lead(found).startswith("fake scores")
    assert render_page(found)


def test_json_has_the_promised_shape(found):
    made = json.loads(json.dumps(found.json(), allow_nan=False))
    assert {"n", "residual_df", "sigma2", "anova", "means", "pairs", "within", "clustered", "ranking"} <= set(made)
    assert set(made["anova"]) == {"1", "2", "3"}
    assert {"system|target", "target|system"} <= set(made["within"])
    assert {"levenshtein", "bleu", "cosine"} <= set(made["metrics"])


def test_replications_for_a_wanted_width_are_suggested(experiment):
    file = experiment(10)
    wide, narrow = (api.analyse_experiment(file, terms=api.Asked(width=width)).replications for width in (0.1, 0.02))
    assert all(narrow[name] > wide[name] for name in wide)


def human_file(folder, observed, with_target=False, by_text=False):
    """Scores that follow the metamorphic ones, on a scale of 0 to 3."""
    seen = {}
    for each in observed:
        key = (each.system, each.text if by_text else each.sentence, *((each.target,) if with_target else ()))
        seen.setdefault(key, []).append(each.score)
    file = folder / "human.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "sentence", *(["target"] if with_target else []), "score"])
        writer.writerows([*key, round(3 * mean(scores), 1)] for key, scores in seen.items())
    return file, len(seen)


def test_a_human_table_that_lacks_a_column_is_named(experiment, tmp_path):
    (tmp_path / "human.csv").write_text("mt,sentence,score\nfake,s0,1\n")
    with pytest.raises(UserError, match=r"human\.csv: there is no column 'system'"):
        api.analyse_experiment(experiment(3), terms=api.Asked(human=str(tmp_path / "human.csv")))


@pytest.mark.parametrize("with_target", [False, True])
@pytest.mark.parametrize("by_text", [False, True])
def test_human_scores_are_matched_counted_and_correlated(experiment, tmp_path, with_target, by_text):
    file = experiment(20)
    scores, count = human_file(tmp_path, api.analyse_experiment(file).observed, with_target, by_text)
    human = api.analyse_experiment(file, terms=api.Asked(human=str(scores))).human
    assert (human.matched, human.unmatched) == (count, 0)
    assert sum(sum(counts.values()) for counts in human.counts.values()) == count
    assert {each.method for each in human.by_sentence} == {"pearson", "spearman", "kendall"}
    assert all(each.r > 0.7 and each.lower < each.r < each.upper for each in human.by_sentence)
    assert set(human.within) == {GOOD, BAD}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system,sentence,score\nfake,nobody,3\n", "belongs to an observation"),
        ("system,sentence,score\nfake,nobody,good\n", "the score 'good' is not a number"),
        ("system,score\nfake,3\n", "sentence"),
        ("system,sentence,score\n", "has no scores"),
    ],
)
def test_a_table_of_human_scores_that_does_not_fit_is_said(experiment, tmp_path, text, said):
    file = experiment(2)
    (tmp_path / "human.csv").write_text(text)
    with pytest.raises(UserError) as caught:
        api.analyse_experiment(file, terms=api.Asked(human=str(tmp_path / "human.csv")))
    assert said in str(caught.value)


def test_several_raters_of_one_translation_are_one_piece_of_evidence(experiment, tmp_path):
    file = experiment(20)
    scores, count = human_file(tmp_path, api.analyse_experiment(file).observed)
    once = api.analyse_experiment(file, terms=api.Asked(human=str(scores))).human
    header, *rows = scores.read_text().splitlines()
    scores.write_text("\n".join([header, *rows * 10]) + "\n")
    often = api.analyse_experiment(file, terms=api.Asked(human=str(scores))).human
    assert [(each.n, each.r, each.p) for each in often.by_sentence] == [
        (each.n, pytest.approx(each.r), pytest.approx(each.p)) for each in once.by_sentence
    ]
    assert (often.matched, once.matched) == (10 * count, count)


def rated(file, sheet, cells, **options):
    """Draw a sheet and fill it in: `cells(line)` has the score and the seconds."""
    api.rating_sheet(file, sheet, **options)
    lines = list(csv.DictReader(sheet.read_text(encoding="utf-8-sig").splitlines()))
    for line in lines:
        line["score"], line["seconds"] = cells(line)
    with sheet.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.DictWriter(out, lines[0].keys())
        writer.writeheader()
        writer.writerows(lines)
    return lines


def test_a_sheet_has_the_same_sentences_by_every_system_and_does_not_name_it(experiment, tmp_path):
    file, sheet = experiment(20), tmp_path / "rate.csv"
    lines = rated(file, sheet, lambda line: ("", ""), size=11, target="es")
    assert len(lines) == 10
    assert {line["target"] for line in lines} == {"es"}
    assert sorted([line["text"] for line in lines].count(line["text"]) for line in lines) == [2] * 10
    assert not {"system", "pivot"} & set(lines[0])
    assert "faulty" not in sheet.read_text(encoding="utf-8")
    again = rated(file, tmp_path / "again.csv", lambda line: ("", ""), size=11, target="es")
    assert again == lines


def test_a_filled_in_sheet_gives_table_4_and_the_seconds_of_people_and_of_the_tool(experiment, tmp_path):
    file, sheet = experiment(20), tmp_path / "rate.csv"
    observed = api.analyse_experiment(file).observed
    good = {(obs.text, obs.target, obs.direct) for obs in observed if obs.system == GOOD}

    def scored(line):
        # What the good system says is perfect; what only the other says is poor.
        said = (line["text"], line["target"], line["translation"])
        return ("3", "20") if said in good else ("1", "40")

    lines = rated(file, sheet, scored, size=60)
    found = api.analyse_experiment(file, terms=api.Asked(human=str(sheet)))
    counts = found.human.counts
    assert counts[GOOD] == {"3": 30}
    worse = sum(line["score"] == "1" for line in lines)
    assert worse > 0
    assert counts[BAD] == {"1": worse, "3": 30 - worse}
    assert (found.human.matched, found.human.unmatched) == (60, 0)
    people, *tool = found.human.paces
    assert (people.judgements, people.mean) == (60, pytest.approx((20 * (60 - worse) + 40 * worse) / 60))
    assert [(pace.name, pace.judgements) for pace in tool] == [(GOOD, 120), (BAD, 120)]
    assert [pace.median for pace in tool] == [None, None]
    assert "Seconds for a judgement" in [table.title for table in tables(found)]
    json.dumps(found.json())


def test_lines_without_a_score_are_skipped_and_those_of_another_experiment_counted(experiment, tmp_path):
    file, sheet = experiment(5), tmp_path / "rate.csv"
    marks = iter(["2", "", "2", "3"])
    lines = rated(file, sheet, lambda line: (next(marks), ""), size=4)
    sheet.write_text(sheet.read_text(encoding="utf-8-sig").replace(lines[0]["key"], "0" * 16))
    human = api.analyse_experiment(file, terms=api.Asked(human=str(sheet))).human
    assert (human.matched, human.unmatched) == (2, 1)
    assert human.paces == []


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (("", ""), "nothing is scored yet"),
        (("4", ""), "the score '4' is none of 0, 1, 2, 3"),
        (("3", "fast"), "'fast' is no number of seconds"),
        (("3", "-1"), "'-1' is no number of seconds"),
    ],
)
def test_a_sheet_that_is_filled_in_wrongly_says_where(experiment, tmp_path, cells, said):
    file, sheet = experiment(3), tmp_path / "rate.csv"
    rated(file, sheet, lambda line: cells, size=4)
    with pytest.raises(UserError) as caught:
        api.analyse_experiment(file, terms=api.Asked(human=str(sheet)))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"target": "fr"}, "no observation into fr. Its targets: "), ({"size": 1}, "at least 2 lines, not 1")],
)
def test_a_sheet_that_cannot_be_drawn_says_why(experiment, tmp_path, options, said):
    with pytest.raises(UserError, match=said):
        api.rating_sheet(experiment(2), tmp_path / "rate.csv", **options)


def test_without_an_observation_no_language_is_blamed():
    with pytest.raises(UserError, match="has no observation to rate"):
        rating_lines([], 10, "", 1)


def test_a_sheet_that_may_hold_scores_is_not_overwritten(experiment, tmp_path):
    file, sheet = experiment(2), tmp_path / "rate.csv"
    api.rating_sheet(file, sheet)
    with pytest.raises(UserError, match="may hold scores"):
        api.rating_sheet(file, sheet)
    assert api.rating_sheet(file, sheet, force=True)


def test_where_nothing_was_tested_no_winner_is_declared(experiment):
    found = api.analyse_experiment(experiment(1))
    assert "could not be tested" in lead(found)


def test_systems_that_are_alike_are_not_told_apart(experiment):
    systems = ["fake", "faulty:fake,rate=0.001"]
    found = api.analyse_experiment(experiment(10, systems=systems), systems=systems)
    assert "not told apart" in lead(found) or "could not be tested" in lead(found)


def test_two_variants_of_a_metric_are_both_shown(experiment):
    found = api.analyse_experiment(experiment(3, 'metrics = ["bleu", "bleu:variant=paper"]'))
    assert list(found.metrics) == ["bleu", "bleu:variant=paper"]
    assert {"bleu", "bleu:variant=paper"} <= set(found.observed[0].plain())
