"""One core for small matrices: it is given back, whoever leaves last and however."""

from __future__ import annotations

from threading import Barrier, Event, Thread

import pytest

from concord.text.cores import OneCore, one_core


def test_matrices_are_multiplied_on_one_core_and_then_as_before():
    held = one_core()
    before = held.count()
    with held:
        assert held.count() == 1
    assert held.count() == before


class Cores:
    """A library that remembers how many cores it was told to use."""

    def __init__(self):
        self.told = [4]

    def held(self) -> OneCore:
        return OneCore(lambda: self.told[-1], self.told.append)


def test_one_core_within_one_core_ends_with_the_outer():
    cores = Cores()
    held = cores.held()
    with held:
        with held:
            assert cores.told[-1] == 1
        assert cores.told[-1] == 1
    assert cores.told == [4, 1, 4]


def test_an_error_within_gives_the_cores_back():
    cores = Cores()
    with pytest.raises(ValueError, match="no"), cores.held():
        raise ValueError("no")
    assert cores.told == [4, 1, 4]


def test_threads_that_leave_in_another_order_than_they_came_give_the_cores_back_once():
    cores = Cores()
    held, inside, out = cores.held(), Barrier(3), [Event(), Event()]

    def work(may_leave: Event) -> None:
        with held:
            inside.wait()
            may_leave.wait()

    threads = [Thread(target=work, args=[each]) for each in out]
    for thread in threads:
        thread.start()
    inside.wait()
    for thread, may_leave in zip(threads, out, strict=True):
        assert cores.told == [4, 1]
        may_leave.set()
        thread.join()
    assert cores.told == [4, 1, 4]
