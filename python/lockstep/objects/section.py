"""A section: what is done for every element of an array, as one program that is compiled at run time."""

from __future__ import annotations

import ast
from typing import Any

from . import nested
from .array_type import peach
from .calls import apply, special
from .errors import ObjectsError
from .model import NOTHING, Conflict, Reference, Sequence, Type
from .phases import PHASE_DRAWS
from .plan import Plan, Stage, place_of
from .columns import Member, stored_parts
from .program import MAX_DEPTH, Program
from .races import check_accesses
from .reduction import fold_function
from .scope import Scope, Unresolved, Value
from .text import Writer, comment
from .world import World


special(peach)(nested.translate)


def translate(plan: Plan, world: World, tags: dict[type, int]) -> Program:
    """Infers all types and writes plan.text. Raises ObjectsError."""
    try:
        plan.element_type = _as_own(world.base(plan.elements))
    except Conflict as conflict:
        raise ObjectsError(f"the array cannot be in a section: {conflict}", plan.file, plan.line) from None
    program = Program(world, tags, in_chain=not plan.writes, phase=plan.phase)
    while True:
        before = world.version
        program.begin_round()
        try:
            functions = [_element_function(plan, program)]
            if plan.reducer is not None:
                functions.append(fold_function(plan, program))
        except Unresolved:
            program.leave_out()
        if not program.changed and world.version == before:
            break
    check_accesses(program.accesses)
    if program.phases > 1 and (program.made or program.grown):
        problem = "a method with synchronize() makes objects or changes the length of lists: use a section for each"
        raise ObjectsError(problem, plan.file, plan.line)
    if not plan.writes:
        if program.made:
            name = next(iter(program.made)).__name__
            problem = f"{name}() makes an object in a chain, which runs when it is read: use peach"
            raise ObjectsError(problem, plan.file, plan.line)
        _refuse_writes(program)
    plan.text = _text(program, functions)
    return program


def _as_own(kind: Type) -> Type:
    return Reference(kind.classes, kind.nullable, own=True) if isinstance(kind, Reference) else kind


def _refuse_writes(program: Program) -> None:
    """Chains may run again when they are read, so they change nothing."""
    for one in program.accesses:
        if one.kind not in ("read", "element read"):
            raise ObjectsError(
                f"{one.name} is written in a chain of pmap, pselect and preduce, which runs when it is read: use peach",
                one.file,
                one.line,
            )


def _text(program: Program, functions: list[str]) -> str:
    writer = Writer()
    writer.line("namespace lockstep::object_layout::LOCKSTEP_MACHINE {")
    for one, tag in program.tags.items():
        writer.line(f"// class tag {tag}: {comment(one.__name__)}")
    with writer.block("struct Arguments : Section", "};"):
        for name, member in program.members.items():
            writer.line(f"alignas(8) {member.cpp} {name};")
    with writer.block("struct Element : Lane", "};"):
        writer.line("using Lane::Lane;")
        for field_ in program.own_fields():
            for part, cpp in stored_parts(field_.kind):
                writer.line(f"{cpp} {field_.storage}{part}{{}};")
    if program.is_recursive:
        writer.line(f"inline constexpr u32 depth = {MAX_DEPTH};  // of calls by methods of themselves")
    for text in [*program.prototypes, *program.functions, *functions]:
        writer.line(text)
    writer.line("}")
    return writer.text()


# The function of one element (Figure 7: block)


def _element_function(plan: Plan, program: Program) -> str:
    writer = Writer()
    with writer.block("__device__ inline void element(Arguments const& a, u64 job)"):
        writer.line("u32 const position = a.order == nullptr ? static_cast<u32>(job) : a.order[job];")
        writer.line("if (position == none) return;  // an idle lane at the end of a class")
        value = _base_element(plan, program, writer)
        with writer.capture() as ticks, writer.block("for (i64 tick = 0; tick < a.ticks; ++tick)"):
            first_draw = f", {PHASE_DRAWS * plan.phase}" if plan.phase > 0 else ""
            writer.line(f"lane.begin(a.first_tick + tick{first_draw});")
            for number, stage in enumerate(plan.stages):
                value = _stage(plan, program, writer, number, stage, value)
            if not plan.writes:
                _store_result(plan, program, writer, value)
            writer.line("if (lane.failed) return;")
        writer.line("Element lane(a, position);")
        _move_own_fields(plan, program, writer, "load")
        writer.lines.extend(line[4:] for line in ticks)
        _move_own_fields(plan, program, writer, "store")
    return writer.text()


def _move_own_fields(plan: Plan, program: Program, writer: Writer, which: str) -> None:
    """Loads the fields of the element that the section writes into registers before all ticks, or stores them after."""
    kind = plan.element_type
    if not isinstance(kind, Reference):
        return
    for field_ in program.own_fields():
        classes = kind.classes & (field_.uses if which == "load" else field_.writes)
        at = "base" if kind.unique else "base.id"
        moves = [
            f"lane.{name} = a.{name}[{at}];" if which == "load" else f"a.{name}[{at}] = lane.{name};"
            for name in (field_.storage + part for part, _ in stored_parts(field_.kind))
        ]
        if classes != kind.classes:
            tags = " || ".join(f"base.tag == {tag}" for tag in sorted(map(program.tag, classes)))
            moves = [f"if ({tags}) {move}" for move in moves]
        for move in moves:
            writer.line(move)


def _base_element(plan: Plan, program: Program, writer: Writer) -> Value:
    kind = plan.element_type
    if isinstance(kind, Sequence) or kind == NOTHING:
        raise ObjectsError(f"the elements of an array are objects or numbers, not {kind}", plan.file, plan.line)
    if isinstance(kind, Reference) and kind.nullable:
        raise ObjectsError("an element of the array is None", plan.file, plan.line)
    for part, cpp in stored_parts(kind):
        program.members[f"base{part}"] = Member(f"{cpp} const*", ("base", part))
    read = [f"a.base{part}[job]" for part, _ in stored_parts(kind)]
    writer.line(f"{kind.cpp} const base = {read[0] if len(read) == 1 else 'Ref{' + ', '.join(read) + '}'};")
    return Value(kind, "base")


def _stage(plan: Plan, program: Program, writer: Writer, number: int, stage: Stage, value: Value) -> Value:
    source = place_of(stage)
    node = ast.Pass()
    scope = Scope(program, source, {}, writer, temporaries=100 * number)
    arguments = [_argument(plan, program, scope, f"x{number}_{i}", one, node) for i, one in enumerate(stage.arguments)]
    writer.line(f"// {stage.kind} {comment(stage.name)}")
    result = apply(scope, stage.method, value, arguments, node)
    if stage.kind == "peach":
        return value
    if result.type == NOTHING:
        raise scope.error(f"{stage.kind} needs a method that returns something", node)
    if stage.kind == "pselect":
        truth = scope.truth(result, node)
        program.members["kept"] = Member("u8*", ("kept",))
        with writer.block(f"if (!{truth.text})"):
            writer.line("a.kept[position] = 0;")
            writer.line("return;")
        return value
    return result


def _argument(plan: Plan, program: Program, scope: Scope, name: str, given: Any, node: ast.AST) -> Value:
    """A lexical variable: its value is an argument of the kernel, so that other values need no other program."""
    try:
        kind = program.world.type_of([given], (None, name))
    except Conflict as conflict:
        raise scope.error(f"an argument cannot be in a section: {conflict}", node) from None
    plan.argument_types[name], plan.arguments[name] = kind, given
    program.members[name] = Member(kind.cpp, ("argument", name))
    return Value(kind, f"a.{name}")


def _store_result(plan: Plan, program: Program, writer: Writer, value: Value) -> None:
    if isinstance(value.type, Sequence):
        raise ObjectsError("a section cannot return lists", plan.file, plan.line)
    plan.result = value.type
    for (part, cpp), (name, text) in zip(stored_parts(value.type), program.parts("result", value.type, value.text)):
        program.members[name] = Member(f"{cpp}*", ("result", part))
        writer.line(f"a.{name}[position] = {text};")
    if plan.selects:
        writer.line("a.kept[position] = 1;")
