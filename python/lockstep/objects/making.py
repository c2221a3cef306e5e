"""Objects that methods make (Section 7.2): `Class(...)` takes the next id, and its __init__ sets the fields."""

from __future__ import annotations

import ast
from types import FunctionType

from .fields import static_member
from .model import Reference
from .scope import Scope, Value


def make(scope: Scope, one: type, values: list[Value], named: dict[str, Value], node: ast.Call) -> Value:
    """A new object, which only this element reaches. Its class has an __init__ made with def."""
    init = static_member(one, "__init__")
    if one.__module__ == "builtins" or not isinstance(init, FunctionType) or type(one) is not type:
        raise scope.error(f"{one.__name__}() is not in the subset that a section can run", node)
    if any("__new__" in vars(base) for base in one.__mro__[:-1]):
        raise scope.error(f"{one.__name__} has its own __new__: a section cannot make such objects", node)
    made = scope.program.make(one)
    kind = Reference(frozenset([one]), private="made")
    value = scope.temporary(kind, f"make(lane, {made}, {scope.program.tag(one)})")
    scope.program.call(scope, init, [value, *values], named, node)
    return value
