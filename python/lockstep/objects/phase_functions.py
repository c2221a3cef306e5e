"""The functions of the phases of a method, for machine "python"."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from .barrier import synchronize
from .phases import barriers, cut, parts_of, variables_of
from .source import nonlocals_of, parsed, source_of


def functions_of(method: Callable[..., Any]) -> list[Callable[..., Any]]:
    """A function for each phase, with the method's globals, defaults and variables of outer functions; the method
    itself if it has one phase."""
    if not synchronizes(method):
        return [method]
    assert isinstance(method, FunctionType)
    source = source_of(method)
    cut(source)
    cells = dict(zip(method.__code__.co_freevars, method.__closure__ or ()))
    return [
        FunctionType(
            code,
            method.__globals__,
            method.__name__,
            method.__defaults__,
            tuple(cells[name] for name in code.co_freevars),
        )
        for code in _codes(method.__code__, source.file, barriers(source))
    ]


def synchronizes(method: Callable[..., Any]) -> bool:
    return isinstance(method, FunctionType) and _may_synchronize(method) and bool(barriers(source_of(method)))


def _may_synchronize(function: FunctionType) -> bool:
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names] + list(nonlocals_of(function).values())
    return "synchronize" in names or any(value is synchronize for value in values)


@lru_cache(maxsize=4096)
def _codes(code: CodeType, file: str, between: tuple[int, ...]) -> list[CodeType]:
    """The code of each phase, at the lines of its statements."""
    tree, first_line, _ = parsed(code, file)
    own = sorted(name for name in variables_of(code) - {one.arg for one in tree.args.args} if name.isidentifier())
    return [_code(code, tree, [*part, *map(_declared, own)], file, first_line) for part in parts_of(tree, between)]


def _code(code: CodeType, tree: ast.FunctionDef, statements: list[ast.stmt], file: str, first_line: int) -> CodeType:
    """The code of a function of these statements within one that has the variables of the outer functions."""
    inner = ast.FunctionDef(tree.name, _arguments([one.arg for one in tree.args.args]), statements or [ast.Pass()], [])
    maker = ast.FunctionDef("maker", _arguments(code.co_freevars), [inner], [])
    module = ast.parse("")
    module.body = [maker]
    for made_here in (inner, maker):
        if "type_params" in made_here._fields:  # from Python 3.12 on
            setattr(made_here, "type_params", [])
    module = ast.increment_lineno(ast.fix_missing_locations(copy.deepcopy(module)), first_line - 1)
    found: CodeType = compile(module, file, "exec")
    for _ in (maker, inner):
        found = next(one for one in found.co_consts if isinstance(one, CodeType))
    return found.replace(co_qualname=code.co_qualname)


def _arguments(names: Iterable[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _declared(name: str) -> ast.stmt:
    """`name: None` makes it a variable of the function, also of a phase that does not assign it."""
    return ast.AnnAssign(ast.Name(name, ast.Store()), ast.Constant(None), None, 1)
