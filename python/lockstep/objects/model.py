"""The types of values in a parallel section.

A number has one of four types; a column of ints can be narrower than an int in a method.

A reference knows the set of classes of the objects that it may refer to, in the paper's sense: subclasses are types of
their own (Section 4.4). A sequence is a Python list or tuple in columns (Figure 6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace


Home = tuple[type | None, str]


@dataclass(frozen=True)
class Number:
    name: str  # in Python
    cpp: str
    code: str  # of the modules array and struct
    narrow: bool = False  # a column of ints of fewer than 64 bits

    @property
    def value(self) -> Number:
        """The type that a method works with."""
        return INT if self.narrow else self

    def __str__(self) -> str:
        return self.name


BOOL = Number("bool", "bool", "B")
INT = Number("int", "i64", "q")
FLOAT32 = Number("float32", "float", "f")
FLOAT = Number("float", "double", "d")
NARROW = {
    name: Number(name, cpp, code, True)
    for name, cpp, code in (("int8", "i8", "b"), ("int16", "i16", "h"), ("int32", "i32", "i"))
}


@dataclass(frozen=True)
class Reference:
    """A reference to an object of one of the classes, or None if `nullable`.

    `own`: it refers to the element that the section runs for, whose fields methods may write. `private`: it refers to
    another object whose fields methods may write, because only this element reaches it: the "part" for which a nested
    section runs, or an object that a method has "made".
    """

    classes: frozenset[type]
    nullable: bool = False
    own: bool = False
    private: str = ""

    @property
    def unique(self) -> bool:
        """No tag is needed: there is one class at most (3.27 of the paper's Section 4.4)."""
        return len(self.classes) <= 1

    @property
    def cpp(self) -> str:
        return "u32" if self.unique else "Ref"

    def __str__(self) -> str:
        names = sorted(one.__name__ for one in self.classes) + (["None"] if self.nullable else [])
        return " | ".join(names)


@dataclass(frozen=True)
class Sequence:
    """A list. `home` names the column with the contents: that of a field (root class and name), or of an argument (None
    and its name); "[]" follows the name for lists in these lists, and again for lists in those. `own`: it is in a field
    of the element that the section runs for, or of a `private` object, so that methods may change it. `grows`: methods
    change the length of lists of this home, so the value is the number of the list, whose place and size are in memory.
    """

    element: Type
    home: Home
    own: bool = False
    grows: bool = False
    private: str = ""

    @property
    def inner(self) -> Home:
        """The home of lists in this list."""
        return self.home[0], self.home[1] + "[]"

    @property
    def cpp(self) -> str:
        return "u32" if self.grows else "Slice"

    def __str__(self) -> str:
        return f"list of {self.element}"


@dataclass(frozen=True)
class Nothing:
    """The result of a method without a value, and the type of what is not known yet."""

    cpp: str = "void"

    def __str__(self) -> str:
        return "None"


Type = Number | Reference | Sequence | Nothing
NOTHING = Nothing()
NONE = Reference(frozenset(), nullable=True)


class Conflict(Exception):
    """Two types that no variable can hold together."""


def join(first: Type, second: Type) -> Type:
    """The type of a variable that holds values of both types. Raises Conflict."""
    if first == second or second == NOTHING:
        return first
    if first == NOTHING:
        return second
    if isinstance(first, Number) and isinstance(second, Number):
        return _join_numbers(first, second)
    if isinstance(first, Reference) and isinstance(second, Reference):
        # None is nobody's element: joined with the own element, the reference remains the element's.
        own = (first.own or not first.classes) and (second.own or not second.classes)
        known = {one.private for one in (first, second) if one.classes}
        private = known.pop() if len(known) == 1 else ""
        return Reference(first.classes | second.classes, first.nullable or second.nullable, own, private)
    if isinstance(first, Sequence) and isinstance(second, Sequence) and first.home == second.home:
        element, grows = join(first.element, second.element), first.grows or second.grows
        own = first.own and second.own
        private = "part" if "part" in (first.private, second.private) else first.private or second.private
        return replace(first, element=element, own=own, grows=grows, private=private)
    raise Conflict(f"{first} and {second}")


def _join_numbers(first: Number, second: Number) -> Number:
    if {first, second} == {FLOAT32, FLOAT}:
        raise Conflict("float32 and float: convert one of them with float32() or float()")
    if first.narrow or second.narrow:
        raise Conflict(f"{first} and {second}: annotate the field alike in all classes")
    order = [BOOL, INT, FLOAT32, FLOAT]
    return max(first, second, key=order.index)


def of_operation(first: Number, second: Number) -> Number:
    """The type of first + second: a float32 makes the other operand single, and two bools add as ints."""
    if FLOAT32 in (first, second):
        return FLOAT32
    return FLOAT if FLOAT in (first, second) else INT
