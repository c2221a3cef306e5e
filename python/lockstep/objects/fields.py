"""Fields of objects: columns, class constants, properties; and the dispatch over class tags (Figure 7)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

from . import growing
from .errors import ObjectsError
from .growing import EMPTY
from .model import NOTHING, Conflict, Number, Reference, Sequence, Type, join
from .scope import HANDLERS, UNKNOWN, Scope, Value, constant, id_of, translates
from .world import MissingField, root_of

Case = tuple[frozenset[type], Callable[[Value], Value]]  # classes, and what is done for a receiver of them


def receiver(scope: Scope, value: Value, node: ast.AST, what: str) -> Value:
    """The reference, after a check that it is not None if it may be."""
    assert isinstance(value.type, Reference)
    kind = replace(value.type, nullable=False)
    if not value.type.nullable:
        return Value(kind, value.text)
    return scope.temporary(kind, f"not_none(lane, {value.text}, {scope.site(node, f'None has no {what}')})")


def dispatch(scope: Scope, value: Value, cases: list[Case], node: ast.AST) -> Value:
    """Does what the class of the object needs: directly if all classes need the same, else by a switch over tags."""
    assert isinstance(value.type, Reference)
    if len(cases) == 1:
        return cases[0][1](value)
    results: list[tuple[frozenset[type], list[str], Value]] = []
    kind: Type = NOTHING
    scope.writer.depth += 1
    for classes, work in cases:
        one = replace(value.type, classes=classes, nullable=False)
        with scope.writer.capture() as lines:
            result = work(Value(one, scope.convert(value, one)))
        results.append((classes, lines, result))
        kind = join(kind, result.type)
    scope.writer.depth -= 1
    to = scope.empty_temporary(kind) if kind != NOTHING else ""
    with scope.writer.block(f"switch ({value.text}.tag)"):
        for classes, lines, result in results:
            for one_class in sorted(classes, key=scope.program.tag):
                scope.writer.line(f"case {scope.program.tag(one_class)}:  // {one_class.__name__}")
            with scope.writer.block(""):
                scope.writer.lines.extend(lines)
                if result.type != NOTHING:
                    scope.writer.line(f"{to} = {scope.convert(result, kind)};")
                scope.writer.line("break;")
        scope.writer.line(f"default: lane.fail({scope.site(node, 'an object of an unknown class')});")
    return Value(kind, to)


def grouped(scope: Scope, classes: frozenset[type], key: Callable[[type], Any]) -> dict[Any, frozenset[type]]:
    """The classes for which the key is the same, in the order of their tags."""
    groups: dict[Any, frozenset[type]] = {}
    for one in sorted(classes, key=scope.program.tag):
        groups[key(one)] = groups.get(key(one), frozenset()) | {one}
    return groups


def static_member(one: type, name: str) -> Any:
    return inspect.getattr_static(one, name, UNKNOWN)


@translates(ast.Attribute)
def _attribute(scope: Scope, node: ast.Attribute) -> Value:
    owner = HANDLERS[type(node.value)](scope, node.value) if type(node.value) in HANDLERS else scope.value(node.value)
    if owner.known and owner.type == NOTHING:  # a module or a class
        try:
            return constant(getattr(owner.constant, node.attr))
        except AttributeError:
            raise scope.error(f"{owner.constant} has no {node.attr}", node) from None
    return load(scope, owner, node.attr, node)


def _member_key(scope: Scope, one: type, name: str) -> Any:
    """What a field access of an object of this class is: a property, a class constant, or a column."""
    member = static_member(one, name)
    if isinstance(member, property):
        return member.fget
    if isinstance(member, (bool, int, float)) and not scope.program.is_column(one, name):
        return ("constant", member)
    return ("column", root_of(one), name)


def load(scope: Scope, owner: Value, name: str, node: ast.AST) -> Value:
    if not isinstance(owner.type, Reference):
        raise scope.error(f"only objects have fields, and this is {owner.type}", node, owner)
    if not owner.type.classes:
        raise scope.error(f"the field {name} is of an object that is None in all objects that exist", node)
    cases: list[Case] = []
    for key, classes in grouped(scope, owner.type.classes, lambda one: _member_key(scope, one, name)).items():
        if isinstance(key, FunctionType):
            cases.append((classes, lambda value, get=key: scope.program.call(scope, get, [value], {}, node)))  # type: ignore[misc]
        elif key[0] == "constant":
            cases.append((classes, lambda value, number=key[1]: constant(number)))  # type: ignore[misc]
        else:
            cases.append((classes, lambda value: _load_column(scope, value, name, node)))
    return dispatch(scope, receiver(scope, owner, node, f"field {name}"), cases, node)


def _column_type(scope: Scope, kind: Reference, name: str, node: ast.AST) -> Type:
    column: Type = NOTHING
    for one in sorted(kind.classes, key=scope.program.tag):
        if isinstance(static_member(one, name), (FunctionType, staticmethod, classmethod)):
            raise scope.error(f"{one.__name__}.{name} is a method: call it", node)
        try:
            column = join(column, scope.program.world.field(one, name))
        except MissingField as missing:
            raise scope.error(str(missing), node) from None
        except ObjectsError as error:  # of an object, which has no line
            raise scope.error(error.problem, node) from None
    return column


def _load_column(scope: Scope, value: Value, name: str, node: ast.AST) -> Value:
    assert isinstance(value.type, Reference)
    kind = _column_type(scope, value.type, name, node)
    if kind == NOTHING:
        return Value(NOTHING, "")
    column = (root_of(next(iter(value.type.classes))), name)
    scope.program.access(scope, "read", value.type, name, node)
    if isinstance(kind, Sequence):
        kind = replace(kind, own=value.type.own or bool(value.type.private), private=value.type.private)
        if column in scope.program.grown:
            return Value(replace(kind, grows=True), id_of(value))
    place = scope.program.place_of(column, value.type.own)
    storage = scope.program.column(column, kind)
    text = scope.program.load(storage, kind, id_of(value), place)
    if isinstance(kind, Number) and kind.narrow:
        return scope.temporary(kind.value, f"static_cast<{kind.value.cpp}>({text})")
    return scope.temporary(kind, text)


def store(scope: Scope, owner: Value, name: str, value: Value, node: ast.AST) -> None:
    if not isinstance(owner.type, Reference) or not owner.type.classes:
        raise scope.error(f"only objects have fields, and this is {owner.type}", node, owner)
    if not owner.type.own and not owner.type.private:
        raise scope.error(
            f"the field {name} is written in an object that another element may have, too "
            "(a method writes fields of its own object only; use atomic_add, or peach() over a list of its parts)",
            node,
        )
    if value.type == EMPTY and owner.type.private == "made":
        growing.give_empty(scope, owner, name, node)
        return
    if isinstance(value.type, Sequence) or value.type == NOTHING:
        raise scope.error(f"a section cannot assign {value.type} to a field", node, value)
    cases: list[Case] = []
    for _, classes in grouped(scope, owner.type.classes, root_of).items():
        cases.append((classes, lambda target: _store_column(scope, target, name, value, node)))
    dispatch(scope, receiver(scope, owner, node, f"field {name}"), cases, node)


def _store_column(scope: Scope, target: Value, name: str, value: Value, node: ast.AST) -> Value:
    assert isinstance(target.type, Reference)
    for one in sorted(target.type.classes, key=scope.program.tag):
        if isinstance(static_member(one, name), (property, FunctionType)):
            raise scope.error(f"{one.__name__}.{name} is not a field", node)
        try:
            kind = scope.program.world.assign(one, name, value.type)
        except MissingField as missing:
            raise scope.error(f"{missing}: give it one in __init__", node) from None
        except Conflict as conflict:
            raise scope.error(f"the field {name} would hold two types: {conflict}", node) from None
    column = (root_of(next(iter(target.type.classes))), name)
    scope.program.access(scope, "made" if target.type.private == "made" else "write", target.type, name, node)
    storage = scope.program.column(column, kind)
    if isinstance(kind, Number) and kind.narrow:
        site = scope.site(node, f"the value does not fit in {name}, which is {kind}")
        converted = f"narrow<{kind.cpp}>(lane, {scope.convert(value, kind.value)}, {site})"
    else:
        converted = scope.convert(value, kind)
    for part, text in scope.program.parts(storage, kind, converted):
        place = f"lane.{part}" if target.type.own else f"a.{part}[{id_of(target)}]"
        scope.writer.line(f"{place} = {text};")
    return Value(NOTHING, "")


def atomic(scope: Scope, owner: Value, name: str, function: str, value: Value, node: ast.AST) -> None:
    """atomic_add, atomic_min, atomic_max of an int field of any object: ints commute, so the order does not matter."""
    if not isinstance(owner.type, Reference) or len(grouped(scope, owner.type.classes, root_of)) != 1:
        raise scope.error("an atomic operation needs an object", node)
    target = receiver(scope, owner, node, f"field {name}")
    assert isinstance(target.type, Reference)
    kind = _column_type(scope, target.type, name, node)
    if not isinstance(kind, Number) or kind.name != "int" or value.type != kind:
        raise scope.error(
            f"atomic operations are of ints, and the field {name} is {kind}, the value {value.type}", node
        )
    scope.program.access(scope, "atomic", target.type, name, node)
    column = (root_of(next(iter(target.type.classes))), name)
    scope.writer.line(f"{function}(&a.{scope.program.column(column, kind)}[{id_of(target)}], {value.text});")
