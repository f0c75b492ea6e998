"""Which runs are offered side by side."""

from __future__ import annotations

import pytest

from concord.analyses.regression.run_pairs import by_kind, latest_pair
from concord.store import Workspace


@pytest.fixture
def runs(tmp_path):
    """`runs("rtt es c", ...)` are runs of a relation, to a language, on a corpus."""

    def made(*told):
        with Workspace(tmp_path / "w.sqlite") as store:
            for relation, target, corpus in map(str.split, told):
                facts = {"signature": "s", "relation": relation, "settings": {}, "system": "mt", "source": "en"}
                store.begin(facts | {"target": target, "corpus": corpus, "seed": 1})
            return store.runs()

    return made


def ids(pair):
    return pair and (pair.before.id, pair.after.id)


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ([], None),
        (["rtt es c"], None),
        (["rtt es c", "sit es c", "rtt de c"], None),
        (["rtt es c", "rtt es c", "rtt es c"], (2, 3)),
        (["rtt es c", "rtt es d", "rtt es c", "sit es c"], (1, 3)),
        (["rtt es c", "rtt es d", "sit es c"], (1, 2)),
        (["sit es c", "sit es c", "rtt es c", "rtt es d"], (1, 2)),
    ],
)
def test_the_latest_run_with_one_before_it_is_offered_on_the_same_corpus_first(runs, told, wanted):
    assert ids(latest_pair(runs(*told))) == wanted


def test_runs_of_one_relation_and_direction_are_together(runs):
    found = by_kind(runs("rtt es c", "sit es c", "rtt de c", "rtt es d"))
    assert {kind: [run.id for run in each] for kind, each in found.items()} == {
        "rtt en→es": [1, 4],
        "sit en→es": [2],
        "rtt en→de": [3],
    }
