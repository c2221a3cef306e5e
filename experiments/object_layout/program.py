"""Figures 1, 2, 3 and 7 of the paper, which show programs: read from the sources that do the same here."""

from __future__ import annotations

import re
from dataclasses import dataclass

from experiments.object_layout.town import read_town
from plots.catalog import ROOT
from plots.diagram import Arrow, Box, Contents, Diagram
from plots.errors import NotTestable
from plots.source_table import Passage, SourceTable, source_text

TOWN = "examples/object_layout/town.txt"
CLASSES = "reference_cpu/object_layout/world.hpp"
#: The classes of the figure, and where they are.
CLASS_PLACES = {"Agent": (1.35, 0.5), "Street": (3.2, 0.5), "Car": (0.75, 1.6), "Pedestrian": (2.05, 1.6)}
#: The stages of the paper's architecture: place, what the paper does, what is done here, and the file.
STAGES = (
    ((0.8, 0.42), "Parallel section", "a call of each", "kernels/object_layout/library/sections.hpp"),
    ((2.15, 0.42), "Type inference", "declared per method", "kernels/object_layout/library/traffic_model.cpp"),
    ((2.15, 1.2), "Object tracer", "fills the columns", "kernels/object_layout/library/object_image.cpp"),
    ((3.58, 0.42), "Generate CUDA", "C++ templates", "common/object_layout/methods.hpp"),
    ((3.58, 1.98), "Compile (nvcc)", "ahead of time", "kernels/object_layout/sections.cu"),
    ((0.8, 1.98), "Transfer data, run", "only declared columns", "kernels/object_layout/library/device_objects.hpp"),
)
#: Pairs of stages, as in the paper's figure. The tracer and type inference use each other's results.
FLOW = ((0, 1), (1, 3), (3, 4), (1, 2), (2, 1), (4, 5))


@dataclass(frozen=True)
class HostClass:
    name: str
    base: str
    fields: tuple[tuple[str, str], ...]  # type and name
    methods: tuple[str, ...]


def host_classes() -> dict[str, HostClass]:
    """The classes of the simulation with plain objects."""
    text = source_text(CLASSES)
    found = {}
    for name, base, body in re.findall(r"^(?:struct|class) (\w+)(?: : public (\w+))? \{\n(.*?)^\};", text, re.M | re.S):
        fields = tuple(re.findall(r"^    ([\w:<>]+[*>]*) (\w+)(?: = \w+)?;", body, re.M))
        methods = tuple(re.findall(r"void (\w+)\(.*\) (?:= 0|override);", body))
        found[name] = HostClass(name, base, fields, methods)
    missing = [name for name in CLASS_PLACES if name not in found]
    if missing:
        raise NotTestable(f"{CLASSES} has no class {missing[0]}")
    return {name: found[name] for name in CLASS_PLACES}


def class_diagram() -> Contents:
    classes = host_classes()
    boxes = {}
    for name, (x, y) in CLASS_PLACES.items():
        fields = [f"{field}: {kind.removeprefix('std::')}" for kind, field in classes[name].fields]
        boxes[name] = Box(x, y, "\n".join([name, *fields, *(f"{method}()" for method in classes[name].methods)]))
    arrows = [Arrow(boxes[one.name], boxes[one.base], "", "extends") for one in classes.values() if one.base in boxes]
    for one in classes.values():
        arrows += [
            Arrow(boxes[one.name], boxes[target]) for kind, _ in one.fields if (target := target_of(kind)) in boxes
        ]
    return Contents(tuple(boxes.values()), arrows)


def target_of(kind: str) -> str:
    """The class that a field of this type refers to: 'Street' of 'std::vector<Street*>'."""
    found = re.search(r"(\w+)\*", kind)
    return found.group(1) if found else ""


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
    "The classes and fields in the source of the plain objects. The paper's diagram has the same classes; number and kind "
    "are ours. Hollow arrows lead to the base class, the others to the class that a field refers to.",
)
FIGURE_3 = Diagram(
    "figure3",
    "Figure 3: the architecture",
    architecture,
    "kernels/object_layout/library and common/object_layout",
    "A box has the stage of the paper's figure, what happens in its place here, and the file. The paper's compiler infers types and "
    "generates CUDA while a Ruby program runs; here methods declare what they access and are compiled with the program.",
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
        Passage("the loop over ticks is in the kernel", _DISPATCH, "for (unsigned tick = 0; tick < p.ticks"),
        Passage("a switch over the class tag", _DISPATCH, "if (!switch_over<Types>(tag, MoveOnce"),
        Passage("a case per class", _METHODS, "if (tag == Type) {", "}"),
        Passage("which calls the method of the class", _DISPATCH, "move<Mode, Type, Layout>(p, AgentAt"),
        Passage("the default case: method_missing", _DISPATCH, "atomicAdd(p.unknown, 1u)"),
    ),
    "The lines of the variant switch that do what each part of the paper's listing does. The paper's listing is generated "
    "from Ruby; here a C++ template generates it for each layout and number of classes. METHOD.md names the two errors of the listing.",
)
DIAGRAMS = (FIGURE_1, FIGURE_2, FIGURE_3)
