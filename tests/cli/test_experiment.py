"""`concord experiment` and `concord analyse`."""

from __future__ import annotations

import json
from collections import Counter

EXPERIMENT = """
systems = ["fake", "faulty:fake,kind=drop_word,rate=0.5"]
targets = ["es", "ca"]
pivots = ["es", "ca", "gl"]
replications = 12
"""


def test_an_experiment_is_run_analysed_and_reported(concord, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    code, out, _ = concord("experiment", "run", "small.toml", "--dry-run", "--json")
    assert (code, json.loads(out)["rows"][0]["system"]) == (0, "fake")
    assert not (tmp_path / "concord.sqlite").exists()
    code, out, _ = concord("experiment", "run", "small.toml")
    assert code == 0
    assert "concord experiment analyse small.toml" in out
    code, out, _ = concord("experiment", "analyse", "small.toml", "--width", "0.1")
    assert code == 0
    assert "Means by system within each target" in out
    assert "Replications for intervals of width 0.1" in out
    made = json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])
    assert made["n"] == 2 * 4 * 12
    code, out, _ = concord("experiment", "report", "small.toml", "--charts", "charts")
    assert code == 0
    assert "<svg" in (tmp_path / "experiment.html").read_text()
    assert (tmp_path / "charts" / "residuals.svg").exists()


def test_people_score_a_sheet_that_does_not_name_the_systems(concord, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    concord("experiment", "run", "small.toml")
    code, out, _ = concord("label", "rate", "small.toml", "rate.tsv", "--size", "8", "--target", "es")
    assert code == 0
    assert "8 translations: rate.tsv" in out
    assert "concord experiment analyse small.toml --human rate.tsv" in out
    assert concord("label", "rate", "small.toml", "rate.tsv")[0] == 2
    header, *lines = (tmp_path / "rate.tsv").read_text("utf-8-sig").splitlines()
    assert "fake" not in "".join(lines)
    filled = [line.removesuffix("\t\t\t") + "\t2\t12.5\t" for line in lines]
    (tmp_path / "rate.tsv").write_text("\n".join([header, *filled]) + "\n")
    code, out, _ = concord("experiment", "analyse", "small.toml", "--human", "rate.tsv")
    assert code == 0
    assert [line.split() for line in out.splitlines() if line.startswith("people")] == [["people", "8", "12.5", "12.5"]]


def test_an_experiment_that_a_budget_ends_keeps_what_it_has(concord, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('translator = "fake"\n[limits]\ntexts = 4\nin_flight = 1\n')
    text = EXPERIMENT.replace('"fake", "faulty:fake,kind=drop_word,rate=0.5"', '"one.toml", "two.toml"')
    (tmp_path / "small.toml").write_text(text)
    code, _, err = concord("experiment", "run", "small.toml", "--max-chars", "14000")
    assert code == 1
    assert "--max-chars" in err
    made = json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])
    assert 0 < made["n"] < 96
    assert any("not finished" in note for note in made["notes"])
    assert concord("experiment", "run", "small.toml")[0] == 0
    assert json.loads(concord("experiment", "analyse", "small.toml", "--json")[1])["n"] == 96


def test_any_table_can_be_analysed(concord, tmp_path):
    rows = [f"{s},{t},{i % 5 + (s == 'b')}" for s in "ab" for t in "xyz" for i in range(10)]
    (tmp_path / "t.csv").write_text("system,target,score\n" + "\n".join(rows) + "\n")
    words = ("analyse", "t.csv", "--response", "score", "--factor", "system", "--factor", "target")
    code, out, _ = concord(*words)
    assert code == 0
    assert "Means by system" in out
    made = json.loads(concord(*words, "--json")[1])
    assert (made["n"], made["residual_df"]) == (60, 54)
    assert concord("analyse", "t.csv", "--response", "scor", "--factor", "system")[0] == 2


def test_half_a_budget_buys_about_half_of_every_path(concord, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT.replace("replications = 12", "replications = 60"))
    whole = json.loads(concord("experiment", "run", "small.toml", "--dry-run", "--json")[1])["characters"]
    assert concord("experiment", "run", "small.toml", "--max-chars", str(whole // 2))[0] == 1
    counts = Counter(row["factors"]["path"] for row in map(json.loads, concord("export")[1].splitlines()))
    assert len(counts) == 4
    assert min(counts.values()) > 20
    assert max(counts.values()) < 2 * min(counts.values())
