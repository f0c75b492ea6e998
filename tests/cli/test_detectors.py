"""Detectors, their overlap, and thresholds that are kept, on the command line."""

from __future__ import annotations

import json
import tomllib

import pytest

from concord import api
from concord.labels.labels import Label, Labels
from concord.store import Workspace
from concord.store.label_rows import outputs_of


@pytest.fixture
def labelled(concord, tmp_path):
    """Two relations on twelve sentences by a system that makes mistakes; flagged cases are called errors."""
    corpus = api.read("demo", "en", limit=12)
    place = tmp_path / "concord.sqlite"
    api.run(corpus, relations=["rtt", "rti"], systems=["faulty:fake,rate=0.5"], to=["es"], workspace=place)
    with Workspace(place) as store:
        rows = [row for row in store.rows([1]) if "case" in row]
        said = [Label(row["case"], "ana", "error" if row["flagged"] else "correct", outputs_of(row)) for row in rows]
        Labels(store).save(said)
    return concord


def test_detectors_are_printed_with_base_rate_recall_and_baselines(labelled):
    code, out, err = labelled("evaluate", "--detectors")
    assert code == 0
    assert "Detectors at the thresholds in force" in out
    assert "1.000 (exact)" in out
    assert "rtt: LCS ratio" in out
    assert "note: rtt: every case is labelled" in err


def test_detectors_as_json_have_every_threshold(labelled):
    code, out, _ = labelled("evaluate", "1", "--detectors", "--json")
    (found,) = json.loads(out)["detectors"]
    assert code == 0
    assert (found["name"], found["basis"], found["in_force"]["recall"]["value"]) == ("rtt", "census", 1.0)
    assert found["labelled"] == found["cases"]
    assert {each["threshold"] for each in found["points"]} >= {0.0, 0.4, 1.0}
    assert {each["name"] for each in found["baselines"]} == {"LCS ratio", "missing units"}


def test_without_labels_the_notes_say_how_to_get_some(concord, labelled):
    code, out, err = labelled("evaluate", "2", "--detectors")
    assert (code, "rti" in out) == (0, True)
    assert "concord label draw" in err


@pytest.mark.parametrize("more", [("--score", "x"), ("--folds", "3"), ("--out", "d"), ("--normalise",), ("l.csv",)])
def test_what_does_not_go_with_detectors_is_refused(labelled, more):
    code, _, err = labelled("evaluate", "--detectors", *more)
    assert (code, err.startswith("error: --detectors")) == (2, True)


def test_the_overlap_is_printed_and_is_json(labelled):
    code, out, _ = labelled("overlap")
    assert (code, "sentences flagged together" in out, "gains of combinations" in out) == (0, True, True)
    code, out, _ = labelled("overlap", "--json")
    (found,) = json.loads(out)["overlaps"]
    assert found["names"] == ["rtt", "rti"]
    assert sum(each["count"] for each in found["regions"]) + found["unflagged"] == found["sentences"]


def test_one_detector_overlaps_with_nothing(labelled):
    code, _, err = labelled("overlap", "1")
    assert (code, "run two relations on one corpus" in err) == (2, True)


def test_a_threshold_is_written_as_it_is_given(labelled, tmp_path):
    code, out, _ = labelled("tune", "1", "--at", "0.33")
    assert (code, "[relations.rtt] threshold = 0.33" in out) == (0, True)
    assert tomllib.loads((tmp_path / "concord.toml").read_text())["relations"]["rtt"]["threshold"] == 0.33
    code, out, _ = labelled("tune", "1", "--at", "0.5", "--json")
    assert (code, json.loads(out)["threshold"]) == (0, 0.5)


@pytest.mark.parametrize("more", [("--want", "precision=0.9"), ("--relation", "rtt"), ("--fit",), ("l.csv",)])
def test_a_given_threshold_goes_with_nothing_else(labelled, tmp_path, more):
    code, _, err = labelled("tune", "1", "--at", "0.33", *more)
    assert (code, err.startswith("error: --")) == (2, True)
    assert not (tmp_path / "concord.toml").exists()
