"""Sections of several threads run one after another: none loses what another has changed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread

import pytest
from lockstep.objects import array, peach, random_below
from lockstep.objects.turns import turn

THREADS = 6
SECTIONS = 15


class Cell:
    def __init__(self) -> None:
        self.count = 0
        self.drawn = 0

    def add(self, step: int) -> None:
        self.count += step

    def draw(self) -> None:
        for _ in range(50):
            self.drawn += random_below(1000)


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    """Between threads, so that they meet in the middle of a section."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[int], None]) -> None:
    """Runs it in all threads at once. A failure in one of them is raised."""
    failures: list[BaseException] = []
    start = Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as failure:
            failures.append(failure)

    threads = [Thread(target=run, args=(number,)) for number in range(THREADS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if failures:
        raise failures[0]


def test_threads_share_an_array(any_machine: str) -> None:
    cells = [Cell() for _ in range(200)]
    shared = array(cells, machine=any_machine)

    def work(number: int) -> None:
        for _ in range(SECTIONS):
            shared.peach("add", 1)

    in_threads(work)
    assert {one.count for one in cells} == {THREADS * SECTIONS}


def test_threads_share_objects_of_several_arrays(any_machine: str) -> None:
    cells = [Cell() for _ in range(200)]

    def work(number: int) -> None:
        own = array(cells, machine=any_machine)
        for _ in range(SECTIONS):
            own.peach("add", 1)

    in_threads(work)
    assert {one.count for one in cells} == {THREADS * SECTIONS}


def test_threads_draw_for_themselves() -> None:
    """Machine python: draws belong to the element that runs in this thread."""
    expected = [Cell() for _ in range(40)]
    array(expected, machine="python", seed=3).peach("draw")
    made = [[Cell() for _ in range(40)] for _ in range(THREADS)]
    in_threads(lambda number: peach(made[number], "draw", machine="python", seed=3))
    for cells in made:
        assert [one.drawn for one in cells] == [one.drawn for one in expected]


def test_a_child_process_has_turns_of_its_own() -> None:
    """A thread that runs a section at the fork does not exist in the child."""
    held, ended = Barrier(2), Barrier(2)

    def hold() -> None:
        with turn():
            held.wait()
            ended.wait()

    thread = Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if turn().acquire(timeout=10) else 1)  # type: ignore[attr-defined]
    ended.wait()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
