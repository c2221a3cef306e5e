"""synchronize(): a barrier of all elements in a method, with atomics and fields of others on both sides of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lockstep import objects
from lockstep.objects import ObjectsError, array, atomic_add, last_report, plain, random_below, synchronize
from lockstep.objects.phase_functions import functions_of


class Room:
    def __init__(self) -> None:
        self.people, self.noise = 0, 0


class Guest:
    def __init__(self, number: int, rooms: list[Room]) -> None:
        self.number, self.room, self.rooms = number, rooms[number % len(rooms)], rooms
        self.friend = self
        self.mood, self.seen, self.drawn = number, 0, 0

    def live(self, loud: int) -> None:
        """Counts the guests of each room, looks at a friend's mood, and changes its own: three phases."""
        count = 1
        atomic_add(self.room, "people", count)
        self.seen = self.friend.mood
        self.drawn = random_below(1000)
        synchronize()
        crowd = self.room.people
        self.mood = (self.seen * 3 + crowd * loud) % 1000
        self.drawn = 1000 * self.drawn + random_below(1000)
        objects.synchronize()
        crowd = self.friend.mood
        self.seen = crowd + 1
        self.room = self.rooms[self.mood % 5]


class Loud(Guest):
    def live(self, loud: int) -> None:
        atomic_add(self.room, "noise", loud)
        synchronize()
        self.mood += self.room.noise
        synchronize()


class Polite(Guest):
    """Inherits both barriers."""


def guests(count: int) -> list[Guest]:
    rooms = [Room() for _ in range(5)]
    made = [(Guest, Loud, Polite)[number % 3](number, rooms) for number in range(count)]
    for one in made:
        one.friend = made[(7 * one.number + 3) % count]
    return made


def state(made: list[Guest]) -> list[tuple[int, ...]]:
    rooms = made[0].rooms
    people = [(one.mood, one.seen, one.drawn, rooms.index(one.room)) for one in made]
    return people + [(one.people, one.noise) for one in rooms]


@pytest.mark.parametrize("count", [1, 2, 33, 100])
def test_every_machine_waits_for_all_elements(machine: str, count: int) -> None:
    expected, found = guests(count), guests(count)
    array(expected, machine="python", seed=3).peach("live", 2, ticks=4, first_tick=1)
    array(found, machine=machine, seed=3).peach("live", 2, ticks=4, first_tick=1)
    assert state(found) == state(expected)
    assert last_report().jobs >= count and last_report().text.count("void element(") == 3


def test_python_runs_a_phase_of_all_elements_before_the_next(any_machine: str) -> None:
    """By hand: all moods before any changes, all guests counted before any looks."""
    made = guests(6)
    moods = [one.mood for one in made]
    friends = [made.index(one.friend) for one in made]
    people = [sum(each.room is one.room for each in made if type(each) is not Loud) for one in made]
    noise = [5 * sum(each.room is one.room for each in made if type(each) is Loud) for one in made]
    array(made, machine=any_machine).peach("live", 5)
    after = [
        moods[i] + noise[i] if type(one) is Loud else (moods[friends[i]] * 3 + people[i] * 5) % 1000
        for i, one in enumerate(made)
    ]
    assert [one.mood for one in made] == after
    assert [one.seen for one in made if type(one) is not Loud] == [
        after[friends[i]] + 1 for i, one in enumerate(made) if type(one) is not Loud
    ]


def test_no_ticks_change_nothing(any_machine: str) -> None:
    made = guests(5)
    array(made, machine=any_machine).peach("live", 2, ticks=0)
    assert state(made) == state(guests(5))


def test_sections_of_a_with_block(machine: str) -> None:
    expected, found = guests(40), guests(40)
    for made, on in ((expected, "python"), (found, machine)):
        with array(made, machine=on, seed=9).resident() as sections:
            sections.peach("live", 2, ticks=2)
            sections.peach("live", 5, ticks=3, first_tick=2)
    assert state(found) == state(expected)
    assert state(found) != state(guests(40))


def test_a_later_phase_may_reach_more_objects(any_machine: str) -> None:
    class Far:
        def __init__(self) -> None:
            self.hits = 0

    class Near:
        def __init__(self, far: Far) -> None:
            self.far, self.count = far, 0

        def touch(self, by: int = 2) -> None:
            self.count += by
            synchronize()
            atomic_add(self.far, "hits", self.count)

    far = Far()
    made = [Near(far) for _ in range(10)]
    array(made, machine=any_machine).peach("touch", ticks=3)
    assert far.hits == 10 * (2 + 4 + 6)
    if any_machine != "python":
        report = last_report()
        assert report.visited == 11, "those that the first phase finds count, too"
        assert sum("count" in name for name in report.columns) == 2, "sent, and sent again with the new numbers"
        assert report.text.count("void element(") == 2


def test_methods_are_looked_up_once_per_class(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def counted(method: Callable[..., Any]) -> list[Callable[..., Any]]:
        calls.append(method)
        return functions_of(method)

    monkeypatch.setattr(plain, "functions_of", counted)
    made = guests(30)
    array(made, machine="python").peach("live", 2, ticks=4)
    assert calls == [Guest.live, Loud.live, Polite.live]


def test_a_failure_in_a_later_phase_changes_nothing(machine: str) -> None:
    class Fragile:
        def __init__(self, number: int) -> None:
            self.number, self.quotient = number, 0

        def divide(self) -> None:
            self.number -= 1
            synchronize()
            self.quotient = 10 // self.number

    made = [Fragile(i + 2) for i in range(40)]
    array(made, machine=machine).peach("divide")
    assert made[0].quotient == 10
    before = [(one.number, one.quotient) for one in made]
    with pytest.raises(ObjectsError, match="division by zero"):
        array(made, machine=machine).peach("divide")
    assert [(one.number, one.quotient) for one in made] == before
