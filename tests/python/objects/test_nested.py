"""Nested sections (Section 7.3), and methods that call themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lockstep.objects import ObjectsError, array, last_report, peach, random_below, synchronize
from lockstep.objects.native import compile_for_gpu


class Wheel:
    def __init__(self, number: int) -> None:
        self.angle, self.number = 0, number

    def turn(self, by: int, cart: Cart) -> None:
        self.angle = self.angle + by + random_below(10) + cart.speed

    def worn(self) -> None:
        self.angle += 1


class Spiked(Wheel):
    def turn(self, by: int, cart: Cart) -> None:
        self.angle = -by
        self.worn()


class Cart:
    def __init__(self, number: int) -> None:
        kinds = (Wheel, Spiked)
        self.speed = number
        self.wheels: list[Wheel] = [kinds[(number + i) % 3 == 0](10 * number + i) for i in range(number % 5)]
        self.sum = 0

    def roll(self, by: int) -> None:
        self.speed = self.speed + 1
        peach(self.wheels, "turn", by + self.speed, self)
        peach(self.wheels, worn_twice, ticks=self.speed % 3)
        self.sum = random_below(100)

    def look(self, wheels: list[Wheel]) -> None:
        peach(wheels, "turn", 1, self)


def worn_twice(wheel: Wheel) -> None:
    wheel.worn()
    wheel.worn()


class Tree:
    def __init__(self, depth: int, key: int) -> None:
        self.key = key
        self.left: Tree | None = Tree(depth - 1, 2 * key) if depth > 0 and key % 5 != 1 else None
        self.right: Tree | None = Tree(depth - 1, 2 * key + 1) if depth > 0 else None

    def size(self) -> int:
        left = self.left
        right = self.right
        count = 1
        if left is not None:
            count += left.size()
        if right is not None:
            count = count + right.size()
        return count

    def find(self, key: int) -> Tree | None:
        if self.key == key:
            return self
        if self.left is None:
            return None
        found = self.left.find(key)
        if found is not None:
            return found
        return self.right.find(key) if self.right is not None else None


class Number:
    def __init__(self, n: int) -> None:
        self.n, self.result, self.even, self.steps = n, 0, False, 0

    def factorial(self, n: int) -> int:
        return 1 if n <= 1 else n * self.factorial(n - 1)

    def fibonacci(self, n: int) -> int:
        if n > 1:
            before = self.fibonacci(n - 1)
            return before + self.fibonacci(n - 2)
        return n

    def is_even(self, n: int) -> bool:
        return True if n == 0 else self.is_odd(n - 1)

    def is_odd(self, n: int) -> bool:
        if n == 0:
            return False
        return self.is_even(n - 1)

    def count_down(self, n: int) -> None:
        self.steps += 1
        if n > 0:
            self.count_down(n - 1)

    def compute(self) -> None:
        self.result = self.factorial(self.n) + self.fibonacci(self.n)
        self.even = self.is_even(self.n)
        self.count_down(self.n)

    def deep(self, n: int) -> None:
        self.result = self.factorial(n)


def angles(carts: list[Cart]) -> list[Any]:
    return [(cart.speed, cart.sum, [wheel.angle for wheel in cart.wheels]) for cart in carts]


def test_a_nested_section_is_a_loop_over_parts(machine: str) -> None:
    expected, found = [Cart(i) for i in range(40)], [Cart(i) for i in range(40)]
    for carts, on in ((expected, "python"), (found, machine)):
        array(carts, machine=on, seed=4).peach("roll", 3, ticks=3)
    assert angles(found) == angles(expected)
    assert len({wheel.angle for cart in found for wheel in cart.wheels}) > 10


@pytest.mark.parametrize("shared", ["twice", "element"])
def test_parts_belong_to_one_element(machine: str, shared: str) -> None:
    carts = [Cart(i) for i in range(9)]
    if shared == "twice":
        carts[2].wheels[0] = carts[3].wheels[0]
        message = "one of them is there twice"
        elements: list[Any] = carts
    else:
        message = "one is in the array"
        elements = [Rolling(i) for i in range(4)]
        elements[1].wheels = [elements[2]]
    with pytest.raises(ObjectsError, match=message):
        array(elements, machine=machine).peach("roll", 1)


class Spoked:
    """A part with a list, and the elements that it belongs to."""

    def __init__(self) -> None:
        self.angle, self.spokes, self.rows = 0, [0, 0], [[0], [0]]

    def bend(self) -> None:
        self.spokes[0] += 1

    def bend_row(self) -> None:
        self.rows[1][0] += 1

    def lengthen(self) -> None:
        self.spokes.append(1)

    def turn(self) -> None:
        self.angle += 1

    def show(self, to: Bicycle) -> None:
        to.seen = to.seen + self.angle + self.spokes[1]


class Bicycle(Spoked):
    """May also be a part of another one."""

    def __init__(self) -> None:
        super().__init__()
        self.wheels: list[Spoked] = [Spoked(), Spoked()]
        self.seen = 0

    def bends(self) -> None:
        peach(self.wheels, "bend")

    def bends_rows(self) -> None:
        peach(self.wheels, "bend_row")

    def lengthens(self) -> None:
        peach(self.wheels, "lengthen")

    def looks(self) -> None:
        peach(self.wheels, "show", self)

    def turns_and_looks(self) -> None:
        self.angle += 1
        peach(self.wheels, "show", self)

    def bends_and_looks(self) -> None:
        self.spokes[1] += 1
        peach(self.wheels, "show", self)

    def mounts(self, wheel: Spoked) -> None:
        self.wheels[0] = wheel

    def mounts_and_turns(self, wheel: Spoked) -> None:
        self.wheels[0] = wheel
        synchronize()
        peach(self.wheels, "turn")

    def turns_and_mounts(self, wheel: Spoked) -> None:
        peach(self.wheels, "turn")
        synchronize()
        self.wheels[0] = wheel

    def mounts_and_looks(self, wheel: Spoked) -> None:
        self.wheels[0] = wheel
        synchronize()
        peach(self.wheels, "show", self)

    def turns(self) -> None:
        peach(self.wheels, "turn")


@pytest.mark.parametrize("method", ["bends", "bends_rows", "lengthens"])
def test_lists_of_parts_belong_to_one_element(machine: str, method: str) -> None:
    found, expected = [Bicycle() for _ in range(40)], [Bicycle() for _ in range(40)]
    for made, on in ((expected, "python"), (found, machine)):
        array(made, machine=on).peach(method)
    assert [(one.spokes, one.rows) for bicycle in found for one in bicycle.wheels] == [
        (one.spokes, one.rows) for bicycle in expected for one in bicycle.wheels
    ]
    found[2].wheels[0] = found[3].wheels[1]
    with pytest.raises(ObjectsError, match="writes fields of the elements of wheels, and one of them is there twice"):
        array(found, machine=machine).peach(method)


@pytest.mark.parametrize("method", ["turns_and_looks", "bends_and_looks"])
def test_what_parts_show_no_other_element_writes(machine: str, method: str) -> None:
    shared = Bicycle()  # twice a part, but no element
    for elements_are_parts in (False, True):
        made = [Bicycle() for _ in range(40)]
        for number, one in enumerate(made):
            one.wheels = [made[(number + 7) % 40] if elements_are_parts else shared]
        if elements_are_parts:
            with pytest.raises(ObjectsError, match="reads fields of the elements of wheels, and one is in the array"):
                array(made, machine=machine).peach(method)
            array(made, machine=machine).peach("looks")  # writes nothing that parts show
        else:
            array(made, machine=machine).peach(method)
        assert [one.seen for one in made] == [0] * 40


@pytest.mark.parametrize("method", ["mounts_and_turns", "turns_and_mounts"])
def test_no_phase_changes_a_list_of_parts_that_are_written(machine: str, method: str) -> None:
    made, shared = [Bicycle() for _ in range(2000)], Spoked()
    message = "test_nested.py:.*wheels is written, and a nested section writes fields.* use a section for each$"
    with pytest.raises(ObjectsError, match=message):
        array(made, machine=machine).peach(method, shared)
    assert shared.angle == 0 and all(one.wheels[0] is not shared for one in made)


def test_a_phase_may_change_a_list_of_parts_that_are_only_read(any_machine: str) -> None:
    made, shared = [Bicycle() for _ in range(40)], Spoked()
    shared.angle = 7
    array(made, machine=any_machine).peach("mounts_and_looks", shared)
    assert [one.seen for one in made] == [7] * 40


def test_sections_of_a_with_block_change_lists_of_parts(machine: str) -> None:
    """Parts are checked again, as they are on the machine."""
    made, shared = [Bicycle() for _ in range(2000)], Spoked()
    with array(made, machine=machine).resident() as sections:
        sections.peach("turns")
        sections.peach("mounts", shared)
        with pytest.raises(ObjectsError, match="one of them is there twice"):
            sections.peach("turns")
    assert shared.angle == 0
    with array(made, machine=machine).resident() as sections:
        with pytest.raises(ObjectsError, match="one of them is there twice"):
            sections.peach("turns")


def test_sections_of_a_with_block_may_exchange_parts(machine: str) -> None:
    class Swapping(Bicycle):
        def swaps(self) -> None:
            first = self.wheels[0]
            self.wheels[0] = self.wheels[1]
            self.wheels[1] = first

    expected, found = [Swapping() for _ in range(40)], [Swapping() for _ in range(40)]
    for made, on in ((expected, "python"), (found, machine)):
        with array(made, machine=on).resident() as sections:
            for number in range(3):
                sections.peach("swaps")
                sections.peach("turns")
                sections.peach("bends" if number == 1 else "turns")
    for one, other in zip(found, expected):
        assert [(each.angle, each.spokes) for each in one.wheels] == [
            (each.angle, each.spokes) for each in other.wheels
        ]


class Rolling(Spiked):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.wheels: list[Wheel] = [Wheel(i) for i in range(number)]

    def roll(self, by: int) -> None:
        self.angle = by
        peach(self.wheels, "worn")


def test_a_list_that_is_not_the_elements_has_no_parts(machine: str) -> None:
    carts = [Cart(i) for i in range(9)]
    with pytest.raises(ObjectsError, match="written in an object that another element may have"):
        array(carts, machine=machine).peach("look", carts[4].wheels)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 12])
def test_methods_call_themselves(machine: str, n: int) -> None:
    expected, found = [Number(i) for i in range(n + 1)], [Number(i) for i in range(n + 1)]
    for numbers, on in ((expected, "python"), (found, machine)):
        array(numbers, machine=on).peach("compute")
    assert [vars(one) for one in found] == [vars(one) for one in expected]
    assert found[n].even == (n % 2 == 0) and found[n].steps == n + 1


def test_trees(machine: str) -> None:
    trees = [Tree(depth, depth + 1) for depth in range(6)]
    whole = array(trees, machine=machine)
    assert whole.pmap("size").to_list() == [tree.size() for tree in trees]
    for key in (1, 13, 48, 1000):
        assert whole.pmap("find", key).to_list() == [tree.find(key) for tree in trees]


def test_a_depth_of_32_is_the_last(machine: str) -> None:
    number = Number(0)
    array([number], machine=machine).peach("deep", 33)
    assert number.result == (number.factorial(33) + 2**63) % 2**64 - 2**63
    with pytest.raises(ObjectsError, match="test_nested.py:[0-9]+: factorial calls itself more than 32 deep"):
        array([number], machine=machine).peach("deep", 34)
    assert "depth = 32" in last_report().text


@pytest.mark.skipif(not Path("/usr/local/cuda").exists(), reason="needs NVRTC")
def test_programs_compile_for_gpus_that_are_not_here() -> None:
    array([Cart(i) for i in range(9)], machine="cpu").peach("roll", 3)
    assert compile_for_gpu(90, last_report().text, ["element"]) > 1000
    array([Number(5)], machine="cpu").peach("compute")
    assert compile_for_gpu(90, last_report().text, ["element"]) > 1000
