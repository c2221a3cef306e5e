"""Objects as columns: ids, the columns of fields, the contents of lists, and the way back (Sections 4.3 to 4.5)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence as PythonSequence
from itertools import accumulate, chain
from typing import Any

from .errors import ObjectsError
from .model import BOOL, FLOAT32, Number, Reference, Sequence, Type
from .scalars import float32
from .world import Column, World, root_of

NO_ID = 0xFFFFFFFF


class Image:
    """The numbering of all objects that a section reaches. Subclasses share ids; those of a class are consecutive."""

    def __init__(self, world: World, tags: dict[type, int]) -> None:
        self.world, self.tags = world, tags
        for one in world.objects:
            tags.setdefault(one, len(tags))
        self.of_class = {one: list(members) for one, members in world.objects.items()}
        self.members: dict[type, list[Any]] = {}  # by root, in the order of ids
        self.first: dict[type, int] = {}  # the first id of a class
        for one in sorted(self.of_class, key=tags.__getitem__):
            shared = self.members.setdefault(root_of(one), [])
            self.first[one] = len(shared)
            shared.extend(self.of_class[one])

    # Values to columns

    def pack(self, kind: Type, part: str, values: PythonSequence[Any], where: str) -> array[Any]:
        """One of the columns of a variable of that type."""
        if isinstance(kind, Number):
            return packed_numbers(kind, values, where)
        if isinstance(kind, Reference) and kind.unique:
            if not kind.classes:
                return array("I", [NO_ID]) * len(values)
            return self.world.numbering.ids(list(values), self.first)
        if isinstance(kind, Reference):
            ids, tags = self.world.numbering.tagged_ids(list(values), self.first, self.tags)
            return tags if part == "_tag" else ids
        return array("I", map(len, values))

    def column(self, column: Column, part: str) -> array[Any]:
        """A column of a field: zero, or no object, for objects of the root class without the field."""
        root, name = column
        kind = self.world.columns[column]
        whole: array[Any] = array(_code(kind))
        for one in sorted((one for one in self.of_class if root_of(one) == root), key=self.tags.__getitem__):
            members = self.of_class[one]
            if self.world.uses(one, name):
                piece = self.pack(kind, part, self.world.values.get((one, name), []), f"{one.__name__}.{name}")
            else:
                piece = array(_code(kind), bytes(array(_code(kind)).itemsize * len(members)))
            whole += piece
        return _starts(whole) if isinstance(kind, Sequence) and part == "_first" else whole

    def contents(self, kind: Sequence, lists: Iterable[Any], part: str) -> array[Any]:
        """The elements of lists, one after another."""
        packed = self.pack(kind.element, part, list(chain.from_iterable(lists)), kind.home[1])
        return _starts(packed) if isinstance(kind.element, Sequence) and part == "_first" else packed

    def lists(self, column: Column) -> list[Any]:
        """The lists of a field, in the order of ids, or the lists in these lists."""
        if column[1].endswith("[]"):
            return list(chain.from_iterable(self.lists((column[0], column[1][:-2]))))
        having = [one for one in sorted(self.of_class, key=self.tags.__getitem__) if self.world.uses(one, column[1])]
        return [
            each for one in having if root_of(one) == column[0] for each in self.world.values.get((one, column[1]), [])
        ]

    def ids_with(self, column: Column) -> list[int]:
        """The ids of the objects that have the field, in the order of lists()."""
        having = [one for one in sorted(self.of_class, key=self.tags.__getitem__) if self.world.uses(one, column[1])]
        of_root = [one for one in having if root_of(one) == column[0]]
        return [self.first[one] + place for one in of_root for place in range(len(self.of_class[one]))]

    # Columns to values

    def unpack(self, kind: Type, columns: dict[str, array[Any]]) -> list[Any]:
        """The Python values of all parts of a column."""
        if isinstance(kind, Number):
            return _python_numbers(kind, columns[""])
        assert isinstance(kind, Reference)
        if kind.unique:
            if not kind.classes:
                return [None] * len(columns[""])
            members = self.members.get(root_of(next(iter(kind.classes))), [])
            return [_member(members, number) for number in columns[""]]
        by_tag = {tag: self.members[root_of(one)] for one, tag in self.tags.items() if one in self.of_class}
        pairs = zip(columns["_tag"], columns["_id"])
        return [_member(by_tag.get(tag, []), number) for tag, number in pairs]


def _member(members: list[Any], number: int) -> Any:
    """The object of an id. None for NO_ID, and for the zeros in places of objects that a section did not make."""
    return members[number] if number < len(members) else None


def _starts(sizes: array[Any]) -> array[Any]:
    """Where each list begins, if they are one after another."""
    return array("I", chain([0], accumulate(sizes[:-1]))) if sizes else sizes


def _code(kind: Type) -> str:
    return kind.code if isinstance(kind, Number) else "I"


def packed_numbers(kind: Number, values: Iterable[Any], where: str) -> array[Any]:
    """A column of numbers. Raises ObjectsError."""
    try:
        return array(kind.code, values)
    except OverflowError:
        raise ObjectsError(f"{where} has an int that does not fit in {kind if kind.narrow else '64 bits'}") from None


def _python_numbers(kind: Number, values: array[Any]) -> list[Any]:
    if kind == FLOAT32:
        return [float.__new__(float32, value) for value in values]
    if kind == BOOL:
        return [value != 0 for value in values]
    return list(values)
