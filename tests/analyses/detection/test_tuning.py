"""A threshold is written with the options that it is for."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from concord.analyses.detection.labelled_rows import LabelledRows
from concord.analyses.detection.threshold_choice import tuned
from concord.errors import UserError
from concord.stats.detection import Score

BUG = np.array([True, True, False, False])
SUSPICION = Score("suspicion", np.array([0.9, 0.8, 0.2, 0.1]), ">")


@pytest.fixture
def written(tmp_path):
    """Tune over an earlier configuration; gives what now stands there and the notes."""
    file = tmp_path / "concord.toml"
    file.write_text('[relations.semmt]\nmetric = "r"\nthreshold = 0.9\n')

    def call(labelled, relation=""):
        found = tuned(labelled, relation, "f", file)
        return tomllib.loads(file.read_text())["relations"]["semmt"], found.notes

    return call


def test_runs_replace_what_an_earlier_tuning_left_beside_its_threshold(written):
    settings = {"metric": "h", "k": 0.5, "plural": "strict"}
    options, notes = written(LabelledRows("run 1", BUG, [SUSPICION], relation="semmt", settings=settings))
    assert options == {"metric": "h", "plural": "strict", "threshold": 0.5}
    assert not any("keeps" in note for note in notes)


def test_a_file_does_not_know_its_options_so_what_stays_is_said(written):
    options, notes = written(LabelledRows("l.csv", BUG, [SUSPICION]), "semmt")
    assert options == {"metric": "r", "threshold": 0.5}
    assert any(note.endswith("concord.toml keeps metric = r beside it") for note in notes)
    options, notes = written(LabelledRows("l.csv", BUG, [SUSPICION]), "semmt,metric=d")
    assert options == {"metric": "d", "threshold": 0.5}
    assert not any("keeps" in note for note in notes)


def test_a_threshold_that_is_told_is_not_silently_replaced(written):
    with pytest.raises(UserError, match="threshold is what is chosen here"):
        written(LabelledRows("l.csv", BUG, [SUSPICION]), "semmt,threshold=0.2")


def test_beside_options_that_the_relation_does_not_have_nothing_is_written(tmp_path):
    file = tmp_path / "concord.toml"
    file.write_text("[relations.rtt]\ntreshold = 0.9\n")
    with pytest.raises(UserError, match=r"\[relations.rtt\].*treshold.*Did you mean 'threshold'"):
        tuned(LabelledRows("l.csv", BUG, [SUSPICION]), "rtt", "f", file)
    assert file.read_text() == "[relations.rtt]\ntreshold = 0.9\n"


@pytest.mark.parametrize("granularity", ["sentence", "phrase", "word"])
def test_of_several_thresholds_the_one_that_judges_is_tuned(tmp_path, granularity):
    file = tmp_path / "concord.toml"
    settings = {"granularities": [granularity], "unit": "words"}
    tuned(LabelledRows("run 1", BUG, [SUSPICION], relation="mgmt", settings=settings), "", "f", file)
    tuned(LabelledRows("l.csv", BUG, [SUSPICION]), f"mgmt,granularities={granularity}", "f", file)
    # Later runs are not told to test that granularity alone.
    assert tomllib.loads(file.read_text())["relations"]["mgmt"] == {f"tolerance_{granularity}": 0.5, "unit": "words"}


def test_where_several_thresholds_judge_none_is_guessed(tmp_path):
    with pytest.raises(UserError, match=r"tolerance_sentence, tolerance_phrase, tolerance_word.*mgmt,granularities=…"):
        tuned(LabelledRows("l.csv", BUG, [SUSPICION]), "mgmt", "f", tmp_path / "concord.toml")
