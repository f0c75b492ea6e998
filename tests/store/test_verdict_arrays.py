"""The verdicts of a run as arrays."""

from __future__ import annotations

import random
import sqlite3

import numpy as np
import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store.array_codec import pack, unpack
from concord.store.index import with_index
from concord.store.verdict_arrays import FAILS, FLAKY, PASSES, build, more_cases_than, verdicts


@pytest.fixture
def store(workspace):
    return workspace


@pytest.fixture
def begin(store, facts):
    """`begin(relation)` is a run to fill."""
    return lambda relation="rtt": store.begin(facts(relation, settings={}))


def case(text, follow_up, suspicion, answer="frase", **factors):
    source, other, output = Text(text, "en"), Text(follow_up, "en"), Text(answer, "es")
    return Case(source, other, output, output, (output, output), suspicion, 0.5, factors=factors)


def outcome(position, *cases, repetition=0, error=None, text=None):
    segment = Segment(f"s{position}", Text(text or f"text {position}", "en"), position)
    return Outcome(segment, repetition, list(cases), error)


def plain(store, run):
    """The arrays without anything being remembered."""
    return verdicts(store, run, lambda number, name, make: make())


@pytest.mark.parametrize("relation", ["rtt", "rti"])
def test_counts_are_those_of_the_workspace(store, relation, begin):
    rng = random.Random(7)
    run = begin(relation)
    for repetition in range(3):
        for position in range(20):
            cases = [case(f"t{position % 15}", f"f{rng.randrange(4)}", rng.random()) for _ in range(rng.randrange(4))]
            error = "no" if not cases and rng.random() < 0.5 else None
            store.add(run, [outcome(position, *cases, repetition=repetition, error=error, text=f"t{position % 15}")])
    counts = dict(plain(store, run.id).counts)
    assert counts.pop("damaged") == 0
    assert counts == store.tally(run.id)


def test_a_case_fails_passes_or_is_flaky(store, begin):
    run = begin()
    for repetition, last in enumerate((0.9, 0.1)):
        cases = [case("a", "always", 0.9), case("a", "never", 0.1), case("a", "sometimes", last)]
        store.add(run, [outcome(0, *cases, repetition=repetition)])
    found = plain(store, run.id)
    states = {int(found.rows["number"][found.place[at]]): int(found.state[at]) for at in range(3)}
    assert states == {0: FAILS, 1: PASSES, 2: FLAKY}


def test_the_row_of_a_flaky_case_is_one_that_is_flagged(store, begin):
    run = begin()
    for repetition, suspicion in enumerate((0.1, 0.8, 0.9)):
        store.add(run, [outcome(0, case("a", "b", suspicion), repetition=repetition)])
    found = plain(store, run.id)
    assert int(found.rows["repetition"][found.place[0]]) == 1


def test_what_a_relation_found_is_not_what_it_asked(store, begin):
    first, second = begin("literals"), begin("literals")
    store.add(first, [outcome(0, case("a", "a", 0.1, literals="none"))])
    store.add(second, [outcome(0, case("a", "a", 0.9, literals="number"))])
    assert np.array_equal(plain(store, first.id).case, plain(store, second.id).case)


def test_arrays_are_remembered_until_the_run_changes(store, begin):
    run = begin()
    store.add(run, [outcome(0, case("a", "b", 0.9))])
    assert len(with_index(store, lambda index: verdicts(store, run.id, index.blob)).case) == 1

    def refuse():
        pytest.fail("made again")

    with_index(store, lambda index: index.blob(run.id, "verdicts5", refuse))
    store.add(run, [outcome(1, case("c", "d", 0.9))])
    assert len(with_index(store, lambda index: verdicts(store, run.id, index.blob)).case) == 2


@pytest.mark.parametrize("damage", ["data = x'ff' || substr(data, 2)", "data = 'words'", "sum = 'words'"])
def test_what_was_kept_and_is_damaged_is_made_again(store, damage, begin):
    run = begin()
    store.add(run, [outcome(0, case("a", "b", 0.9))])
    with_index(store, lambda index: verdicts(store, run.id, index.blob))
    with sqlite3.connect(f"{store.path}-index") as db:
        assert db.execute(f"UPDATE blobs SET {damage} WHERE name = 'verdicts5'").rowcount == 1
    assert len(with_index(store, lambda index: verdicts(store, run.id, index.blob)).case) == 1


def test_arrays_of_many_megabytes_are_kept_in_pieces(store, begin, monkeypatch):
    run = begin()
    monkeypatch.setattr("concord.store.index.blobs.PIECE", 1000)
    data = bytes(range(256)) * 10
    assert with_index(store, lambda index: index.blob(run.id, "long", lambda: data)) == data
    assert with_index(store, lambda index: index.blob(run.id, "long", lambda: pytest.fail("made again"))) == data


def test_a_run_without_rows_has_empty_arrays(store, begin):
    found = plain(store, begin().id)
    assert (len(found.case), len(found.sentence), found.counts["cases"]) == (0, 0, 0)


def test_packed_arrays_come_back_with_their_facts():
    arrays = {"a": np.arange(3, dtype=np.uint8), "b": np.array([0.5, 2.0]), "c": np.array([], dtype=np.int32)}
    back, facts = unpack(pack(arrays, {"name": "ä"}))
    assert facts == {"name": "ä"}
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)


def test_no_more_cases_are_counted_than_asked_for(store, begin):
    run = begin()
    store.add(run, [outcome(n, case("a", str(n), 0.9)) for n in range(3)])
    assert [more_cases_than(store, [run.id], limit) for limit in (2, 3)] == [True, False]


def test_making_is_the_same_each_time(store, begin):
    run = begin()
    store.add(run, [outcome(n, case(f"a{n}", str(n), 0.9)) for n in range(3)])
    assert build(store, run.id) == build(store, run.id)
