"""synchronize(): a barrier of all elements in a method, with atomics and fields of others on both sides of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lockstep import objects
from lockstep.objects import ObjectsError, array, atomic_add, last_report, random_below, synchronize


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


def test_functions_closures_and_superclasses(any_machine: str) -> None:
    class Base:
        def __init__(self, number: int) -> None:
            self.number, self.next = number, self

        def added(self) -> int:
            return 10

    class Derived(Base):
        def added(self) -> int:
            return 20

        def step(self) -> None:
            self.number += 1
            synchronize()
            self.number += super().added()

    factor = 3

    def shift(one: Base) -> None:
        synchronize()
        one.number = one.number * factor

    made = [Derived(i) for i in range(5)]
    array(made, machine=any_machine).peach("step")
    array(made, machine=any_machine).peach(shift)
    assert [one.number for one in made] == [3 * (i + 11) for i in range(5)]


class Wrong:
    def __init__(self) -> None:
        self.n, self.other, self.list = 0, self, [1]

    def in_a_branch(self) -> None:
        if self.n == 0:
            synchronize()

    def in_a_call(self) -> None:
        self.helper()

    def helper(self) -> None:
        self.n += 1
        synchronize()

    def given(self) -> None:
        synchronize(self.n)  # type: ignore[call-arg]

    def variable(self) -> None:
        before = self.n
        synchronize()
        self.n = before + 1

    def updated(self, by: int) -> None:
        by += 1
        synchronize()
        by += 1
        self.n = by

    def returns(self) -> None:
        if self.n > 5:
            return
        synchronize()
        self.n = 1

    def makes(self) -> None:
        self.list.append(2)
        synchronize()
        self.n = 1

    def races(self) -> None:
        self.n = self.other.n + 1
        synchronize()
        self.n = 2

    def fine(self) -> None:
        synchronize()
        self.n = 1


class Other(Wrong):
    def fine(self) -> None:
        self.n = 1


REFUSED = {
    "in_a_branch": ("at the top level of the section's method", 2),
    "in_a_call": ("at the top level of the section's method", 1),
    "given": ("takes no arguments", 1),
    "variable": ("before is assigned before synchronize", 3),
    "updated": ("by is assigned before synchronize", 3),
    "returns": ("to which all elements have to come", 2),
    "makes": ("changes the length of lists", 0),
    "races": ("is read in an object that may be another element", 1),
}


@pytest.mark.parametrize("method", REFUSED)
def test_what_is_refused(machine: str, method: str) -> None:
    problem, line = REFUSED[method]
    made = [Wrong(), Wrong()]
    arguments = (1,) if method == "updated" else ()
    with pytest.raises(ObjectsError, match=problem) as error:
        array(made, machine=machine).peach(method, *arguments)
    function: Callable[..., None] = getattr(Wrong, method)
    if line:
        assert error.value.line == function.__code__.co_firstlineno + line
    assert [one.n for one in made] == [0, 0]


@pytest.mark.parametrize("method", ["in_a_branch", "in_a_call", "given", "variable", "updated", "returns"])
def test_python_refuses_the_same(method: str) -> None:
    with pytest.raises(ObjectsError, match=REFUSED[method][0]):
        array([Wrong(), Wrong()], machine="python").peach(method, *((1,) if method == "updated" else ()))


def test_classes_with_different_barriers(any_machine: str) -> None:
    with pytest.raises(ObjectsError, match="fine has [01] synchronize.., and that of another class [01]"):
        array([Wrong(), Other()], machine=any_machine).peach("fine")


def test_chains_and_code_outside_of_sections_have_no_barrier(machine: str) -> None:
    def one(value: int) -> int:
        synchronize()
        return value

    with pytest.raises(ObjectsError, match="synchronize"):
        array([1, 2], machine=machine).pmap(one).to_list()
    with pytest.raises(ObjectsError, match="at the top level"):
        synchronize()


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
