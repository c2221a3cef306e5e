"""What is drawn of replications: the paper's figures on this device, then what they leave open. One entry a figure or table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from experiments.replications.choice import ChoiceTable
from experiments.replications.counted import memory_share, without_prefix
from experiments.replications.measures import (
    BLOCKS_A_MULTIPROCESSOR,
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
from plots.figure_table import FigureTable, named
from plots.errors import NotTestable
from plots.figures import Histogram, Lines, Scope, Theory, command_for, source_of
from plots.interval import Interval, exact
from plots.printed_table import PrintedTable
from plots.published import Published, paper_case, paper_device
from plots.quantity import Quantity, Variable, figure, kernel, number_of, rate, time
from plots.results import Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import PivotTable
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Replications",
    question="Should a stochastic replication get a thread, a warp, or many lanes?",
    paper="Jonathan Passerat-Palmbach, Pierre Schweitzer, Jonathan Caux, Pridi Siregar, Claude Mazel, David R.C. Hill: "
    "Harnessing aspect oriented programming on GPU: application to warp-level parallelism (WLP). "
    "Int. J. Computer Aided Engineering and Technology 7(2), 2015.",
    unit="a replication: one run of a model on a stream of its own",
)

#: The paper's three curves, and ours.
CURVES = ("sequential", "warps", "threads", "auto")
FORMS = ("warps_macros", "warps_woven", "warps", "warps_ptx")


def published(numbers: Published) -> Iterable[Case]:
    """The text prints no time: its numbers of replications are the facts that claims compare with."""
    device = paper_device(
        "Tesla C2050", {"multiprocessors": float(numbers.facts()["sms"]), "compute_capability": "2.0"}
    )
    return (paper_case(device, "replications", "warps", {"model": "pi", "draws": "10000000"}),)


COUNT = Variable(Axis("replications", "number", "log2"), replications)
FEW = Variable(Axis("replications", "number"), replications)
LANES = Variable(Axis("lanes of a warp at work", "lanes", "log2"), number_of("lanes"))
BLOCK = Variable(Axis("threads a block", "threads", "log2"), number_of("block"))
UTILISATION = Variable(Axis("utilisation", "1"), number_of("utilisation"))


def at_most(count: float) -> Callable[[Case], bool]:
    def small(case: Case) -> bool:
        found = replications(case)
        return found is not None and found <= count

    return small


def in_sweep(name: str) -> Callable[[Case], bool]:
    return lambda case: name in case.sweeps


def _each() -> Quantity:
    """Time a replication: what a scheme costs once the device is full."""

    def of(case: Case) -> Interval | None:
        count = replications(case)
        return case.time / count if case.time is not None and count else None

    return Quantity(Axis("time a replication", "s", "log10"), of, less_is_better=True)


def _mark(warps: int, label: str, where: Mapping[str, object]) -> Theory:
    """A mark, not a curve: two points above one another at so many warps a multiprocessor."""

    def curve(view: View) -> list[tuple[float, float]]:
        count = view.attribute("multiprocessors") * warps if view.device.has_gpu else 0
        times = [case.time.value for case in view.select(variant="warps", **where) if case.time is not None]
        return [(count, min(times)), (count, max(times))] if count and times else []

    return Theory(label, curve)


def _limits(**where: object) -> tuple[Theory, ...]:
    """Where a device should be full: of instructions to issue, of one-warp blocks, of larger blocks."""
    return (
        _mark(SCHEDULERS, "a warp a scheduler", where),
        _mark(BLOCKS_A_MULTIPROCESSOR, f"{BLOCKS_A_MULTIPROCESSOR} warps a multiprocessor", where),
        _mark(2 * BLOCKS_A_MULTIPROCESSOR, f"{2 * BLOCKS_A_MULTIPROCESSOR} warps a multiprocessor", where),
    )


@dataclass(frozen=True)
class Moments:
    """When blocks begin and end, from the figures that the variant `dispatch` records."""

    name: str
    title: str
    where: Mapping[str, object]
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        cases = [case for case in scope.view.select(**self.where) if "begin_of_block_0" in case.figures]
        if not cases:
            raise NotTestable(scope.view.missing(self.where, "the figures begin_of_block_*"))
        series = []
        for what in ("begin", "end"):
            prefix = f"{what}_of_block_"
            found = {int(name[len(prefix) :]): ns for name, ns in cases[0].figures.items() if name.startswith(prefix)}
            points = tuple(Point(float(block), exact(found[block] * 1e-9)) for block in sorted(found))
            series.append(Series(what, points, what))
        block, moment = Axis("block", "number"), Axis("time since the first begin", "s")
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


def branches(trace: Trace) -> Iterator[Cell]:
    """Which branch a lane takes in each step; disabled lanes stay empty."""
    for event in sorted(trace.at("left", "right"), key=lambda event: (event.warp, event.step)):
        yield Cell(f"warp {event.warp}, step {event.step}", event.lane, f"takes the {event.label} branch")


FIGURES = (
    Schematic("figure2_warp", "Figure 2: a warp a replication", "figure2", "a warp a replication", LANE, branches, 32),
    Schematic(
        "figure2_thread", "Beside it: a thread a replication", "figure2", "a thread a replication", LANE, branches, 32
    ),
    Lines(
        "figure5",
        "Figure 5: Pi, 10 000 000 draws",
        COUNT,
        time("time"),
        dict(variant=(*CURVES, "cooperative"), **PI, **CHOSEN),
        caption="The paper's curves are not printed as numbers; its text puts the crossing at 30 and the first step at 65.",
    ),
    Lines(
        "figure6",
        "Figure 6: M/M/1 queue, 10 000 clients",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(100), **QUEUE, **CHOSEN),
        caption="The paper's crossing is at 20. Rates are ours: utilisation 0.75.",
    ),
    Lines(
        "figure7_above",
        "Figure 7, above: random walk, 1000 steps",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(100), **WALK, **CHOSEN),
    ),
    Lines(
        "figure7_below",
        "Figure 7, below: random walk, 1000 steps",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(1000), **WALK, **CHOSEN),
    ),
    Lines(
        "capacity",
        "Steps of a warp a replication",
        FEW,
        time("time", "linear"),
        dict(variant="warps", case=in_sweep("capacity"), **WALK),
        by=("block",),
        theory=_limits(case=in_sweep("capacity")),
        caption="Slots predict steps behind the marks; issue slots are full long before, so time grows with every replication.",
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
            SHORT_MODELS.items(), ("Pi, 100 000 draws", "M/M/1, 10 000 clients", "Random walk, 1000 steps")
        )
    ),
    Lines("long_walk", "Random walk, 100 000 steps", COUNT, time("time"), dict(**LONG_WALK, **CHOSEN)),
    Lines(
        "each",
        "Random walk: time of one replication",
        COUNT,
        _each(),
        dict(variant=CURVES, **WALK, **CHOSEN),
    ),
    Lines(
        "team",
        "Lanes that auto puts on a replication",
        COUNT,
        figure("team_lanes", "lanes a replication", "lanes", "log2"),
        dict(variant="auto", engine="taus88", machine="cuda", draws="100000", steps="1000"),
        by=("model",),
    ),
    Lines(
        "lanes",
        "From a warp to a thread each",
        LANES,
        rate("items"),
        dict(variant="lanes", machine="cuda", lanes=lambda lanes: lanes != "0"),
        by=("model", "replications"),
    ),
    Lines(
        "block",
        "Block size of a warp each",
        BLOCK,
        time("time"),
        dict(variant="warps", machine="cuda", case=in_sweep("block")),
        by=("model", "replications"),
    ),
    Lines(
        "utilisation",
        "The queue's rates",
        UTILISATION,
        time("time"),
        dict(model="mm1", machine="cuda", case=in_sweep("utilisation")),
    ),
    Histogram(
        "dispatch",
        "Which multiprocessor runs a block",
        Axis("block", "number"),
        Axis("multiprocessor", "number"),
        "multiprocessor_of_block_",
        dict(variant="dispatch", replications="264"),
        caption="264 one-warp blocks. Consecutive blocks go to multiprocessors of consecutive numbers in about half of all "
        "cases: two multiprocessors that share a part of the chip are filled together.",
    ),
    Moments(
        "replacement",
        "When blocks begin and end",
        dict(variant="dispatch", replications="16896"),
        caption="Walk, every 64th of 16 896 one-warp blocks. The first 4224 begin together; each later one begins when another has ended.",
    ),
    Lines(
        "beside",
        "When a second kernel begins",
        FEW,
        figure("second_begins_share", "share of our time until then", "1"),
        dict(variant="beside"),
        caption="Ours has one-warp blocks, 20 000 steps; 4224 fill an H200. The second has a one-warp block a multiprocessor. "
        "The paper explains its first step at 65 replications by room that is saved for such a kernel.",
    ),
)

TABLES = (
    PrintedTable(
        "table1",
        "Table 1: what an annotation stands for",
        "replications_table1",
        {"aspect_code": "annotation", "macro_equivalence": "macros"},
        caption="The text asks for WARP_INIT first; the table is right, as the warp's index is used inside only.",
    ),
    PivotTable(
        "forms",
        "Time of the three forms of a warp a replication, and of the index by PTX",
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
        kernel("registers", "registers a thread", "1"),
        dict(variant=FORMS, machine="cuda", case=in_sweep("table1")),
    ),
    FigureTable(
        "instructions",
        "Instructions of the three forms, 50 replications",
        ("model", "variant"),
        {
            "instructions of warps": named("counter_instructions"),
            "lanes an instruction": named("counter_lanes_an_instruction"),
        },
        dict(variant=FORMS, machine="cuda", replications="50", case=in_sweep("table1")),
        caption="Hardware counters, read apart from any timing.",
    ),
    PrintedTable(
        "table2_printed",
        "Table 2: access to global memory of the random walk",
        "replications_table2",
        {"access": "", "tlp": "a thread a replication", "wlp": "a warp a replication"},
        caption="Without a unit, and without a word of which multiprocessors were counted. Beside it what counters read here: table2.",
    ),
    FigureTable(
        "table2",
        "Table 2 counted: access to global memory, 64 replications",
        ("model", "variant"),
        {
            "loads of warps": named("counter_loads"),
            "stores of warps": named("counter_stores"),
            "sectors read": named("counter_sectors_read"),
            "sectors written": named("counter_sectors_written"),
            "loads a replication": lambda figures: figures["counter_loads"] / 64,
            "stores a replication": lambda figures: figures["counter_stores"] / 64,
            "most loads of a scheduler": named("counter_loads_most"),
            "most stores of a scheduler": named("counter_stores_most"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Hardware counters of the whole device.",
    ),
    FigureTable(
        "figure8",
        "Figure 8: waiting for memory over computing, and how warps are filled, 64 replications",
        ("model", "variant"),
        {
            "memory over compute": lambda figures: memory_share(without_prefix(figures)),
            "occupancy, %": named("counter_occupancy_percent"),
            "lanes an instruction, of 32": named("counter_lanes_an_instruction"),
            "uniform branches, %": named("counter_branches_uniform_percent"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Memory over compute is a proxy: stalls of warps on global memory over their other cycles. A lone lane never "
        "diverges and uses 1/32 of its warp, so branches and lanes point in opposite directions here: time ranks.",
    ),
    FigureTable(
        "coverage",
        "Share of 95 % intervals of 3 to 100 replications that cover the mean",
        ("model", "engine"),
        {f"{count} replications": named(f"coverage_{count}") for count in (3, 10, 30, 100)},
        dict(variant="all_cores", replications="100000"),
        caption="100 000 replications in all, cut into groups; the mean is that of all of them.",
    ),
    ChoiceTable(
        "auto",
        "auto beside the best other scheme",
        "Every scheme that was timed counts: a thread each, 1 to 32 lanes of a warp, teams of 4 to 16 384 lanes.",
    ),
    PivotTable(
        "beside",
        "A second kernel beside ours: multiprocessors that ours uses",
        ("replications",),
        "variant",
        figure("multiprocessors_used", "multiprocessors", "1"),
        dict(variant="beside"),
    ),
    PivotTable(
        "models",
        "Every model at 64 replications",
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
