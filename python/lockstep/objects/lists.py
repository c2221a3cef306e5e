"""Elements of lists (Figure 6): the lists of a field share one column of contents."""

from __future__ import annotations

import ast
from dataclasses import replace

from .model import BOOL, INT, NOTHING, Conflict, Number, Sequence
from .scope import Scope, Value, translates

PLACE = Number("place", "u32", "I")


@translates(ast.Subscript)
def _subscript(scope: Scope, node: ast.Subscript) -> Value:
    sequence, at = place(scope, node)
    return element(scope, sequence, at, node)


def place(scope: Scope, node: ast.Subscript) -> tuple[Value, str]:
    """The list, and the place of the element among the contents of all lists."""
    sequence = scope.value(node.value)
    if not isinstance(sequence.type, Sequence):
        raise scope.error(f"only lists have elements, and this is {sequence.type}", node, sequence)
    if isinstance(node.slice, ast.Slice):
        raise scope.error("a slice makes a new list: use a loop over its indices", node)
    index = scope.number(node.slice)
    if index.type not in (INT, BOOL):
        raise scope.error(f"an index is an int, and this is {index.type}", node)
    where = scope.program.slice_of(sequence)
    text = f"index(lane, {where}, {scope.convert(index, INT)}, {scope.site(node, 'index out of range')})"
    return sequence, scope.temporary(PLACE, text).text


def _always_empty(kind: Sequence) -> str:
    root, name = kind.home
    what, verb = f"the list {name.rstrip('[]')}", "is"
    if name.endswith("[]"):
        what, verb = f"the lists in {what}", "are"
    if root is None:
        return f"a list that is an argument {verb} empty (its elements have no type)"
    return f"{what} {verb} empty in all objects (its elements have no type)"


def element(scope: Scope, sequence: Value, at: str, node: ast.AST) -> Value:
    assert isinstance(sequence.type, Sequence)
    kind = sequence.type.element
    if kind == NOTHING:
        return Value(NOTHING, "", untyped=_always_empty(sequence.type))
    scope.program.access_element(scope, "element read", sequence.type, node)
    if isinstance(kind, Sequence):
        of, grows = sequence.type, kind.home in scope.program.grown
        kind = replace(kind, own=of.own, grows=grows, private=of.private)
        if kind.grows:
            scope.program.contents(sequence.type)
            return Value(kind, at)
    is_written = sequence.type.home in scope.program.written_lists
    storage = scope.program.contents(sequence.type)
    return scope.temporary(kind, scope.program.load(storage, kind, at, "memory" if is_written else "constant"))


def store(scope: Scope, sequence: Value, at: str, value: Value, node: ast.AST) -> None:
    """Changes an element of a list in a field of the section's own element."""
    assert isinstance(sequence.type, Sequence)
    root, name = sequence.type.home
    if not sequence.type.own or root is None:
        raise scope.error(
            "an element is written of a list that another element may have, too "
            "(a method writes lists of its own object only)",
            node,
        )
    if isinstance(value.type, Sequence) or value.type == NOTHING:
        raise scope.error(f"{value.type} cannot be in a list of a section", node, value)
    try:
        lists = scope.program.world.assign_element((root, name), value.type)
    except Conflict as conflict:
        raise scope.error(f"the lists of {name} would hold two types: {conflict}", node) from None
    scope.program.access_element(scope, "element written", sequence.type, node)
    put(scope, lists, at, value)


def put(scope: Scope, lists: Sequence, at: str, value: Value) -> None:
    """Stores an element among the contents."""
    storage = scope.program.contents(lists)
    for part, text in scope.program.parts(storage, lists.element, scope.convert(value, lists.element)):
        scope.writer.line(f"a.{part}[{at}] = {text};")
