"""Seconds are told by stage, however much goes on at once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from concord import api
from concord.engine.timings import StageTally, Stopwatch


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_stopwatch_counts_what_overlaps_once() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    with watch:
        clock.now = 2
        with watch:
            clock.now = 3
        clock.now = 5
    clock.now = 9
    assert watch.seconds == 5
    with watch:
        clock.now = 10
        assert watch.seconds == 6


def test_services_of_one_stage_are_added_up() -> None:
    clock = Clock()
    watches = {name: Stopwatch(clock) for name in ("parse", "substitutes", "relation")}
    with watches["parse"], watches["substitutes"]:
        clock.now = 2
    tally = StageTally()
    tally.time(watches)
    assert tally.seconds == {"construction": 4, "detection": 0}


def test_parts_of_a_run_are_added_up() -> None:
    whole = StageTally(Counter(tag=1), {"construction": 1.0})
    whole.add(StageTally(Counter(tag=2, tree=1), {"construction": 2.0, "detection": 0.5}))
    assert whole == StageTally(Counter(tag=3, tree=1), {"construction": 3.0, "detection": 0.5})


def test_a_run_tells_its_seconds_by_stage(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The new owners of the old paper mill closed it.\n", "utf-8")
    workspace = tmp_path / "w.sqlite"
    for workers in (1, 2):
        how = api.Settings(workers=workers, fresh=True)
        (done,) = api.run(corpus, relations=["rti"], systems=["apertium"], to=["es"], workspace=workspace, settings=how)
        stages = done.run.stages
        assert set(stages) == {"initialisation", "construction", "translation", "detection"}
        assert all(seconds > 0 for seconds in stages.values())
