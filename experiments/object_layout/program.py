"""Figures 1, 2, 3 and 7 of the paper, which show programs: read from the sources that do the same here."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from experiments.object_layout.town import read_town
from plots.catalog import ROOT
from plots.diagram import Arrow, Box, Contents, Diagram
from plots.errors import NotTestable
from plots.source_table import Passage, SourceTable, source_text

TOWN = "examples/object_layout/town.txt"
CLASSES = "examples/object_layout/traffic.py"
#: The classes of the figure, and where they are.
CLASS_PLACES = {"Agent": (1.35, 0.5), "Street": (3.2, 0.5), "Car": (0.75, 1.6), "Pedestrian": (2.05, 1.6)}
#: The stages of the paper's architecture: place, what the paper does, what is done here, and the file.
STAGES = (
    ((0.8, 0.42), "Parallel section", "peach, pmap, ...", "python/lockstep/objects/array_type.py"),
    ((2.15, 0.42), "Type inference", "and translation", "python/lockstep/objects/program.py"),
    ((2.15, 1.2), "Object tracer", "types of fields", "python/lockstep/objects/world.py"),
    ((3.58, 0.42), "Generate CUDA", "switch over tags", "python/lockstep/objects/fields.py"),
    ((3.58, 1.98), "Compile (nvcc)", "NVRTC, with a cache", "harness/jit/nvrtc.cpp"),
    ((0.8, 1.98), "Transfer data, run", "only columns in use", "python/lockstep/objects/execute.py"),
)
#: Pairs of stages, as in the paper's figure. The tracer and type inference use each other's results.
FLOW = ((0, 1), (1, 3), (3, 4), (1, 2), (2, 1), (4, 5))


@dataclass(frozen=True)
class ModelClass:
    name: str
    base: str
    fields: tuple[tuple[str, str], ...]  # type and name
    methods: tuple[str, ...]


def model_classes() -> dict[str, ModelClass]:
    """The classes of the simulation in Python."""
    found = {
        one.name: _model_class(one) for one in ast.parse(source_text(CLASSES)).body if isinstance(one, ast.ClassDef)
    }
    missing = [name for name in CLASS_PLACES if name not in found]
    if missing:
        raise NotTestable(f"{CLASSES} has no class {missing[0]}")
    return {name: found[name] for name in CLASS_PLACES}


def _model_class(node: ast.ClassDef) -> ModelClass:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    fields = {
        one.target.id: ast.unparse(one.annotation)
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    for method in methods:
        if method.name == "__init__":
            for name, kind in _assigned_fields(method):
                fields.setdefault(name, kind)
    base = next((ast.unparse(one) for one in node.bases), "")
    names = tuple(method.name for method in methods if method.name != "__init__")
    return ModelClass(node.name, base, tuple((kind, name) for name, kind in fields.items()), names)


def _assigned_fields(method: ast.FunctionDef) -> list[tuple[str, str]]:
    """Fields that a method assigns, with the types of its annotations."""
    kinds = {one.arg: ast.unparse(one.annotation) for one in method.args.args if one.annotation is not None}
    found = []
    for statement in method.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Attribute):
            found.append((statement.target.attr, ast.unparse(statement.annotation)))
        if isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
            both = (
                (target.elts, value.elts)
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
                else ([target], [value])
            )
            for field, given in zip(*both):
                if isinstance(field, ast.Attribute):
                    found.append((field.attr, kinds.get(ast.unparse(given), "")))
    return found


def class_diagram() -> Contents:
    classes = model_classes()
    boxes = {}
    for name, (x, y) in CLASS_PLACES.items():
        fields = [f"{field}: {kind}" for kind, field in classes[name].fields]
        boxes[name] = Box(x, y, "\n".join([name, *fields, *(f"{method}()" for method in classes[name].methods)]))
    arrows = [Arrow(boxes[one.name], boxes[one.base], "", "extends") for one in classes.values() if one.base in boxes]
    for one in classes.values():
        arrows += [
            Arrow(boxes[one.name], boxes[target]) for kind, _ in one.fields if (target := target_of(kind)) in boxes
        ]
    return Contents(tuple(boxes.values()), arrows)


def target_of(kind: str) -> str:
    """The class that a field of this type refers to: 'Street' of 'list[Street]'."""
    return next((word for word in re.findall(r"\w+", kind) if word in CLASS_PLACES), "")


def architecture() -> Contents:
    boxes = []
    for (x, y), stage, here, file in STAGES:
        if not (ROOT / file).is_file():
            raise NotTestable(f"the tree has no file {file}")
        boxes.append(Box(x, y, "\n".join([stage, here, file.rpartition("/")[2]])))
    return Contents(
        boxes,
        [Arrow(boxes[start], boxes[end], "", "side" if {start, end} == {1, 2} else "leads") for start, end in FLOW],
    )


def street_network() -> Contents:
    """Junctions and streets on the left; on the right a vertex per street, with an arrow to every street that can follow."""
    town = read_town(source_text(TOWN))
    left = {name: Box(*at, name, "round") for name, at in town.places(0.35, 0.5, 1.6, 1.35).items()}
    boxes = [Box(0.95, 0.08, "(a) junctions and streets", "plain"), *left.values()]
    arrows = [
        Arrow(left[street.start], left[street.end], str(number), "side") for number, street in enumerate(town.streets)
    ]
    right = [Box(*at, str(number), "round") for number, at in enumerate(town.middles(2.5, 0.5, 1.55, 1.35))]
    boxes += [Box(3.25, 0.08, "(b) a vertex per street", "plain"), *right]
    arrows += [
        Arrow(right[number], right[following], "", "side")
        for number in range(len(right))
        for following in town.following(number)
    ]
    return Contents(boxes, arrows)


FIGURE_1 = Diagram(
    "figure1",
    "Figure 1: a street network",
    street_network,
    TOWN,
    "The map shows junctions and one-way streets, to scale, of an example file. The graph is what the program stores: each "
    "street with the streets that can follow. Unlike the paper's graph, it has U-turns wherever both directions exist.",
    f"./lockstep traffic --network {TOWN} --png town.png",
)
FIGURE_2 = Diagram(
    "figure2",
    "Figure 2: the classes of the simulation",
    class_diagram,
    CLASSES,
    "The classes, fields and methods in the source of the Python example. The paper's diagram has the same classes; advance is "
    "ours. Hollow arrows lead to the base class, the others to the class that a field refers to.",
)
FIGURE_3 = Diagram(
    "figure3",
    "Figure 3: the architecture",
    architecture,
    "python/lockstep/objects",
    "A box has the stage of the paper's figure, what happens there, and the file. As in the paper, types are those of the objects "
    "that exist when a section is called; the language is Python instead of Ruby, and NVRTC compiles.",
)

_DISPATCH, _METHODS = "kernels/object_layout/dispatch.hpp", "common/object_layout/methods.hpp"
FIGURE_7 = SourceTable(
    "figure7",
    "Figure 7: the main loop on the GPU",
    (
        Passage("a kernel with a thread per job", _DISPATCH, "switch_kernel(", "{"),
        Passage("the thread finds its job", _DISPATCH, "index = job_of_lane(p)"),
        Passage("the entry of the job array", _METHODS, "p.jobs[job]"),
        Passage("the class tag is passed to the block", _DISPATCH, "passed = agent.tag()"),
        Passage("the loop over ticks is in the kernel", _DISPATCH, "for (unsigned tick = p.first_tick"),
        Passage("a switch over the class tag", _DISPATCH, "if (!switch_over<Types>(tag, MoveOnce"),
        Passage("a case per class", _METHODS, "if (tag == Type) {", "}"),
        Passage("which calls the method of the class", _DISPATCH, "move<Mode, Type, Layout>(p, AgentAt"),
        Passage("the default case: method_missing", _DISPATCH, "atomicAdd(p.unknown, 1u)"),
    ),
    "The lines of the variant switch that do what each part of the paper's listing does. The paper's listing is generated "
    "from Ruby; here a C++ template generates it for each layout and number of classes. METHOD.md names the two errors of the listing.",
)
_GENERATED = "kernels/object_layout/compiled/traffic_program.txt"
FIGURE_7_GENERATED = SourceTable(
    "figure7_generated",
    "Figure 7: the program that is generated from Python classes",
    (
        Passage("the function of a job", _GENERATED, "void element(Arguments const& a, u64 job)", "{"),
        Passage("the entry of the job array", _GENERATED, "a.order[job]"),
        Passage("tag and id of the element", _GENERATED, "Ref const base"),
        Passage("the loop over ticks", _GENERATED, "for (i64 tick = 0"),
        Passage("a switch over the class tag", _GENERATED, "switch (base.tag)", "{"),
        Passage("a case per class", _GENERATED, "case 0:", "}"),
        Passage("a case per class", _GENERATED, "case 1:", "}"),
        Passage("the default case: method_missing", _GENERATED, "default: lane.fail"),
    ),
    "The program of the section in examples/object_layout/traffic.py: lockstep.objects generates it from the methods of the objects "
    "that exist. Fields that the section writes stay in registers for all ticks.",
)
DIAGRAMS = (FIGURE_1, FIGURE_2, FIGURE_3)
