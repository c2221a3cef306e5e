"""synchronize(): a barrier of all elements of a section (Section 7.2). It cuts the section's method into phases.

Each phase of each tick is a launch, which begins when all elements have ended the one before. So a phase sees what others
have written in earlier phases, and the rules of races.py hold for each phase by itself.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

from .errors import ObjectsError
from .plan import caller
from .source import Source, source_of

#: Draws of a phase in a tick: phase p begins with draw p times this number. All phases together fill 32 bits.
PHASE_DRAWS = 1 << 28
MAX_PHASES = 16
_MISPLACED = (
    "call synchronize() at the top level of the section's method, not in a branch, a loop or a method that it calls"
)


def synchronize() -> None:
    """A barrier: no element of the section goes on before all are here. It also ends each tick of such a method."""
    raise ObjectsError(_MISPLACED, *caller())


def misplaced(scope: Any, node: ast.AST) -> Any:
    raise scope.error(_MISPLACED, node)


def cut(source: Source) -> list[list[ast.stmt]]:
    """The statements of each phase. Raises ObjectsError if a phase needs a variable of an earlier one."""
    parts: list[list[ast.stmt]] = [[]]
    for one in source.tree.body:
        if _is_barrier(source, one):
            parts.append([])
        else:
            parts[-1].append(one)
    if len(parts) > 1:
        _check(source, parts)
    return parts


def _is_barrier(source: Source, statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    path = []
    while isinstance(called, ast.Attribute):
        path.append(called.attr)
        called = called.value
    if not isinstance(called, ast.Name):
        return False
    try:
        value = source.value_of(called.id)
    except KeyError:
        return False
    for name in reversed(path):
        value = getattr(value, name, None)
    if value is synchronize and (statement.value.args or statement.value.keywords):
        raise source.error("synchronize() takes no arguments", statement)
    return value is synchronize


def _check(source: Source, parts: list[list[ast.stmt]]) -> None:
    if len(parts) > MAX_PHASES:
        raise source.error(f"{source.name} has more than {MAX_PHASES - 1} synchronize()", source.tree)
    kept: set[str] = set()
    for part in parts:
        assigned: set[str] = set()
        for name, is_read in _names(part):
            if is_read and name.id in kept and name.id not in assigned:
                problem = f"{name.id} is assigned before synchronize(), after which variables are gone: use a field"
                raise source.error(problem, name)
            assigned |= set() if is_read else {name.id}
        kept |= assigned
        for one in (node for statement in part for node in ast.walk(statement)):
            if isinstance(one, ast.Return):
                raise source.error("return in a method with synchronize(), to which all elements have to come", one)


def _names(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Name, bool]]:
    """The variables in the order in which they are read (True) and assigned."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node, isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Assign):
            yield from _names([node.value, *node.targets])
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                yield node.target, True
            yield from _names([node.value, node.target])
        else:
            yield from _names(ast.iter_child_nodes(node))


# Machine "python"


def functions_of(method: Callable[..., Any]) -> list[Callable[..., Any]]:
    """A function for each phase; the method itself if it has one."""
    if not isinstance(method, FunctionType) or not _may_synchronize(method):
        return [method]
    return _functions(method)


@lru_cache(maxsize=4096)
def _functions(function: FunctionType) -> list[Callable[..., Any]]:
    source = source_of(function)
    parts = cut(source)
    return [function] if len(parts) == 1 else [_made(source, part) for part in parts]


def _may_synchronize(function: FunctionType) -> bool:
    names = function.__code__.co_names
    cells = [one.cell_contents for one in function.__closure__ or ()]
    values = [function.__globals__.get(name) for name in names] + cells
    return "synchronize" in names or any(value is synchronize for value in values)


def _made(source: Source, statements: list[ast.stmt]) -> FunctionType:
    """A function of these statements at their lines, with the function's globals and variables of outer functions."""
    function, outer = source.function, source.function.__code__.co_freevars
    arguments = ast.arguments([], [ast.arg(name) for name in source.parameters], None, [], [], None, [])
    inner = ast.FunctionDef(source.name, arguments, statements or [ast.Pass()], [])
    cells = ast.arguments([], [ast.arg(name) for name in outer], None, [], [], None, [])
    maker = ast.FunctionDef("maker", cells, [inner, ast.Return(ast.Name(source.name, ast.Load()))], [])
    module = ast.parse("")
    module.body = [maker]
    for made_here in (inner, maker):
        if "type_params" in made_here._fields:  # from Python 3.12 on
            setattr(made_here, "type_params", [])
    module = ast.increment_lineno(ast.fix_missing_locations(copy.deepcopy(module)), source.first_line - 1)
    names: dict[str, Any] = {}
    exec(compile(module, source.file, "exec"), function.__globals__, names)
    made: FunctionType = names["maker"](*(one.cell_contents for one in function.__closure__ or ()))
    made.__defaults__ = function.__defaults__
    return made
