"""Figures and tables of object_layout: those of the paper, its schematic figures from traces, and our own measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from experiments.object_layout import measures
from experiments.object_layout.measures import AGENTS, PAPER_ORDERS, PLAIN, SCALES, SCENARIO, TICKS, agents_of, in_sweep
from plots.catalog import ROOT, About
from plots.drawing import Axis
from plots.metric_table import MetricTable, named
from plots.figures import Dots, Lines, Ranking, Theory
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, kernel, number_of, rate, time
from plots.results import Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Object layout",
    question="What do columnar objects and type-sorted jobs gain in an object-oriented simulation?",
    paper="Springer, Masuhara: Object Support in an Array-Based GPGPU Extension for Ruby (Ikra). ARRAY 2016.",
    unit="an agent",
    cited="Springer 2016",
    asks="Do object columns pay?",
    doi="10.1145/2935323.2935327",
)


def published(numbers: Published) -> Iterable[Case]:
    """The numbers of Figures 8 to 10, from the authors' plot scripts. A bar of Figure 8 is the time of a million ticks."""
    gpu = paper_device("Tesla K20Xm", {"compute_capability": "3.5"})
    rows: list[Case] = []
    for row in numbers.table("object_layout_fig8").to_dict("records"):
        order = {text: order for order, text in PAPER_ORDERS.items()}[f"{row['reordering']} reordering"]
        axes = {
            **{key: str(value) for key, value in SCENARIO.items()},
            "ticks": str(TICKS),
            "layout": str(row["layout"]),
            "order": order,
            "mode": "faithful",
            "object_bytes": "56",
        }
        speed = TICKS * AGENTS / float(row["seconds"])
        rows.append(paper_case(gpu, "object_layout", "switch", axes, rate=speed))
    for row in numbers.table("object_layout_fig9").to_dict("records"):
        axes = {"program": "jobs", "elements": str(row["elements"]), "types": str(row["types"])}
        rows.append(
            paper_case(gpu, "object_layout", "jobs_as_printed", axes, milliseconds=1000 * float(row["seconds"]))
        )
    for row in numbers.table("object_layout_fig10").to_dict("records"):
        axes = {"program": "tracing", **{key: str(row[key]) for key in ("streets", "cars", "pedestrians")}}
        rows.append(paper_case(gpu, "object_layout", "algorithm2", axes, milliseconds=1000 * float(row["seconds"])))
    return rows


def bar(layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Measure:
    named = {"shuffled": "shuffled", "jobs": "job array", "sorted": "sorted"}[order]
    label = (
        f"{layout}, {named}"
        + ("" if mode == "faithful" else ", live")
        + ("" if variant == "switch" else f" ({variant})")
    )
    return Measure(label, "s", lambda view: measures.seconds(view, layout, order, mode, variant))


def traced(scale: tuple[str, str, str], variant: str) -> Measure:
    label = f"{'/'.join(scale)}" + ("" if variant == "algorithm2" else f" ({variant})")
    return Measure(label, "s", lambda view: measures.tracing(view, scale, variant))


def ruby(types: str) -> Theory:
    """One line of the paper's Figure 9."""

    def curve(view: View) -> list[tuple[float, float]]:
        table = Published(ROOT / "results" / "published", "object_layout").table("object_layout_fig9")
        rows = table[table["types"] == types]
        return [(float(count), float(seconds)) for count, seconds in zip(rows["elements"], rows["seconds"])]

    return Theory(f"{types}, Ruby (paper)", curve)


def elements(case: Case) -> float | None:
    return number_of("elements")(case)


AGENT_COUNT = Variable(Axis("agents", "1", "log2"), agents_of)
ELEMENTS = Variable(Axis("elements of the base array", "1", "log10"), elements)
TYPES = Variable(Axis("classes", "1", "log2"), number_of("types"))
TICKS_PER_LAUNCH = Variable(Axis("ticks per launch", "1", "log2"), number_of("ticks"))
OBJECT_BYTES = Variable(Axis("size of an agent", "bytes"), number_of("object_bytes"))
CHAIN = Variable(Axis("maps in the chain", "1"), number_of("chain"))
SECTIONS = Variable(Axis("sections per 1000 ticks", "1", "log10"), number_of("sections"))
#: The paper's kernel, hand-tuned columns with __restrict__, and our kernel.
COMPARED = ("switch", "restrict_columns", "registers")
LAUNCH = dict(
    **PLAIN, machine="cuda", ticks="1000", object_bytes="56", streets="500", variant=COMPARED, case=measures.counted
)
LAYOUTS = ("soa", "aos", "aos_padded")

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
    """The single array of all neighbours, coloured by the street that reads it. The number is the neighbour."""
    yield from (Cell("contents", element) for element in range(max(event.element for event in trace.at("contents"))))
    neighbours = {(event.lane, event.step): event.element for event in trace.at("neighbour")}
    for event in sorted(trace.at("contents"), key=lambda event: event.lane):
        yield Cell("contents", event.element, f"street {event.lane}", str(neighbours[event.lane, event.step]))


MEMORY = Axis("instance variable in memory", "index")

FIGURES = (
    Dots(
        "figure8",
        "Figure 8: kernel running time for a million ticks",
        Axis("time", "s", "log10"),
        tuple(bar(layout, order) for layout in (*LAYOUTS, "aosoa") for order in measures.ORDERS)
        + (bar("soa", "sorted", variant="registers"),),
        caption="Computed from the rate over 100 000 ticks. With reordering, the paper's bars show sorted data, not a job array.",
    ),
    Dots(
        "figure8_live",
        "Kernel running time for a million ticks, mode live",
        Axis("time", "s", "log10"),
        tuple(bar(layout, order, "live") for layout in (*LAYOUTS, "aosoa") for order in measures.ORDERS)
        + (bar("soa", "sorted", "live", "restrict_columns"), bar("soa", "sorted", "live", "registers")),
        caption="Each agent draws random numbers in each tick instead of reading a static table.",
    ),
    Lines(
        "figure9",
        "Figure 9: time to generate the job array",
        ELEMENTS,
        time("time"),
        dict(program="jobs", case=in_sweep("figure9")),
        by=("variant", "types"),
        theory=(ruby("1"), ruby("1000")),
        caption="Our times are of one CPU core and of the GPU; the paper's are of the Ruby interpreter.",
    ),
    Dots(
        "figure10",
        "Figure 10: time to trace streets/cars/pedestrians",
        Axis("time", "s", "log10"),
        tuple(traced(scale, variant) for scale in SCALES for variant in ("algorithm2", "tracer")),
        caption="One CPU core. The paper's program is in Ruby and does not trace arrays.",
    ),
    Lines(
        "agents",
        "Agent-ticks per second against agents: sorted, 1000 ticks per launch, mode live",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="live", order="sorted", **LAUNCH),
        by=("variant", "layout"),
    ),
    Lines(
        "agents_orders",
        "Agent-ticks per second against agents: three orders, two layouts, mode live",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="live", layout=("soa", "aos"), **(LAUNCH | dict(variant="switch"))),
        by=("layout", "order"),
    ),
    Lines(
        "agents_faithful",
        "Agent-ticks per second against agents: 1000 ticks per launch, mode faithful",
        AGENT_COUNT,
        rate("agent-ticks"),
        dict(mode="faithful", **LAUNCH),
        by=("variant", "layout", "order"),
    ),
    Lines(
        "object_bytes",
        "Agent-ticks per second against object size, 2^20 agents",
        OBJECT_BYTES,
        rate("agent-ticks", scale="linear"),
        dict(machine="cuda", layout="aos_padded", case=in_sweep("object_bytes")),
        by=("variant", "order"),
    ),
    Lines(
        "types",
        "Agent-ticks per second against classes, 2^20 agents in columns",
        TYPES,
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("types")),
        by=("variant", "order"),
    ),
    Lines(
        "ticks",
        "Agent-ticks per second against ticks per launch, 2^22 agents",
        TICKS_PER_LAUNCH,
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("ticks")),
        by=("variant", "layout", "order"),
    ),
    Lines(
        "fusion",
        "Time of a chain of maps over 2^26 floats, fused and unfused",
        CHAIN,
        time("time", "linear"),
        dict(program="maps", machine="cuda", case=in_sweep("fusion")),
    ),
    Lines(
        "fusion_registers",
        "Registers per thread of the fused kernel",
        CHAIN,
        kernel("registers", "registers per thread", "1"),
        dict(program="maps", variant="maps_fused", machine="cuda", case=in_sweep("fusion")),
    ),
    Lines(
        "sections",
        "Time of 1000 ticks: columns sent for every section, or resident",
        SECTIONS,
        time("time"),
        dict(machine="cuda", case=in_sweep("sections")),
        by=("variant", "order"),
        caption="These times include transfers and writing back into host objects.",
    ),
    Ranking(
        "dispatch",
        "Agent-ticks per second by method dispatch: 2^20 sorted agents as structures",
        rate("agent-ticks"),
        dict(machine="cuda", layout="aos", order="sorted", case=in_sweep("dispatch")),
    ),
    Schematic(
        "figure4", "Figure 4: job reordering", "figure4", "", Axis("index of the job or lane", "number"), reordering
    ),
    Schematic("figure5_aos", "Figure 5: array of structures", "figure5", "array of structures", MEMORY, fields, 32),
    Schematic("figure5_soa", "Figure 5: structure of arrays", "figure5", "structure of arrays", MEMORY, fields, 32),
    Schematic("figure6", "Figure 6: an n:m relation", "figure6", "", Axis("element of the array", "index"), relation),
)
TABLES = (
    FactTable(
        "figure8_numbers",
        "Figure 8 as numbers",
        tuple(bar(layout, order) for layout in LAYOUTS for order in measures.ORDERS),
        caption="Seconds for a million ticks. The paper's numbers come from the authors' plot script.",
    ),
    PivotTable(
        "figure9_numbers",
        "Figure 9 as numbers",
        ("variant", "types"),
        "elements",
        time(),
        dict(program="jobs", case=in_sweep("figure9")),
    ),
    FactTable(
        "figure10_numbers",
        "Figure 10 as numbers",
        tuple(traced(scale, "algorithm2") for scale in SCALES),
    ),
    PivotTable(
        "dispatches",
        "Method dispatch and order, 2^20 agents as structures",
        ("variant",),
        "order",
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("dispatch")),
    ),
    PivotTable(
        "registers",
        "Registers per thread, paper's scenario",
        ("variant", "layout"),
        "mode",
        kernel("registers", "registers per thread", "1"),
        dict(machine="cuda", case=in_sweep("figure8")),
    ),
    PivotTable(
        "modes",
        "The simulation on the CPU, 200 ticks",
        ("variant",),
        "mode",
        rate("agent-ticks"),
        dict(program="traffic", machine="cpu", case=in_sweep("cpu")),
    ),
    PivotTable(
        "bodies",
        "A second object program: n bodies, pairs per second",
        ("variant", "machine"),
        "elements",
        rate("pairs"),
        dict(program="bodies", case=in_sweep("bodies")),
    ),
    RoofTable(
        "limits",
        "Share of the device's limits, mode live, 1000 ticks per launch",
        (
            Roof("device memory, agents read and written once", "copy", "B/s", lambda case: case.bytes or None),
            Roof(
                "Philox, one word per agent-tick",
                "random_words.philox7",
                "words/s",
                lambda case: case.operations or None,
            ),
        ),
        dict(mode="live", **LAUNCH),
        caption="Each variant at its fastest number of agents. A launch must read and write its agents once. A pedestrian draws one "
        "random word per tick, a car only when it enters a street: most ticks take at most one word per agent.",
    ),
    RoofTable(
        "limits_maps",
        "Share of the device's limits, chains of eight maps",
        (Roof("device memory", "copy", "B/s", lambda case: case.bytes or None),),
        dict(program="maps", machine="cuda", chain="8", case=in_sweep("fusion")),
        caption="The bytes of the unfused chain are those that each of its maps reads and writes.",
    ),
    MetricTable(
        "counters",
        "Hardware counters: sectors, caches and lanes, 1000 ticks",
        ("mode", "agents", "variant", "layout", "order"),
        {
            "sectors per load": named("counter_sectors_per_load"),
            "L1 hits, %": named("counter_l1_hit_percent"),
            "sectors from L2": named("counter_l2_sectors_read"),
            "sectors from memory": named("counter_memory_sectors_read"),
            "active lanes per instruction, of 32": named("counter_lanes_per_instruction"),
            "warp instructions": named("counter_instructions"),
            "occupancy, %": named("counter_occupancy_percent"),
        },
        dict(**PLAIN, machine="cuda", ticks="1000", object_bytes="56"),
        caption="Counters of one launch, read in a run without timing. Mode faithful is the paper's scenario, mode live has 2^20 agents.",
    ),
)
