"""Data that stays on the machine between sections (Section 7.1)."""

from __future__ import annotations

import pytest
from lockstep.objects import ObjectsError, array, last_report


class Body:
    """Two sections in turns: forces from all positions, then moves."""

    def __init__(self, x: float, v: float) -> None:
        self.x, self.v, self.force = x, v, 0.0
        self.hits = 0
        self.partner: Body | None = None

    def attract(self, bodies: list[Body]) -> None:
        force = 0.0
        for other in bodies:
            distance = other.x - self.x
            force += distance / (distance * distance + 0.25)
        self.force = force

    def move(self, step: float) -> None:
        self.v += self.force * step
        self.x += self.v * step
        if self.x < 0:
            self.x = -self.x
            self.v = -self.v
            self.hits += 1

    def fails(self) -> None:
        self.hits = 1 // (self.hits - self.hits)

    def looks_at_partner(self) -> None:
        if self.partner is not None:
            self.hits = self.hits + int(self.partner.v * 0) + 10


def bodies() -> list[Body]:
    made = [Body(0.3 * i, 0.1 * (i % 3) - 0.2) for i in range(40)]
    made[0].partner = Body(5, 5)
    return made


def state(made: list[Body]) -> list[tuple[str, str, str, int]]:
    return [(one.x.hex(), one.v.hex(), one.force.hex(), one.hits) for one in made]


def simulate(made: list[Body], machine: str, steps: int) -> None:
    with array(made, machine=machine).resident() as sections:
        for step in range(steps):
            sections.peach("attract", made)
            sections.peach("move", 0.01 * (step + 1))


def test_alternating_sections(machine: str) -> None:
    expected, found = bodies(), bodies()
    simulate(expected, "python", 5)
    simulate(found, machine, 5)
    assert state(found) == state(expected)
    assert state(found) != state(bodies())


def test_columns_are_sent_once(machine: str) -> None:
    made = bodies()
    with array(made, machine=machine).resident() as sections:
        sections.peach("attract", made)
        sections.peach("move", 0.1)
        sections.peach("attract", made)
        sections.peach("move", 0.1)
        first, sent = last_report(), last_report().sent_bytes
        sections.peach("move", 0.2)
        assert last_report() is first and last_report().sent_bytes == sent, "neither translated nor sent again"
        assert made[3].v == bodies()[3].v, "not fetched yet"
        sections.fetch()
        assert made[3].v != bodies()[3].v


def test_a_section_that_reaches_more_objects(machine: str) -> None:
    """The partner is found by the second section: all is numbered anew, and nothing is lost."""
    expected, found = bodies(), bodies()
    for made, on in ((expected, "python"), (found, machine)):
        with array(made, machine=on).resident() as sections:
            sections.peach("move", 0.1)
            sections.peach("looks_at_partner")
            sections.peach("move", 0.1)
    assert state(found) == state(expected)


def test_after_a_failure_the_objects_have_the_latest_fetch(machine: str) -> None:
    made = bodies()
    with array(made, machine=machine).resident() as sections:
        sections.peach("move", 0.1)
        sections.fetch()
        fetched = state(made)
        sections.peach("move", 0.1)
        with pytest.raises(ObjectsError, match="division by zero"):
            sections.peach("fails")
    assert state(made) == fetched


class Leaf:
    def __init__(self, n: int) -> None:
        self.n = n


class Growing:
    def __init__(self, n: int) -> None:
        self.n, self.log, self.leaf = n, [n], Leaf(n)

    def add(self) -> None:
        self.n = self.n + 1

    def triple(self) -> None:
        self.n = self.n * 3

    def appends(self) -> None:
        self.log.append(self.n)

    def makes(self) -> None:
        self.leaf = Leaf(self.n)


@pytest.mark.parametrize("growth", ["appends", "makes"])
def test_after_a_section_that_makes_something_no_program_uses_the_columns_before(machine: str, growth: str) -> None:
    """All objects are traced anew, and have as many types and fields as before: their version is the same."""
    expected, found = [Growing(i) for i in range(70)], [Growing(i) for i in range(70)]
    for made, on in ((expected, "python"), (found, machine)):
        with array(made, machine=on).resident() as sections:
            for method in ("add", "triple", growth, "add", "triple", "add", "triple"):
                sections.peach(method)
    assert [(one.n, one.log, one.leaf.n) for one in found] == [(one.n, one.log, one.leaf.n) for one in expected]
