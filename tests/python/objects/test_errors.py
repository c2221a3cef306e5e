"""What a section refuses: the message names the Python file, the line, and the reason."""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from lockstep.objects import ObjectsError, array, atomic_add, float32, random_below
from lockstep.objects.scope import HANDLERS
from lockstep.objects.text import written


class Container:
    def __len__(self) -> int:
        return 0


class Node:
    def __init__(self, value: int = 1) -> None:
        self.value = value
        self.count = 0
        self.real = 0.5
        self.single = float32(0.5)
        self.other: Node | None = None
        self.text = "text"
        self.values = [1, 2]
        self.flag = False
        self.container = Container()

    def uses_text(self) -> None:
        self.value = len(self.text)

    def writes_other(self) -> None:
        if self.other is not None:
            self.other.value = 3

    def reads_what_others_write(self) -> None:
        if self.other is not None:
            self.value = self.other.value

    def atomic_and_read(self) -> None:
        atomic_add(self, "count", self.count)

    def unknown_field(self) -> None:
        self.value = self.missing  # type: ignore[attr-defined]

    def new_field(self) -> None:
        self.fresh = 1

    def unassigned(self) -> None:
        if self.value > 1:
            x = 1
        self.value = x

    def two_types(self) -> None:
        x: Any = 0.5
        x = self.single
        self.real = x

    def sine(self) -> None:
        self.real = math.sin(self.real)

    def comprehension(self) -> None:
        self.value = sum([1, 2])

    def changes_list_of_another(self) -> None:
        if self.other is not None:
            self.other.values[0] = 1

    def reads_list_that_others_write(self) -> None:
        self.values[0] = 2
        if self.other is not None:
            self.value = self.other.values[1]

    def changes_list(self) -> None:
        self.values[1] = self.values[0] + 5

    def some_paths(self) -> None:
        self.value = self.sometimes()  # type: ignore[assignment]

    def sometimes(self) -> int | None:
        if self.value > 0:
            return 1
        return None

    def truth_of_container(self) -> None:
        if self.container:
            self.value = 1

    def number_or_number(self) -> None:
        self.flag = self.value > 3 and self.value  # type: ignore[assignment]

    def divides(self) -> None:
        self.count = 1
        self.value = 1 // (self.value - 3)

    def index(self) -> None:
        self.value = self.values[self.value]

    def none(self) -> None:
        self.count = self.other.value  # type: ignore[union-attr]

    def formatted(self) -> None:
        self.count = int(f"{self.value}")

    def searches(self) -> None:
        self.count = 1 if self.value in self.values else 2

    def masks(self) -> None:
        self.value = self.real & 1  # type: ignore[operator]

    def multiplies(self) -> None:
        self.value = self.value @ 3  # type: ignore[operator]

    def assigns_in_an_expression(self) -> None:
        self.value = (two := 2) + two

    def two_values(self) -> None:
        for _ in (1, 2):
            self.value = 1

    def raises(self) -> None:
        raise ValueError

    def number_or_none(self) -> None:
        self.count = None if self.value == 3 else 1  # type: ignore[assignment]

    def asserts(self) -> None:
        assert self.value != 3

    def draws_nothing(self) -> None:
        self.value = random_below(self.value - 3)

    def root(self) -> None:
        self.real = math.sqrt(float(2 - self.value))

    def too_large(self) -> None:
        self.count = int(1e300 * self.value)


REFUSED = [
    ("uses_text", 1, "it holds str"),
    ("writes_other", 2, "a method writes fields of its own object only"),
    ("reads_what_others_write", 2, "would depend on the order"),
    ("atomic_and_read", 1, "has an atomic operation, and is read"),
    ("unknown_field", 1, "has no field missing"),
    ("new_field", 1, "give it one in __init__"),
    ("unassigned", 3, "x may have no value here"),
    ("two_types", 2, "the variable x would hold two types"),
    ("sine", 1, "its last bits differ between machines"),
    ("comprehension", 1, "sum is not in the subset"),
    ("formatted", 1, "an f-string is not in the subset"),
    ("searches", 1, "the operator `in` is not supported for int and list of int"),
    ("masks", 1, "the operator `&` is not supported for float and int"),
    ("multiplies", 1, "the operator `@` is not in the subset"),
    ("assigns_in_an_expression", 1, "an assignment expression (:=) is not in the subset"),
    ("two_values", 1, "a tuple is not in the subset"),
    ("raises", 1, "raise is not in the subset"),
    ("number_or_none", 1, "the values of this conditional expression are None and int"),
    ("changes_list_of_another", 2, "a method writes lists of its own object only"),
    ("reads_list_that_others_write", 3, "would depend on the order"),
    ("truth_of_container", 1, "use is not None"),
    ("number_or_number", 1, "here they need bools"),
    ("some_paths", 0, "returns int on some paths only"),
]
#: What fails while the section runs, for an element with the value 3.
FAILING = [
    ("divides", 2, "division by zero"),
    ("index", 1, "index out of range"),
    ("none", 1, "None has no field value"),
    ("asserts", 1, "assertion failed"),
    ("draws_nothing", 1, "random_below needs a number in 1"),
    ("root", 1, "square root of a negative number"),
    ("too_large", 1, "does not fit in an int"),
]


def line_of(method: Callable[..., Any], offset: int) -> str:
    return f"{__file__}:{inspect.getsourcelines(method)[1] + offset}: "


def nodes() -> list[Node]:
    made = [Node(value) for value in (4, 5, 3, 3)]
    for one in made[:3]:
        one.other = made[0]
    return made


@pytest.mark.parametrize("name, offset, reason", REFUSED)
def test_a_refusal_names_the_line(name: str, offset: int, reason: str) -> None:
    method = getattr(Node, name if name != "some_paths" else "sometimes")
    with pytest.raises(ObjectsError) as raised:
        array(nodes(), machine="cpu").peach(name)
    assert reason in str(raised.value)
    assert str(raised.value).startswith(line_of(method, offset))
    assert "\n" not in str(raised.value)


def kinds(of: type[ast.AST]) -> list[type[ast.AST]]:
    return [each for one in of.__subclasses__() for each in (one, *kinds(one))]


def test_messages_name_every_kind_of_expression_and_operator_as_users_write_it() -> None:
    never = (ast.Constant, ast.Await)  # has a handler, and is in async def only
    expressions = [one for one in kinds(ast.expr) if one not in HANDLERS and not issubclass(one, never)]
    names = [written(one()) for one in expressions]
    assert len(names) > 10 and all(re.match("an? [a-z]", name) for name in names), names
    operators = [written(one()) for one in kinds(ast.operator) + kinds(ast.cmpop)]
    assert len(operators) > 20 and all(
        re.fullmatch("[^a-z]+|is|is not|in|not in", name) for name in operators
    ), operators


@pytest.mark.parametrize("name, offset, reason", FAILING)
def test_a_failure_names_the_line_and_the_first_element(name: str, offset: int, reason: str) -> None:
    made = nodes()
    with pytest.raises(ObjectsError) as raised:
        array(made, machine="cpu").peach(name)
    assert reason in str(raised.value)
    assert str(raised.value).startswith(line_of(getattr(Node, name), offset))
    first = {"index": 0, "none": 3, "root": 0, "too_large": 0}.get(name, 2)
    assert f"element {first};" in str(raised.value)
    assert [one.value for one in made] == [4, 5, 3, 3] and [one.count for one in made] == [0] * 4


def test_machines_report_the_same_failure(machine: str) -> None:
    made = nodes()
    with pytest.raises(ObjectsError, match=r"division by zero \(in element 2; no field has changed\)"):
        array(made, machine=machine).peach("divides")
    assert [one.count for one in made] == [0] * 4


def test_an_object_twice_is_refused_where_peach_writes() -> None:
    node = Node()
    with pytest.raises(ObjectsError, match="an object is twice in the array"):
        array([node, node], machine="cpu").peach("index")


def test_lists_that_change_belong_to_one_object(machine: str) -> None:
    made = nodes()
    array(made, machine=machine).peach("changes_list")
    assert [one.values for one in made] == [[1, 6]] * 4
    made[1].values = made[0].values
    with pytest.raises(ObjectsError, match="two objects have the same list"):
        array(made, machine=machine).peach("changes_list")
    made[1].values = (1, 2)  # type: ignore[assignment]
    with pytest.raises(ObjectsError, match="one is a tuple|two types"):
        array(made, machine=machine).peach("changes_list")


def test_callers_mistakes_name_the_callers_line() -> None:
    with pytest.raises(ObjectsError, match=f"{__file__}:.*has no method nothing"):
        array([Node()], machine="cpu").peach("nothing")
    with pytest.raises(ObjectsError, match="lambda"):
        array([1, 2], machine="cpu").pmap(lambda x: x).to_list()
    with pytest.raises(ObjectsError, match="an argument cannot be in a section: dict"):
        array([Node()], machine="cpu").peach("index", {})
    with pytest.raises(ObjectsError, match="unknown machine"):
        array([1], machine="abacus")
    with pytest.raises(ObjectsError, match="test_errors.py:.*ticks -1 to 0 are out of range"):
        array([Node()], machine="cpu").peach("index", first_tick=-1)
    with pytest.raises(ObjectsError, match="test_errors.py:.*seed=-1 is out of range"):
        array([1], seed=-1)
    with pytest.raises(ObjectsError, match="64 bits"):
        array([2**64], machine="cpu").pmap(abs_of).to_list()


def abs_of(x: int) -> int:
    return abs(x)


@pytest.mark.parametrize("options", [{"ticks": 1.5}, {"ticks": "3"}, {"first_tick": None}])
def test_ticks_are_ints(any_machine: str, options: dict[str, Any]) -> None:
    ((name, value),) = options.items()
    with pytest.raises(ObjectsError, match=f"{name}={value!r} is not an int"):
        array(nodes(), machine=any_machine).peach("asserts", **options)


@pytest.mark.parametrize("seed", [1.5, "a", None])
def test_a_seed_is_an_int(seed: Any) -> None:
    with pytest.raises(ObjectsError, match=f"seed={seed!r} is not an int"):
        array(nodes(), seed=seed)


@pytest.mark.parametrize("method", [None, 3])
def test_a_method_is_a_name_or_a_function(any_machine: str, method: Any) -> None:
    with pytest.raises(ObjectsError, match="a method is given by its name, or as a function made with def"):
        array(nodes(), machine=any_machine).peach(method)


@pytest.mark.parametrize("initial", ["a", [1], object()])
def test_an_initial_value_is_a_number(any_machine: str, initial: Any) -> None:
    with pytest.raises(ObjectsError, match="test_errors.py:.*the initial value of preduce is not a number"):
        array([1, 2], machine=any_machine).preduce("+", initial)


@pytest.mark.parametrize("operation", ["-", None, 3])
def test_preduce_takes_an_operation(any_machine: str, operation: Any) -> None:
    given: list[list[int]] = [[1, 2], []]
    for values in given:
        with pytest.raises(ObjectsError, match="test_errors.py:.*preduce takes"):
            array(values, machine=any_machine).preduce(operation, 1)
