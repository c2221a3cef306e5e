"""Classes in generated code: tags where a type is not unique, columns, superclasses (Sections 4.3 and 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from lockstep.objects import ObjectsError, array, float32, last_report
from lockstep.objects.plan import Plan, Stage
from lockstep.objects.section import translate
from lockstep.objects.world import World


class Shape:
    def __init__(self, size: int) -> None:
        self.size = size
        self.result = 0

    def name(self) -> int:
        return 1

    def measure(self) -> None:
        self.result = self.area() + 100 * self.name()

    def area(self) -> int:
        return 0


class Square(Shape):
    def area(self) -> int:
        return self.size * self.size


class Bar(Shape):
    def __init__(self, size: int, width: int) -> None:
        super().__init__(size)
        self.width = width

    def area(self) -> int:
        return self.size * self.width


class Holder:
    """A field of two types, and one that is None in places."""

    def __init__(self, shape: Shape | Holder, spare: Shape | None) -> None:
        self.shape = shape
        self.spare = spare
        self.result = 0

    def area(self) -> int:
        return -1

    def look(self) -> None:
        self.result = self.shape.area()
        if self.spare is not None:
            self.result += 1000 * self.spare.area()
        shape = self.shape
        if isinstance(shape, Bar):
            self.result += 10000 * shape.width

    def swap(self) -> None:
        if self.spare is not None:
            self.shape = self.spare
        self.spare = None


def text_of(elements: Sequence[object], method: str, *arguments: object) -> str:
    plan = Plan(elements, (Stage("peach", method, arguments, "here.py", 1),))
    translate(plan, World(), {})
    return plan.text


def test_no_switch_where_the_class_is_unique() -> None:
    text = text_of([Square(2), Square(3)], "measure")
    assert "switch" not in text and "tag[" not in text and "base_tag" not in text
    assert "m1_Square_area(a, lane, v_self)" in text


def test_switch_over_the_tags_of_two_classes() -> None:
    """Figure 7: a case per class, and the default for an unknown one."""
    text = text_of([Square(2), Bar(3, 4)], "measure")
    assert text.count("switch (") == 1
    for part in ("case 0:  // Square", "case 1:  // Bar", "default: lane.fail("):
        assert part in text


def test_method_of_a_superclass_is_called_without_a_switch() -> None:
    """name() is Shape's for all three classes: one function, which gets the tag (Section 4.4)."""
    text = text_of([Square(2), Bar(3, 4)], "measure")
    assert "_name(a, lane, v_self)" in text
    functions = [line for line in text.splitlines() if "inline i64" in line and "_name(" in line]
    assert len(functions) == 1 and "Ref v_self" in functions[0]


def test_two_columns_for_a_field_of_two_classes() -> None:
    holders = [Holder(Square(2), None), Holder(Bar(1, 2), Square(5))]
    text = text_of(holders, "look")
    assert "Holder_shape_tag;" in text and "Holder_shape_id;" in text
    assert "Holder_spare;" in text and "Holder_spare_tag" not in text


def test_only_fields_in_use_are_sent(machine: str) -> None:
    bars = [Bar(2, 3), Bar(4, 5)]
    array(bars, machine=machine).peach("measure")
    assert not any("name" in column for column in last_report().columns)
    assert sorted(column.partition("_")[2] for column in last_report().columns if column != "base") == [
        "Bar_result",
        "Bar_size",
        "Bar_width",
    ]


def test_a_subclass_shares_the_columns_of_its_superclass() -> None:
    """size is in all objects: one column of Shape. width is in bars only: a column of Bar (Section 4.4)."""
    text = text_of([Square(2), Bar(3, 4)], "measure")
    assert "_Shape_size;" in text and "_Bar_width;" in text and "_Square_" not in text.partition("};")[0]


def test_dispatch(any_machine: str) -> None:
    shapes = [Square(3), Bar(2, 5), Shape(7), Square(4), Bar(1, 1)]
    array(shapes, machine=any_machine).peach("measure")
    assert [shape.result for shape in shapes] == [109, 110, 100, 116, 101]


def test_chains_over_several_classes(any_machine: str) -> None:
    """Results are in the order of the array, whatever the job array is."""
    shapes: list[Shape] = [Square(3), Bar(2, 5), Shape(7), Square(4), Bar(1, 1)] * 20
    areas = [9, 10, 0, 16, 1] * 20
    one = array(shapes, machine=any_machine)
    assert one.pmap("area").to_list() == areas
    assert one.pselect("area").to_list() == [shape for shape, area in zip(shapes, areas) if area]
    assert one.pmap("area").preduce("+") == sum(areas)
    assert one.pselect("area").pmap("name").preduce("+") == 80


def test_references_of_several_classes(any_machine: str) -> None:
    square, bar = Square(2), Bar(3, 4)
    holders = [Holder(square, None), Holder(bar, square), Holder(square, bar)]
    holders.append(Holder(holders[0], None))
    array(holders, machine=any_machine).peach("look")
    assert [holder.result for holder in holders] == [4, 12 + 4000 + 40000, 4 + 12000, -1]
    array(holders, machine=any_machine).peach("swap")
    assert [holder.shape for holder in holders] == [square, square, bar, holders[0]]
    assert [holder.spare for holder in holders] == [None] * 4


class Mixed:
    weight: float32

    def __init__(self, value: int | float, weight: float) -> None:
        self.value = value
        self.weight = weight  # type: ignore[assignment]
        self.result = 0.0

    def add(self) -> None:
        self.result = self.value + 0.5
        self.weight = self.weight * 3


def test_numbers_of_two_types_become_floats(machine: str) -> None:
    made = [Mixed(1, 0.1), Mixed(2.5, 0.2)]
    array(made, machine=machine).peach("add")
    assert [one.result for one in made] == [1.5, 3.0]
    assert [one.weight for one in made] == [float32(0.1) * 3, float32(0.2) * 3]


class Large:
    def __init__(self, count: int, size: float) -> None:
        self.count, self.size, self.equal, self.third = count, size, False, 0.0

    def compare(self) -> None:
        self.equal = self.count == self.size
        self.third = self.count / 3


def test_an_int_beyond_2_to_the_53_is_rounded_where_it_meets_a_float(machine: str) -> None:
    """Unlike in Python, as README.md says."""
    plain, found = Large(2**53 + 1, 2.0**53), Large(2**53 + 1, 2.0**53)
    array([plain], machine="python").peach("compare")
    array([found], machine=machine).peach("compare")
    assert (plain.equal, plain.third) == (False, (2**53 + 1) / 3)
    assert (found.count, found.equal, found.third) == (2**53 + 1, True, 2.0**53 / 3)


def test_the_job_array_is_by_class_and_warp(machine: str) -> None:
    """Algorithm 1: 40 squares take two warps, 3 bars one; lanes without a job are idle."""
    shapes: list[Shape] = [Square(1) for _ in range(40)]
    shapes[5:5] = [Bar(1, 1), Bar(1, 1), Bar(1, 1)]
    array(shapes, machine=machine).peach("measure")
    assert last_report().jobs == 96
    assert all(shape.result == 101 for shape in shapes)


class Größe:
    """Names that C++ does not know, and names that mean something there."""

    def __init__(self) -> None:
        self.straße, self.int, self.class_ = 3, 4, 5

    def operator(self, äh: int, namespace: int) -> None:
        öh = äh + self.straße
        for template in range(namespace):
            öh += template
        self.int = self.int * öh + self.class_


def test_any_python_name_will_do(any_machine: str) -> None:
    made = [Größe()]
    array(made, machine=any_machine).peach("operator", 10, 3)
    assert made[0].int == 4 * (10 + 3 + 0 + 1 + 2) + 5


class Default:
    """A field whose first value is in the class, and a constant."""

    count = 5
    STEP = 2

    def advance(self) -> None:
        self.count += self.STEP


class Other(Default):
    STEP = 3


def test_defaults_and_constants_of_classes(any_machine: str) -> None:
    made: list[Default] = [Default(), Default(), Other()]
    made[1].count = 10
    array(made, machine=any_machine).peach("advance", ticks=2)
    assert [one.count for one in made] == [9, 14, 11]
    assert Default.count == 5


@dataclass(slots=True)
class Slots:
    x: int

    def advance(self) -> None:
        self.x = self.x + 1


@dataclass(frozen=True)
class Frozen:
    x: int

    def advance(self) -> None:
        self.x = self.x + 1  # type: ignore[misc]


def test_data_classes(machine: str) -> None:
    made = [Slots(1), Slots(5)]
    array(made, machine=machine).peach("advance")
    assert made == [Slots(2), Slots(6)]
    with pytest.raises(ObjectsError, match="the field x of Frozen cannot be set"):
        array([Frozen(1)], machine=machine).peach("advance")
