"""What is drawn of object_layout: the paper's schematic figures, from traces."""

from __future__ import annotations

from collections.abc import Iterator

from plots.catalog import About
from plots.drawing import Axis
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Object layout",
    question="What do columnar objects and type-sorted jobs buy an object-oriented simulation?",
    paper="Springer, Masuhara: Object Support in an Array-Based GPGPU Extension for Ruby (Ikra). ARRAY 2016.",
    unit="an agent",
)

CLASSES = ("car", "pedestrian", "bus")


def reordering(trace: Trace) -> Iterator[Cell]:
    """The base array, then the warps of four that its jobs are dealt to. The number is the job's."""
    classes = {event.lane: CLASSES[event.element] for event in trace.at("base")}
    for job, name in classes.items():
        yield Cell("base array", job, name, str(job))
    for event in sorted(trace.at("place"), key=lambda event: event.step):
        if event.element == 0:
            yield from (Cell(f"warp {event.step - 1}", lane) for lane in range(trace.parameters["warp"]))
        yield Cell(f"warp {event.step - 1}", event.element, classes[event.lane], str(event.lane))


def fields(trace: Trace) -> Iterator[Cell]:
    """The number is the object whose field is read."""
    for event in sorted(trace.at("read"), key=lambda event: event.step):
        yield Cell(f"access {event.step + 1}", event.element, f"field {event.step}", str(event.lane))


def relation(trace: Trace) -> Iterator[Cell]:
    """The one array of all neighbours; coloured by the street that reads there. The number is the neighbour."""
    yield from (Cell("contents", element) for element in range(max(event.element for event in trace.at("contents"))))
    neighbours = {(event.lane, event.step): event.element for event in trace.at("neighbour")}
    for event in sorted(trace.at("contents"), key=lambda event: event.lane):
        yield Cell("contents", event.element, f"street {event.lane}", str(neighbours[event.lane, event.step]))


MEMORY = Axis("instance variable in memory", "index")

FIGURES = (
    Schematic("figure4", "Figure 4: job reordering", "figure4", "", Axis("job, then lane", "number"), reordering),
    Schematic("figure5_aos", "Figure 5: array of structures", "figure5", "array of structures", MEMORY, fields, 32),
    Schematic("figure5_soa", "Figure 5: structure of arrays", "figure5", "structure of arrays", MEMORY, fields, 32),
    Schematic("figure6", "Figure 6: an n:m relation", "figure6", "", Axis("element of the array", "index"), relation),
)
TABLES = ()
