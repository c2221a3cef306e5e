"""Lists whose length methods change (Section 7.2): append, pop and clear, and the empty lists of new objects.

Such a list has a place, a size and a capacity in memory. If it is full, it moves into new memory of twice its size. If
there is no such memory left, the section runs again with more (execute.py).
"""

from __future__ import annotations

import ast
from typing import Any

from . import lists
from .model import NOTHING, Conflict, Reference, Sequence
from .scope import Scope, Value, id_of, translates
from .world import root_of

EMPTY = Sequence(NOTHING, (None, "[]"))


@translates(ast.List)
def _list(scope: Scope, node: ast.List) -> Value:
    if node.elts:
        raise scope.error("a list with elements is not in the subset that a section can run: append them", node)
    return Value(EMPTY, "Slice{}")


def give_empty(scope: Scope, owner: Value, name: str, node: ast.AST) -> None:
    """self.name = [] in a new object."""
    assert isinstance(owner.type, Reference)
    (one,) = owner.type.classes
    column = (root_of(one), name)
    try:
        scope.program.world.assign(one, name, Sequence(NOTHING, column))
        kind = scope.program.world.list_type(column)
    except Conflict as conflict:
        raise scope.error(f"the field {name} would hold two types: {conflict}", node) from None
    scope.program.access(scope, "made", owner.type, name, node)
    scope.program.grow(column)
    storage = scope.program.column(column, kind)
    for part in ("_first", "_size", "_capacity"):
        scope.writer.line(f"a.{storage}{part}[{id_of(owner)}] = 0;")


def _changed(scope: Scope, owner: Value, node: ast.Call, arguments: int) -> Sequence:
    """The list's type, noted as one that grows."""
    assert isinstance(owner.type, Sequence)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if len(node.args) != arguments or node.keywords:
        raise scope.error(f"{name} takes {arguments or 'no'} argument{'s' * (arguments == 0)} in a section", node)
    root, home = owner.type.home
    if not owner.type.own or root is None:
        raise scope.error(
            f"{name} changes a list that another element may have, too (a method changes lists of its own object only)",
            node,
        )
    scope.program.grow((root, home))
    scope.program.access_element(scope, "element written", owner.type, node)
    return owner.type


def _append(scope: Scope, owner: Value, node: ast.Call) -> Value:
    of = _changed(scope, owner, node, 1)
    assert of.home[0] is not None
    value = scope.value(node.args[0])
    if isinstance(value.type, Sequence) or value.type == NOTHING:
        raise scope.error(f"{value.type} cannot be appended to a list of a section", node, value)
    try:
        kind = scope.program.world.assign_element((of.home[0], of.home[1]), value.type)
    except Conflict as conflict:
        raise scope.error(f"the lists of {of.home[1]} would hold two types: {conflict}", node) from None
    if not of.grows:
        return Value(NOTHING, "")  # until the next round, in which it does
    where, pool = scope.program.lists_of(of)
    storage = scope.program.contents(kind)
    copies = " ".join(f"a.{part}[to] = a.{part}[from];" for part, _ in scope.program.parts(storage, kind.element, ""))
    value = Value(value.type, scope.convert(value, value.type))
    place = scope.temporary(
        lists.PLACE, f"appended(lane, {where}, {owner.text}, {pool}, [&](u32 to, u32 from) {{ {copies} }})"
    )
    with scope.writer.block(f"if ({place.text} != none)"):
        lists.put(scope, kind, place.text, value)
    return Value(NOTHING, "")


def _pop(scope: Scope, owner: Value, node: ast.Call) -> Value:
    of = _changed(scope, owner, node, 0)
    if isinstance(of.element, Sequence):
        raise scope.error("pop from a list of lists", node)
    if of.element == NOTHING:
        raise scope.error("pop from lists that are always empty", node)
    if not of.grows:
        return scope.temporary(of.element, f"{of.element.cpp}{{}}")
    where, _ = scope.program.lists_of(of)
    site = scope.site(node, "pop from an empty list")
    place = scope.temporary(lists.PLACE, f"popped(lane, {where}, {owner.text}, {site})")
    return lists.element(scope, owner, place.text, node)


def _clear(scope: Scope, owner: Value, node: ast.Call) -> Value:
    of = _changed(scope, owner, node, 0)
    if isinstance(of.element, Sequence):
        raise scope.error("a list of lists cannot be cleared in a section", node)
    if of.grows:
        scope.writer.line(f"{scope.program.lists_of(of)[0]}.size[{owner.text}] = 0;")
    return Value(NOTHING, "")


METHODS: dict[str, Any] = {"append": _append, "pop": _pop, "clear": _clear}
