"""pmap, pselect and preduce: lazy, fused into one program, and the same on every machine (Section 4.1)."""

from __future__ import annotations

import pytest
from lockstep.objects import ObjectsError, array, float32, last_report, random_below


class Point:
    weight: float32

    def __init__(self, x: int, y: float) -> None:
        self.x, self.y = x, y
        self.weight = float32(1 / (1 + x))
        self.after: Point | None = None

    def product(self, factor: int) -> float:
        return self.x * self.y * factor

    def is_odd(self) -> bool:
        return self.x % 2 == 1

    def light(self) -> float:
        return self.weight

    def follower(self) -> Point | None:
        return self.after

    def drawn(self) -> int:
        return self.x + random_below(10)

    def writes(self) -> int:
        self.x = 1
        return 1


def points(count: int) -> list[Point]:
    made = [Point(i, 0.1 * i + 0.01) for i in range(count)]
    for one, after in zip(made, made[1:]):
        one.after = after
    return made


def square(x: int) -> int:
    return x * x


def above(x: float, limit: float) -> bool:
    return x > limit


def difference(a: int, b: int) -> int:
    return a - b


def largest_modulo(a: int, b: int) -> int:
    return max(a, b) if a % 7 != b % 7 else min(a, b)


def test_map(any_machine: str) -> None:
    made = points(100)
    assert array(made, machine=any_machine).pmap("product", 3).to_list() == [one.product(3) for one in made]


def test_chain(any_machine: str) -> None:
    made = points(100)
    chain = array(made, machine=any_machine).pselect("is_odd").pmap("product", 2).pselect(above, 30.0)
    assert list(chain) == [one.product(2) for one in made if one.is_odd() and one.product(2) > 30.0]


def test_a_chain_is_one_program_that_runs_once_when_it_is_read(machine: str) -> None:
    made = points(50)
    chain = array(made, machine=machine).pselect("is_odd").pmap("product", 2)
    before = last_report()
    again = array(made, machine=machine).pmap("product", 1)
    assert last_report() is before, "nothing has run"
    assert len(chain) == 25
    first = last_report()
    assert first is not before and first.text.count("void element(") == 1
    assert "_is_odd(" in first.text and "_product(" in first.text
    assert sorted(column.partition("_")[2] for column in first.columns[1:]) == ["Point_x", "Point_y"]
    assert chain[0] == made[1].product(2)
    assert last_report() is first, "read again, not run again"
    assert again[3] == made[3].product(1)


def test_objects_as_results(any_machine: str) -> None:
    made = points(40)
    assert array(made, machine=any_machine).pselect("is_odd").to_list() == made[1::2]
    assert array(made, machine=any_machine).pmap("follower").to_list() == [*made[1:], None]
    assert array(made[:-1], machine=any_machine).pmap("follower").pmap("product", 1)[0] == made[1].product(1)


def test_numbers_as_elements(any_machine: str) -> None:
    assert array(range(10), machine=any_machine).pmap(square).to_list() == [i * i for i in range(10)]
    assert array([1.5, 2.5], machine=any_machine).pselect(above, 2).to_list() == [2.5]


def test_reductions(any_machine: str) -> None:
    for count in (1, 2, 63, 64, 65, 129, 5000):
        numbers = [(i * 7919) % 1009 - 500 for i in range(count)]
        one = array(numbers, machine=any_machine)
        assert one.preduce("+") == sum(numbers)
        assert one.preduce("min") == min(numbers)
        assert one.preduce("max") == max(numbers)
        if count < 200:
            assert one.pmap(square).preduce("+") == sum(i * i for i in numbers)


def test_reduction_of_what_is_selected(machine: str) -> None:
    numbers = list(range(1000))
    one = array(numbers, machine=machine)
    assert one.pselect(above, 500).preduce("+") == sum(range(501, 1000))
    assert one.pselect(above, 5000).preduce("+", 7) == 7
    assert one.pselect(above, 500).preduce("+", 7) == sum(range(501, 1000)) + 7
    with pytest.raises(ObjectsError, match="needs an initial value"):
        one.pselect(above, 5000).preduce("+")


def test_floats_have_the_same_sum_on_every_machine(machine: str) -> None:
    made = points(3000)
    expected = array(made, machine="python")
    found = array(made, machine=machine)
    assert found.pmap("product", 1).preduce("+").hex() == expected.pmap("product", 1).preduce("+").hex()
    assert found.pmap("light").preduce("+").hex() == expected.pmap("light").preduce("+").hex()
    plain = sum(one.product(1) for one in made)
    assert found.pmap("product", 1).preduce("+") == pytest.approx(plain)


def test_a_function_reduces_in_groups_of_64(machine: str) -> None:
    """Subtraction is not associative, so the groups show: 0 - 1 - ... - 63, then differences of groups."""
    numbers = [i % 11 for i in range(150)]
    groups = [numbers[:64], numbers[64:128], numbers[128:]]
    first, second, third = (2 * group[0] - sum(group) for group in groups)
    assert array(numbers, machine=machine).preduce(difference) == first - second - third


def test_draws_depend_on_seed_and_position_only(any_machine: str) -> None:
    made = points(30)
    one = array(made, machine=any_machine, seed=3).pmap("drawn").to_list()
    assert one == array(made, machine="python", seed=3).pmap("drawn").to_list()
    assert one != array(made, machine=any_machine, seed=4).pmap("drawn").to_list()
    assert one[:10] == array(made[:10], machine=any_machine, seed=3).pmap("drawn").to_list()


def test_empty_arrays(any_machine: str) -> None:
    empty = array([], machine=any_machine)
    assert empty.pmap(square).to_list() == [] and len(empty) == 0
    assert empty.preduce("+", 5) == 5
    empty.peach("anything")


def test_a_chain_writes_nothing(machine: str) -> None:
    with pytest.raises(ObjectsError, match="test_chains.py:.*x is written in a chain"):
        array(points(3), machine=machine).pmap("writes").to_list()


def test_arrays_of_numpy(machine: str) -> None:
    numpy = pytest.importorskip("numpy")
    assert array(numpy.arange(5), machine=machine).pmap(square).to_list() == [0, 1, 4, 9, 16]
    with pytest.raises(ObjectsError, match="float16: convert it"):
        array([numpy.float16(1)], machine=machine).pmap(square).to_list()
