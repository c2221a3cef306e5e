"""Methods with synchronize(): what they may use on every machine, and what is refused with which message."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from lockstep import objects
from lockstep.objects import ObjectsError, array, synchronize


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
    factor = 5
    array(made, machine=any_machine).peach(shift)
    assert [one.number for one in made] == [3 * 5 * (i + 11) for i in range(5)]


class Counter:
    """Has a private field and a private method."""

    def __init__(self) -> None:
        self.__count = 0

    def step(self, __by: int) -> None:
        self.__raise(__by)
        synchronize()
        own = __by
        self.__count += own * 10

    def once(self) -> None:
        self.__raise(1)

    def __raise(self, by: int) -> None:
        self.__count += by

    def count(self) -> int:
        return self.__count


class __Special(Counter):  # noqa: N801: the underscores are not part of the names
    def __init__(self) -> None:
        super().__init__()
        self.__count = 100

    def twice(self) -> None:
        self.__count += 1
        synchronize()
        self.__count *= 2

    def special(self) -> int:
        return self.__count


def test_private_names(any_machine: str) -> None:
    made = [Counter() for _ in range(3)]
    array(made, machine=any_machine).peach("step", 2)
    array(made, machine=any_machine).peach("once")
    assert array(made, machine=any_machine).pmap("count").to_list() == [23] * 3
    special = [__Special() for _ in range(3)]
    array(special, machine=any_machine).peach("twice")
    array(special, machine=any_machine).peach("step", 1)
    assert [(one.count(), one.special()) for one in special] == [(11, 202)] * 3


def test_defaults_are_read_for_each_section(any_machine: str) -> None:
    def shift(one: Wrong, by: int = 2) -> None:
        one.n += 1
        synchronize()
        one.n += by

    made = [Wrong()]
    array(made, machine=any_machine).peach(shift)
    shift.__defaults__ = (7,)
    array(made, machine=any_machine).peach(shift)
    assert made[0].n == 3 + 8


def test_one_code_with_and_without_a_barrier() -> None:
    """What a name means is not a property of the code."""

    def made_with(wait: Callable[[], None]) -> Callable[[Wrong], None]:
        def step(one: Wrong) -> None:
            one.n += 1
            wait()
            one.seen = one.other.n

        return step

    for wait, expected in ((nothing, [0, 1]), (synchronize, [1, 1]), (nothing, [0, 1])):
        made = [Wrong(), Wrong()]
        made[0].other, made[1].other = made[1], made[0]
        array(made, machine="python").peach(made_with(wait))
        assert [one.seen for one in made] == expected


def nothing() -> None:
    """Is no barrier."""


def test_a_parameter_may_be_called_synchronize(machine: str) -> None:
    def step(one: Wrong, synchronize: int) -> None:
        one.n = 1
        synchronize()  # type: ignore[operator]

    with pytest.raises(ObjectsError, match="this cannot be called"):
        array([Wrong()], machine=machine).peach(step, 3)


def test_a_variable_of_an_outer_function_that_has_no_value_yet(any_machine: str) -> None:
    def step(one: Wrong) -> None:
        if one.n > 5:
            nothing()
        one.n += 1

    def waits(one: Wrong) -> None:
        step(one)
        synchronize()
        if one.n > 5:
            nothing()

    made = [Wrong()]
    if any_machine == "python":
        array(made, machine=any_machine).peach(step)
        array(made, machine=any_machine).peach(waits)
        assert made[0].n == 2
    else:
        for method in (step, waits):
            with pytest.raises(ObjectsError, match="nothing is not defined"):
                array(made, machine=any_machine).peach(method)
    nothing = Wrong.fine  # also the name of a function of this module, which it hides


level = 5  # hidden by a variable of the method below


def test_a_variable_is_the_methods_in_every_phase(any_machine: str) -> None:
    def step(one: Wrong) -> None:
        one.n = level
        synchronize()
        level = 3
        one.n = level

    made = [Wrong()]
    with pytest.raises((ObjectsError, UnboundLocalError), match="level"):
        array(made, machine=any_machine).peach(step)
    assert made[0].n == 0


class Wrong:
    def __init__(self) -> None:
        self.n, self.other, self.list = 0, self, [1]
        self.seen, self.flag = 0, False

    def in_a_branch(self) -> None:
        if self.n == 0:
            synchronize()

    def in_a_call(self) -> None:
        self.helper()

    def helper(self) -> None:
        self.n += 1
        synchronize()

    def in_a_function(self) -> None:
        self.n = self.result()

    def result(self) -> int:
        self.n += 1
        synchronize()
        return 3

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

    def loop_over_its_own_variable(self) -> None:
        n = 3
        synchronize()
        for n in range(n):
            self.n += n

    def annotated(self) -> None:
        a = 1
        synchronize()
        a: int = a  # type: ignore[no-redef]
        self.n = a

    def declared(self) -> None:
        a = 1
        synchronize()
        a: int  # type: ignore[no-redef]
        self.n = a

    def assigned_in_a_branch(self) -> None:
        a = 1
        synchronize()
        if self.flag:
            a = 2
        self.n = a

    def assigned_in_one_of_two_branches(self) -> None:
        a = 1
        synchronize()
        if self.flag:
            a = 2
        elif self.n == 0:
            self.n = 0
        else:
            a = 3
        self.n = a

    def assigned_in_a_while(self) -> None:
        a = 1
        synchronize()
        while self.flag:
            a = 2
        self.n = a

    def assigned_in_a_for(self) -> None:
        a = 1
        synchronize()
        for _ in range(self.n):
            a = 2
        self.n = a

    def variable_of_a_loop(self) -> None:
        for i in self.list:
            self.n += i
        synchronize()
        self.n = i

    def element_at_a_variable(self) -> None:
        i = 0
        synchronize()
        self.list[i] = 1

    def updated_element(self) -> None:
        i = 0
        synchronize()
        self.list[i] += 1

    def certain(self) -> None:
        """Not refused: phases have variables of the same names, assigned before they are read."""
        a, i = 1, 2
        self.n = a + i
        synchronize()
        for i in range(3):
            if i == 1:
                a = i
            else:
                continue
            self.n += a
        if self.flag:
            a = 2
        else:
            a = 3
        self.n += a if a > 2 and self.n > a else 0

    def global_names(self) -> None:
        global level
        level = self.n
        synchronize()
        self.n = level

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


_VARIABLES = r"variables do not keep their values across synchronize\(\): use a field instead of "
REFUSED = {
    "in_a_branch": ("at the top level of the section's method", 2),
    "in_a_call": ("at the top level of the section's method", 1),
    "given": ("takes no arguments", 1),
    "in_a_function": ("at the top level of the section's method", 1),
    "variable": (_VARIABLES + "before", 3),
    "updated": (_VARIABLES + "by", 3),
    "loop_over_its_own_variable": (_VARIABLES + "n", 3),
    "annotated": (_VARIABLES + "a", 3),
    "declared": (_VARIABLES + "a", 4),
    "assigned_in_a_branch": (_VARIABLES + "a", 5),
    "assigned_in_one_of_two_branches": (_VARIABLES + "a", 9),
    "assigned_in_a_while": (_VARIABLES + "a", 5),
    "assigned_in_a_for": (_VARIABLES + "a", 5),
    "variable_of_a_loop": (_VARIABLES + "i", 4),
    "element_at_a_variable": (_VARIABLES + "i", 3),
    "updated_element": (_VARIABLES + "i", 3),
    "global_names": ("global is not in the subset", 1),
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


@pytest.mark.parametrize("method", sorted(set(REFUSED) - {"makes", "races"}))
def test_python_refuses_the_same(method: str) -> None:
    with pytest.raises(ObjectsError, match=REFUSED[method][0]):
        array([Wrong(), Wrong()], machine="python").peach(method, *((1,) if method == "updated" else ()))


def test_phases_with_variables_of_the_same_names(any_machine: str) -> None:
    made = [Wrong()]
    array(made, machine=any_machine).peach("certain")
    assert made[0].n == 3 + 1 + 3


def test_classes_with_different_barriers(any_machine: str) -> None:
    with pytest.raises(ObjectsError, match="fine has [01] synchronize.., and that of another class [01]"):
        array([Wrong(), Other()], machine=any_machine).peach("fine")


@pytest.mark.parametrize("operation", ["pmap", "pselect", "preduce"])
def test_chains_have_no_barrier(any_machine: str, operation: str) -> None:
    def returns(value: int) -> int:
        synchronize()
        return value

    def returns_nothing(value: int) -> None:
        synchronize()

    def added(first: int, second: int) -> int:
        synchronize()
        return first + second

    for method in (added,) if operation == "preduce" else (returns, returns_nothing):
        line = 1 + inspect.currentframe().f_lineno  # type: ignore[union-attr]
        with pytest.raises(ObjectsError) as error:
            chain = getattr(array([1, 2], machine=any_machine), operation)(method)
            chain.to_list()
        assert error.value.problem == "synchronize() in a chain, whose elements do not wait for one another"
        assert (error.value.file, error.value.line) == (__file__, line + 1)


def test_code_outside_of_sections_has_no_barrier() -> None:
    with pytest.raises(ObjectsError, match="at the top level"):
        synchronize()
