"""The object tracer (Section 4.6, Algorithm 2) and the types of the fields of the objects that it finds.

The tracer starts from the base array and the arguments, and follows a field only when a method reads or writes it. So
type inference and tracing alternate: a field's type is that of the values in all objects found, and reading it finds
more objects. Types only ever grow, so this ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence as PythonSequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from . import host
from .errors import ObjectsError
from .model import (
    BOOL,
    FLOAT,
    FLOAT32,
    INT,
    NONE,
    NARROW,
    NOTHING,
    Conflict,
    Home,
    Number,
    Reference,
    Sequence,
    Type,
    join,
)
from .scalars import float32

Column = tuple[type, str]  # the root class of the objects that share ids, and the field

_NUMBERS = (bool, int, float, float32)
_DECLARED = {"float32": FLOAT32, "float": FLOAT, "int": INT, "bool": BOOL, **NARROW}


def root_of(one: type) -> type:
    """The topmost user class: subclasses share ids with it (Section 4.4)."""
    return one.__mro__[-2]


def field_of(column: Column) -> Column:
    """The field of the lists, for lists in lists."""
    return column[0], column[1].rstrip("[]")


def declared_type(one: type, name: str) -> Number | None:
    """The number type of an annotation in the class or a superclass."""
    for base in one.__mro__:
        annotation = base.__dict__.get("__annotations__", {}).get(name)
        if annotation is not None:
            text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
            return _DECLARED.get(text.rpartition(".")[2])
    return None


def with_annotation(one: type, name: str, found: Type) -> Type:
    """The type of a field: float or float32 if annotated so, whatever numbers it holds, and ints have the width of an
    annotation. Other annotations change nothing.
    """
    declared = declared_type(one, name)
    if declared is not None and declared.narrow and isinstance(found, Number):
        if found not in (BOOL, INT):
            raise Conflict(f"{found} and {declared}")
        return declared
    return declared if declared in (FLOAT, FLOAT32) and isinstance(found, Number) else found


class MissingField(Exception):
    """An object lacks a field that its class is asked for."""


@dataclass
class Lists:
    """Lists, and what they held when they were traced."""

    lists: list[Any]
    sizes: array[Any]
    elements: list[Any]

    @staticmethod
    def of(lists: list[Any]) -> Lists:
        return Lists(lists, array("I", map(len, lists)), list(chain.from_iterable(lists)))

    def are_same(self) -> bool:
        return host.have_elements(self.lists, self.sizes, self.elements)


class World:
    def __init__(self) -> None:
        self.objects: dict[type, list[Any]] = {}  # by class, in the order found
        self.numbering = host.Numbering()
        self.columns: dict[Column, Type] = {}
        self.values: dict[tuple[type, str], list[Any]] = {}  # of the fields of the objects of a class
        self.lists: dict[Column, list[Lists]] = {}  # of fields
        self.version = 0  # changes whenever a type grows or an object is found
        self.base_version = 0  # changes whenever another array is given
        self.visited = 0  # objects that the tracer found
        self._base: Lists | None = None
        self._base_type: Type = NOTHING
        self._are_distinct: bool | None = None
        self._examined: dict[type, dict[str, int]] = {}  # how many objects of a class had their field examined

    # Objects

    def base(self, elements: PythonSequence[Any]) -> Type:
        """The type of the elements of the array, which are examined if they are not those of the latest call."""
        if self._base is None or not host.have_elements([elements], self._base.sizes, self._base.elements):
            self._base, before = None, self.visited
            self._base_type = self.type_of(list(elements), (None, "base"))
            self._base = Lists.of([elements])
            self._are_distinct = True if self.visited - before >= len(elements) else None  # each was found once
            self.base_version += 1
        return self._base_type

    def base_is_distinct(self) -> bool:
        """True if no object is twice in the array."""
        if self._are_distinct is None:
            self._are_distinct = host.are_distinct(self.base_elements())
        return self._are_distinct

    def base_elements(self) -> list[Any]:
        assert self._base is not None
        return self._base.elements

    def type_of(self, values: list[Any], home: Home) -> Type:
        """The type of a variable with any of the values; finds their objects. Raises Conflict and ObjectsError."""
        result: Type = NOTHING
        for kind in dict.fromkeys(map(type, values)):
            result = join(result, self._type_of_kind(kind, values, home))
        return result

    def _type_of_kind(self, kind: type, values: list[Any], home: Home) -> Type:
        if kind is type(None):
            return NONE
        for python, number in ((bool, BOOL), (float32, FLOAT32), (int, INT), (float, FLOAT)):
            if issubclass(kind, python):
                return number
        if kind in (list, tuple):
            found = Lists.of([one for one in values if type(one) is kind])
            if home[0] is not None:
                self.lists.setdefault((home[0], home[1]), []).append(found)
            return Sequence(self.type_of(found.elements, (home[0], home[1] + "[]")), home)
        if kind.__module__ == "builtins":
            raise Conflict(f"{kind.__name__}: a section knows bool, int, float, float32, None, lists, and objects")
        if kind.__module__.partition(".")[0] == "numpy":
            raise Conflict(f"{kind.__name__}: convert it to int, float or float32")
        found_now = self.numbering.find(values, kind, self.objects.setdefault(kind, []))
        self.visited += found_now
        self.version += found_now > 0
        return Reference(frozenset([kind]))

    # Changes by Python code (Section 7.1)

    def refresh(self) -> set[Column] | None:
        """The columns in which Python code has changed values since they were examined or fetched; None if the objects
        must be traced anew: a list, a type or a class has changed, or a field refers to an object that is not known.

        All fields in use are compared with the values that they had, by identity, so no change stays unnoticed.
        """
        if not all(one.are_same() for records in self.lists.values() for one in records):
            return None
        columns: set[Column] = set()
        for one, members in self.objects.items():
            names = list(self._examined.get(one, {}))
            values = [self.values.get((one, name), []) for name in names]
            changed = host.changed(members, one, names, values)
            if changed is None:
                return None
            for name, of_field, positions in zip(names, values, changed):
                if not all(self._replace(of_field, at, getattr(members[at], name)) for at in positions):
                    return None
                if positions:
                    columns.add((root_of(one), name))
        return columns

    def _replace(self, values: list[Any], at: int, value: Any) -> bool:
        """Takes the value over if no type of a column depends on it."""
        kind = type(value)
        known = kind in _NUMBERS or kind in self.objects and self.numbering.knows(value)
        if not known or kind is not type(values[at]):
            return False
        values[at] = value
        return True

    def lists_changed(self, column: Column) -> None:
        """Notes that the lists of a field were set."""
        self.lists[column] = [Lists.of(one.lists) for one in self.lists[column]]

    # Fields

    def field(self, one: type, name: str) -> Type:
        """The type of a field of the objects of exactly this class. Raises MissingField and Conflict."""
        examined = self._examined.setdefault(one, {})
        if name not in examined:
            examined[name] = 0
            self.version += 1
        self._examine()
        return self.columns.get((root_of(one), name), NOTHING)

    def assign(self, one: type, name: str, value: Type) -> Type:
        """Widens the type of a field by that of a value which a method assigns."""
        self.field(one, name)
        if isinstance(value, Reference):
            value = Reference(value.classes, value.nullable)  # in a field, it is anyone's
        self._widen((root_of(one), name), with_annotation(one, name, value))
        return self.columns[root_of(one), name]

    def assign_element(self, column: Column, value: Type) -> Sequence:
        """Widens the type of the elements of lists by that of a value which a method assigns."""
        if isinstance(value, Reference):
            value = Reference(value.classes, value.nullable)
        outer, kind = field_of(column), Sequence(value, column)
        name = column[1]
        while name != outer[1]:
            name = name[:-2]
            kind = Sequence(kind, (column[0], name))
        self._widen(outer, kind)
        return self.list_type(column)

    def list_type(self, column: Column) -> Sequence:
        """The type of the lists of a field, or of the lists in these lists."""
        kind = self.columns[field_of(column)]
        while isinstance(kind, Sequence) and kind.home != column:
            kind = kind.element
        assert isinstance(kind, Sequence)
        return kind

    def know(self, one: type) -> None:
        """Notes a class of which there may be no object yet."""
        if one not in self.objects:
            self.objects[one] = []
            self.version += 1

    def owner(self, column: Column) -> type:
        """The most special class of which all objects with this column are instances: Section 4.4 stores it there."""
        having = [one for one, names in self._examined.items() if root_of(one) == column[0] and column[1] in names]
        return next((base for base in having[0].__mro__ if all(issubclass(one, base) for one in having)), column[0])

    def uses(self, one: type, name: str) -> bool:
        """True if a method reads or writes the field of objects of this class."""
        return name in self._examined.get(one, {})

    def has_field(self, one: type, name: str) -> bool:
        """True if objects of the class have the name in themselves, not only their class."""
        return any(name in getattr(member, "__dict__", {}) for member in self.objects.get(one, []))

    def _examine(self) -> None:
        """Reads the fields in use of all objects that were found since; this may find more objects."""
        progress = True
        while progress:
            progress = False
            for one, members in list(self.objects.items()):
                for name, done in list(self._examined.get(one, {}).items()):
                    if done < len(members):
                        self._examined[one][name] = len(members)
                        self._examine_field(one, name, members[done:])
                        progress = True

    def _examine_field(self, one: type, name: str, members: list[Any]) -> None:
        try:
            values = host.values_of(members, name)
        except AttributeError:
            raise MissingField(f"an object of class {one.__name__} has no field {name}") from None
        column = (root_of(one), name)
        self.values.setdefault((one, name), []).extend(values)
        try:
            found = self.type_of(values, column)
            self._widen(column, with_annotation(one, name, found))
        except Conflict as conflict:
            raise ObjectsError(f"the field {name} of {one.__name__} cannot be a column (it holds {conflict})") from None

    def _widen(self, column: Column, value: Type) -> None:
        before = self.columns.get(column, NOTHING)
        after = join(before, value)
        if after != before:
            self.columns[column] = after
            self.version += 1
