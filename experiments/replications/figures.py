"""Figures and tables of replications: the paper's own on this device, then further ones. One entry per figure or table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from experiments.replications.choice import ChoiceTable
from experiments.replications.counted import memory_share, without_prefix
from experiments.replications.measures import (
    BLOCKS_PER_MULTIPROCESSOR,
    CHOSEN,
    LONG_WALK,
    PI,
    PI_SHORT,
    QUEUE,
    SCHEDULERS,
    SHORT_MODELS,
    WALK,
    replications,
)
from plots.catalog import About
from plots.drawing import Axis, Drawing, Point, Series
from plots.metric_table import MetricTable, named
from plots.errors import NotTestable
from plots.figures import Histogram, Lines, Scope, Theory, command_for, source_of
from plots.interval import Interval, exact
from plots.printed_table import PrintedTable
from plots.published import Published, paper_case, paper_device
from plots.quantity import Quantity, Variable, kernel, metric, number_of, rate, time
from plots.results import Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import PivotTable
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Replications",
    question="Should one replication of a stochastic simulation run on a thread, on a warp, or on many lanes?",
    paper="Jonathan Passerat-Palmbach, Pierre Schweitzer, Jonathan Caux, Pridi Siregar, Claude Mazel, David R.C. Hill: "
    "Harnessing aspect oriented programming on GPU: application to warp-level parallelism (WLP). "
    "Int. J. Computer Aided Engineering and Technology 7(2), 2015.",
    unit="a replication: one run of a model on its own random stream",
    cited="Passerat-Palmbach 2015",
    asks="Thread or warp?",
    url="https://inria.hal.science/hal-01099208",
)

#: The paper's three curves, and ours.
CURVES = ("sequential", "warps", "threads", "auto")
FORMS = ("warps_macros", "warps_woven", "warps", "warps_ptx")


def published(numbers: Published) -> Iterable[Case]:
    """The paper prints no times. Its numbers of replications are the facts that the claims compare with."""
    device = paper_device(
        "Tesla C2050", {"multiprocessors": float(numbers.facts()["sms"]), "compute_capability": "2.0"}
    )
    return (paper_case(device, "replications", "warps", {"model": "pi", "draws": "10000000"}),)


COUNT = Variable(Axis("replications", "number", "log2"), replications)
FEW = Variable(Axis("replications", "number"), replications)
LANES = Variable(Axis("active lanes per warp", "lanes", "log2"), number_of("lanes"))
BLOCK = Variable(Axis("threads per block", "threads", "log2"), number_of("block"))
UTILISATION = Variable(Axis("utilisation", "1"), number_of("utilisation"))


def at_most(count: float) -> Callable[[Case], bool]:
    def small(case: Case) -> bool:
        found = replications(case)
        return found is not None and found <= count

    return small


def in_sweep(name: str) -> Callable[[Case], bool]:
    return lambda case: name in case.sweeps


def _each() -> Quantity:
    """Time per replication: the cost of a scheme once the device is full."""

    def of(case: Case) -> Interval | None:
        count = replications(case)
        return case.time / count if case.time is not None and count else None

    return Quantity(Axis("time per replication", "s", "log10"), of, less_is_better=True)


def _mark(warps: int, label: str, where: Mapping[str, object]) -> Theory:
    """A vertical mark at a number of warps per multiprocessor: two points at the same x."""

    def curve(view: View) -> list[tuple[float, float]]:
        count = view.attribute("multiprocessors") * warps if view.device.has_gpu else 0
        times = [case.time.value for case in view.select(variant="warps", **where) if case.time is not None]
        return [(count, min(times)), (count, max(times))] if count and times else []

    return Theory(label, curve)


def _limits(**where: object) -> tuple[Theory, ...]:
    """Where a device is expected to be full: of instructions to issue, of one-warp blocks, of larger blocks."""
    return (
        _mark(SCHEDULERS, "1 warp per scheduler", where),
        _mark(BLOCKS_PER_MULTIPROCESSOR, f"{BLOCKS_PER_MULTIPROCESSOR} warps per multiprocessor", where),
        _mark(2 * BLOCKS_PER_MULTIPROCESSOR, f"{2 * BLOCKS_PER_MULTIPROCESSOR} warps per multiprocessor", where),
    )


@dataclass(frozen=True)
class Moments:
    """When blocks begin and end, from what the variant `dispatch` records."""

    name: str
    title: str
    where: Mapping[str, object]
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        cases = [case for case in scope.view.select(**self.where) if "begin_of_block_0" in case.metrics]
        if not cases:
            raise NotTestable(scope.view.missing(self.where, "the metrics begin_of_block_*"))
        series = []
        for what in ("begin", "end"):
            prefix = f"{what}_of_block_"
            found = {int(name[len(prefix) :]): ns for name, ns in cases[0].metrics.items() if name.startswith(prefix)}
            points = tuple(Point(float(block), exact(found[block] * 1e-9)) for block in sorted(found))
            series.append(Series(what, points, what))
        block, moment = Axis("block", "number"), Axis("time since the first block began", "s")
        source, command = source_of(scope.view, cases[:1]), command_for(cases[:1])
        return Drawing(
            self.name,
            self.title,
            scope.view.device.name,
            block,
            moment,
            tuple(series),
            "lines",
            source,
            self.caption,
            command,
        )


LANE = Axis("lane of the warp", "number")
DIRECTIONS = ("east", "west", "north", "south")


def branches(trace: Trace) -> Iterator[Cell]:
    """The direction of each step of the random walk: the branch that the lane takes. Disabled lanes stay empty."""
    for warp, step in sorted({(event.warp, event.step) for event in trace.events}):
        yield Cell(f"warp {warp}, step {step}", 0)
    # One direction after another, so that each has the same colour in every panel.
    for event in sorted(trace.events, key=lambda event: DIRECTIONS.index(event.label)):
        yield Cell(f"warp {event.warp}, step {event.step}", event.lane, f"steps {event.label}")


FIGURES = (
    Schematic(
        "figure2_warp", "Figure 2: one warp per replication", "figure2", "a warp per replication", LANE, branches, 32
    ),
    Schematic(
        "figure2_thread",
        "For comparison: one thread per replication",
        "figure2",
        "a thread per replication",
        LANE,
        branches,
        32,
    ),
    Lines(
        "figure5",
        "Figure 5: time against replications, Pi with 10,000,000 draws",
        COUNT,
        time("time"),
        dict(variant=(*CURVES, "cooperative"), **PI, **CHOSEN),
        caption="The paper does not print its curves as numbers. Its text puts the crossing at 30 replications and the first step at "
        "65.",
    ),
    Lines(
        "figure6",
        "Figure 6: time against replications, M/M/1 queue with 10,000 clients",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(100), **QUEUE, **CHOSEN),
        caption="The paper's crossing is at 20 replications. The paper states no rates; ours have utilisation 0.75.",
    ),
    Lines(
        "figure7_above",
        "Figure 7, upper panel: time against replications, random walk with 1000 steps",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(100), **WALK, **CHOSEN),
    ),
    Lines(
        "figure7_below",
        "Figure 7, lower panel: time against replications, random walk with 1000 steps",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(1000), **WALK, **CHOSEN),
    ),
    Lines(
        "capacity",
        "Time of one warp per replication as the device fills up",
        FEW,
        time("time", "linear"),
        dict(variant="warps", case=in_sweep("capacity"), **WALK),
        by=("block",),
        theory=_limits(case=in_sweep("capacity")),
        caption="The slots for blocks predict a step after each mark. The rate of instructions limits the speed earlier, so the time "
        "grows with every replication.",
    ),
    *(
        Lines(
            f"scaling_{model}",
            title,
            COUNT,
            time("time"),
            dict(variant=("threads", "warps", "auto", "all_cores"), **where, **CHOSEN),
            theory=_limits(**where, **CHOSEN),
        )
        for (model, where), title in zip(
            SHORT_MODELS.items(),
            (
                "Time against replications, Pi with 100,000 draws",
                "Time against replications, M/M/1 with 10,000 clients",
                "Time against replications, random walk with 1000 steps",
            ),
        )
    ),
    Lines(
        "long_walk",
        "Time against replications, random walk with 100,000 steps",
        COUNT,
        time("time"),
        dict(**LONG_WALK, **CHOSEN),
    ),
    Lines(
        "each",
        "Time per replication, random walk",
        COUNT,
        _each(),
        dict(variant=CURVES, **WALK, **CHOSEN),
    ),
    Lines(
        "team",
        "Lanes per replication that auto chooses",
        COUNT,
        metric("team_lanes", "lanes per replication", "lanes", "log2"),
        dict(variant="auto", engine="taus88", machine="cuda", draws="100000", steps="1000"),
        by=("model",),
    ),
    Lines(
        "lanes",
        "Items per second against active lanes per warp",
        LANES,
        rate("items"),
        dict(variant="lanes", machine="cuda", lanes=lambda lanes: lanes != "0"),
        by=("model", "replications"),
    ),
    Lines(
        "block",
        "Time against block size, one warp per replication",
        BLOCK,
        time("time"),
        dict(variant="warps", machine="cuda", case=in_sweep("block")),
        by=("model", "replications"),
    ),
    Lines(
        "utilisation",
        "Time against the utilisation of the M/M/1 queue",
        UTILISATION,
        time("time"),
        dict(model="mm1", machine="cuda", case=in_sweep("utilisation")),
    ),
    Histogram(
        "dispatch",
        "Multiprocessor that runs each block",
        Axis("block", "number"),
        Axis("multiprocessor", "number"),
        "multiprocessor_of_block_",
        dict(variant="dispatch", replications="264"),
        caption="264 one-warp blocks. Two multiprocessors that share a part of the chip are filled together, so many consecutive "
        "blocks run on multiprocessors of consecutive numbers.",
    ),
    Moments(
        "replacement",
        "When blocks begin and end",
        dict(variant="dispatch", replications="16896"),
        caption="Random walk, every 64th of 16,896 one-warp blocks. The blocks that fill the slots begin together. Each later block "
        "begins when another one has ended.",
    ),
    Lines(
        "concurrent_kernel",
        "When a second kernel begins, against the blocks of the first",
        FEW,
        metric("second_begins_share", "share of the first kernel's time", "1"),
        dict(variant="concurrent_kernel"),
        caption="The first kernel has one-warp blocks and 20,000 steps; 4224 blocks fill an H200. The second kernel has one one-warp "
        "block per multiprocessor. The paper explains its first step at 65 replications by resources that the GPU saves for "
        "such a kernel.",
    ),
)

TABLES = (
    PrintedTable(
        "table1",
        "Table 1: annotations and their macros",
        "replications_table1",
        {"aspect_code": "annotation", "macro_equivalence": "macros"},
        caption="The text asks for WARP_INIT first. The table is right, because only the code inside uses the warp's index.",
    ),
    PivotTable(
        "forms",
        "Time of the three forms of one warp per replication, and of the index by PTX",
        ("model", "replications"),
        "variant",
        time(),
        dict(variant=FORMS, machine="cuda", case=in_sweep("table1")),
    ),
    PivotTable(
        "registers",
        "Registers of the three forms, and of the index by PTX",
        ("model",),
        "variant",
        kernel("registers", "registers per thread", "1"),
        dict(variant=FORMS, machine="cuda", case=in_sweep("table1")),
    ),
    MetricTable(
        "instructions",
        "Instructions of the three forms, 50 replications",
        ("model", "variant"),
        {
            "warp instructions": named("counter_instructions"),
            "active lanes per instruction": named("counter_lanes_per_instruction"),
        },
        dict(variant=FORMS, machine="cuda", replications="50", case=in_sweep("table1")),
        caption="Hardware counters, read in runs that are not timed.",
    ),
    PrintedTable(
        "table2_printed",
        "Table 2 as printed: accesses of the random walk to global memory",
        "replications_table2",
        {"access": "", "tlp": "one thread per replication", "wlp": "one warp per replication"},
        caption="The paper states neither the unit nor which multiprocessors were counted. table2 has what the counters read here.",
    ),
    MetricTable(
        "table2",
        "Table 2 measured: accesses to global memory, 64 replications",
        ("model", "variant"),
        {
            "load instructions": named("counter_loads"),
            "store instructions": named("counter_stores"),
            "sectors read": named("counter_sectors_read"),
            "sectors written": named("counter_sectors_written"),
            "loads per replication": lambda metrics: metrics["counter_loads"] / 64,
            "stores per replication": lambda metrics: metrics["counter_stores"] / 64,
            "loads, maximum per scheduler": named("counter_loads_max"),
            "stores, maximum per scheduler": named("counter_stores_max"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Hardware counters of the whole device.",
    ),
    MetricTable(
        "figure8",
        "Figure 8: memory time over compute time, and the use of warps, 64 replications",
        ("model", "variant"),
        {
            "memory over compute": lambda metrics: memory_share(without_prefix(metrics)),
            "occupancy, %": named("counter_occupancy_percent"),
            "active lanes per instruction, of 32": named("counter_lanes_per_instruction"),
            "uniform branches, %": named("counter_branches_uniform_percent"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Memory over compute is estimated: cycles in which warps stall on global memory over their other cycles. A lone lane "
        "never diverges and uses 1/32 of its warp, so branch efficiency and lane efficiency point in opposite directions.",
    ),
    MetricTable(
        "coverage",
        "Share of 95% intervals that cover the mean, by replications per interval",
        ("model", "engine"),
        {f"{count} replications": named(f"coverage_{count}") for count in (3, 10, 30, 100)},
        dict(variant="all_cores", replications="100000"),
        caption="100,000 replications, cut into groups. The true mean is known for Pi and the random walk; for M/M/1 it is the mean of "
        "all replications.",
    ),
    ChoiceTable(
        "auto",
        "auto against the fastest other scheme",
        "All timed schemes are compared: one thread per replication, 1 to 32 active lanes per warp, and teams of lanes.",
    ),
    PivotTable(
        "concurrent_kernel",
        "Multiprocessors that the first of two concurrent kernels uses",
        ("replications",),
        "variant",
        metric("multiprocessors_used", "multiprocessors", "1"),
        dict(variant="concurrent_kernel"),
    ),
    PivotTable(
        "models",
        "Time of every model at 64 replications",
        ("model", "variant"),
        "machine",
        time(),
        dict(
            replications="64", engine="taus88", utilisation="0.75", chunks="30", draws="100000", steps="1000", **CHOSEN
        ),
    ),
    RoofTable(
        "limits",
        "Share of the device's limits",
        (Roof("random words of the engine", "random_words.{engine}", "words/s", lambda case: case.operations),),
        dict(variant=("threads", "warps", "auto"), machine="cuda", engine="taus88"),
    ),
)
