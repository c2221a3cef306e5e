"""Expressions without calls: constants, variables, arithmetic, comparisons, conditions."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from .errors import ObjectsError
from .model import BOOL, FLOAT, INT, NONE, Conflict, Number, Reference, join, of_operation
from .scope import Scope, Unresolved, Value, constant, id_of, translates, variable
from .text import written

_PYTHON_OPERATIONS: dict[type[ast.operator], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
_INTEGER_CALLS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
_FLOAT_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BIT_OPERATORS = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_SHIFTS = {ast.LShift: "shift_left", ast.RShift: "shift_right"}
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


@translates(ast.Constant)
def _constant(scope: Scope, node: ast.Constant) -> Value:
    if node.value is None:
        return Value(NONE, "none", None)
    if isinstance(node.value, (bool, int, float)):
        return constant(node.value)
    raise scope.error(f"a {type(node.value).__name__} cannot be in a section", node)


@translates(ast.Name)
def _name(scope: Scope, node: ast.Name) -> Value:
    name = node.id
    if name in scope.locals or name in scope.source.function.__code__.co_varnames:
        if name not in scope.assigned:
            raise scope.error(f"{name} may have no value here: assign it before", node)
        of = scope.locals[name]
        to = scope.narrowed.get(name, of)
        value = Value(of, variable(name))
        return Value(to, scope.convert(value, to)) if to != of else value
    try:
        found = scope.source.value_of(name)
    except KeyError:
        raise scope.error(f"{name} is not defined", node) from None
    value = constant(found)
    if not value.text and not callable(found) and type(found).__name__ != "module":
        raise scope.error(f"{name} is a {type(found).__name__} outside the method: pass it as an argument", node)
    return value


@translates(ast.UnaryOp)
def _unary(scope: Scope, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        truth = condition(scope, node.operand)
        return constant(not truth.constant) if truth.known else Value(BOOL, f"!{truth.text}")
    value = scope.number(node.operand)
    kind = INT if value.type == BOOL else value.type
    if isinstance(node.op, ast.Invert):
        if kind != INT:
            raise scope.error("~ needs an int", node)
        return Value(INT, f"(~{scope.convert(value, INT)})")
    if value.known:
        return constant(-value.constant if isinstance(node.op, ast.USub) else +value.constant)
    text = scope.convert(value, kind)
    if isinstance(node.op, ast.UAdd):
        return Value(kind, text)
    return Value(kind, f"subtract(0, {text})" if kind == INT else f"(-{text})")


@translates(ast.BinOp)
def _binary(scope: Scope, node: ast.BinOp) -> Value:
    return operation(scope, node.op, scope.number(node.left), scope.number(node.right), node)


def operation(scope: Scope, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """left op right, with Python's meaning. Ints have 64 bits and wrap around."""
    assert isinstance(left.type, Number) and isinstance(right.type, Number)
    python = _PYTHON_OPERATIONS.get(type(op))
    if left.known and right.known and python is not None and not (isinstance(op, ast.Div) and right.constant == 0):
        return constant(python(left.constant, right.constant))
    kind = of_operation(left.type, right.type)
    if isinstance(op, ast.Div):
        kind = FLOAT if kind == INT else kind
    a, b = scope.convert(left, kind), scope.convert(right, kind)
    if type(op) in _FLOAT_OPERATORS:
        if kind == INT:
            return Value(INT, f"{_INTEGER_CALLS[type(op)]}({a}, {b})")
        return Value(kind, f"({a} {_FLOAT_OPERATORS[type(op)]} {b})")
    if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
        return _division(scope, op, kind, (a, b), right.known and right.constant != 0, node)
    if isinstance(op, ast.Pow):
        return _power(scope, kind, a, right, node)
    if kind != INT:
        raise _unsupported(scope, op, left, right, node)
    if type(op) in _BIT_OPERATORS:
        return Value(INT, f"({a} {_BIT_OPERATORS[type(op)]} {b})")
    if type(op) in _SHIFTS:
        return scope.temporary(INT, f"{_SHIFTS[type(op)]}(lane, {a}, {b}, {scope.site(node, 'negative shift count')})")
    raise scope.error(f"the operator `{written(op)}` is not in the subset that a section can run", node)


def _unsupported(scope: Scope, op: ast.AST, left: Value, right: Value, node: ast.AST) -> ObjectsError:
    return scope.error(
        f"the operator `{written(op)}` is not supported for {left.type} and {right.type}", node, left, right
    )


def _division(
    scope: Scope, op: ast.operator, kind: Number, operands: tuple[str, str], safe: bool, node: ast.AST
) -> Value:
    a, b = operands
    if isinstance(op, ast.Div) and safe:
        return Value(kind, f"({a} / {b})")
    name = {ast.Div: "divide", ast.FloorDiv: "floor_divide", ast.Mod: "modulo"}[type(op)]
    return scope.temporary(kind, f"{name}(lane, {a}, {b}, {scope.site(node, 'division by zero')})")


def _power(scope: Scope, kind: Number, base: str, exponent: Value, node: ast.AST) -> Value:
    limit = 2 if kind != INT else 62
    if not exponent.known or not isinstance(exponent.constant, int) or not 1 <= exponent.constant <= limit:
        raise scope.error("** needs a constant exponent: 1 or 2 for floats, 1 to 62 for ints", node)
    factor = scope.temporary(kind, base)
    result = factor
    for _ in range(exponent.constant - 1):
        result = operation(scope, ast.Mult(), result, factor, node)
    return result


@translates(ast.Compare)
def _compare(scope: Scope, node: ast.Compare) -> Value:
    left = scope.value(node.left)
    right = scope.value(node.comparators[0])
    first = _compared(scope, node.ops[0], left, right, node)
    if len(node.ops) == 1:
        return first
    result = scope.empty_temporary(BOOL)
    scope.writer.line(f"{result} = {first.text};")
    depth = 0
    for op, comparator in zip(node.ops[1:], node.comparators[1:]):
        scope.writer.line(f"if ({result}) {{")
        scope.writer.depth += 1
        depth += 1
        left, right = right, scope.value(comparator)
        scope.writer.line(f"{result} = {_compared(scope, op, left, right, node).text};")
    for _ in range(depth):
        scope.writer.depth -= 1
        scope.writer.line("}")
    return Value(BOOL, result)


def _compared(scope: Scope, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    if isinstance(left.type, Number) and isinstance(right.type, Number) and type(op) in _COMPARISONS:
        kind = of_operation(left.type, right.type)
        return Value(BOOL, f"({scope.convert(left, kind)} {_COMPARISONS[type(op)]} {scope.convert(right, kind)})")
    if isinstance(left.type, Reference) and isinstance(right.type, Reference):
        if isinstance(op, (ast.Eq, ast.NotEq)):
            for one in left.type.classes | right.type.classes:
                if "__eq__" in {name for base in one.__mro__[:-1] for name in vars(base)}:
                    raise scope.error(f"{one.__name__} has its own __eq__: compare objects with is", node)
        if isinstance(op, (ast.Is, ast.Eq)):
            return _same(scope, left, right)
        if isinstance(op, (ast.IsNot, ast.NotEq)):
            same = _same(scope, left, right)
            return constant(not same.constant) if same.known else Value(BOOL, f"!{same.text}")
    raise _unsupported(scope, op, left, right, node)


def _same(scope: Scope, left: Value, right: Value) -> Value:
    """Whether two references refer to the same object."""
    assert isinstance(left.type, Reference) and isinstance(right.type, Reference)
    for one, other in ((left, right), (right, left)):
        assert isinstance(one.type, Reference) and isinstance(other.type, Reference)
        if not other.type.classes:  # None
            if not one.type.classes:
                return constant(True)
            return Value(BOOL, f"({id_of(one)} == none)") if one.type.nullable else constant(False)
    both = join(left.type, right.type)
    a, b = scope.convert(left, both), scope.convert(right, both)
    return Value(BOOL, f"({a} == {b})" if both.cpp == "u32" else f"same({a}, {b})")


def condition(scope: Scope, node: ast.expr) -> Value:
    """An expression as a condition, in which and, or and not take any value."""
    if isinstance(node, ast.BoolOp):
        return _logical(scope, node)
    return scope.truth(scope.value(node), node)


@translates(ast.BoolOp)
def _bool_op(scope: Scope, node: ast.BoolOp) -> Value:
    """As a value, Python's `and` gives an operand: a bool only if all operands are."""
    return _logical(scope, node, strict=True)


def _logical(scope: Scope, node: ast.BoolOp, strict: bool = False) -> Value:
    """Evaluates an operand only if those before it do not decide, as Python does."""
    is_and = isinstance(node.op, ast.And)
    narrowed = dict(scope.narrowed)
    result = constant(is_and)
    for operand in node.values:
        if result.known and result.constant != is_and:
            break
        with scope.writer.capture() as lines:
            value = scope.value(operand) if strict else condition(scope, operand)
        if value.type != BOOL:
            raise scope.error("and, or give one of their operands: here they need bools", operand)
        if is_and:
            scope.narrowed.update(narrowings(scope, operand, True))
        result = _combined(scope, is_and, result, value, lines)
    scope.narrowed = narrowed
    return result


def _combined(scope: Scope, is_and: bool, first: Value, second: Value, lines: list[str]) -> Value:
    if first.known:
        scope.writer.lines.extend(line[4:] for line in lines)
        return second
    if not lines:
        return Value(BOOL, f"({first.text} {'&&' if is_and else '||'} {second.text})")
    result = scope.empty_temporary(BOOL)
    scope.writer.line(f"{result} = {first.text};")
    with scope.writer.block(f"if ({'' if is_and else '!'}{result})"):
        scope.writer.lines.extend(lines)
        scope.writer.line(f"{result} = {second.text};")
    return Value(BOOL, result)


@translates(ast.IfExp)
def _if_expression(scope: Scope, node: ast.IfExp) -> Value:
    test = condition(scope, node.test)
    if test.known:
        return scope.value(node.body if test.constant else node.orelse)
    then, then_lines = _branch(scope, node.body, narrowings(scope, node.test, True))
    other, else_lines = _branch(scope, node.orelse, narrowings(scope, node.test, False))
    if then is None or other is None:  # it calls this method: the type is that of the other branch
        scope.program.leave_out()
        if then is None and other is None:
            raise Unresolved
        return then or other or constant(None)
    try:
        kind = join(then.type, other.type)
    except Conflict as conflict:
        raise scope.error(f"the values of this conditional expression are {conflict}", node) from None
    if not then_lines and not else_lines:
        return Value(kind, f"({test.text} ? {scope.convert(then, kind)} : {scope.convert(other, kind)})")
    result = scope.empty_temporary(kind)
    with scope.writer.block(f"if ({test.text})"):
        scope.writer.lines.extend(then_lines)
        scope.writer.line(f"{result} = {scope.convert(then, kind)};")
    with scope.writer.block("else"):
        scope.writer.lines.extend(else_lines)
        scope.writer.line(f"{result} = {scope.convert(other, kind)};")
    return Value(kind, result)


def _branch(scope: Scope, node: ast.expr, types: dict[str, Any]) -> tuple[Value | None, list[str]]:
    with scope.writer.capture() as lines, scope.narrowing(types):
        try:
            return scope.value(node), lines
        except Unresolved:
            return None, lines


def narrowings(scope: Scope, test: ast.expr, outcome: bool) -> dict[str, Any]:
    """The types that variables have where the test came out like this."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return narrowings(scope, test.operand, not outcome)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == outcome:
        return {name: kind for one in test.values for name, kind in narrowings(scope, one, outcome).items()}
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and len(test.ops) == 1:
        other = test.comparators[0]
        if isinstance(other, ast.Constant) and other.value is None and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            return _narrowed(scope, test.left.id, None, isinstance(test.ops[0], ast.IsNot) == outcome)
    if isinstance(test, ast.Name):
        return _narrowed(scope, test.id, None, True) if outcome else {}
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance":
        if len(test.args) == 2 and isinstance(test.args[0], ast.Name):
            try:
                classes = scope.value(test.args[1]).constant
            except Conflict:
                return {}
            return _narrowed(scope, test.args[0].id, classes, outcome)
    return {}


def _narrowed(scope: Scope, name: str, classes: Any, outcome: bool) -> dict[str, Any]:
    """`classes` None: the variable is (outcome) not None."""
    kind = scope.narrowed.get(name, scope.locals.get(name))
    if not isinstance(kind, Reference) or name not in scope.locals:
        return {}
    if classes is None:
        left = replace(kind, nullable=False) if outcome else kind
        return {name: left}
    matching = frozenset(one for one in kind.classes if issubclass(one, classes) == outcome)
    return {name: replace(kind, classes=matching, nullable=kind.nullable and not outcome)}
