"""Copies of arrays have a state of their own; what owns memory of the library is not copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import lockstep
import pytest
from lockstep.objects import array


class Cell:
    def __init__(self, value: int) -> None:
        self.value = value

    def double(self) -> None:
        self.value *= 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_an_array_has_its_own_objects(any_machine: str, copied: Callable[[object], object]) -> None:
    cells = [Cell(3), Cell(4)]
    first = array(cells, machine=any_machine)
    first.peach("double")
    second = copied(first)
    assert isinstance(second, type(first))
    second.peach("double")
    first.peach("double")
    second.peach("double")
    assert [one.value for one in cells] == [12, 16] and [one.value for one in second] == [24, 32]


def test_a_shallow_copy_shares_the_objects(any_machine: str) -> None:
    cells = [Cell(3), Cell(4)]
    first = array(cells, machine=any_machine)
    first.peach("double")
    second = copy.copy(first)
    second.peach("double")
    first.peach("double")
    assert [one.value for one in cells] == [24, 32]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_sections_of_a_block_are_not_copied(machine: str, copied: Callable[[object], object]) -> None:
    with array([Cell(3)], machine=machine).resident() as sections:
        sections.peach("double")
        with pytest.raises(lockstep.Error, match="Resident objects cannot be copied or pickled"):
            copied(sections)


@pytest.mark.parametrize("made", ["Numbering()", "Memory(Machine('cpu'), 'q', 10)"])
@pytest.mark.parametrize("copied", ["copy.copy", "copy.deepcopy", "pickle.dumps"])
def test_an_owner_of_memory_is_not_copied(made: str, copied: str, refusal: Callable[[str], str]) -> None:
    """Both would free it. Another process tries it, as this ends Python."""
    text = f"""
import copy, gc, pickle
import lockstep
from lockstep.objects.host import Numbering
from lockstep.objects.native import Machine, Memory
made = {made}
try:
    found = {copied}(made)
    del made, found
    gc.collect()
    raise SystemExit("copied")
except lockstep.Error as error:
    print(error)
"""
    assert "cannot be copied or pickled (they own memory of the library)" in refusal(text)
