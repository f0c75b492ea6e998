"""Sentences, phrases and words put to the test on real translations."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import concord
from concord import api
from concord.corpus import demo
from concord.errors import UserError
from concord.store import Workspace


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("corpus.txt").write_text("\n".join(segment.text.words for segment in islice(demo(), 0, 288, 12)))
    return "corpus.txt"


def ran(corpus: str, system: str, to: str, **more: Any) -> tuple[Any, list[dict[str, Any]]]:
    (done,) = concord.run(corpus, relations=["mgmt"], systems=[system], to=[to], settings=concord.Settings(**more))
    return done, list(api.rows("concord.sqlite", [done.run.id]))


def by_granularity(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found = defaultdict(list)
    for row in rows:
        assert not row["error"]
        found[row["factors"]["granularity"]].append(row)
    return found


def test_apertium_is_tested_on_all_three_with_its_own_shallow_trees(corpus):
    done, rows = ran(corpus, "apertium", "es", repetitions=2)
    found = by_granularity(rows)
    assert len(found["sentence"]) == 2 * 24
    assert {row["repetition"] for row in rows} == {0, 1}
    for row in found["phrase"] + found["word"]:
        assert row["evidence"]["trees"] == "shallow"
        assert row["evidence"]["path"].startswith("ROOT")
        assert row["follow_up"]["words"] != row["source"]["words"]
    assert min(map(len, (found["phrase"], found["word"]))) > 12
    assert all(part in done.run.signature for part in ("parse[en]:concord_en@", "parse[es]:apertium@"))


def test_a_target_without_a_parser_is_tested_on_sentences_alone(corpus):
    done, rows = ran(corpus, "fake", "ja")
    found = by_granularity(rows)
    assert set(found) == {"sentence"}
    assert "parse[ja]:none" in done.run.signature
    assert found["sentence"][0]["evidence"]["untested"]["word"] == "there is no parser for 'ja'"


def test_where_no_wanted_granularity_can_be_tested_nothing_is_run(corpus):
    relation = "mgmt,granularities=phrase,word"
    with pytest.raises(UserError, match="none of the embedded parsers knows 'ja'"):
        concord.run(corpus, relations=[relation], systems=["fake"], to=["ja"])
    with Workspace("concord.sqlite") as store:
        assert not store.runs()
