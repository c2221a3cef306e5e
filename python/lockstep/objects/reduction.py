"""The function that reduces the values of a section (preduce)."""

from __future__ import annotations

import ast

from .calls import apply
from .errors import ObjectsError
from .expressions import operation
from .model import BOOL, Number
from .plan import FOLDED, Plan, place_of
from .columns import Member
from .program import Program
from .scope import Scope, Value
from .text import Writer


def fold_function(plan: Plan, program: Program) -> str:
    """Reduces FOLDED consecutive values, in their order, into one; jobs of the next level reduce these."""
    kind = plan.result
    if not isinstance(kind, Number):
        raise ObjectsError(f"preduce needs numbers, and these are {kind}", plan.file, plan.line)
    writer = Writer()
    scope = Scope(program, place_of(plan), {}, writer)
    for name, cpp in (("values", f"{kind.cpp} const*"), ("marks", "u8 const*"), ("count", "u64")):
        program.members[name] = Member(cpp, (name,))
    for name, cpp in (("folded", f"{kind.cpp}*"), ("folded_marks", "u8*")):
        program.members[name] = Member(cpp, (name,))
    with writer.block("__device__ inline void fold(Arguments const& a, u64 job)"):
        writer.line("Element lane(a, job);")
        writer.line(f"{kind.cpp} sum{{}};")
        writer.line("u8 any = 0;")
        writer.line(f"u64 const first = job * {FOLDED};")
        writer.line(f"u64 const end = first + {FOLDED} < a.count ? first + {FOLDED} : a.count;")
        with writer.block("for (u64 i = first; i < end; ++i)"):
            writer.line("if (a.marks != nullptr && a.marks[i] == 0) continue;")
            writer.line(f"{kind.cpp} const value = a.values[i];")
            with writer.block("if (any == 0)"):
                writer.line("sum = value;")
                writer.line("any = 1;")
                writer.line("continue;")
            result = _combine(plan, scope, Value(kind, "sum"), Value(kind, "value"))
            writer.line(f"sum = {scope.convert(result, kind)};")
        writer.line("a.folded[job] = sum;")
        writer.line("a.folded_marks[job] = any;")
    return writer.text()


_OPERATORS: dict[str, ast.operator] = {"+": ast.Add(), "*": ast.Mult()}


def _combine(plan: Plan, scope: Scope, first: Value, second: Value) -> Value:
    node = ast.Pass()
    if plan.reducer in ("min", "max"):
        return Value(first.type, f"({second.text} {'<' if plan.reducer == 'min' else '>'} {first.text} ? value : sum)")
    if isinstance(plan.reducer, str):
        if plan.reducer not in _OPERATORS or first.type == BOOL:
            raise scope.error("preduce takes +, *, min, max (of numbers), or a function of two values", node)
        return operation(scope, _OPERATORS[plan.reducer], first, second, node)
    assert plan.reducer is not None
    result = apply(scope, plan.reducer, first, [second], node)
    if result.type != first.type:
        raise scope.error(f"the function of preduce returns {result.type}, and its arguments are {first.type}", node)
    return result
