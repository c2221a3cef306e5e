"""Statements of methods. A handler returns True if what follows cannot be reached."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from . import fields, lists
from .expressions import condition, narrowings, operation
from .model import BOOL, INT, NOTHING, Number, Sequence
from .scope import Scope, Unresolved, Value, constant, variable
from .text import written

_NODES: dict[type[ast.stmt], Callable[[Scope, Any], bool]] = {}


def _statement(*nodes: type[ast.stmt]) -> Callable[[Callable[[Scope, Any], bool]], Callable[[Scope, Any], bool]]:
    def register(handler: Callable[[Scope, Any], bool]) -> Callable[[Scope, Any], bool]:
        for node in nodes:
            _NODES[node] = handler
        return handler

    return register


def body(scope: Scope, statements: list[ast.stmt]) -> bool:
    """Writes the statements. Returns True if the end cannot be reached."""
    for one in statements:
        handler = _NODES.get(type(one))
        if handler is None:
            raise scope.error(f"{written(one)} is not in the subset that a section can run", one)
        proved, depth = dict(scope.narrowed), scope.writer.depth
        try:
            if handler(scope, one):
                return True
        except Unresolved:  # nor is what follows it translated in this round
            scope.program.leave_out()
            scope.narrowed, scope.writer.depth = proved, depth
            return True
    return False


@_statement(ast.Pass)
def _pass(scope: Scope, node: ast.Pass) -> bool:
    return False


@_statement(ast.Expr)
def _expression(scope: Scope, node: ast.Expr) -> bool:
    if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):  # a docstring
        scope.say(node)
        scope.value(node.value)
    return False


@_statement(ast.Return)
def _return(scope: Scope, node: ast.Return) -> bool:
    scope.say(node)
    if node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None:
        scope.falls_through = True
        scope.writer.line("RETURN_NOTHING")
        return True
    value = scope.value(node.value)
    if value.type == NOTHING:
        if value.known:
            raise scope.error("a section cannot return this", node)
        scope.falls_through = True
        scope.writer.line("RETURN_NOTHING")
        return True
    scope.returns(value.type, node)
    scope.writer.line(f"return {scope.convert(value, scope.program.result_type(scope))};")
    return True


@_statement(ast.Assign)
def _assign(scope: Scope, node: ast.Assign) -> bool:
    scope.say(node)
    if isinstance(node.value, ast.Tuple):
        _assign_each(scope, node, node.value)
        return False
    value = scope.value(node.value)
    if len(node.targets) > 1 and not value.known:
        value = scope.temporary(value.type, value.text)
    for target in node.targets:
        _store(scope, target, value)
    return False


def _assign_each(scope: Scope, node: ast.Assign, values: ast.Tuple) -> None:
    """a, b = x, y: all values before the first assignment."""
    (target,) = node.targets if len(node.targets) == 1 else (None,)
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(values.elts):
        raise scope.error("assign as many values as there are targets", node)
    found = [scope.value(one) for one in values.elts]
    kept = [one if one.known or one.type == NOTHING else scope.temporary(one.type, one.text) for one in found]
    for each, value in zip(target.elts, kept):
        _store(scope, each, value)


@_statement(ast.AnnAssign)
def _annotated(scope: Scope, node: ast.AnnAssign) -> bool:
    scope.say(node)
    if node.value is not None:
        _store(scope, node.target, scope.value(node.value))
    return False


def _store(scope: Scope, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Name):
        scope.assign(target.id, value, target)
    elif isinstance(target, ast.Attribute):
        fields.store(scope, scope.value(target.value), target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        lists.store(scope, *lists.place(scope, target), value, target)
    else:
        raise scope.error("assign one variable or field at a time", target)


@_statement(ast.AugAssign)
def _augmented(scope: Scope, node: ast.AugAssign) -> bool:
    scope.say(node)
    if isinstance(node.target, ast.Name):
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        before, right = scope.number(target), scope.number(node.value)
        scope.assign(node.target.id, operation(scope, node.op, before, right, node), node)
        return False
    if isinstance(node.target, ast.Subscript):
        sequence, at = lists.place(scope, node.target)
        before = lists.element(scope, sequence, at, node)
        if not isinstance(before.type, Number):
            raise scope.error("the elements of the list are no numbers", node, before)
        lists.store(scope, sequence, at, operation(scope, node.op, before, scope.number(node.value), node), node)
        return False
    assert isinstance(node.target, ast.Attribute)
    owner = scope.value(node.target.value)
    before = fields.load(scope, owner, node.target.attr, node.target)
    right = scope.number(node.value)
    if not isinstance(before.type, Number):
        raise scope.error(f"the field {node.target.attr} is no number", node)
    fields.store(scope, owner, node.target.attr, operation(scope, node.op, before, right, node), node.target)
    return False


@_statement(ast.Assert)
def _assert(scope: Scope, node: ast.Assert) -> bool:
    scope.say(node)
    truth = condition(scope, node.test)
    scope.writer.line(f"lane.check({truth.text}, {scope.site(node, 'assertion failed')});")
    return False


@_statement(ast.If)
def _if(scope: Scope, node: ast.If) -> bool:
    scope.say(node)
    test = condition(scope, node.test)
    if test.known:  # what cannot be reached is not translated: its types are not known
        with scope.narrowing(narrowings(scope, node.test, test.constant)):
            return body(scope, node.body if test.constant else node.orelse)
    before, proved = set(scope.assigned), dict(scope.narrowed)
    with scope.writer.block(f"if ({test.text})"), scope.narrowing(narrowings(scope, node.test, True)):
        then_ends = body(scope, node.body)
    after_then, scope.assigned = scope.assigned, set(before)
    proved_then, scope.narrowed = scope.narrowed, proved
    else_ends = False
    if node.orelse:
        with scope.writer.block("else"), scope.narrowing(narrowings(scope, node.test, False)):
            else_ends = body(scope, node.orelse)
    if then_ends != else_ends:
        scope.assigned = scope.assigned if then_ends else after_then
    elif not then_ends:
        scope.assigned &= after_then
    if else_ends or not then_ends:
        scope.narrowed = {name: kind for name, kind in proved_then.items() if else_ends or name in scope.narrowed}
    if then_ends and not node.orelse:
        scope.narrowed.update(narrowings(scope, node.test, False))
    return then_ends and else_ends


def _loop(scope: Scope, node: ast.While | ast.For) -> None:
    """The statements of a loop may run never or often: they assign nothing for sure, and end what was proved before."""
    if node.orelse:
        raise scope.error("a loop with else is not in the subset that a section can run", node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            scope.narrowed.pop(part.id, None)
    before = set(scope.assigned)
    scope.loops += 1
    body(scope, node.body)
    scope.loops -= 1
    scope.assigned = before


@_statement(ast.While)
def _while(scope: Scope, node: ast.While) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            scope.narrowed.pop(part.id, None)
    with scope.writer.block("while (!lane.failed)"):
        scope.say(node)
        test = condition(scope, node.test)
        if not (test.known and test.constant):
            scope.writer.line(f"if (!{test.text}) break;")
        with scope.narrowing(narrowings(scope, node.test, True)):
            _loop(scope, node)
    return False


@_statement(ast.Break, ast.Continue)
def _jump(scope: Scope, node: ast.Break | ast.Continue) -> bool:
    scope.writer.line("break;" if isinstance(node, ast.Break) else "continue;")
    return True


@_statement(ast.For)
def _for(scope: Scope, node: ast.For) -> bool:
    scope.say(node)
    call = node.iter
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range":
        _for_range(scope, node, call)
    elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "enumerate":
        if len(call.args) != 1 or not isinstance(node.target, ast.Tuple) or len(node.target.elts) != 2:
            raise scope.error("write it as: for i, element in enumerate(list)", node)
        _for_elements(scope, node, call.args[0], node.target.elts[0], node.target.elts[1])
    else:
        _for_elements(scope, node, call, None, node.target)
    return False


def _for_range(scope: Scope, node: ast.For, call: ast.Call) -> None:
    given = [scope.number(one) for one in call.args]
    if not 1 <= len(given) <= 3 or call.keywords or any(one.type not in (INT, BOOL) for one in given):
        raise scope.error("range needs one to three ints", node)
    bounds = [scope.temporary(INT, scope.convert(one, INT)).text for one in given]
    start, stop, step = ("i64(0)", bounds[0], "i64(1)") if len(bounds) == 1 else (*bounds, "i64(1)")[:3]
    scope.temporaries += 1
    number, count = f"n{scope.temporaries}", f"k{scope.temporaries}"
    site = scope.site(node, "range with step 0")
    scope.writer.line(f"u64 const {number} = range_size(lane, {start}, {stop}, {step}, {site});")
    with scope.writer.block(f"for (u64 {count} = 0; {count} < {number}; ++{count})"):
        _store(scope, node.target, Value(INT, f"range_value({start}, {step}, {count})"))
        _loop(scope, node)


def _for_elements(scope: Scope, node: ast.For, of: ast.expr, number: ast.expr | None, target: ast.expr) -> None:
    sequence = scope.value(of)
    if not isinstance(sequence.type, Sequence):
        raise scope.error(f"a loop runs over a range or a list, and this is {sequence.type}", node, sequence)
    if sequence.type.element == NOTHING:
        return  # all of these lists are empty
    sequence = scope.temporary(sequence.type, sequence.text)
    count, now = scope.counter(), scope.program.slice_of(sequence)  # a list may grow meanwhile
    with scope.writer.block(f"for (u32 {count} = 0; {count} < {now}.size; ++{count})"):
        if number is not None:
            _store(scope, number, Value(INT, f"i64({count})"))
        _store(scope, target, lists.element(scope, sequence, f"{now}.first + {count}", node))
        _loop(scope, node)
