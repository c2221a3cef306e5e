"""Nested sections (Section 7.3), and methods that call themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lockstep.objects import ObjectsError, array, last_report, peach, random_below
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
