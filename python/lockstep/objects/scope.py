"""The translation of one function for one combination of parameter types: its variables, temporaries and places."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from .errors import ObjectsError
from .model import BOOL, FLOAT, FLOAT32, INT, NOTHING, Conflict, Number, Reference, Sequence, Type, join
from .source import Source
from .text import Writer, comment, identifier, written

if TYPE_CHECKING:
    from .program import Program


class Unresolved(Exception):
    """A method calls itself, and the type of its result is not known yet. A later round knows it."""


class _Unknown:
    """Marks a value that is known only when the section runs."""


UNKNOWN = _Unknown()


@dataclass(frozen=True)
class Value:
    """The C++ text of an expression without side effects, and its type. Modules, classes and functions have no text."""

    type: Type
    text: str
    constant: Any = UNKNOWN
    untyped: str = ""  # why it has no type, for messages

    @property
    def known(self) -> bool:
        return self.constant is not UNKNOWN


Handler = Callable[["Scope", Any], Value]
HANDLERS: dict[type[ast.expr], Handler] = {}


def translates(*nodes: type[ast.expr]) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for node in nodes:
            HANDLERS[node] = handler
        return handler

    return register


def constant(value: Any) -> Value:
    """A number, or something without a text: a module, a class, a function."""
    if isinstance(value, bool):
        return Value(BOOL, "true" if value else "false", value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise Conflict(f"{value} does not fit in 64 bits")
        text = f"i64({int(value)})" if value != -(2**63) else "(-i64(9223372036854775807) - 1)"
        return Value(INT, text, int(value))
    if isinstance(value, float):
        single = type(value).__name__ == "float32"
        if value - value != 0:  # infinite or not a number
            text = "infinity()" if value > 0 else "(-infinity())" if value < 0 else "not_a_number()"
        else:
            text = float(value).__repr__()
        return Value(FLOAT32 if single else FLOAT, f"static_cast<float>({text})" if single else text, value)
    return Value(NOTHING, "", value)


@dataclass
class Scope:
    program: Program
    source: Source
    locals: dict[str, Type]  # grow from one round of the inference to the next
    writer: Writer
    assigned: set[str] = field(default_factory=set)  # variables that surely have a value here
    narrowed: dict[str, Type] = field(default_factory=dict)  # by the tests around this place
    returned: Type = NOTHING
    falls_through: bool = False
    loops: int = 0
    temporaries: int = 0

    def value(self, node: ast.expr) -> Value:
        handler = HANDLERS.get(type(node))
        if handler is None:
            raise self.error(f"{written(node)} is not in the subset that a section can run", node)
        try:
            return handler(self, node)
        except Conflict as conflict:
            raise self.error(str(conflict), node) from None

    def number(self, node: ast.expr) -> Value:
        """The value of an expression that must be a number."""
        value = self.value(node)
        if not isinstance(value.type, Number):
            raise self.error(
                f"a number is needed, and this is {value.type or type(value.constant).__name__}", node, value
            )
        return value

    def error(self, problem: str, node: ast.AST, *values: Value) -> ObjectsError:
        """An error here. If one of the values has no type, the reason for this is the problem."""
        return self.source.error(next((one.untyped for one in values if one.untyped), problem), node)

    def site(self, node: ast.AST, reason: str) -> int:
        """The number by which a running section reports that `reason` happened here."""
        return self.program.site(self.source.file, self.source.line_of(node), reason)

    # Variables

    def temporary(self, kind: Type, text: str) -> Value:
        """Evaluates the text here, once: what follows may change what it reads."""
        self.temporaries += 1
        self.writer.line(f"{kind.cpp} const t{self.temporaries} = {text};")
        return Value(kind, f"t{self.temporaries}")

    def counter(self) -> str:
        """The name of the counter of a loop."""
        self.temporaries += 1
        return f"k{self.temporaries}"

    def empty_temporary(self, kind: Type) -> str:
        self.temporaries += 1
        self.writer.line(f"{kind.cpp} t{self.temporaries}{{}};")
        return f"t{self.temporaries}"

    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        if value.type == NOTHING:
            raise self.error(f"{name} is assigned something without a value", node, value)
        before = self.locals.get(name, NOTHING)
        try:
            after = join(before, value.type)
        except Conflict as conflict:
            raise self.error(f"the variable {name} would hold two types: {conflict}", node) from None
        if after != before:
            self.locals[name] = after
            self.program.changed = True
        self.narrowed.pop(name, None)
        self.writer.line(f"{variable(name)} = {self.convert(value, after)};")
        self.assigned.add(name)

    def returns(self, kind: Type, node: ast.AST) -> None:
        try:
            self.returned = join(self.returned, kind)
        except Conflict as conflict:
            raise self.error(f"{self.source.name} would return two types: {conflict}", node) from None

    # Conversions

    def convert(self, value: Value, to: Type) -> str:
        """The text of the value as the wider type."""
        if isinstance(value.type, Number) and isinstance(to, Number):
            return value.text if value.type == to else f"static_cast<{to.cpp}>({value.text})"
        if isinstance(value.type, Reference) and isinstance(to, Reference):
            return self._converted_reference(value.text, value.type, to)
        if isinstance(value.type, Sequence) and isinstance(to, Sequence):
            return value.text
        if value.type == NOTHING:
            return f"{to.cpp}{{}}"
        raise Conflict(f"{value.type} instead of {to}")

    def _converted_reference(self, text: str, of: Reference, to: Reference) -> str:
        if of.unique == to.unique:
            return text
        if to.unique:
            return f"{text}.id"
        tag = self.program.tag(next(iter(of.classes))) if of.classes else "0"
        return f"Ref{{{tag}, {text}}}"

    def truth(self, value: Value, node: ast.AST) -> Value:
        """The value as a condition."""
        if value.known and isinstance(value.type, Number):
            return constant(bool(value.constant))
        if value.type == BOOL:
            return value
        if isinstance(value.type, Number):
            return Value(BOOL, f"({value.text} != 0)")
        if isinstance(value.type, Sequence):
            if value.type.grows:
                self.program.access_element(self, "element read", value.type, node)
            return Value(BOOL, f"({self.program.slice_of(value)}.size != 0)")
        if isinstance(value.type, Reference):
            for one in value.type.classes:
                if hasattr(one, "__bool__") or hasattr(one, "__len__"):
                    raise self.error(f"{one.__name__} has its own __bool__ or __len__: use is not None", node)
            return Value(BOOL, f"({id_of(value)} != none)") if value.type.nullable else constant(True)
        raise self.error("a condition is needed", node, value)

    # Blocks

    @contextmanager
    def narrowing(self, types: dict[str, Type]) -> Iterator[None]:
        """Within a branch, variables have the types that its condition proves."""
        before = dict(self.narrowed)
        self.narrowed.update(types)
        inside = set(self.narrowed)
        yield
        assigned = inside - set(self.narrowed)  # an assignment ends what a condition proved
        self.narrowed = {name: kind for name, kind in before.items() if name not in assigned}

    def say(self, node: ast.AST) -> None:
        self.writer.line(f"// {comment(self.source.text_of(node))}")


def variable(name: str) -> str:
    return f"v_{name}" if name.isascii() else identifier("v", sum(map(ord, name)), name.encode("punycode").decode())


def id_of(value: Value) -> str:
    """The id in a reference."""
    return value.text if isinstance(value.type, Reference) and value.type.unique else f"{value.text}.id"
