"""Reading the verdict arrays of runs finds what reading every row finds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from concord.analyses.quality.options import QualityTerms
from concord.analyses.quality.quality import quality
from concord.analyses.quality.run_reader import observed
from concord.errors import UserError
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.verdict_arrays import verdicts

TERMS = QualityTerms(resamples=40, seed=3)
PARTS = ("sentence", "phrase", "word")


def made_up(path, seed):
    """Systems, relations with and without parts, repetitions, domains, errors, gaps, twins and parts never tested."""
    rng = random.Random(seed)
    with Workspace(path) as store:
        for system in "abc"[: rng.randint(1, 3)]:
            for relation in rng.sample(["mgmt", "rtt", "sit"], rng.randint(1, 3)):
                for corpus in rng.sample(["c#1", "d#1"], rng.randint(1, 2)):
                    fill(store, rng, system, relation, corpus)


def fill(store, rng, system, relation, corpus):
    facts = {"signature": "s", "relation": relation, "settings": {}, "system": system, "source": "en", "corpus": corpus}
    run = store.begin(facts | {"target": "es", "seed": 1})
    repetitions = rng.choice([1, 1, 3])
    for position in range(12):
        text = Text(f"text {position % 10}", "en")
        segment = Segment(f"s{position}", text, position, f"d{position % 3}" if position < 11 else "other")
        for repetition in range(repetitions):
            kind = rng.random()
            if kind < 0.1:
                store.add(run, [Outcome(segment, repetition, [], "timeout")])
            elif kind < 0.9:
                store.add(run, [Outcome(segment, repetition, cases(rng, text, relation))])
            elif kind < 0.95:
                store.add(run, [Outcome(segment, repetition, [])])
    if rng.random() < 0.8:
        store.finish(run)


def cases(rng, text, relation):
    there = Text("x", "es")
    parts = rng.sample(PARTS[:2], rng.randint(1, 2)) if relation == "mgmt" else [None] * rng.randint(1, 3)
    why = {"word": rng.choice(["no word; here", "no word; there", "too short"])} if relation == "mgmt" else None
    return [
        Case(
            text, text, there, there, (there, there), rng.random(), 0.5,
            factors={"granularity": part} if part else {},
            evidence={"untested": why} if why and rng.random() < 0.7 else {},
        )
        for part in parts
    ]  # fmt: skip


def loaded(store):
    return lambda run: verdicts(store, run, lambda number, name, make: make())


@pytest.mark.parametrize("seed", range(25))
def test_the_quality_is_the_same_to_the_last_digit(tmp_path, seed):
    made_up(tmp_path / "w.sqlite", seed)
    with Workspace(tmp_path / "w.sqlite") as store:
        runs = [run.id for run in store.runs()]
        read, found = observed(store, runs), observed(store, runs, loaded(store))
        for one, other in zip(read, found, strict=True):
            assert np.array_equal(one.satisfied, other.satisfied, equal_nan=True)
            assert (one.systems, one.columns, one.domains) == (other.systems, other.columns, other.domains)
            for family in one.families():
                here, there = one.patterns(family), other.patterns(family)
                for name in ("bits", "system", "sentence", "weight"):
                    assert np.array_equal(getattr(here, name), getattr(there, name))
        assert quality(found, TERMS).plain() == quality(read, TERMS).plain()


def test_some_of_the_made_up_runs_have_parts_that_were_never_tested(tmp_path):
    """Or the comparison above would say nothing of them."""
    made_up(tmp_path / "w.sqlite", 1)
    with Workspace(tmp_path / "w.sqlite") as store:
        (found,) = observed(store, [run.id for run in store.runs()], loaded(store))
    assert any("mgmt word was tested on no sentence" in note for note in found.notes)
    assert any("ended in an error" in note for note in found.notes)


def test_runs_without_a_case_are_refused_alike(filled, corpus):
    path = filled("a", "rtt", [(0, "timeout")], corpus)
    with Workspace(path) as store:
        with pytest.raises(UserError) as read:
            observed(store, [1])
        with pytest.raises(UserError) as found:
            observed(store, [1], loaded(store))
    assert str(read.value) == str(found.value)
