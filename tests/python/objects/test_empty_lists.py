"""Elements of lists that are empty in all objects have no type: the message names the list."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from lockstep.objects import ObjectsError, array


def successor(x: int) -> int:
    return x + 1


class Box:
    def __init__(self) -> None:
        self.n = 0
        self.e: list[Any] = []
        self.inner: list[list[Any]] = [[]]

    def assigns(self) -> None:
        self.n = self.e[0]

    def assigns_variable(self) -> None:
        first = self.e[0]
        self.n = first

    def adds(self) -> None:
        self.n = self.e[0] + 1

    def compares(self) -> None:
        self.n = 1 if self.e[0] > 1 else 2

    def tests(self) -> None:
        self.n = 1 if self.e[0] else 2

    def passes(self) -> None:
        self.n = successor(self.e[0])

    def reads_field(self) -> None:
        self.n = self.e[0].n

    def calls(self) -> None:
        self.e[0].assigns()

    def reads_element(self) -> None:
        self.n = self.e[0][0]

    def augments(self) -> None:
        self.e[0] += 1

    def assigns_from_inner(self) -> None:
        self.n = self.inner[0][0]

    def guarded(self) -> None:
        self.n = self.e[0] if len(self.e) > 0 else 7

    def appends_first(self) -> None:
        self.e.append(5)
        self.n = self.e[0]

    def takes(self, given: list[int]) -> None:
        self.n = given[0]


OF_E = "assigns assigns_variable adds compares tests passes reads_field calls reads_element augments".split()


@pytest.mark.parametrize("name", [*OF_E, "assigns_from_inner"])
def test_the_message_names_the_list(name: str) -> None:
    method = getattr(Box, name)
    reason = "the lists in the list inner are" if name == "assigns_from_inner" else "the list e is"
    with pytest.raises(ObjectsError) as raised:
        array([Box(), Box()], machine="cpu").peach(name)
    line = inspect.getsourcelines(method)[1] + 1
    assert str(raised.value) == f"{__file__}:{line}: {reason} empty in all objects (its elements have no type)"


def test_an_argument_that_is_empty() -> None:
    with pytest.raises(ObjectsError, match="a list that is an argument is empty"):
        array([Box()], machine="cpu").peach("takes", [])


def test_sections_that_do_not_need_the_type_run(any_machine: str) -> None:
    boxes = [Box(), Box()]
    array(boxes, machine=any_machine).peach("guarded")
    assert [one.n for one in boxes] == [7, 7]
    array(boxes, machine=any_machine).peach("appends_first")
    assert [one.n for one in boxes] == [5, 5] and boxes[0].e == [5]
