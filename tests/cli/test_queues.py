"""Everything that the labelling page can do is a command, too."""

from __future__ import annotations

import csv
import itertools
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
    code, out, _ = concord("label", "draw", "2", "--name", "other", "--size", "10")
    assert code == 0
    assert "10 cases in the queue other" in out
    rows = told(concord, "label", "queues")["rows"]
    assert [(row["name"], row["size"], row["runs"]) for row in rows] == [("other", 10, [2]), ("q", 20, [2])]
    assert told(concord, "label", "draw", "--name", "q", "--size", "30", "--enlarge")["size"] == 30
    assert [row["name"] for row in told(concord, "label", "queues", "--forget", "other")["rows"]] == ["q"]
    assert concord("label", "draw", "2", "--name", "q", "--size", "40", "--enlarge")[0] == 2
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
    assert (code, out) == (0, f"{case[:12]}: correct is undone; ana says error\n")
    (undone,) = told(concord, "label", "undo", "--annotator", "ana")["rows"]
    assert (undone["label"]["verdict"], undone["before"]) == ("error", None)
    code, _, err = concord("label", "undo", "--annotator", "ana")
    assert (code, "nothing that could be taken back" in err) == (2, True)
    assert concord("label", "redo", "--annotator", "ana")[:2] == (0, f"{case[:12]}: ana says error again\n")
    assert [each["verdict"] for each in told(concord, "label", "redo", "--annotator", "ana")["rows"]] == ["correct"]
    code, _, err = concord("label", "redo", "--annotator", "ana")
    assert (code, "nothing back that could be said again" in err) == (2, True)


def test_a_case_is_named_by_how_its_name_begins(concord):
    cases = sorted({row["case"] for row in told(concord, "export")["rows"]})
    assert told(concord, "label", "say", cases[0][:12], "error", "--annotator", "ana")["case"] == cases[0]
    assert told(concord, "label", "say", cases[1][:11].upper(), "error", "--annotator", "ana")["case"] == cases[1]
    shared = next(each[0] for each, other in itertools.pairwise(cases) if each[0] == other[0])
    code, _, err = concord("label", "say", shared, "error", "--annotator", "ana")
    assert (code, f"several cases begin with '{shared}'" in err) == (2, True)
    assert next(each for each in cases if each.startswith(shared))[:12] in err
    for unknown in ("", "no hex", "0" * 12, "f" * 200):
        code, _, err = concord("label", "say", unknown, "error", "--annotator", "ana")
        assert (code, "there is no case" in err) == (2, True)


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
    assert concord("label", "export", "2", "r.csv", "--queue", "q")[0] == 2


def sheet(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_of_a_queue_tells_nothing_of_what_others_say(concord, tmp_path):
    case = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["case"]["case"]
    for who, verdict in {"ana": "error", "ben": "correct"}.items():
        assert concord("label", "say", case, verdict, "--annotator", who)[0] == 0
    assert concord("label", "export", "all.csv", "--queue", "q")[0] == 0
    assert {(row["annotator"], row["verdict"], row["stale"]) for row in sheet(tmp_path / "all.csv")} == {("", "", "")}
    code, out, _ = concord("label", "export", "ana.csv", "--queue", "q", "--annotator", "ana")
    assert (code, "label import ana.csv --annotator ana" in out) == (0, True)
    rows = sheet(tmp_path / "ana.csv")
    assert {row["annotator"] for row in rows} == {"ana"}
    assert [row["verdict"] for row in rows] == ["error"] + [""] * 19


def test_a_line_that_names_somebody_else_is_not_taken_for_mine(concord, tmp_path):
    assert concord("label", "export", "q.csv", "--queue", "q", "--annotator", "ana")[0] == 0
    rows = sheet(tmp_path / "q.csv")
    with (tmp_path / "q.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerow(rows[0] | {"verdict": "error", "comment": "so"})
    code, _, err = concord("label", "import", "q.csv", "--annotator", "ben")
    assert (code, "the column 'annotator' names 'ana', and not 'ben'" in err) == (2, True)
    assert told(concord, "label", "list")["rows"] == []
    assert told(concord, "label", "import", "q.csv")["labels"] == 1
    code, _, _ = concord("label", "import", "q.csv", "--annotator", "ben")
    assert (code, [row["annotator"] for row in told(concord, "label", "list")["rows"]]) == (0, ["ana"])


def label_all(concord, who, verdict):
    for _ in range(20):
        found = told(concord, "label", "next", "--queue", "q", "--annotator", who)
        said = verdict(found["place"])
        assert concord("label", "say", found["case"]["case"], said, "--annotator", who)[0] == 0


def test_agreement_and_estimates_come_out_of_labels(concord):
    assert "No case was labelled by two annotators." in concord("label", "agreement")[1]
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


@pytest.mark.parametrize(("what", "ending"), [("findings", "csv"), ("labels", "jsonl"), ("corrections", "tmx")])
def test_everything_is_exported_by_name(concord, tmp_path, what, ending):
    case = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["case"]["case"]
    words = ("--annotator", "ana", "--wrong", "source output", "--correction", "Así.")
    assert concord("label", "say", case, "error", *words)[0] == 0
    code, out, err = concord("export", "--what", what, "-o", f"out.{ending}")
    assert (code, err) == (0, "")
    assert what.removesuffix("s") in out
    assert (tmp_path / f"out.{ending}").stat().st_size > 100


def test_labels_are_exported_with_what_they_are_about(concord):
    case = told(concord, "label", "next", "--queue", "q", "--annotator", "ana")["case"]
    concord("label", "say", case["case"], "error", "--annotator", "ana", "--severity", "minor")
    (line,) = concord("export", "--what", "labels")[1].splitlines()
    found = json.loads(line)
    assert (found["case"], found["severity"], found["stale"]) == (case["case"], "minor", False)
    assert found["source"] == case["source"]["words"]
    assert found["created"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--relation", "rttt"], "there is no run of the relation 'rttt'. Did you mean 'rtt'? Known: rtt, sane"),
        (["--system", "nope"], "there is no run of the system 'nope'. Known: faulty"),
        (["--domain", "nope"], "there is no run with the domain 'nope'. Did you mean 'news'? Known: news"),
        (["--to", "ca"], "there is no run into the language 'ca'. Known: es"),
    ],
)
def test_a_filter_that_no_run_knows_is_told_with_those_that_they_know(concord, words, said):
    for command in (["show"], ["show", "--by", "problem"], ["export", "--what", "findings"]):
        code, out, err = concord(*command, *words)
        assert (code, out) == (2, "")
        assert said in err


@pytest.mark.parametrize("text", ["*", "%", "?*", "..."])
def test_a_text_without_words_is_refused_rather_than_found_everywhere(concord, text):
    for command in (["show"], ["show", "--by", "problem"], ["export", "--what", "findings"]):
        code, out, err = concord(*command, "--text", text)
        assert (code, out) == (2, "")
        assert f"'{text}' has no word to look for" in err
        assert "Leave the text out for all cases" in " ".join(err.split())


def test_what_cannot_be_exported_is_refused(concord):
    assert concord("export", "--what", "nothing")[0] == 2
    assert concord("export", "--what", "corrections", "-o", "x.csv")[0] == 2
    assert concord("export", "--what", "labels", "--json")[0] == 2
    code, _, err = concord("export", "--what", "rows", "--relation", "rti")
    assert (code, "filters are for cases, findings and problems." in err) == (2, True)
    assert concord("export", "--json", "--relation", "rti")[0] == 2


def test_cases_are_exported_by_the_filters_of_show(concord):
    every = [json.loads(line) for line in concord("export", "--what", "cases")[1].splitlines()]
    bound = every[len(every) // 2]["suspicion"]
    filters = ("--suspicion", f"{bound!r}:")
    found = [json.loads(line) for line in concord("export", "--what", "cases", *filters)[1].splitlines()]
    shown = told(concord, "show", "--by", "case", "--flagged", "--limit", "1000", *filters)["rows"]
    assert [row["case"] for row in found] == [row["case"] for row in shown]
    assert 0 < len(found) < len(every)
