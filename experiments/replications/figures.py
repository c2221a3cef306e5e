"""What is drawn of replications: the paper's figures on this device, then what they leave open. One entry a figure or table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from experiments.replications.choice import ChoiceTable
from experiments.replications.measures import (
    BLOCKS_A_MULTIPROCESSOR,
    CHOSEN,
    LONG_WALK,
    PI,
    PI_SHORT,
    QUEUE,
    SHORT_MODELS,
    WALK,
    replications,
)
from plots.catalog import About
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.figures import Histogram, Lines, Scope, Theory, command_for, source_of
from plots.interval import Interval, exact
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


def _slots(blocks: int) -> Theory:
    """A mark, not a curve: two points above one another where the slots are full."""

    def curve(view: View) -> list[tuple[float, float]]:
        count = view.attribute("multiprocessors") * blocks if view.device.has_gpu else 0
        times = [
            case.time.value
            for case in view.select(variant="warps")
            if case.time is not None and "capacity" in case.sweeps
        ]
        return [(count, min(times)), (count, max(times))] if count and times else []

    return Theory(f"{blocks} warps a multiprocessor", curve)


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
        theory=(_slots(BLOCKS_A_MULTIPROCESSOR), _slots(2 * BLOCKS_A_MULTIPROCESSOR)),
        caption="Slots predict steps behind the marks; issue slots are full long before, so time grows with every replication.",
    ),
    *(
        Lines(
            f"scaling_{model}",
            title,
            COUNT,
            time("time"),
            dict(variant=("threads", "warps", "auto", "all_cores"), **where, **CHOSEN),
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
    PivotTable(
        "table1",
        "Table 1: the three forms of a warp a replication, and the index by PTX",
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
    PivotTable(
        "instructions",
        "Instructions of the three forms, 50 replications",
        ("model",),
        "variant",
        figure("counter_instructions", "instructions of warps", "1"),
        dict(variant=FORMS, machine="cuda", replications="50", case=in_sweep("table1")),
        caption="Hardware counters, read apart from any timing.",
    ),
    PivotTable(
        "table2_loads",
        "Table 2: loads from global memory by warps, 64 replications",
        ("model",),
        "variant",
        figure("counter_loads", "loads", "1"),
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Hardware counters of the whole device. The paper's 225 and 18 have no unit.",
    ),
    PivotTable(
        "table2_stores",
        "Table 2: stores to global memory by warps, 64 replications",
        ("model",),
        "variant",
        figure("counter_stores", "stores", "1"),
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Hardware counters of the whole device. The paper's 302 and 104 have no unit.",
    ),
    PivotTable(
        "efficiency",
        "Lanes at work an instruction, of 32, 64 replications",
        ("model",),
        "variant",
        figure("counter_lanes_an_instruction", "lanes", "1"),
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="A lone lane never diverges and uses 1/32 of its warp: this ranks nothing, time does.",
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
