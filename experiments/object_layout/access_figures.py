"""Figures 4 to 6 of the paper, schematics of jobs and of accesses to memory, from traces (schematics.cu)."""

from __future__ import annotations

from collections.abc import Iterator

from plots.drawing import Axis
from plots.traces import Cell, Schematic, Trace

CLASSES = ("car", "pedestrian", "bus")
FIELDS = ("progress", "street", "max_velocity", "tag")


def reordering(trace: Trace) -> Iterator[Cell]:
    """The base array, then the warps of four lanes that run its jobs. The number is the index of the job."""
    jobs = {event.lane: event.element for event in trace.at("job")}
    classes = {event.lane: CLASSES[event.element] for event in trace.at("class")}
    for lane, job in sorted(jobs.items(), key=lambda entry: entry[1]):
        yield Cell("base array", job, classes[lane], str(job))
    warp = trace.parameters["warp"]
    for lane in range((max(jobs) // warp + 1) * warp):
        row, place = f"warp {lane // warp}", lane % warp
        yield Cell(row, place, classes[lane], str(jobs[lane])) if lane in jobs else Cell(row, place)


def fields(trace: Trace) -> Iterator[Cell]:
    """The fields in memory that Car.move accesses. The number is the object of the field."""
    for event in sorted(trace.at("access"), key=lambda event: event.step):
        yield Cell(FIELDS[event.step], event.element, FIELDS[event.step], str(event.lane))


def relation(trace: Trace) -> Iterator[Cell]:
    """The columns of the figure, coloured by the street that reads them. The text is the value there."""
    arrays = {event.lane: event.element for event in trace.at("size")}
    steps = {(event.lane, event.step): event.element for event in trace.at("contents")}
    neighbours = {(event.lane, event.step): event.element for event in trace.at("neighbour")}
    rows = "Street.neighbors", "Array.size", "Array.offset", "contents"
    for street, array in sorted(arrays.items()):
        size = sum(lane == street for lane, _ in steps)
        for row, place, value in zip(rows, (street, array, array), (array, size, steps[street, 0])):
            yield Cell(row, place, f"street {street}", str(value))
    yield from (Cell(rows[3], element) for element in range(max(steps.values())))
    for (street, step), element in sorted(steps.items()):
        yield Cell(rows[3], element, f"street {street}", str(neighbours[street, step]))


MEMORY = Axis("instance variable in memory", "index")

ACCESS_FIGURES = (
    Schematic(
        "figure4",
        "Figure 4: job reordering",
        "figure4",
        "",
        Axis("place in the row", "number"),
        reordering,
        caption="The first row is the base array, coloured by class. The others are warps of four lanes, as in the paper, with the "
        "index of each lane's job. No warp has two classes, so some lanes stay without a job.",
    ),
    Schematic(
        "figure5_aos",
        "Figure 5a: fields in memory, array of structures",
        "figure5",
        "array of structures",
        MEMORY,
        fields,
        32,
        "A row is an instruction of a warp with eight cars; a coloured box is an access, with the number of the car. In an array of "
        "structures, the accesses of one instruction are an object apart.",
    ),
    Schematic(
        "figure5_soa",
        "Figure 5b: fields in memory, structure of arrays",
        "figure5",
        "structure of arrays",
        MEMORY,
        fields,
        32,
        "The same instructions. In a structure of arrays, the accesses of one instruction are next to one another.",
    ),
    Schematic(
        "figure6",
        "Figure 6: streets and their neighbours as columns",
        "figure6",
        "",
        Axis("place in the column", "index"),
        relation,
        caption="A column of Street names an array; the columns of Array have its size and its offset into one column with the contents "
        "of all arrays. A colour is what one street reads, and the text is the value. The paper's ids start at 1, ours at 0.",
    ),
)
