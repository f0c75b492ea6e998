"""A threshold chosen on labels is kept in the configuration, or it is said why it cannot be."""

from __future__ import annotations

import math

import pytest

from concord import api
from concord.errors import UserError


def test_a_threshold_is_kept_as_tune_writes_it(path, run, tmp_path):
    run([0.9], settings={"metric": "bleu", "threshold": 0.4})
    file = tmp_path / "concord.toml"
    file.write_text("[other]\nx = 1\n")
    made = api.keep_threshold(path, [1], 0.37, config=file)
    assert dict(made.options) == {"metric": "bleu", "threshold": 0.37}
    text = file.read_text()
    assert "[other]\nx = 1\n" in text
    assert "threshold = 0.37 # concord tune --at" in text


@pytest.mark.parametrize(("at", "why"), [(7.0, "cannot be used"), (math.nan, "is none"), (math.inf, "is none")])
def test_a_threshold_that_cannot_be_is_not_written(path, run, tmp_path, at, why):
    run([0.9], settings={"metric": "chrf", "threshold": 0.4})
    with pytest.raises(UserError, match=why):
        api.keep_threshold(path, [1], at, config=tmp_path / "concord.toml")
    assert not (tmp_path / "concord.toml").exists()


def test_a_threshold_is_for_runs_of_one_scale(path, run, tmp_path):
    run([0.9])
    run([0.9], relation="rti")
    with pytest.raises(UserError, match="different scales"):
        api.keep_threshold(path, [1, 2], 0.3, config=tmp_path / "concord.toml")
