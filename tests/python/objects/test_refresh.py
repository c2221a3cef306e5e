"""The second section of an array knows the objects: it visits, sends and sets only what has changed."""

from __future__ import annotations

from typing import Any

import pytest
from lockstep.objects import ObjectsError, Report, array, float32, last_report

SCALE = 2


class Wheel:
    def __init__(self, size: int) -> None:
        self.size = size


class Cart:
    load: float32

    def __init__(self, number: int, wheel: Wheel) -> None:
        self.number, self.wheel, self.load = number, wheel, float32(number)
        self.parts = [number, number + 1]
        self.sum: float = 0

    def roll(self, factor: int) -> None:
        total = 0
        for part in self.parts:
            total += part
        if self.number % 4 == 0:
            self.load = self.load + self.wheel.size * factor
        self.sum = total * SCALE + self.rate()

    def rate(self) -> int:
        return self.wheel.size

    def total(self) -> float:
        return self.sum


class Sledge(Cart):
    def rate(self) -> int:
        return 100


def carts() -> tuple[list[Cart], list[Wheel]]:
    wheels = [Wheel(size) for size in (3, 5, 7)]
    return [(Cart, Sledge)[number % 5 == 0](number, wheels[number % 3]) for number in range(40)], wheels


def state(made: list[Cart]) -> list[tuple[Any, ...]]:
    return [(one.load.hex(), type(one.load), one.sum, type(one.sum)) for one in made]


class Both:
    """The same carts for a machine and for Python's own execution."""

    def __init__(self, machine: str) -> None:
        self.carts, self.wheels = carts()
        self.expected, self.other_wheels = carts()
        self.array, self.plain = array(self.carts, machine=machine), array(self.expected, machine="python")

    def roll(self, factor: int = 2) -> Report:
        self.array.peach("roll", factor)
        self.plain.peach("roll", factor)
        assert state(self.carts) == state(self.expected)
        return last_report()


def test_nothing_is_traced_or_sent_again(machine: str) -> None:
    both = Both(machine)
    first = both.roll()
    assert first.visited == 43 and "c0_Cart_parts_first" in first.columns
    assert first.written_fields == 80, "all, because Python's values have types of their own"
    second = both.roll()
    assert (second.visited, second.columns, second.sent_bytes) == (0, [], 0)
    assert second.written_fields == 10, "every fourth load has changed, and no sum"


def test_a_changed_number_or_reference_sends_its_column(machine: str) -> None:
    both = Both(machine)
    both.roll()
    for made, wheels in ((both.carts, both.wheels), (both.expected, both.other_wheels)):
        made[4].load = float32(0.5)
        made[7].wheel = wheels[0]
        setattr(made[8], "load", float32(2.5))
        made[9].__dict__["load"] = float32(8)
        vars(wheels[1]).update(size=11)
    third = both.roll()
    assert third.visited == 0
    assert sorted(name.partition("_")[2] for name in third.columns) == ["Cart_load", "Cart_wheel", "Wheel_size"]


@pytest.mark.parametrize("change", ["list", "element", "type", "object", "class", "order"])
def test_what_no_column_can_take_is_traced_anew(machine: str, change: str) -> None:
    both = Both(machine)
    both.roll()
    for made, elements in ((both.carts, both.carts), (both.expected, both.expected)):
        if change == "list":
            made[1].parts.append(5)
        elif change == "element":
            made[1].parts[0] = 77
        elif change == "type":
            made[1].number = 4.0  # type: ignore[assignment]
        elif change == "object":
            made[1].wheel = Wheel(13)
        elif change == "class":
            made[1].__class__ = Sledge
        else:
            elements.reverse()
    report = both.roll()
    assert report.visited == (0 if change == "order" else 44 if change == "object" else 43)
    assert (both.roll().visited, both.roll().sent_bytes) == (0, 0)


def test_methods_and_globals_are_read_again(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(machine)
    both.roll()
    monkeypatch.setitem(globals(), "SCALE", 3)
    both.roll()
    monkeypatch.setattr(Cart, "rate", Sledge.rate)
    both.roll(factor=5)
    assert both.carts[1].sum == 3 * (1 + 2) + 100


def test_other_sections_share_what_is_known(machine: str) -> None:
    both = Both(machine)
    both.roll()
    assert both.array.pmap("total").preduce("+") == sum(one.sum for one in both.expected)
    assert last_report().visited == 0 and last_report().columns == ["base_tag", "base_id"][:0]
    both.carts[3].sum += 1.0
    both.expected[3].sum += 1.0
    assert both.array.pmap("total").preduce("+") == sum(one.sum for one in both.expected)


def test_after_a_failure_all_is_traced_anew(machine: str) -> None:
    made = carts()[0]
    whole = array(made, machine=machine)
    whole.peach("roll", 1)
    before = state(made)
    made[3].parts[:] = []
    made[3].wheel = None  # type: ignore[assignment]
    with pytest.raises(ObjectsError, match="None"):
        whole.peach("roll", 1)
    assert state(made) == before
    made[3].wheel = Wheel(1)
    whole.peach("roll", 1)
    assert last_report().visited == 44 and made[3].sum == 1
