"""Writes the text of a program line by line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager


def identifier(prefix: str, number: int, name: str) -> str:
    """A C++ name that is unique by its number. Characters that C++ does not know become underscores."""
    return f"{prefix}{number}_" + re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def comment(text: str) -> str:
    """A text that is harmless in a comment to the end of a line, for people."""
    return re.sub(r"[^A-Za-z0-9_ .,:()=+*<>\[\]'-]", ".", text)[:100].rstrip()


class Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text if text else "")

    @contextmanager
    def block(self, head: str, end: str = "}") -> Iterator[None]:
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line(end)

    @contextmanager
    def capture(self) -> Iterator[list[str]]:
        """Collects the lines written meanwhile, instead of writing them."""
        before, self.lines = self.lines, []
        captured = self.lines
        self.depth += 1
        try:
            yield captured
        finally:
            self.depth -= 1
            self.lines = before

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


#: What users write for a node of Python's syntax tree. Statements that are not here have the node's name in lower case.
_WRITTEN = {
    "AsyncFunctionDef": "async",
    "ClassDef": "a class in a method",
    "Delete": "del",
    "FunctionDef": "def in a method",
    "Import": "import",
    "ImportFrom": "import",
    "TryStar": "except*",
    "TypeAlias": "type",
    # Expressions
    "Dict": "a dict",
    "DictComp": "a comprehension",
    "FormattedValue": "an f-string",
    "GeneratorExp": "a generator",
    "JoinedStr": "an f-string",
    "Lambda": "a lambda",
    "ListComp": "a comprehension",
    "NamedExpr": "an assignment expression (:=)",
    "Set": "a set",
    "SetComp": "a comprehension",
    "Slice": "a slice",
    "Starred": "an expression with *",
    "Tuple": "a tuple",
    "Yield": "a yield expression",
    "YieldFrom": "a yield expression",
    # Operators
    "Add": "+",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "Div": "/",
    "Eq": "==",
    "FloorDiv": "//",
    "Gt": ">",
    "GtE": ">=",
    "In": "in",
    "Is": "is",
    "IsNot": "is not",
    "LShift": "<<",
    "Lt": "<",
    "LtE": "<=",
    "MatMult": "@",
    "Mod": "%",
    "Mult": "*",
    "NotEq": "!=",
    "NotIn": "not in",
    "Pow": "**",
    "RShift": ">>",
    "Sub": "-",
}


def written(node: ast.AST) -> str:
    name = type(node).__name__
    return _WRITTEN.get(name, name.lower())
