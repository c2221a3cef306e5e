"""The syntax trees of functions, with the places of their lines."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from .errors import ObjectsError


@dataclass(frozen=True)
class Source:
    function: FunctionType
    tree: ast.FunctionDef
    file: str
    first_line: int
    lines: tuple[str, ...]
    nonlocals: dict[str, Any] = field(default_factory=dict, compare=False)  # those that have a value

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def parameters(self) -> list[str]:
        return [one.arg for one in self.tree.args.args]

    def error(self, problem: str, node: ast.AST) -> ObjectsError:
        return ObjectsError(problem, self.file, self.line_of(node))

    def line_of(self, node: ast.AST) -> int:
        return self.first_line + getattr(node, "lineno", 1) - 1

    def text_of(self, node: ast.AST) -> str:
        """The line of the source where the node begins, for a comment."""
        number = getattr(node, "lineno", 1) - 1
        return self.lines[number].strip() if number < len(self.lines) else ""

    def value_of(self, name: str) -> Any:
        """The value of a global or closure name. Raises KeyError if it has none."""
        if name in self.function.__code__.co_freevars:
            return self.nonlocals[name]
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        builtins = self.function.__globals__["__builtins__"]
        return (builtins if isinstance(builtins, dict) else vars(builtins))[name]


def source_of(function: FunctionType) -> Source:
    """The source of a function that `def` made. Raises ObjectsError if there is none that a section can use."""
    file = function.__code__.co_filename
    tree, first_line, lines = parsed(function.__code__, file)
    return Source(function, tree, file, first_line, lines, nonlocals_of(function))


def nonlocals_of(function: FunctionType) -> dict[str, Any]:
    """The variables of outer functions that have a value."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:  # it has none yet, or not any more
            continue
    values.pop("__class__", None)  # for super()
    return values


@lru_cache(maxsize=4096)
def parsed(code: CodeType, file: str) -> tuple[ast.FunctionDef, int, tuple[str, ...]]:
    """The tree of a function, and the number and the texts of its lines.

    `file` is the code's. It is an argument because codes of equal lines in two files are equal.
    """
    line = code.co_firstlineno
    try:
        lines, first_line = inspect.getsourcelines(code)
    except (OSError, TypeError) as error:
        raise ObjectsError(f"the source of {code.co_name} is not available ({error})", file, line) from None
    if code.co_name == "<lambda>":
        raise ObjectsError("a lambda cannot run in a section: write it as a function with def", file, line)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ObjectsError(f"{code.co_name} cannot run in a section: it is not a plain def", file, line)
    arguments = tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise ObjectsError(f"{code.co_name} has * or / parameters (a section passes plain ones)", file, line)
    return _Private(class_of(code)).visit(tree), first_line, tuple(lines)


def class_of(code: CodeType) -> str:
    """The name of the innermost class around a function, or nothing."""
    for within in reversed(code.co_qualname.split(".<locals>.")):
        name: str = within.rpartition(".")[0].rpartition(".")[2]
        if name:
            return name
    return ""


class _Private(ast.NodeTransformer):
    """Gives private names the name of their class, as the compiler does: __x in class A is _A__x."""

    def __init__(self, of: str) -> None:
        self._prefix = f"_{of.lstrip('_')}" if of.strip("_") else ""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for key in ("id", "attr", "arg"):  # of variables, fields, parameters and named arguments
            name = getattr(node, key, None)
            if self._prefix and isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(node, key, self._prefix + name)
        return super().generic_visit(node)
