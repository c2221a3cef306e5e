"""Sections within sections (Section 7.3): peach() in a method runs as a loop of the lane."""

from __future__ import annotations

import ast
from collections.abc import Sequence as PythonSequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from . import lists
from .calls import apply
from .model import BOOL, INT, NOTHING, Reference, Sequence
from .plan import Method
from .scope import Scope, Value


def run(elements: PythonSequence[Any], method: Method, args: tuple[Any, ...], ticks: int) -> None:
    """The same in Python: element after element, each with all ticks. Draws are those of the outer element."""
    for element in elements:
        for _ in range(ticks):
            function = getattr(type(element), method) if isinstance(method, str) else method
            function(element, *args)


def translate(scope: Scope, node: ast.Call) -> Value:
    """peach(list, method, *args, ticks=1). In a list of the section's own element, elements are its parts: methods may
    write their fields, if no object is in two of these lists, or in the array."""
    if len(node.args) < 2 or any(one.arg != "ticks" for one in node.keywords):
        raise scope.error('write it as: peach(list, "method", arguments, ticks=1)', node)
    sequence = scope.value(node.args[0])
    if not isinstance(sequence.type, Sequence) or not isinstance(sequence.type.element, (Reference, type(NOTHING))):
        raise scope.error(f"peach needs a list of objects, and this is {sequence.type}", node)
    if sequence.type.element == NOTHING:
        return Value(NOTHING, "")  # all of these lists are empty
    method = _method(scope, node.args[1])
    arguments = [_evaluated(scope, one) for one in node.args[2:]]
    ticks = [scope.value(one.value) for one in node.keywords]
    if ticks and ticks[0].type not in (INT, BOOL):
        raise scope.error("ticks needs an int", node)
    times = scope.temporary(INT, scope.convert(ticks[0], INT)).text if ticks else ""
    of, sequence = sequence.type, scope.temporary(sequence.type, sequence.text)
    count, now = scope.counter(), scope.program.slice_of(sequence)
    with scope.writer.block(f"for (u32 {count} = 0; {count} < {now}.size; ++{count})"):
        element = lists.element(scope, sequence, f"{now}.first + {count}", node)
        element = _part(scope, of, element)
        if times:
            tick = scope.counter()
            with scope.writer.block(f"for (i64 {tick} = 0; {tick} < {times}; ++{tick})"):
                apply(scope, method, element, arguments, node)
        else:
            apply(scope, method, element, arguments, node)
    return Value(NOTHING, "")


def _part(scope: Scope, of: Sequence, element: Value) -> Value:
    assert isinstance(element.type, Reference)
    root, name = of.home
    if not of.own or root is None:
        return element
    if (root, name) not in scope.program.part_lists:
        scope.program.part_lists.add((root, name))
        scope.program.changed = True
    return Value(replace(element.type, private="part"), element.text)


def _method(scope: Scope, node: ast.expr) -> Method:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    function = scope.value(node).constant
    if not isinstance(function, FunctionType):
        raise scope.error("a method is given by its name, or as a function made with def", node)
    return function


def _evaluated(scope: Scope, node: ast.expr) -> Value:
    value = scope.value(node)
    return value if value.known else scope.temporary(value.type, value.text)
