"""Evaluating and tuning as a user does it: from a file, and from the labels of runs."""

from __future__ import annotations

import csv
import json
import re
import tomllib

import pytest

WORDS = ["dog", "cat", "bird", "horse", "fish", "wolf"]
ANSWERS = [
    row
    for word in WORDS
    for row in (
        ("en", "es", f"The {word} sleeps.", f"{word} duerme."),
        ("es", "en", f"{word} duerme.", f"The {word} sleeps." if word in WORDS[:3] else f"{word * 3} zz"),
    )
]
FILE = "label,good,noise,note\n" + "".join(
    f"{label},{good},{noise},x\n"
    for label, good, noise in [("bug", 0.1, 0.4), ("bug", 0.2, 0.9), ("correct", 0.7, 0.5), ("correct", 0.8, 0.3)] * 10
)


@pytest.fixture
def concord(concord, tmp_path):
    """The program in a folder with a labelled file."""
    (tmp_path / "l.csv").write_text(FILE)
    return concord


@pytest.fixture
def labelled(concord, tmp_path):
    """A run of six sentences: those that come back changed are called errors, one is a bad test, one not judged."""
    (tmp_path / "c.txt").write_text("".join(f"The {word} sleeps.\n" for word in WORDS))
    (tmp_path / "t.tsv").write_text("".join("\t".join(row) + "\n" for row in ANSWERS))
    run = ("run", "c.txt", "-s", "table:t.tsv", "-t", "es", "-r", "rtt,metric=levenshtein", "--top", "0")
    assert concord(*run)[0] == 0
    assert concord("label", "export", "2", "sheet.csv", "--all")[0] == 0
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    said = {"dog": "correct", "cat": "bad test", "bird": "", "horse": "error", "fish": "error", "wolf": "error"}
    for line in lines:
        line["verdict"] = next(verdict for word, verdict in said.items() if word in line["source"])
    with (tmp_path / "sheet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    assert concord("label", "import", "sheet.csv", "--annotator", "ana")[0] == 0
    return concord


def test_a_file_is_evaluated_in_tables(concord):
    code, out, err = concord("evaluate", "l.csv", "--folds", "2", "--mix", "good,noise")
    assert (code, err) == (0, "note: columns of numbers taken for scores, worse when lower: good, noise\n")
    for said in ("mean / best over thresholds", "areas and best", "2 folds", "More bugs found", "K × good + (1 − K)"):
        assert said in out


def test_json_has_every_number(concord, tmp_path):
    code, out, _ = concord("evaluate", "l.csv", "--score", "noise:higher-is-worse", "--out", "o", "--json")
    found = json.loads(out)
    assert code == 0
    (metric,) = found["metrics"]
    # Of the four pairs of values the bug is the higher one in three: 0.4 is above 0.3 alone, 0.9 above both.
    assert (metric["flag"], metric["auc"], metric["missing"]) == ("≥", 0.75, 0)
    assert len(metric["points"]) == 101
    assert (tmp_path / "o" / "index.html").is_file()
    assert len(found["files"]) == len(list((tmp_path / "o").iterdir()))


def test_what_is_wrong_with_a_file_is_said_in_a_line(concord, tmp_path):
    (tmp_path / "bad.csv").write_text("label,s\nbug,1\nperhaps,2\n")
    code, _, err = concord("evaluate", "bad.csv")
    assert code == 2
    assert "bad.csv, line 3: the label 'perhaps' is not known. Choices: bug or correct" in err
    assert concord("evaluate", "none.csv")[0] == 2


def test_labelled_runs_are_evaluated_by_suspicion_and_scores(labelled):
    code, out, _ = labelled("evaluate", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["rows"], found["bugs"]) == (5, 3)
    assert found["notes"] == [
        "1 case left out: not labelled",
        "suspicion is 1 − levenshtein, so it is not combined with others",
    ]
    assert (found["alone"], found["gains"], found["together"]) == ([], [], None)
    metrics = {each["name"]: each for each in found["metrics"]}
    assert set(metrics) == {"suspicion", "levenshtein"}
    assert (metrics["suspicion"]["flag"], metrics["levenshtein"]["flag"]) == (">", "≤")
    assert metrics["suspicion"]["auc"] == metrics["levenshtein"]["auc"] == 1.0


def test_runs_without_labels_or_of_different_kinds_are_refused(labelled):
    rtt = ("run", "c.txt", "-s", "table:t.tsv", "-t", "es", "-r", "rtt,metric=chrf", "--top", "0")
    assert labelled(*rtt)[0] == 0
    code, _, err = labelled("evaluate", "4")
    assert code == 2
    assert "label export" in err
    code, _, err = labelled("evaluate", "2,4")
    assert code == 2
    assert "different scales. Choose among: 2; 4" in err
    assert labelled("evaluate", "2", "--score", "none")[0] == 2


def test_a_tuned_run_is_judged_by_its_threshold_ever_after(labelled, tmp_path):
    code, out, _ = labelled("tune", "--want", "f")
    assert code == 0
    assert "it flags 3, 3 of them bugs: precision 1.000" in out
    options = tomllib.loads((tmp_path / "concord.toml").read_text())["relations"]["rtt"]
    assert options["metric"] == "levenshtein"
    run = ("run", "c.txt", "-s", "table:t.tsv", "-t", "es", "--top", "0", "--json")
    _, told = json.loads(labelled(*run, "-r", "rtt")[1])["runs"]
    assert told["flagged"] == 3
    assert f"threshold:{options['threshold']:g}" in told["signature"]
    assert "metric:levenshtein" in told["signature"]
    _, other = json.loads(labelled(*run, "-r", "rtt,threshold=1")[1])["runs"]
    assert other["flagged"] == 0


def test_a_file_is_tuned_for_the_relation_that_is_named(concord, tmp_path):
    words = ("tune", "l.csv", "--score", "good", "-r", "rtt,metric=chrf", "--config", "my.toml", "--want")
    code, out, _ = concord(*words, "precision=.8", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["choice"]["flagged"], found["choice"]["found"], found["file"]) == (20, 20, "my.toml")
    # Similarities up to 0.2 are bugs, so suspicions of 0.8 and more.
    assert 0.3 <= found["choice"]["threshold"] < 0.8
    told = tomllib.loads((tmp_path / "my.toml").read_text())
    assert told == {"relations": {"rtt": {"metric": "chrf", "threshold": found["choice"]["threshold"]}}}


TUNED = {"semmt": "threshold", "semmt,metric=d": "threshold", "rtt": "threshold"}


@pytest.mark.parametrize("relation", TUNED)
def test_what_is_tuned_is_accepted_by_a_run(concord, tmp_path, relation):
    same = "".join(f"{label},{score}\n" for label, score in [("bug", 0.3), ("correct", 1), ("correct", 1)])
    (tmp_path / "s.csv").write_text("label,s\n" + same)
    assert concord("tune", "s.csv", "-r", relation)[0] == 0
    # The spared rows have no suspicion at all, the bug 0.7.
    name, _, _ = relation.partition(",")
    assert 0 < tomllib.loads((tmp_path / "concord.toml").read_text())["relations"][name][TUNED[relation]] < 0.7
    (tmp_path / "c.txt").write_text("At least three dogs barked in the old garden.\n")
    code, out, err = concord("run", "c.txt", "-s", "fake", "-t", "es", "-r", name, "--top", "0", "--json")
    assert (code, err) == (0, "")
    assert f"{TUNED[relation]}:0." in json.loads(out)["runs"][1]["signature"]


def test_a_threshold_that_the_relation_refuses_is_not_written(concord, tmp_path):
    (tmp_path / "far.csv").write_text("label,s\nbug,20\ncorrect,3\n")
    code, _, err = concord("tune", "far.csv", "-r", "semmt", "--score", "s:higher-is-worse")
    assert code == 2
    assert "recommend threshold = 3, which cannot be used: semmt: threshold cannot be '3': a number above 0" in err
    assert not (tmp_path / "concord.toml").exists()


@pytest.mark.parametrize("relation", ["rtt", "pivot", "pivot,pivots=es"])
def test_a_threshold_beyond_what_suspicion_can_be_is_not_written(concord, tmp_path, relation):
    (tmp_path / "far.csv").write_text("label,s\nbug,20\ncorrect,3\n")
    code, _, err = concord("tune", "far.csv", "-r", relation, "--score", "s:higher-is-worse")
    assert code == 2
    assert "recommend threshold = 3, which cannot be used" in err
    assert "a number from 0 to 1 is expected" in err
    assert not (tmp_path / "concord.toml").exists()


@pytest.mark.parametrize("relation", ["rti:paper", "literals", "sit:paper", "mgmt,granularities=sentence"])
def test_a_similarity_is_no_threshold_for_a_relation_that_measures_otherwise(concord, tmp_path, relation):
    code, _, err = concord("tune", "l.csv", "--score", "good", "-r", relation)
    assert code == 2
    assert f"but {relation.partition(',')[0]} measures in units of its own" in err
    assert not (tmp_path / "concord.toml").exists()
    (tmp_path / "e.csv").write_text("label,edits\nbug,5\nbug,4\ncorrect,1\ncorrect,0\n")
    assert concord("tune", "e.csv", "--score", "edits:higher-is-worse", "-r", relation)[0] == 0


def test_a_score_that_is_another_metric_than_the_relations_is_said(concord, tmp_path):
    (tmp_path / "c.csv").write_text(FILE.replace("good", "embedding"))
    score = ("tune", "c.csv", "--score", "embedding")
    _, _, err = concord(*score, "-r", "rtt")
    assert "the score is embedding, but rtt has metric = chrf" in err
    assert "--relation rtt,metric=embedding" in err
    assert "but rtt has metric" not in concord(*score, "-r", "rtt,metric=embedding")[2]
    # Now the file says so.
    assert "but rtt has metric" not in concord(*score, "-r", "rtt")[2]


def test_a_file_of_dotted_keys_is_edited_too(concord, tmp_path):
    (tmp_path / "concord.toml").write_text("relations.rtt.threshold = 0.9\n")
    code, _, _ = concord("tune", "l.csv", "--score", "good", "-r", "rtt,metric=chrf")
    assert code == 0
    written = tomllib.loads((tmp_path / "concord.toml").read_text())
    assert written["relations"]["rtt"] == {"threshold": 0.6, "metric": "chrf"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-r", "rtt"), "Choose with --score: good, noise"),
        (("--score", "good"), "--relation rtt"),
        (("--score", "good", "-r", "rtt", "--want", "recall=1"), "precision=0.9"),
        (("--score", "good", "-r", "rtt", "--want", "precision=2"), "precision=0.9"),
        (("--score", "good", "-r", "rtt", "--want", "precision=0.99"), "Label more rows"),
        (("--score", "good", "-r", "rttt"), "Did you mean 'rtt'"),
    ],
)
def test_what_cannot_be_tuned_is_refused_and_nothing_written(concord, tmp_path, words, said):
    code, _, err = concord("tune", "l.csv", *words)
    assert code == 2
    assert said in err
    assert not (tmp_path / "concord.toml").exists()


def test_a_score_that_hardly_tells_is_called_that_and_gives_no_threshold(concord, tmp_path):
    (tmp_path / "concord.toml").write_text("[relations.rtt]\nthreshold = 0.3\n")
    code, out, err = concord("tune", "l.csv", "--score", "noise", "-r", "rtt")
    assert (code, out) == (2, "")
    assert "nothing is written to concord.toml: the best threshold of noise has F 0.500" in err
    assert "flagging every row would have 0.667, no less, so that it hardly tells bugs apart" in err
    assert (tmp_path / "concord.toml").read_text() == "[relations.rtt]\nthreshold = 0.3\n"
    (tmp_path / "far.csv").write_text("label,s\nbug,20\ncorrect,1\n")
    code, _, err = concord("tune", "far.csv", "-r", "rtt")
    assert code == 2
    assert "--score s:higher-is-worse" in err
    code, out, _ = concord("tune", "far.csv", "-r", "rti:paper", "--score", "s:higher-is-worse")
    assert code == 0
    assert '[relations."rti:paper"] d = 1' in out
    assert '[relations."rti:paper"]\nd = 1' in (tmp_path / "concord.toml").read_text()


TRIPS = [
    f"The {one} {verb} {number} {other}."
    for number, (one, verb, other) in enumerate(
        [(one, verb, other) for one in WORDS for verb in ("sees", "hears") for other in WORDS if one != other], 10
    )
]


@pytest.fixture
def explained(concord, tmp_path, trip):
    """Round trips judged by our comparison: every third number comes back wrong, and is labelled as correct."""
    (tmp_path / "c.txt").write_text("".join(f"{text}\n" for text in TRIPS))
    table = []
    for at, text in enumerate(TRIPS):
        the, one, verb, number, other = text.split()
        there = f"{the}l {one}o {verb}e {number} {other}"
        wrong, harmless = at % 3 == 0, at % 3 == 1
        back = " ".join([the, "goat" if wrong else one, verb, f"5{number}" if harmless else number, other])
        table += [("en", "es", text, there), ("es", "en", there, back)]
    (tmp_path / "t.tsv").write_text("".join("\t".join(row) + "\n" for row in table))
    run = ("run", "c.txt", "-s", "table:t.tsv", "-t", "es", "-r", trip, "--top", "0", "--json")
    assert concord(*run)[0] == 0
    assert concord("label", "export", "2", "sheet.csv", "--all")[0] == 0
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        line["verdict"] = "error" if "goat" in line["follow_up_output"] else "correct"
    with (tmp_path / "sheet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    assert concord("label", "import", "sheet.csv", "--annotator", "ana")[0] == 0
    return lambda *words: concord(*(words or run))


@pytest.mark.usefixtures("toy_languages")
def test_labels_teach_the_comparison_until_it_is_forgotten(explained):
    code, out, _ = explained("tune", "--fit", "-r", "trip")
    assert code == 0
    assert "trip en→es: 60 labelled cases, 20 of them bugs" in out
    assert "AUC on held-out sentences: 1.000; of the built-in rule: 0." in out
    name = re.search(r"Stored in the workspace as (fitted@\w{8}); it judges later runs of trip", out)
    assert name
    signature = json.loads(explained()[1])["runs"][1]["signature"]
    assert re.search(rf"\|explain:concord@3\+([^|]*\+)?{name[1]}", signature)
    code, out, _ = explained("tune", "--fit", "2", "--json")
    assert (code, json.loads(out)["used"], json.loads(out)["direction"]) == (0, True, "en-es")
    code, out, _ = explained("tune", "--forget", "-r", "trip")
    assert code == 0
    assert (
        "comparator of trip (en-es) is removed from concord.sqlite: later runs use the built-in rule. Labels and runs"
        in out
    )
    assert "fitted@" not in json.loads(explained()[1])["runs"][1]["signature"]
    assert explained("tune", "--forget", "-r", "trip", "--json")[0] == 2


def test_a_comparison_is_taught_with_the_synonyms_that_its_runs_were_given(explained, tmp_path):
    (tmp_path / "ours.tsv").write_text("\t".join(["goat", *WORDS]))
    given = ("--synonyms", "ours.tsv")
    fit = ("tune", "--fit", "2", "--json")
    with_them, without, again = (json.loads(explained(*fit, *more)[1])["name"] for more in (given, (), given))
    assert with_them == again != without
    code, _, err = explained("tune", "--fit", "-r", "trip", "--synonyms", "none.tsv")
    assert code == 2
    assert "the file of synonyms none.tsv cannot be read: No such file" in err


def test_a_table_cannot_teach_the_comparison(concord):
    code, _, err = concord("tune", "l.csv", "--fit")
    assert code == 2
    assert "--fit learns from labelled runs, not from a file such as l.csv" in err
    for more in (("--forget",), ("--want", "precision=.9"), ("--score", "good")):
        code, _, err = concord("tune", "--fit", *more)
        assert code == 2
        assert "give one of them" in err
