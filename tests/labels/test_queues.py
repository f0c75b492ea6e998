"""A labelling queue is a stratified sample that repeats, mixes, weighs and grows as it should."""

from __future__ import annotations

import collections
import itertools
import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.labels.queues import Samples
from concord.labels.strata import FEWEST, _indexed, _scanned, frames, sizes
from concord.model import Case, Outcome, Segment, Text
from concord.store.index.columns import Columns


def case(words, suspicion):
    texts = Text(f"I see {words}.", "en"), Text(words, "en"), Text(f"Veo {words}.", "es"), Text(words, "es")
    return Case(*texts, texts[2:], suspicion, 0.5)


@pytest.fixture
def run_of(workspace, facts):
    """`run_of(suspicions)` is a run with a case for each."""

    def made(suspicions, name="thing"):
        run = workspace.begin(facts("rti"))
        workspace.add(
            run,
            [
                Outcome(Segment(f"s{at}", Text("I see.", "en"), at), cases=[case(f"{name} {at}", suspicion)])
                for at, suspicion in enumerate(suspicions)
            ],
        )
        return run.id

    return made


def spread(n):
    """Suspicions between 0 and 1, a tenth of them above the threshold."""
    return [(at * 37 % n) / n * 5 / 9 for at in range(n)]


def drawn(workspace, runs, **more):
    return Samples(workspace).draw("q", runs, **{"size": 40, "seed": 1} | more)


def test_half_of_a_queue_is_flagged_and_the_other_half_is_spread_over_the_bands(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(500))])
    assert [(each.band, each.population, each.drawn) for each in queue.strata] == [
        (0, 49, 20),
        (1, 151, 7),
        (2, 150, 6),
        (3, 150, 7),
    ]
    assert (queue.size, queue.population) == (40, 500)


def test_bands_go_from_the_most_to_the_least_suspicious(workspace, run_of):
    run = run_of(spread(500))
    queue = drawn(workspace, [run], size=500)
    rows = {}
    for place in Samples(workspace).places(queue):
        rows.setdefault(place.band, []).append(Samples(workspace).row(place)["suspicion"])
    assert min(rows[0]) > 0.5 >= max(rows[1])
    assert min(rows[1]) >= max(rows[2])
    assert min(rows[2]) >= max(rows[3])


def test_the_same_seed_draws_the_same_queue_and_another_seed_another(workspace, run_of):
    run = run_of(spread(500))
    samples = Samples(workspace)
    found = {
        name: [each.case for each in samples.places(samples.draw(name, [run], size=40, seed=seed))]
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    }
    assert found["a"] == found["b"] != found["c"]
    assert len(set(found["a"])) == 40


def test_the_order_of_a_queue_does_not_tell_flagged_from_unflagged(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(2000))], size=400)
    flagged = [each.band == 0 for each in Samples(workspace).places(queue)]
    # Of a thorough mixture, the number of changes has mean 200 and deviation 10.
    changes = sum(a != b for a, b in itertools.pairwise(flagged))
    assert 150 < changes < 250
    assert 70 < sum(flagged[:200]) < 130


def test_every_case_of_a_stratum_is_drawn_equally_often(workspace, run_of):
    run = run_of(spread(60))
    times = collections.Counter()
    for seed in range(300):
        for frame in frames(workspace, run, seed):
            if frame.band == 1:
                times.update(map(tuple, frame.places[:6].tolist()))
                population = frame.population
    expected = 300 * 6 / population
    assert len(times) == population
    chi_square = sum((count - expected) ** 2 / expected for count in times.values())
    assert chi_square < 2.5 * population


def test_an_enlarged_queue_keeps_its_cases_where_they_were(workspace, run_of):
    run = run_of(spread(500))
    samples = Samples(workspace)
    before = samples.places(samples.draw("q", [run], size=40, seed=1))
    queue = samples.enlarge("q", 100)
    after = samples.places(queue)
    assert after[:40] == before
    assert (queue.size, len({each.case for each in after})) == (100, 100)
    assert [each.place for each in after] == list(range(1, 101))
    whole = samples.places(samples.draw("r", [run], size=100, seed=1))
    assert {each.case for each in whole} == {each.case for each in after}


def test_a_queue_of_a_run_that_has_changed_is_not_enlarged(workspace, run_of):
    run = run_of(spread(100))
    drawn(workspace, [run])
    more = Outcome(Segment("new", Text("I see.", "en"), 1000), cases=[case("more", 0.9)])
    workspace.add(workspace.run(run), [more])
    with pytest.raises(UserError, match="have changed since"):
        Samples(workspace).enlarge("q", 60)


def test_a_queue_larger_than_its_runs_is_all_their_cases(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(30))], size=1000)
    assert [each.population for each in queue.strata] == [each.drawn for each in queue.strata]
    assert queue.size == 30


def test_a_case_that_occurs_twice_in_a_run_is_there_once(workspace, facts):
    run = workspace.begin(facts("rti"))
    outcomes = [
        Outcome(Segment(f"s{at}", Text("I see.", "en"), at), repetition, [case(f"thing {at % 10}", at / 20)])
        for at in range(20)
        for repetition in range(2)
    ]
    workspace.add(run, outcomes)
    assert drawn(workspace, [run.id]).population == 10


def test_the_index_and_the_rows_say_the_same(workspace, run_of):
    run = run_of([0.5, 0.9, 0.1, 0.1, 0.7, 0.1] * 20)
    indexed, scanned = _indexed(workspace, run), _scanned(workspace, run)
    order = np.lexsort(indexed[0].T[::-1])
    for one, other in zip(indexed, scanned, strict=True):
        assert (one[order] == other).all()


def test_the_next_case_is_the_first_that_this_person_has_not_judged(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(100))])
    samples, labels = Samples(workspace), Labels(workspace)
    first, second, third = samples.places(queue)[:3]
    labels.save([Label(first.case, "ana", "error", first.outputs), Label(third.case, "ben", "error", third.outputs)])
    assert samples.next(queue, "ana") == second
    assert samples.next(queue, "ben") == first
    assert samples.next(queue, "ana", after=2) == third
    assert samples.next(queue, "ben", after=2).place == 4
    assert [samples.labelled(queue, name) for name in ("ana", "ben", "cy", "")] == [1, 1, 0, 2]


def test_a_word_on_other_outputs_does_not_count(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(100))])
    first = Samples(workspace).entry_at(queue, 1)
    Labels(workspace).save([Label(first.case, "ana", "error", "{}")])
    assert Samples(workspace).next(queue, "ana") == first
    assert Samples(workspace).labelled(queue, "ana") == 0


def test_when_all_is_said_there_is_no_next_case(workspace, run_of):
    queue = drawn(workspace, [run_of(spread(20))], size=20)
    places = Samples(workspace).places(queue)
    Labels(workspace).save([Label(each.case, "ana", "correct", each.outputs) for each in places])
    assert Samples(workspace).next(queue, "ana") is None
    assert Samples(workspace).labelled(queue, "ana") == 20


def test_a_case_that_is_gone_is_no_row(workspace, run_of):
    run = run_of(spread(20))
    queue = drawn(workspace, [run], size=20)
    place = Samples(workspace).entry_at(queue, 1)
    assert Samples(workspace).row(place)["case"] == place.case
    gone = Outcome(Segment("s", Text("I see.", "en"), place.position), error="no answer")
    workspace.add(workspace.run(run), [gone])
    assert Samples(workspace).row(place) is None


def test_several_queues_stand_side_by_side_and_one_can_go(workspace, run_of):
    run = run_of(spread(100))
    samples = Samples(workspace)
    for name in ("a", "b"):
        samples.draw(name, [run], size=10, seed=3)
    assert [each.name for each in samples.all()] == ["b", "a"]
    samples.forget("b")
    assert [each.name for each in samples.all()] == ["a"]
    assert samples.get("a").size == 10
    with pytest.raises(UserError, match=r"there is no queue .b.\. Queues: a"):
        samples.get("b")


def test_a_run_that_is_discarded_takes_its_part_of_the_queue_along(workspace, run_of):
    runs = [run_of(spread(50)), run_of(spread(50), "other")]
    queue = drawn(workspace, runs)
    workspace.discard(workspace.run(runs[0]))
    assert Samples(workspace).get(queue.name).runs == runs[1:]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 0}, "1 to 20,000"),
        ({"size": 10**6}, "1 to 20,000"),
        ({"size": 3}, "too few for 4 strata"),
        ({"flagged": 1.5}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_drawn_is_said(workspace, change, message, run_of):
    run = run_of(spread(100))
    with pytest.raises(UserError, match=message):
        drawn(workspace, [run], **change)


@pytest.mark.parametrize("name", ["", " a", "x" * 101, "a\nb"])
def test_a_queue_needs_a_name(workspace, name, run_of):
    run = run_of(spread(10))
    with pytest.raises(UserError, match="needs a name"):
        Samples(workspace).draw(name, [run], size=8, seed=1)


def test_a_name_is_given_once_and_a_queue_only_grows(workspace, run_of):
    run = run_of(spread(100))
    drawn(workspace, [run])
    with pytest.raises(UserError, match="already"):
        drawn(workspace, [run])
    with pytest.raises(UserError, match="Ask for more"):
        Samples(workspace).enlarge("q", 40)


def test_a_run_without_cases_has_no_queue(workspace, run_of):
    with pytest.raises(UserError, match="no case to label"):
        drawn(workspace, [run_of([])])


strata = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 60)), min_size=1, max_size=9)


@given(strata, st.integers(20, 400), st.floats(0, 1))
def test_sizes_add_up_and_each_stratum_has_a_few(given_, size, flagged):
    made = sizes(given_, size, flagged)
    assert sum(made) == min(size, sum(population for _, population in given_))
    for (_, population), part in zip(given_, made, strict=True):
        assert min(FEWEST, population) <= part <= population


@given(strata, st.integers(20, 200), st.integers(1, 50), st.floats(0, 1))
def test_a_larger_queue_has_no_less_of_any_stratum(given_, size, more, flagged):
    for less, greater in zip(sizes(given_, size, flagged), sizes(given_, size + more, flagged), strict=True):
        assert less <= greater


@pytest.mark.parametrize("grow", [False, True])
def test_a_run_that_changes_while_a_queue_is_drawn_is_told_in_words(workspace, monkeypatch, grow, run_of):
    run = run_of(spread(200))
    if grow:
        drawn(workspace, [run])

    def meanwhile(*asked):
        found = frames(*asked)
        segment = Segment("s0", Text("I see.", "en"), 0)
        workspace.add(workspace.run(run), [Outcome(segment, cases=[case("another thing", 0.9)])])
        return found

    monkeypatch.setattr("concord.labels.strata.frames", meanwhile)
    with pytest.raises(UserError, match="has changed while the queue was being drawn"):
        Samples(workspace).enlarge("q", 60) if grow else drawn(workspace, [run])
    assert len(Samples(workspace).places(Samples(workspace).get("q"))) == 40 if grow else not Samples(workspace).all()


def test_a_case_that_is_gone_while_a_queue_is_drawn_is_told_in_words(workspace, monkeypatch, run_of):
    run = run_of(spread(200))

    def meanwhile(*asked):
        found = frames(*asked)
        workspace._db.execute("DELETE FROM cases")
        return found

    monkeypatch.setattr("concord.labels.strata.frames", meanwhile)
    with pytest.raises(UserError, match="has changed while the queue was being drawn"):
        drawn(workspace, [run])


def test_the_columns_of_a_run_are_read_in_one_state_of_the_index(workspace, monkeypatch, run_of):
    run = run_of(spread(200))
    before = _scanned(workspace, run)
    read = Columns.__getitem__

    def meanwhile(self, name):
        if name == "by_key":  # between two columns, another process indexes the run anew, with a case less
            with sqlite3.connect(f"{workspace.path}-index") as other:
                other.execute("DELETE FROM blobs WHERE name = 'suspicion'")
            other.close()
        return read(self, name)

    monkeypatch.setattr(Columns, "__getitem__", meanwhile)
    for one, other in zip(_indexed(workspace, run), before, strict=True):
        assert sorted(one.ravel().tolist()) == sorted(other.ravel().tolist())
