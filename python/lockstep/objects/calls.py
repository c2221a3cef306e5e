"""Calls: of methods, of functions, and of the built-in functions that a section knows."""

from __future__ import annotations

import ast
import math
from types import FunctionType
from typing import Any

from . import atomics, barrier, draws, fields, growing, making, phases
from .expressions import condition
from .model import BOOL, FLOAT, FLOAT32, INT, NOTHING, Conflict, Number, Reference, Sequence, of_operation
from .plan import Method
from .scalars import float32
from .scope import Scope, Value, constant, id_of, translates


@translates(ast.Call)
def _call(scope: Scope, node: ast.Call) -> Value:
    if isinstance(node.func, ast.Attribute):
        found = _attribute_call(scope, node, node.func)
        if found is not None:
            return found
    called = scope.value(node.func)
    if not called.known or called.type != NOTHING:
        raise scope.error("this cannot be called", node)
    function = called.constant
    if isinstance(function, FunctionType) and function in _SPECIAL:
        translated: Value = _SPECIAL[function](scope, node)
        return translated
    handler = _BUILTINS.get(function)
    if handler is not None:
        if node.keywords:
            raise scope.error(f"{function.__name__} takes no keywords in a section", node)
        result: Value = handler(scope, node)
        return result
    if isinstance(function, FunctionType):
        return scope.program.call(scope, function, *arguments_of(scope, node), node)
    if isinstance(function, type):
        return making.make(scope, function, *arguments_of(scope, node), node)
    name = getattr(function, "__name__", str(function))
    reason = " (its last bits differ between machines)" if getattr(function, "__module__", "") == "math" else ""
    raise scope.error(f"{name} is not in the subset that a section can run{reason}", node)


def arguments_of(scope: Scope, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
    for one in node.args:
        if isinstance(one, ast.Starred):
            raise scope.error("* in a call is not in the subset that a section can run", node)
    values = [scope.value(one) for one in node.args]
    named = {one.arg: scope.value(one.value) for one in node.keywords if one.arg is not None}
    if len(named) != len(node.keywords):
        raise scope.error("** in a call is not in the subset that a section can run", node)
    return values, named


def _attribute_call(scope: Scope, node: ast.Call, function: ast.Attribute) -> Value | None:
    """object.method(...), super().method(...), or None for a function of a module or of a class."""
    of = function.value
    if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super" and not of.args:
        return _super_call(scope, node, function.attr)
    owner = scope.value(of)
    if owner.known and owner.type == NOTHING:
        return None
    if isinstance(owner.type, Sequence) and function.attr in growing.METHODS:
        changed: Value = growing.METHODS[function.attr](scope, owner, node)
        return changed
    if not isinstance(owner.type, Reference):
        raise scope.error(f"{owner.type} has no method {function.attr} in a section", node, owner)
    values, named = arguments_of(scope, node)
    return call_method(scope, owner, function.attr, values, named, node)


def call_method(
    scope: Scope, owner: Value, name: str, values: list[Value], named: dict[str, Value], node: ast.AST
) -> Value:
    """A direct call if all classes have the method from the same class, else a switch (Section 4.4, Figure 7)."""
    assert isinstance(owner.type, Reference)
    if not owner.type.classes:
        raise scope.error(f"{name} is called on something that is None in all objects that exist", node)
    groups = fields.grouped(scope, owner.type.classes, lambda one: _method(scope, one, name, node))
    cases: list[fields.Case] = []
    for method, classes in groups.items():
        if isinstance(method, staticmethod):
            work = lambda value, method=method: scope.program.call(
                scope, method.__func__, values, named, node
            )  # noqa: E731
        else:
            work = lambda value, method=method: scope.program.call(
                scope, method, [value, *values], named, node
            )  # noqa: E731
        cases.append((classes, work))
    return fields.dispatch(scope, fields.receiver(scope, owner, node, f"method {name}"), cases, node)


def apply(scope: Scope, method: Method, value: Value, arguments: list[Value], node: ast.AST) -> Value:
    """A method by name, or a function with the element as its first argument."""
    try:
        if isinstance(method, FunctionType):
            return scope.program.call(scope, method, [value, *arguments], {}, node)
        if not isinstance(method, str):
            raise scope.error("a method is given by its name, or as a function made with def", node)
        if not isinstance(value.type, Reference):
            raise scope.error(f"{value.type} has no method {method}: give a function", node)
        return call_method(scope, value, method, arguments, {}, node)
    except Conflict as conflict:
        raise scope.error(str(conflict), node) from None


def _method(scope: Scope, one: type, name: str, node: ast.AST) -> Any:
    """The method that the class has, from itself or from a superclass."""
    member = fields.static_member(one, name)
    if isinstance(member, (FunctionType, staticmethod)):
        return member
    if isinstance(member, property):
        raise scope.error(f"{one.__name__}.{name} is a property: use it without ()", node)
    raise scope.error(f"{one.__name__} has no method {name} that a section can call", node)


def _super_call(scope: Scope, node: ast.Call, name: str) -> Value:
    """The next class with the method, after the one that contains this source."""
    self_name = scope.source.parameters[0] if scope.source.parameters else ""
    receiver = scope.locals.get(self_name)
    container = scope.source.function.__qualname__.rpartition(".")[0].rpartition(".")[2]
    if not isinstance(receiver, Reference):
        raise scope.error("super() needs a method", node)
    cases: list[fields.Case] = []
    values, named = arguments_of(scope, node)

    def found(one: type) -> Any:
        mro = [each for each in one.__mro__]
        at = next((i for i, each in enumerate(mro) if each.__name__ == container), len(mro))
        for each in mro[at + 1 :]:
            if isinstance(each.__dict__.get(name), FunctionType):
                return each.__dict__[name]
        raise scope.error(f"no superclass of {container} has a method {name}", node)

    for method, classes in fields.grouped(scope, receiver.classes, found).items():
        work = lambda value, method=method: scope.program.call(
            scope, method, [value, *values], named, node
        )  # noqa: E731
        cases.append((classes, work))
    return fields.dispatch(scope, Value(receiver, f"v_{self_name}"), cases, node)


# Built-in functions


def _numbers(scope: Scope, node: ast.Call, count: int) -> list[Value]:
    if len(node.args) != count:
        raise scope.error(f"{count} arguments are needed, and these are {len(node.args)}", node)
    return [scope.number(one) for one in node.args]


def _extreme(operator: str) -> Any:
    def handler(scope: Scope, node: ast.Call) -> Value:
        """Python keeps the first of equal operands."""
        if len(node.args) < 2:
            raise scope.error("two numbers or more are needed", node)
        result = scope.number(node.args[0])
        for one in node.args[1:]:
            other = scope.number(one)
            assert isinstance(result.type, Number) and isinstance(other.type, Number)
            kind = result.type if result.type == other.type else of_operation(result.type, other.type)
            first = scope.temporary(kind, scope.convert(result, kind)).text
            second = scope.temporary(kind, scope.convert(other, kind)).text
            result = Value(kind, f"({second} {operator} {first} ? {second} : {first})")
        return result

    return handler


def _absolute(scope: Scope, node: ast.Call) -> Value:
    (value,) = _numbers(scope, node, 1)
    kind = INT if value.type == BOOL else value.type
    return Value(kind, f"absolute({scope.convert(value, kind)})")


def _to_int(scope: Scope, node: ast.Call) -> Value:
    (value,) = _numbers(scope, node, 1)
    if value.type in (INT, BOOL):
        return Value(INT, scope.convert(value, INT))
    return scope.temporary(INT, f"to_int(lane, {value.text}, {scope.site(node, 'the float does not fit in an int')})")


def _rounded(function: str) -> Any:
    def handler(scope: Scope, node: ast.Call) -> Value:
        (value,) = _numbers(scope, node, 1)
        text = f"{function}({scope.convert(value, FLOAT)})"
        return scope.temporary(INT, f"to_int(lane, {text}, {scope.site(node, 'the float does not fit in an int')})")

    return handler


def _to_float(kind: Number) -> Any:
    def handler(scope: Scope, node: ast.Call) -> Value:
        (value,) = _numbers(scope, node, 1)
        if value.known:
            return constant(float32(value.constant) if kind == FLOAT32 else float(value.constant))
        return Value(kind, scope.convert(value, kind))

    return handler


def _to_bool(scope: Scope, node: ast.Call) -> Value:
    if len(node.args) != 1:
        raise scope.error("bool needs one argument", node)
    return condition(scope, node.args[0])


def _square_root(scope: Scope, node: ast.Call) -> Value:
    (value,) = _numbers(scope, node, 1)
    site = scope.site(node, "square root of a negative number")
    return scope.temporary(FLOAT, f"square_root(lane, {scope.convert(value, FLOAT)}, {site})")


def _absolute_float(scope: Scope, node: ast.Call) -> Value:
    (value,) = _numbers(scope, node, 1)
    return Value(FLOAT, f"absolute({scope.convert(value, FLOAT)})")


def _length(scope: Scope, node: ast.Call) -> Value:
    value = scope.value(node.args[0]) if len(node.args) == 1 else Value(NOTHING, "")
    if not isinstance(value.type, Sequence):
        raise scope.error("len needs a list", node)
    if value.type.grows:
        scope.program.access_element(scope, "element read", value.type, node)
        return scope.temporary(INT, f"i64({scope.program.slice_of(value)}.size)")
    return Value(INT, f"i64({value.text}.size)")


def _is_instance(scope: Scope, node: ast.Call) -> Value:
    if len(node.args) != 2:
        raise scope.error("isinstance needs an object and a class", node)
    value, classes = scope.value(node.args[0]), scope.value(node.args[1])
    if not isinstance(value.type, Reference) or not isinstance(classes.constant, type):
        raise scope.error("isinstance needs an object and one class", node)
    matching = [one for one in value.type.classes if issubclass(one, classes.constant)]
    if not matching:
        return constant(False)
    exists = f"{id_of(value)} != none"
    if len(matching) == len(value.type.classes):
        return Value(BOOL, f"({exists})") if value.type.nullable else constant(True)
    tags = " || ".join(f"{value.text}.tag == {tag}" for tag in sorted(map(scope.program.tag, matching)))
    return Value(BOOL, f"({exists} && ({tags}))" if value.type.nullable else f"({tags})")


def _random_below(scope: Scope, node: ast.Call) -> Value:
    (value,) = _numbers(scope, node, 1)
    if value.type not in (INT, BOOL):
        raise scope.error(f"random_below needs an int, and this is {value.type}", node)
    site = scope.site(node, "random_below needs a number in 1 .. 2^32 - 1")
    return scope.temporary(INT, f"lane.below({scope.convert(value, INT)}, {site})")


def _random_word(scope: Scope, node: ast.Call) -> Value:
    _numbers(scope, node, 0)
    return scope.temporary(INT, "lane.word()")


def _atomic(name: str) -> Any:
    def handler(scope: Scope, node: ast.Call) -> Value:
        if len(node.args) != 3 or not isinstance(node.args[1], ast.Constant) or not isinstance(node.args[1].value, str):
            raise scope.error(f'write it as: {name}(object, "field", value)', node)
        owner, value = scope.value(node.args[0]), scope.number(node.args[2])
        fields.atomic(scope, owner, node.args[1].value, name, value, node)
        return Value(NOTHING, "")

    return handler


_SPECIAL: dict[Any, Any] = {}  # functions whose translation evaluates the arguments itself


def special(function: Any) -> Any:
    """Registers the translation of calls of that function."""

    def register(handler: Any) -> Any:
        _SPECIAL[function] = handler
        return handler

    return register


_BUILTINS: dict[Any, Any] = {
    min: _extreme("<"),
    max: _extreme(">"),
    abs: _absolute,
    int: _to_int,
    float: _to_float(FLOAT),
    float32: _to_float(FLOAT32),
    bool: _to_bool,
    len: _length,
    isinstance: _is_instance,
    math.sqrt: _square_root,
    math.fabs: _absolute_float,
    math.floor: _rounded("floor"),
    math.ceil: _rounded("ceil"),
    math.trunc: _rounded("trunc"),
    draws.random_below: _random_below,
    draws.random_word: _random_word,
    barrier.synchronize: phases.misplaced,
    atomics.atomic_add: _atomic("atomic_add"),
    atomics.atomic_min: _atomic("atomic_min"),
    atomics.atomic_max: _atomic("atomic_max"),
}
