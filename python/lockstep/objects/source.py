"""The syntax trees of functions, with the places of their lines."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any

from .errors import ObjectsError


@dataclass(frozen=True)
class Source:
    function: FunctionType
    tree: ast.FunctionDef
    file: str
    first_line: int
    lines: tuple[str, ...]
    owner: type | None = None  # the class whose method it is
    nonlocals: dict[str, Any] = field(default_factory=dict, compare=False)

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
        """The value of a global or closure name. Raises KeyError."""
        if name in self.nonlocals:
            return self.nonlocals[name]
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        builtins = self.function.__globals__["__builtins__"]
        return (builtins if isinstance(builtins, dict) else vars(builtins))[name]


def source_of(function: FunctionType, owner: type | None = None) -> Source:
    """The source of a function that `def` made. Raises ObjectsError if there is none that a section can use."""
    parsed = _parsed(function.__code__)
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    closure = {name: cell.cell_contents for name, cell in zip(names, cells) if name != "__class__"}
    tree, file, first_line, lines = parsed
    return Source(function, tree, file, first_line, lines, owner, closure)


@lru_cache(maxsize=4096)
def _parsed(code: Any) -> tuple[ast.FunctionDef, str, int, tuple[str, ...]]:
    file, line = code.co_filename, code.co_firstlineno
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
    return tree, file, first_line, tuple(lines)
