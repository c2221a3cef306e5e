"""Columns of ints that are narrower than an int in a method: the compression of columns of Section 7.4."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lockstep.objects import ObjectsError, array, atomic_add, int8, int16, int32, last_report
from lockstep.objects.native import compile_for_gpu
from lockstep.objects.plan import Plan, Stage
from lockstep.objects.section import translate
from lockstep.objects.world import World


class Cell:
    """Fields of each width, read of other objects and written in the own one."""

    small: int8
    middle: int16
    large: int32

    def __init__(self, small: int, middle: int, large: int, other: Cell | None = None) -> None:
        self.small, self.middle, self.large = small, middle, large
        self.other = other
        self.result = 0

    def read(self) -> None:
        self.result = self.small * self.middle * self.large
        if self.other is not None:
            self.result += self.other.small * self.other.middle * self.other.large

    def add(self, amount: int) -> None:
        self.small += amount
        self.middle -= amount
        self.large = self.large + 3 * amount

    def double(self) -> int:
        return 2 * self.middle


class Wide(Cell):
    """The same fields, as ints of 64 bits."""

    small: int
    middle: int
    large: int


class Truth:
    flag: int8

    def __init__(self, flag: bool) -> None:
        self.flag = flag

    def turn(self) -> None:
        self.flag = 1 - self.flag


class Mixed:
    level: int16

    def __init__(self, level: float) -> None:
        self.level = level  # type: ignore[assignment]

    def up(self) -> None:
        self.level += 1


class Counter:
    hits: int16

    def __init__(self) -> None:
        self.hits = 0

    def hit(self, other: Counter) -> None:
        atomic_add(other, "hits", 1)


EDGES = [(-(2**7), 2**15 - 1, -(2**31)), (2**7 - 1, -(2**15), 2**31 - 1), (0, 0, 0), (-1, -1, -1)]


def cells(kind: type[Cell], count: int = 70) -> list[Cell]:
    draw = random.Random(1)
    drawn = [
        (draw.randint(-100, 100), draw.randint(-30000, 30000), draw.randint(-(2**30), 2**30)) for _ in range(count)
    ]
    made = [kind(*numbers) for numbers in EDGES + drawn]
    for place, one in enumerate(made):
        one.other = made[place * 7 % len(made)] if place % 3 else None
    return made


def state(made: list[Cell]) -> list[tuple[int, ...]]:
    return [(one.small, one.middle, one.large, one.result) for one in made]


def test_methods_work_with_64_bits(any_machine: str) -> None:
    made = cells(Cell)
    array(made, machine=any_machine).peach("read")
    numbers = [one.small * one.middle * one.large for one in made]
    of_others = [numbers[place * 7 % len(made)] if place % 3 else 0 for place in range(len(made))]
    assert [one.result for one in made] == [one + other for one, other in zip(numbers, of_others)]
    assert max(abs(one) for one in numbers) > 2**52  # which no field could hold


def test_narrow_columns_hold_what_wide_ones_hold(any_machine: str) -> None:
    narrow, wide = cells(Cell)[len(EDGES) :], cells(Wide)[len(EDGES) :]
    for made in (narrow, wide):
        array(made, machine=any_machine).peach("add", 3, ticks=5)
    assert state(narrow) == state(wide)
    assert all(type(value) is int for one in narrow for value in (one.small, one.middle, one.large))


def test_chains_give_ints_of_64_bits(any_machine: str) -> None:
    made = cells(Cell)
    assert array(made, machine=any_machine).pmap("double").to_list() == [2 * one.middle for one in made]


def test_narrow_columns_have_fewer_bytes(machine: str) -> None:
    sent = []
    for kind in (Cell, Wide):
        made = cells(kind, 1000 - len(EDGES))
        array(made, machine=machine).peach("add", 0)
        sent.append(last_report().sent_bytes)
    assert sent[1] - sent[0] == 1000 * (3 * 8 - (1 + 2 + 4))


@pytest.mark.parametrize("amount", [28, 1000])
def test_a_value_that_does_not_fit_fails_the_section(machine: str, amount: int) -> None:
    made = [Cell(100, 0, 0), Cell(0, 0, 0)]
    before = state(made)
    with pytest.raises(ObjectsError, match=r"test_narrow.py:\d+: the value does not fit in small, which is int8"):
        array(made, machine=machine).peach("add", amount)
    assert state(made) == before


def test_the_largest_value_fits(any_machine: str) -> None:
    made = [Cell(100, 0, 0)]
    array(made, machine=any_machine).peach("add", 27)
    assert state(made) == [(127, -27, 81, 0)]


def test_an_object_with_a_value_that_does_not_fit_is_refused(any_machine: str) -> None:
    with pytest.raises(ObjectsError, match="Cell.middle has an int that does not fit in int16"):
        array([Cell(1, 2**15, 1)], machine=any_machine).peach("add", 0)


def test_a_float_is_not_a_narrow_int(any_machine: str) -> None:
    with pytest.raises(ObjectsError, match="level.*float and int16"):
        array([Mixed(0.5)], machine=any_machine).peach("up")


def test_a_field_has_the_same_width_in_all_classes(machine: str) -> None:
    with pytest.raises(ObjectsError, match="int8 and int: annotate the field alike in all classes"):
        array([Cell(1, 2, 3), Wide(1, 2, 3)], machine=machine).peach("add", 1)


def test_bools_are_ints_in_a_narrow_column(machine: str) -> None:
    made = [Truth(True), Truth(False)]
    array(made, machine=machine).peach("turn")
    assert [one.flag for one in made] == [0, 1]


def test_an_atomic_operation_needs_a_wide_field(machine: str) -> None:
    with pytest.raises(ObjectsError, match="atomic operations are of ints, and the field hits is int16"):
        array([Counter()], machine=machine).peach("hit", Counter())


def test_the_columns_of_the_code_are_narrow() -> None:
    plan = Plan(cells(Cell), (Stage("peach", "add", (1,), "here.py", 1),))
    translate(plan, World(), {})
    for cpp, name in (("i8", "small"), ("i16", "middle"), ("i32", "large")):
        assert f"{cpp}* " in plan.text and f"narrow<{cpp}>" in plan.text, name


@pytest.mark.skipif(not Path("/usr/local/cuda").exists(), reason="needs NVRTC")
@pytest.mark.parametrize("method, arguments", [("read", ()), ("add", (1,))])
def test_narrow_columns_compile_for_gpus_that_are_not_here(method: str, arguments: tuple[object, ...]) -> None:
    plan = Plan(cells(Cell), (Stage("peach", method, arguments, "here.py", 1),))
    translate(plan, World(), {})
    assert compile_for_gpu(90, plan.text, ["element"]) > 1000
