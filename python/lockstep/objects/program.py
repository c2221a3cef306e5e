"""The program of a section: methods for the types with which they are called.

Translation infers types and writes text in one pass, which is repeated until no type grows any more.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from types import FunctionType

from . import calls as _calls, expressions as _expressions  # noqa: F401: they register what they translate
from . import phases
from .columns import Columns
from .model import NONE, NOTHING, Reference, Type, join
from .scope import Scope, Unresolved, Value, constant, variable
from .source import Source, source_of
from .statements import body
from .text import Writer, identifier

MAX_DEPTH = 32  # of methods that call themselves: a depth has functions of its own, so a GPU knows the stack it needs
Key = tuple[FunctionType, tuple[Type, ...]]


@dataclass
class Program(Columns):
    in_chain: bool = False  # of pmap, pselect and preduce
    phase: int = 0
    phases: int = 0  # of the section's method
    functions: list[str] = field(default_factory=list)
    is_recursive: bool = False
    prototypes: list[str] = field(default_factory=list)
    _finished: set[Key] = field(default_factory=set)
    _recursive: set[Key] = field(default_factory=set)
    _unresolved: int = 0  # statements that were left out so far
    _returns: dict[Key, Type] = field(default_factory=dict)
    _locals: dict[Key, dict[str, Type]] = field(default_factory=dict)
    _names: dict[Key, str] = field(default_factory=dict)
    _open: list[Key] = field(default_factory=list)

    def begin_round(self) -> None:
        super().begin_round()
        self._finished.update(self._names)
        self.functions, self.prototypes, self._names, self.phases = [], [], {}, 0

    def call(
        self, scope: Scope, function: FunctionType, values: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        source = source_of(function)
        if (self._open or self.in_chain) and phases.barriers(source):
            if self._open:
                phases.misplaced(scope, node)
            raise scope.error(phases.IN_CHAIN, node)
        values = self._bound(scope, source, values, named, node)
        for value in values:
            if value.type == NOTHING:
                raise scope.error(f"{source.name} is given something that a section cannot pass", node, value)
        key = (function, tuple(value.type for value in values))
        if key in self._open:
            return self._call_again(scope, key, values, node)
        if key not in self._names:
            before = self._unresolved
            self._translate(key, source)
            if self._unresolved > before and key not in self._returns and key not in self._finished:
                raise Unresolved
        text = f"{self._names[key]}{'<depth>' * self.is_recursive}({self._passed(values)})"
        result = self._returns.get(key, NOTHING)
        if result == NOTHING:
            scope.writer.line(f"{text};")
            return Value(NOTHING, "")
        return scope.temporary(result, text)

    def _call_again(self, scope: Scope, key: Key, values: list[Value], node: ast.AST) -> Value:
        """A call of a function that is being translated."""
        self.changed |= key not in self._recursive
        self.is_recursive = True
        self._recursive.add(key)
        if key not in self._finished:
            raise Unresolved
        result = self._returns.get(key, NOTHING)
        to = scope.empty_temporary(result) if result != NOTHING else ""
        name = source_of(key[0]).name
        site = scope.site(node, f"{name} calls itself more than {MAX_DEPTH} deep")
        assigned = f"{to} = " if to else ""
        scope.writer.line(f"if constexpr (depth > 0) {assigned}{self._names[key]}<depth - 1>({self._passed(values)});")
        scope.writer.line(f"else lane.fail({site});")
        return Value(result, to)

    @staticmethod
    def _passed(values: list[Value]) -> str:
        return ", ".join(["a", "lane", *(value.text for value in values)])

    def leave_out(self) -> None:
        """Notes that a statement waits for the type of a result."""
        self._unresolved += 1
        self.changed = True

    def _bound(
        self, scope: Scope, source: Source, values: list[Value], named: dict[str, Value], node: ast.AST
    ) -> list[Value]:
        names = source.parameters
        given = dict(zip(names, values))
        if len(values) > len(names) or any(name in given or name not in names for name in named):
            raise scope.error(f"{source.name} has the parameters {', '.join(names)}", node)
        defaults = source.function.__defaults__ or ()
        known = {name: constant(value) for name, value in zip(names[len(names) - len(defaults) :], defaults)}
        known = {name: value for name, value in known.items() if value.text}
        known.update(given)
        known.update(named)
        for name in names:
            if name not in known:
                raise scope.error(f"{source.name} is called without {name}", node)
        return [known[name] for name in names]

    def _translate(self, key: Key, source: Source) -> None:
        first = key[1][0] if key[1] else NOTHING
        of = f"{'_'.join(sorted(one.__name__ for one in first.classes))}_" if isinstance(first, Reference) else ""
        self._names[key] = identifier("m", len(self._names), of + source.name)
        types = dict(zip(source.parameters, key[1]))
        variables = self._locals.setdefault(key, dict(types))
        scope = Scope(self, source, variables, Writer(), set(types))
        scope.writer.depth = 1
        statements = source.tree.body if self._open else self._phase_of(source)
        self._open.append(key)
        if not body(scope, statements):
            scope.falls_through = True
        self._open.pop()
        self._finish(key, source, scope, types)

    def _phase_of(self, source: Source) -> list[ast.stmt]:
        """The statements of this phase of the section's method, which has as many phases in every class."""
        parts = phases.cut(source)
        if self.phases not in (0, len(parts)):
            problem = f"{source.name} has {len(parts) - 1} synchronize(), and that of another class {self.phases - 1}"
            raise source.error(problem, source.tree)
        self.phases = len(parts)
        return parts[self.phase]

    def result_type(self, scope: Scope) -> Type:
        return join(self._returns.get(self._open[-1], NOTHING), scope.returned)

    def _finish(self, key: Key, source: Source, scope: Scope, types: dict[str, Type]) -> None:
        result = scope.returned
        nothing = "return;"
        if result != NOTHING and scope.falls_through:
            if not isinstance(result, Reference):
                raise scope.error(f"{source.name} returns {result} on some paths only", source.tree)
            result = join(result, NONE)
            nothing = f"return {scope.convert(Value(NONE, 'none'), result)};"
        if result != self._returns.get(key, NOTHING):
            self._returns[key] = result
            self.changed = True
        writer = Writer()
        parameters = ["Arguments const& a", "Element& lane"]
        inner: list[str] = []
        for name, kind in scope.locals.items():
            cpp_name = variable(name)
            if name in types and kind.cpp == types[name].cpp:
                parameters.append(f"{kind.cpp} {cpp_name}")
            elif name in types:
                parameters.append(f"{types[name].cpp} p_{name}")
                inner.append(f"{kind.cpp} {cpp_name} = {scope.convert(Value(types[name], f'p_{name}'), kind)};")
            else:
                inner.append(f"{kind.cpp} {cpp_name}{{}};")
        head = f"__device__ inline {result.cpp} {self._names[key]}({', '.join(parameters)})"
        if self.is_recursive:
            head = f"template <u32 depth>\n{head}"
        if key in self._recursive:
            # Inlined into one another, the functions of all depths would be exponentially large.
            head = head.replace("__device__ inline", "LOCKSTEP_NOINLINE __device__")
            self.prototypes.append(f"{head};")
        with writer.block(head):
            for line in inner:
                writer.line(line)
            writer.lines.extend(line.replace("RETURN_NOTHING", nothing) for line in scope.writer.lines)
            if nothing != "return;":
                writer.line(nothing)
        self.functions.append(writer.text())
