"""The analysis as a whole: its plain data, its notes, and what it refuses."""

from __future__ import annotations

import json
import tracemalloc

import numpy as np
import pytest

from concord.errors import UserError
from concord.stats import robust_comparisons
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
        (("score", ["system"]), {"cluster": "system"}, "'system' has two roles.* and the cluster must differ"),
        (("score", ["system"]), {"cluster": "score"}, "'score' has two roles"),
        (("score", ["sentence"]), {"nested": {"sentence": "target"}, "cluster": "target"}, "'target' has two roles"),
    ],
)
def test_what_makes_no_sense_is_refused(unbalanced, arguments, options, message):
    with pytest.raises(UserError, match=message):
        analyse(unbalanced, *arguments, **options)


def crossed(sizes, count=4000):
    rng = np.random.default_rng(1)
    columns = {factor: rng.integers(size, size=count) for factor, size in sizes.items()}
    return [{"score": 1.0, **{factor: codes[i] for factor, codes in columns.items()}} for i in range(count)]


@pytest.mark.parametrize(
    ("sizes", "interaction", "message"),
    [
        ({"one": 900, "other": 899}, True, "of 'other'. Use fewer factors, or factors with fewer levels"),
        ({"one": 100, "other": 120}, True, "of 'other'. Leave the interaction out \\(--additive\\), or use factors"),
        (dict.fromkeys("abc", 600), False, "of 'c'. Use fewer factors"),
        (dict.fromkeys("abcdef", 30), False, "of 'f'. Use fewer factors"),
    ],
)
def test_a_model_that_is_too_large_is_refused_before_it_is_built(sizes, interaction, message):
    rows = crossed(sizes, 1500 if interaction and sizes.get("one") == 100 else 4000)
    tracemalloc.start()
    with pytest.raises(UserError, match=f"the model is too large: levels .* {message}"):
        analyse(rows, "score", list(sizes), interaction=interaction)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000


def test_too_many_pairs_are_refused_before_they_are_compared(unbalanced, monkeypatch):
    monkeypatch.setattr(robust_comparisons, "_MOST_PAIRS", 12)
    # 3 + 1 overall, 2 × 3 + 3 × 1 within.
    with pytest.raises(UserError, match=r"compare: 13, from levels 3 of 'system', 2 of 'target'\. Analyse fewer"):
        analyse(unbalanced, "score", FACTORS)
    monkeypatch.setattr(robust_comparisons, "_MOST_PAIRS", 13)
    assert len(list(analyse(unbalanced, "score", FACTORS).compared.pairs())) == 13


def test_a_path_is_compared_only_within_its_own_target():
    rows = [{"score": i % 5, "path": i % 30, "target": i % 3} for i in range(90)]
    found = analyse(rows, "score", ["path"], nested={"path": "target"})
    assert found.margins.pairs() == len(list(found.compared.pairs())) == 435 + 3 + 3 * 45


@pytest.mark.parametrize("offset", [1e8, -1e8])
def test_an_offset_changes_nothing_but_the_means(offset):
    rng = np.random.default_rng(1)
    rows = [
        {"system": a, "target": b, "sentence": s, "score": rng.normal() + (a == "b") + s / 20}
        for a in "abc"
        for b in "xy"
        for s in rng.integers(40, size=30).tolist()
    ]
    far = [{**row, "score": row["score"] + offset} for row in rows]
    near, found = (analyse(each, "score", FACTORS, cluster="sentence", resamples=200).json() for each in (rows, far))
    assert len({each["letters"] for each in near["ranking"]["system"]}) > 1
    assert flat(found) == pytest.approx(flat(near), rel=1e-6, abs=1e-9)
    assert [mean["mean"] - offset for mean in found["means"]["system"]] == pytest.approx(
        [mean["mean"] for mean in near["means"]["system"]], rel=1e-6
    )


def flat(value, name=""):
    """All numbers and letters by their place, without the means and the bounds of their intervals."""
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in ("mean", "lower", "upper", "notes", "letters")}
        letters = {name + ".letters": sum(map(ord, value["letters"]))} if value.get("letters") else {}
        return letters | {k: v for key, each in kept.items() for k, v in flat(each, f"{name}.{key}").items()}
    if isinstance(value, list):
        return {k: v for place, each in enumerate(value) for k, v in flat(each, f"{name}.{place}").items()}
    return {name: value} if isinstance(value, float | int) else {}


def test_scores_far_from_zero_are_not_taken_for_an_exact_fit():
    rng = np.random.default_rng(1)
    rows = [{"system": a, "score": 1e10 + rng.normal()} for a in "ab" for _ in range(20)]
    assert 0.5 < analyse(rows, "score", ["system"]).model.sigma2 < 2


def test_one_observation_per_cell_suggests_no_number_of_replications():
    rows = [{"system": a, "target": b, "score": float(ord(a) * ord(b) % 7)} for a in "abc" for b in "xy"]
    found = analyse(rows, "score", FACTORS)
    assert found.replications(0.1) == {}
    assert "no number of replications follows" in " ".join(found.notes)
