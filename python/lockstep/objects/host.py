"""The walk over Python objects, in the shared library (python/library/host_objects.hpp).

`ctypes.PyDLL` keeps the interpreter's lock, and raises the exceptions that the functions leave.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from typing import Any

from lockstep._library import Handle, library_path

from .scalars import float32

_void, _count, _object = ctypes.c_void_p, ctypes.c_uint64, ctypes.py_object
_library = ctypes.PyDLL(library_path())
for _name, _result, _arguments in (
    ("numbering_make", _void, []),
    ("numbering_delete", None, [_void]),
    ("find", None, [_void, _object, _object, _object]),
    ("ids", None, [_void, _object, _object, _void, _void, _void, _void]),
    ("distinct", ctypes.c_int, [_object]),
    ("values", _object, [_object, _object]),
    ("changed", ctypes.c_int, [_object] * 5),
    ("same_elements", ctypes.c_int, [_object, _void, _object]),
    ("set", ctypes.c_int64, [_object, _object, _object, ctypes.c_char, _void, _void, _count] + [_object] * 3),
    ("job_order", _count, [_void, _count, ctypes.c_uint32, _void]),
):
    _function = getattr(_library, f"lockstep_host_{_name}")
    _function.restype, _function.argtypes = _result, _arguments


def _address(values: array[Any] | None) -> int | None:
    return values.buffer_info()[0] if values is not None else None


def _zeros(code: str, size: int) -> array[Any]:
    return array(code, bytes(array(code).itemsize * size))


class Numbering(Handle):
    """Numbers objects within their classes. The caller keeps the objects alive."""

    def __init__(self) -> None:
        self._made = _library.lockstep_host_numbering_make()

    def find(self, values: list[Any], kind: type, found: list[Any]) -> int:
        """Appends the values of exactly that class that are new to `found`, and returns how many they are."""
        before = len(found)
        _library.lockstep_host_find(self._made, values, kind, found)
        return len(found) - before

    def ids(self, values: list[Any], first: dict[type, int]) -> array[Any]:
        """The first id of the class, plus the object's place."""
        return self.tagged_ids(values, first, {})[0]

    def tagged_ids(
        self, values: list[Any], first: dict[type, int], tags: dict[type, int]
    ) -> tuple[array[Any], array[Any]]:
        """Ids and class tags; for None, 2^32 - 1 and 0."""
        firsts = array("I", first.values())
        given = array("I", [tags.get(one, 0) for one in first])
        ids, of_class = _zeros("I", len(values)), _zeros("I", len(values))
        where = (_address(firsts), _address(given), _address(ids), _address(of_class))
        _library.lockstep_host_ids(self._made, values, list(first), *where)
        return ids, of_class

    def knows(self, value: Any) -> bool:
        return bool(self.tagged_ids([value], {type(value): 0}, {})[0][0] != 0xFFFFFFFF)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            _library.lockstep_host_numbering_delete(self._made)


def are_distinct(values: list[Any]) -> bool:
    return bool(_library.lockstep_host_distinct(values))


def values_of(members: list[Any], name: str) -> list[Any]:
    """The values of a field. Raises AttributeError."""
    values: list[Any] = _library.lockstep_host_values(members, name)
    return values


def changed(members: list[Any], kind: type, names: list[str], values: list[list[Any]]) -> list[list[int]] | None:
    """The members whose field is not the object that `values` has; None if a class or a field is not what it was."""
    positions: list[list[int]] = [[] for _ in names]
    try:
        same_class = _library.lockstep_host_changed(members, kind, names, values, positions)
    except AttributeError:
        return None
    return positions if same_class else None


def have_elements(lists: list[Any], sizes: array[Any], elements: list[Any]) -> bool:
    """True if the lists have those sizes and elements, by identity."""
    return bool(_library.lockstep_host_same_elements(lists, _address(sizes), elements))


def set_numbers(
    members: list[Any], name: str, values: list[Any], columns: tuple[array[Any] | None, array[Any]], first: int
) -> int:
    """Sets the field of each member for which the columns before and after a section differ; of all, without a column
    before. Returns how many they are. `values` is brought up to date."""
    return _set(members, name, values, columns, first, columns[1].typecode, float32)


def set_references(
    members: list[Any],
    name: str,
    values: list[Any],
    columns: tuple[array[Any] | None, array[Any]],
    first: int,
    objects: list[Any],
) -> int:
    """The same for a field that holds ids of these objects."""
    return _set(members, name, values, columns, first, "I", objects)


def _set(
    members: list[Any],
    name: str,
    values: list[Any],
    columns: tuple[array[Any] | None, array[Any]],
    first: int,
    code: str,
    make: Any,
) -> int:
    before, now = map(_address, columns)
    written: int = _library.lockstep_host_set(
        members, name, values, code.encode(), before, now, first, make, None, float
    )
    return written


def job_order(tags: array[Any], types: int) -> array[Any]:
    """Algorithm 1: positions in the base array class by class, each class from a new warp."""
    size = _library.lockstep_host_job_order(_address(tags), len(tags), types, None)
    order = _zeros("I", size)
    _library.lockstep_host_job_order(_address(tags), len(tags), types, _address(order))
    return order
