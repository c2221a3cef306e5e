"""Objects that methods make, lists that grow, and lists of lists (Section 7.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lockstep.objects import ObjectsError, array, float32, last_report, peach, random_below, synchronize
from lockstep.objects.native import compile_for_gpu


class Cell:
    weight: float32

    def __init__(self, value: int, parent: Cell | None) -> None:
        self.value, self.parent, self.weight = value, parent, float32(value)
        self.child: Cell | None = None
        self.count = 0

    def kind(self) -> int:
        return 1

    def divide(self, limit: int) -> None:
        """A chain of new cells of two classes."""
        last: Cell | None = None
        for i in range(self.value % limit):
            if random_below(2) == 0:
                last = Cell(i, last)
            else:
                last = Big(i, last, self.weight)
        self.child = last

    def follow(self) -> None:
        """The chain of the section before, which are ordinary objects by now."""
        total, at = 0, self.child
        while at is not None:
            total += at.kind() * 100 + at.value
            at = at.parent
        self.count = total


class Big(Cell):
    def __init__(self, value: int, parent: Cell | None, size: float) -> None:
        super().__init__(value, parent)
        self.size = size
        self.count += 5

    def kind(self) -> int:
        return 2


class Plant:
    def __init__(self, number: int) -> None:
        self.number, self.sum = number, 0.0
        self.seeds: list[int] = list(range(number % 4))
        self.leaves: list[Leaf] = []
        self.rows: list[list[int]] = [[number, 1], [2], [], [5, 6, number]]

    def grow(self, steps: int) -> None:
        for step in range(steps):
            self.seeds.append(self.number * step)
            if step % 3 == 2:
                self.sum = self.sum + self.seeds.pop()
        for seed in self.seeds:
            if seed > 1000 and len(self.seeds) < 100:
                self.seeds.append(seed // 10)
        if self.number % 5 == 4:
            self.seeds.clear()

    def sprout(self) -> None:
        for i in range(self.number % 6):
            leaf = Leaf(i)
            for k in range(i):
                leaf.veins.append(k * self.number)
            leaf.area = len(leaf.veins)
            self.leaves.append(leaf)

    def widen(self) -> None:
        peach(self.leaves, "widen", self.number)

    def till(self) -> None:
        total = 0
        for row in self.rows:
            for at, value in enumerate(row):
                total += value
                row[at] = value + at
        self.rows[1].append(total)
        self.rows[2].append(len(self.rows[0]))
        self.rows[-1][0] = -1
        self.sum = total


class Leaf:
    def __init__(self, number: int) -> None:
        self.number, self.area = number, 0
        self.veins: list[int] = []

    def widen(self, by: int) -> None:
        self.area += by
        self.veins.append(by)


def chain(cell: Cell) -> list[Any]:
    found, at = [], cell.child
    while at is not None:
        size = at.size.hex() if isinstance(at, Big) else ""
        found.append((type(at).__name__, at.value, at.weight.hex(), type(at.weight), at.count, at.child, size))
        at = at.parent
    return found


def test_objects_made_in_methods_are_python_objects(machine: str) -> None:
    expected, found = [Cell(i, None) for i in range(50)], [Cell(i, None) for i in range(50)]
    for cells, on in ((expected, "python"), (found, machine)):
        whole = array(cells, machine=on, seed=3)
        whole.peach("divide", 7)
        whole.peach("follow")
        whole.peach("divide", 5)
    assert [chain(one) for one in found] == [chain(one) for one in expected]
    assert [one.count for one in found] == [one.count for one in expected]
    assert len({type(one.child) for one in found}) == 3
    assert last_report().made == sum(i % 5 for i in range(50))


def test_a_section_short_of_memory_runs_again(machine: str) -> None:
    expected, found = [Cell(90 * i, None) for i in range(5)], [Cell(90 * i, None) for i in range(5)]
    for cells, on in ((expected, "python"), (found, machine)):
        array(cells, machine=on).peach("divide", 1000)
    assert [chain(one) for one in found] == [chain(one) for one in expected]
    assert (last_report().runs, last_report().made) == (3, 900), "room for 64, 256 and 1024 objects"


class Tree:
    """Its method makes a leaf, or two of different classes, if the tree is tall enough."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.leaf: Leaf | None = None
        self.cell: Cell | None = None
        self.leaves: list[Leaf] = []
        self.cells: list[Cell] = []

    def bud(self, least: int) -> None:
        if self.height > least:
            self.leaves.append(Leaf(self.height))
            self.cells.append(Cell(1, None))
            self.cells.append(Big(2, None, 3.0))

    def sprout(self, least: int) -> None:
        if self.height > least:
            self.leaf = Leaf(self.height)
            self.cell = Cell(1, None) if self.height > 2 * least else Big(2, None, 3.0)


@pytest.mark.parametrize("method", ["bud", "sprout"])
@pytest.mark.parametrize("least", [1, 100])
def test_a_section_may_make_no_objects(machine: str, method: str, least: int) -> None:
    expected, found = [Tree(i) for i in range(5)], [Tree(i) for i in range(5)]
    for trees, on in ((expected, "python"), (found, machine)):
        array(trees, machine=on).peach(method, least)

    def made(one: Tree) -> list[Any]:
        lists = [leaf.number for leaf in one.leaves], [type(cell) for cell in one.cells]
        return [one.leaf and one.leaf.number, one.cell and type(one.cell), *lists]

    assert [made(one) for one in found] == [made(one) for one in expected]


def test_no_ticks_change_nothing(any_machine: str) -> None:
    trees = [Tree(i) for i in range(5)]
    array(trees, machine=any_machine).peach("sprout", 1, ticks=0)
    assert all(one.leaf is None for one in trees)


def state(plants: list[Plant]) -> list[Any]:
    leaves = [[(leaf.number, leaf.area, leaf.veins) for leaf in one.leaves] for one in plants]
    return [(one.seeds, one.sum, one.rows, each) for one, each in zip(plants, leaves)]


@pytest.mark.parametrize("steps", [0, 1, 4, 40])
def test_lists_grow_and_shrink(machine: str, steps: int) -> None:
    expected, found = [Plant(i) for i in range(40)], [Plant(i) for i in range(40)]
    lists = [one.seeds for one in found]
    for plants, on in ((expected, "python"), (found, machine)):
        whole = array(plants, machine=on)
        whole.peach("grow", steps)
        whole.peach("grow", 2, ticks=2)
    assert state(found) == state(expected)
    assert all(one.seeds is before for one, before in zip(found, lists)), "the same list objects"


def test_new_objects_in_lists_have_lists(machine: str) -> None:
    expected, found = [Plant(i) for i in range(20)], [Plant(i) for i in range(20)]
    for plants, on in ((expected, "python"), (found, machine)):
        whole = array(plants, machine=on)
        whole.peach("sprout")
        whole.peach("widen")
        whole.peach("widen")
    assert state(found) == state(expected)
    assert found[5].leaves[4].veins == [0, 5, 10, 15, 5, 5]


def test_lists_of_lists(machine: str) -> None:
    expected, found = [Plant(i) for i in range(20)], [Plant(i) for i in range(20)]
    for plants, on in ((expected, "python"), (found, machine)):
        array(plants, machine=on).peach("till", ticks=2)
    assert state(found) == state(expected)
    assert found[3].rows[2] == [2, 2]


def test_growing_within_a_resident_block(machine: str) -> None:
    expected, found = [Plant(i) for i in range(20)], [Plant(i) for i in range(20)]
    for plants, on in ((expected, "python"), (found, machine)):
        with array(plants, machine=on).resident() as sections:
            sections.peach("grow", 3)
            sections.peach("sprout")
            sections.peach("widen")
            sections.peach("grow", 3)
    assert state(found) == state(expected)


class Wrong:
    def __init__(self, other: Wrong | None) -> None:
        self.other, self.items, self.made = other, [1], None
        self.rows = [[1]]

    def others_list(self) -> None:
        if self.other is not None:
            self.other.items.append(1)

    def reads_others_list(self) -> None:
        if self.other is not None:
            self.items.append(len(self.other.items))

    def pops_too_much(self) -> None:
        self.items.pop()
        self.items.pop()

    def list_with_elements(self) -> None:
        self.made = [1, 2]  # type: ignore[assignment]

    def appends_list(self) -> None:
        self.rows.append([])

    def makes_text(self) -> None:
        str(5)

    def result(self) -> int:
        return Leaf(1).number


@pytest.mark.parametrize(
    "method, message",
    [
        ("others_list", "append changes a list that another element may have"),
        ("reads_others_list", "is read in an object that may be another element"),
        ("pops_too_much", "pop from an empty list"),
        ("list_with_elements", "a list with elements is not in the subset"),
        ("appends_list", "cannot be appended"),
        ("makes_text", r"str\(\) is not in the subset"),
    ],
)
def test_refusals_name_the_line(machine: str, method: str, message: str) -> None:
    first = Wrong(None)
    elements = [first, Wrong(first)]
    with pytest.raises(ObjectsError, match=f"test_growing.py:[0-9]+: .*{message}"):
        array(elements, machine=machine).peach(method)
    assert [one.items for one in elements] == [[1], [1]]


def test_a_chain_makes_no_objects(machine: str) -> None:
    with pytest.raises(ObjectsError, match="makes an object in a chain"):
        array([Wrong(None)], machine=machine).pmap("result").to_list()


@pytest.mark.parametrize("used", [len, list, lambda whole: whole[0], lambda whole: whole.peach("grow", 1)])
def test_what_is_appended_to_the_array_is_an_element(any_machine: str, used: Any) -> None:
    plants = [Plant(1), Plant(2)]
    whole = array(plants, machine=any_machine)
    used(whole)
    plants.append(Plant(3))
    assert (len(whole), list(whole), whole.to_list(), whole[2]) == (3, plants, plants, plants[2])
    whole.peach("grow", 2)
    assert plants[2].seeds == [0, 1, 2, 0, 3]


class Bed:
    def __init__(self, number: int) -> None:
        self.plants, self.sums, self.number = [Leaf(number)], [0], number

    def grow_parts(self) -> None:
        peach(self.plants, "widen", 1)
        self.plants.append(Leaf(2))

    def waits(self) -> None:
        self.number += 1
        synchronize()
        self.sums.append(self.number)

    def look(self, other: Bed) -> None:
        self.number = len(other.sums)
        self.sums.append(1)


@pytest.mark.parametrize("method", ["grow_parts", "waits", "look"])
def test_machine_python_runs_what_the_others_refuse(machine: str, method: str) -> None:
    """As README.md says."""
    beds, arguments = [Bed(1), Bed(2)], [Bed(3)] if method == "look" else []
    with pytest.raises(ObjectsError, match="use a section for each|depend on the order"):
        array(beds, machine=machine).peach(method, *arguments)
    assert [(len(one.plants), one.sums) for one in beds] == [(1, [0])] * 2
    array(beds, machine="python").peach(method, *arguments)
    assert all(len(one.plants) + len(one.sums) == 3 for one in beds)


@pytest.mark.skipif(not Path("/usr/local/cuda").exists(), reason="needs NVRTC")
@pytest.mark.parametrize("method, arguments", [("grow", [3]), ("sprout", []), ("widen", []), ("till", [])])
def test_programs_compile_for_gpus_that_are_not_here(method: str, arguments: list[int]) -> None:
    plants = [Plant(i) for i in range(9)]
    array(plants, machine="cpu").peach("sprout")
    array(plants, machine="cpu").peach(method, *arguments)
    assert compile_for_gpu(90, last_report().text, ["element"]) > 1000
