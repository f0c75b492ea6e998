"""The analysis as a whole: its plain data, its notes, and what it refuses."""

from __future__ import annotations

import json

import pytest

from concord.errors import UserError
from concord.stats.analysis import analyse

FACTORS = ["system", "target"]
MEAN = ["level", "mean", "se", "df", "lower", "upper", "letters"]
PAIR = ["a", "b", "difference", "se", "t", "p"]


def test_plain_data_have_the_promised_shape(unbalanced):
    found = analyse(unbalanced, "score", FACTORS).json()
    assert list(found) == ["n", "residual_df", "sigma2", "anova", "means", "pairs", "within", "notes"]
    assert (found["n"], found["residual_df"], found["sigma2"]) == (16, 10, pytest.approx(0.44775))
    assert list(found["anova"]) == ["1", "2", "3"]
    for lines in found["anova"].values():
        assert [line["term"] for line in lines] == ["system", "target", "system:target", "residuals"]
        assert all(list(line) == ["term", "df", "sum_sq", "f", "p"] for line in lines)
    assert list(found["means"]) == list(found["pairs"]) == FACTORS
    assert [list(mean) for mean in found["means"]["system"]] == [MEAN] * 3
    assert [list(pair) for pair in found["pairs"]["system"]] == [PAIR] * 3
    assert list(found["within"]) == ["system|target", "target|system"]
    assert list(found["within"]["system|target"]) == ["x", "y"]
    inside = found["within"]["target|system"]["c"]
    assert ([list(mean) for mean in inside["means"]], [list(pair) for pair in inside["pairs"]]) == ([MEAN] * 2, [PAIR])


@pytest.mark.parametrize("options", [{}, {"interaction": False}, {"cluster": "sentence", "resamples": 20}])
def test_plain_data_are_strict_json_also_where_nothing_is_known(lacking, options):
    for rows in (lacking, lacking[:1], lacking[:3], [lacking[0], lacking[-1]]):
        found = analyse(rows, "score", FACTORS, **options).json()
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_clusters_and_ranking_are_added_when_asked_for(unbalanced):
    found = analyse(unbalanced, "score", FACTORS, cluster="sentence", resamples=20).json()
    assert list(found["clustered"]) == ["clusters", "means", "pairs", "within", "changes"]
    assert [list(change) for change in found["clustered"]["changes"][:1]] == [["where", "a", "b", "p", "clustered_p"]]
    assert list(found["ranking"]["system"][0]) == ["level", "mean", "rank", "best", "worst", "letters"]


def test_one_factor_has_nothing_within(unbalanced):
    found = analyse(unbalanced, "score", ["system"]).json()
    assert found["within"] == {}
    assert [mean["mean"] for mean in found["means"]["system"]] == pytest.approx([27.3 / 5, 41 / 6, 20.3 / 5])


def test_three_factors_have_all_simple_effects(unbalanced):
    rows = [{**row, "metric": metric} for row in unbalanced for metric in ("bleu", "chrf")]
    found = analyse(rows, "score", [*FACTORS, "metric"])
    assert len(found.compared.within) == 6
    assert found.compared.overall["metric"].pairs[0].difference == pytest.approx(0)


def test_a_balanced_table_has_nothing_to_note():
    rows = [{"system": a, "target": b, "score": i * len(a + b) % 5} for a in "ab" for b in "xy" for i in range(4)]
    assert analyse(rows, "score", FACTORS).notes == []


def test_gaps_and_unequal_cells_are_noted(unbalanced):
    unbalanced.append({"system": "a", "target": "x", "score": None})
    notes = analyse(unbalanced, "score", FACTORS).notes
    assert notes[0] == "Left out for a gap in a column that matters: 1 row."
    assert notes[1].startswith("The table is unbalanced: cells have from 2 to 4 observations.")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("score", []), {}, "name at least one factor"),
        (("score", ["system", "system"]), {}, "'system' has two roles"),
        (("score", ["score"]), {}, "'score' has two roles"),
        (("score", ["system"]), {"nested": {"system": "system"}}, "'system' has two roles"),
        (("score", ["system"]), {"nested": {"path": "target"}}, "'path' cannot be nested: it is not a factor"),
        (("score", ["system"]), {"level": 95}, "the level is 95, but must lie between 0 and 1"),
        (("score", list("abcdefg")), {}, "7 factors are too many: at most 6"),
    ],
)
def test_what_makes_no_sense_is_refused(unbalanced, arguments, options, message):
    with pytest.raises(UserError, match=message):
        analyse(unbalanced, *arguments, **options)


def test_a_model_that_is_too_large_is_refused_before_it_is_built():
    rows = [{"one": i % 900, "other": i % 899, "score": 1.0} for i in range(20_000)]
    with pytest.raises(UserError, match=r"the model is too large: levels 900 of 'one' × 899 of 'other'\. Leave the"):
        analyse(rows, "score", ["one", "other"])
