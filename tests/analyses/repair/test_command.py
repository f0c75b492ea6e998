"""`concord repair` as a user sees it."""

from __future__ import annotations

import json

import concord.cli.repair  # noqa: F401


def test_what_is_offered_stands_below_what_was_there(concord, workspace):
    code, out, _ = concord("repair", "1", "-w", str(workspace))
    assert code == 0
    assert "  translation  «Así que» Twoez nursesez wereez dismissedez inez Madridez «ya no»." in out
    assert "  offered      Twoez nursesez wereez dismissedez inez Madridez." in out
    assert out.splitlines()[-1].startswith("run 1: 1 offered, 0 not repaired")


def test_programs_get_an_object(concord, workspace):
    code, out, _ = concord("repair", "1", "-w", str(workspace), "--by", "probability", "--json")
    assert code == 0
    found = json.loads(out)
    assert [(row["run"], row["side"]) for row in found["rows"]] == [(1, "source")]
    assert found["rows"][0]["suspicion"]["after"] < 0.001
    assert found["runs"] == [{"run": 1, "left": {}}]


def test_an_unknown_way_is_refused_with_the_choices(concord, workspace):
    code, _, err = concord("repair", "-w", str(workspace), "--by", "luck")
    assert code == 2
    assert "agreement, probability" in err
