"""Everything that the labelling page can do is a command, too."""

from __future__ import annotations

import csv
import json

import pytest


@pytest.fixture
def concord(concord, tmp_path):
    """The program in a folder with a small run of a system that makes mistakes."""
    assert (
        concord("run", "demo", "--limit", "40", "-s", "faulty:fake,rate=0.5", "-t", "es", "-r", "rtt", "--top", "0")[0]
        == 0
    )
    assert concord("label", "draw", "--name", "q", "--size", "20", "--seed", "5")[0] == 0
    return concord


def told(concord, *words):
    code, out, err = concord(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_a_queue_is_drawn_listed_enlarged_and_removed(concord):
    code, out, _ = concord("label", "draw", "1", "--name", "other", "--size", "10")
    assert code == 0
    assert "10 cases in the queue other" in out
    rows = told(concord, "label", "queues")["rows"]
    assert [(row["name"], row["size"], row["runs"]) for row in rows] == [("other", 10, [1]), ("q", 20, [1])]
    assert told(concord, "label", "draw", "--name", "q", "--size", "30", "--enlarge")["size"] == 30
    assert [row["name"] for row in told(concord, "label", "queues", "--forget", "other")["rows"]] == ["q"]
    assert concord("label", "draw", "1", "--name", "q", "--size", "40", "--enlarge")[0] == 2
    assert concord("label", "draw", "--name", "q")[0] == 2


def test_cases_are_labelled_one_by_one_and_taken_back(concord):
    first = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")
    assert (first["said"], first["size"], first["place"]) == (0, 20, 1)
    assert "suspicion" not in first["case"]
    case = first["case"]["case"]
    words = ("--categories", "unclear logic", "--severity", "major", "--wrong", "both")
    made = told(concord, "label", "say", case, "error", "--annotator", "ana", *words)
    assert (made["verdict"], made["severity"], made["categories"]) == ("error", "major", ["unclear logic"])
    assert told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["said"] == 1
    assert told(concord, "label", "next", "--queue", "q", "--annotator", "ben")["place"] == 1
    concord("label", "say", case, "correct", "--annotator", "ana")
    code, out, _ = concord("label", "undo", "--annotator", "ana")
    assert (code, out) == (0, f"{case[:12]}: correct is taken back; ana says error\n")
    (undone,) = told(concord, "label", "undo", "--annotator", "ana")["rows"]
    assert (undone["label"]["verdict"], undone["before"]) == ("error", None)
    code, _, err = concord("label", "undo", "--annotator", "ana")
    assert (code, "nothing that could be taken back" in err) == (2, True)
    assert concord("label", "redo", "--annotator", "ana")[:2] == (0, f"{case[:12]}: ana says error again\n")
    assert [each["verdict"] for each in told(concord, "label", "redo", "--annotator", "ana")["rows"]] == ["correct"]
    code, _, err = concord("label", "redo", "--annotator", "ana")
    assert (code, "nothing back that could be said again" in err) == (2, True)


def test_a_sheet_of_a_queue_does_not_tell_what_is_flagged(concord, tmp_path):
    assert told(concord, "label", "export", "q.csv", "--queue", "q")["lines"] == 20
    with (tmp_path / "q.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not {"suspicion", "threshold"} & set(rows[0])
    for row in rows:
        row["verdict"] = "error"
    with (tmp_path / "q.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert told(concord, "label", "import", "q.csv", "--annotator", "ana")["labels"] == 20
    assert "Nothing is left to label." in concord("label", "next", "--queue", "q", "--annotator", "ana")[1]
    assert len(told(concord, "label", "undo", "--annotator", "ana")["rows"]) == 20
    assert concord("label", "export", "1", "r.csv", "--queue", "q")[0] == 2


def label_all(concord, who, verdict):
    for _ in range(20):
        found = told(concord, "label", "next", "--queue", "q", "--annotator", who)
        said = verdict(found["place"])
        assert concord("label", "say", found["case"]["case"], said, "--annotator", who)[0] == 0


def test_agreement_and_estimates_come_out_of_labels(concord):
    assert "No case was judged by two people." in concord("label", "agreement")[1]
    label_all(concord, "ana", lambda place: "error" if place % 2 else "correct")
    label_all(concord, "ben", lambda place: "error" if place % 2 or place == 2 else "correct")
    found = told(concord, "label", "agreement", "--queue", "q")
    assert (found["units"], found["share"], found["coefficient"]) == (20, 0.95, "Cohen's kappa")
    assert found["value"] == pytest.approx(0.9)
    assert len(found["disputed"]) == 1
    out = concord("label", "agreement")[1]
    assert "agreement 95.0%; Cohen's kappa 0.900" in out
    assert "ana: correct; ben: error" in out
    made = told(concord, "label", "estimate", "--queue", "q", "--annotator", "ana")
    assert made["labelled"] == 20
    assert made["cases"] == pytest.approx(told(concord, "label", "queues")["rows"][0]["population"])
    assert 0 <= made["recall"]["low"] <= made["recall"]["value"] <= made["recall"]["high"] <= 1
    code, out, _ = concord("label", "estimate", "--queue", "q")
    assert code == 0
    assert "1 of 20 cases left out: undecided" in out


def test_without_labels_nothing_is_estimated(concord):
    code, _, err = concord("label", "estimate", "--queue", "q")
    assert (code, "labelled yet" in err) == (2, True)


@pytest.mark.parametrize(
    ("what", "ending"), [("findings", "csv"), ("labels", "jsonl"), ("corrections", "tmx"), ("spans", "json")]
)
def test_everything_is_exported_by_name(concord, tmp_path, what, ending):
    case = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["case"]["case"]
    words = ("--annotator", "ana", "--wrong", "source output", "--correction", "Así.")
    assert concord("label", "say", case, "error", *words)[0] == 0
    code, out, err = concord("export", "--what", what, "-o", f"out.{ending}")
    assert (code, err) == (0, "")
    assert what in out
    assert (tmp_path / f"out.{ending}").stat().st_size > 100


def test_labels_are_exported_with_what_they_are_about(concord):
    case = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["case"]
    concord("label", "say", case["case"], "error", "--annotator", "ana", "--severity", "minor")
    (line,) = concord("export", "--what", "labels")[1].splitlines()
    found = json.loads(line)
    assert (found["case"], found["severity"], found["stale"]) == (case["case"], "minor", False)
    assert found["source"] == case["source"]["words"]
    assert found["created"]


def test_what_cannot_be_exported_is_refused(concord):
    assert concord("export", "--what", "nothing")[0] == 2
    assert concord("export", "--what", "spans", "-o", "x.csv")[0] == 2
    assert concord("export", "--what", "labels", "--json")[0] == 2
    code, _, err = concord("export", "--what", "rows", "--relation", "rti")
    assert (code, "filters are for findings and spans" in err) == (2, True)
    assert concord("export", "--json", "--relation", "rti")[0] == 2


def test_findings_are_exported_by_the_filters_of_show(concord):
    every = [json.loads(line) for line in concord("export", "--what", "findings")[1].splitlines()]
    bound = every[len(every) // 2]["suspicion"]
    filters = ("--suspicion", f"{bound!r}:")
    found = [json.loads(line) for line in concord("export", "--what", "findings", *filters)[1].splitlines()]
    shown = told(concord, "show", "--violated", "--limit", "1000", *filters)["rows"]
    assert [row["case"] for row in found] == [row["case"] for row in shown]
    assert 0 < len(found) < len(every)
