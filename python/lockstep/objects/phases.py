"""synchronize(): a barrier of all elements of a section (Section 7.2). It cuts the section's method into phases.

Each phase of each tick is a launch, which begins when all elements have ended the one before. So a phase sees what
others have written in earlier phases, and the rules of races.py hold for each phase by itself. The rule that a part
belongs to one element holds for all phases together (launches.py).
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from .barrier import MISPLACED, synchronize
from .early_reads import early_reads
from .source import Source
from .text import written

#: Draws of a phase in a tick: phase p begins with draw p times this number. All phases together fill 32 bits.
PHASE_DRAWS = 1 << 28
MAX_PHASES = 16
IN_CHAIN = "synchronize() in a chain, whose elements do not wait for one another"


def misplaced(scope: Any, node: ast.AST) -> Any:
    raise scope.error(MISPLACED, node)


def cut(source: Source) -> list[list[ast.stmt]]:
    """The statements of each phase. Raises ObjectsError if a phase needs a variable of an earlier one."""
    parts = parts_of(source.tree, barriers(source))
    if len(parts) > 1:
        _check(source, parts)
    return parts


def barriers(source: Source) -> tuple[int, ...]:
    """Which statements of the function are barriers."""
    return tuple(at for at, one in enumerate(source.tree.body) if _is_barrier(source, one))


def parts_of(tree: ast.FunctionDef, barriers: tuple[int, ...]) -> list[list[ast.stmt]]:
    return [tree.body[first:end] for first, end in zip([0, *(at + 1 for at in barriers)], [*barriers, len(tree.body)])]


def _is_barrier(source: Source, statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    path = []
    while isinstance(called, ast.Attribute):
        path.append(called.attr)
        called = called.value
    if not isinstance(called, ast.Name) or called.id in variables_of(source.function.__code__):
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
    variables, before = variables_of(source.function.__code__), set[str]()  # that earlier phases assign
    for part in parts:
        for name in early_reads(part, before):
            problem = f"variables do not keep their values across synchronize(): use a field instead of {name.id}"
            raise source.error(problem, name)
        for one in (node for statement in part for node in ast.walk(statement)):
            if isinstance(one, ast.Return):
                raise source.error("return in a method with synchronize(), to which all elements have to come", one)
            if isinstance(one, (ast.Global, ast.Nonlocal)):
                raise source.error(f"{written(one)} is not in the subset that a section can run", one)
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load) and one.id in variables:
                before.add(one.id)


def variables_of(code: CodeType) -> set[str]:
    """The names that the function assigns, and its parameters."""
    return {*code.co_varnames, *code.co_cellvars}
