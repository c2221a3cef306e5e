"""Figures of replications: the paper's own on this device, then further ones. One entry per figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from experiments.replications import bars, headlines, steps
from experiments.replications.measures import (
    CHOSEN,
    LONG_WALK,
    PI,
    QUEUE,
    SHORT_MODELS,
    TITLES,
    WALK,
    in_sweep,
    replications,
)
from experiments.replications.tables import TABLES
from experiments.replications.traced import LANE, BlockTrace, branches
from experiments.replications.wording import COMPARED, grouped
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Lines, Stated, Theory
from plots.interval import Interval
from plots.published import Published, paper_case, paper_device
from plots.quantity import Quantity, Variable, metric, number_of, rate, time
from plots.results import Case, View, matches
from plots.traces import Schematic

__all__ = ["ABOUT", "COLOURS", "FIGURES", "TABLES", "published"]

ABOUT = About(
    title="Replications",
    question="Should one replication of a stochastic simulation run on a thread, on a warp, or on many lanes?",
    paper="Jonathan Passerat-Palmbach, Pierre Schweitzer, Jonathan Caux, Pridi Siregar, Claude Mazel, David R.C. Hill: "
    "Harnessing aspect oriented programming on GPU: application to warp-level parallelism (WLP). "
    "Int. J. Computer Aided Engineering and Technology 7(2), 2015.",
    unit="a replication: one run of a model on its own random stream",
    cited="Passerat-Palmbach 2015",
    asks="Thread or warp?",
)

#: A scheme and a model have the same colour in every figure.
COLOURS = {
    "auto": "blue",
    "cooperative": "sky",
    "warps": "red",
    "threads": "grey",
    "sequential": "brown",
    "all_cores": "olive",
    "Pi": "purple",
    "M/M/1": "green",
    "random walk": "crimson",
}

#: The paper's three curves, and ours.
CURVES = ("sequential", "warps", "threads", "auto")


def published(numbers: Published) -> Iterable[Case]:
    """The paper prints no times. Its numbers of replications are the facts that figures and claims compare with."""
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


def time_each(case: Case) -> Interval | None:
    """Time per replication: the cost of a scheme once the device is full."""
    count = replications(case)
    return case.time / count if case.time is not None and count else None


EACH = Quantity(Axis("time per replication", "s", "log10"), time_each, less_is_better=True)


def of_gains(case: Case) -> bool:
    """Whether a row can be one of those that `bars.GAINS` divides."""
    sizes = {key: value for key, value in {**QUEUE, **WALK}.items() if key != "model"}
    if case.variant == "sequential":
        return True
    return case.variant in ("warps", "threads", "cooperative", "auto") and matches(
        case, {**sizes, "replications": COMPARED}
    )


def model_name(case: Case) -> str:
    return TITLES[case.axes["model"]]


def count_name(case: Case) -> str:
    return f"{grouped(int(case.axes['replications']))} replications"


def fact(text: str, name: str) -> Stated:
    """A number of replications that the paper states."""
    return Stated(f"paper: {text}", lambda view: view.fact(name), "x")


def six_warps(view: View) -> float:
    """Where one thread per replication would lie if the paper's ratio held."""
    return view.fact("tlp_over_wlp") * view.time(variant="warps", replications="64", **WALK, **CHOSEN).value


def limits(where: Mapping[str, object]) -> tuple[Stated, ...]:
    """Where a device is full: of instructions to issue, and of warps to hold."""
    return (
        Stated("a warp per scheduler", lambda view: float(steps.schedulers(view)), "x"),
        Stated("all warp slots", lambda view: float(steps.warp_slots(view, **where, **CHOSEN)), "x"),
    )


def multiple_of_slots(count: int) -> Stated:
    text = "all slots" if count == 1 else f"{count} x slots"
    return Stated(text, lambda view: float(count * steps.slots(view)), "x")


def stair_corners(view: View) -> list[tuple[float, float]]:
    """Both ends of each step from the first to the last measured time that the stairs describe."""
    predicted, width = steps.stairs(view), steps.schedulers(view)
    last = max(steps.capacity(view))
    corners: list[tuple[float, float]] = []
    for warps in range(steps.CROWDED, -(-last // width) + 1):
        begin, end = (warps - 1) * width + 1, min(warps * width, last)
        corners += [(begin, predicted(end)), (end, predicted(end))]
    return corners


FIGURES: tuple[Lines | Dots | Schematic | BlockTrace | bars.SecondKernel, ...] = (
    Dots(
        "gains",
        "Gains of the paper's scheme and of ours, 64 replications",
        Axis("times as fast", "1", "log10"),
        bars.GAINS,
        caption="Each row divides the time of the second scheme by that of the first. The paper's sentences are \"about 6 times "
        'bigger for the first 64 replications" and "at least twice as fast as a thread running on a cutting-edge CPU". Teams '
        "of lanes are not in the paper; they give the same numbers bit for bit.",
        finding=headlines.gains,
        where=dict(case=of_gains),
        stated=(Stated("equal", lambda view: 1.0),),
    ),
    Dots(
        "figure1",
        "Figure 1: what a multiprocessor has",
        Axis("number", "1"),
        bars.MULTIPROCESSOR,
        caption="The paper's Figure 1 is a block diagram of a multiprocessor of the Tesla C2050; the bars show the numbers that its "
        "text states, beside this GPU. One warp per replication uses one lane of a warp, so schedulers, blocks, and "
        "multiprocessors count, not units.",
        finding=headlines.multiprocessors,
        where=dict(variant="warps", case=in_sweep("capacity")),
        bars=True,
    ),
    Schematic(
        "figure2_warp",
        "Figure 2: one warp per replication",
        "figure2",
        "a warp per replication",
        LANE,
        branches,
        32,
        caption="Each row is one step of the random walk in one warp, each box a lane. One lane per warp works, so no row has "
        "two colours: the warp never diverges, and 31 lanes stay idle.",
    ),
    Schematic(
        "figure2_thread",
        "For comparison: one thread per replication",
        "figure2",
        "a thread per replication",
        LANE,
        branches,
        32,
        caption="The same steps with a replication on every lane. A row with several colours is a warp that diverges: its hardware "
        "runs the directions one after another.",
    ),
    Lines(
        "figure5",
        "Figure 5: time against replications, Pi with 10,000,000 draws",
        FEW,
        time("time", "linear"),
        dict(variant=CURVES, **PI, **CHOSEN),
        keep=(*CURVES, "all_cores"),
        caption="The CPU's time grows with every replication, the GPU's does not until the device is full. The paper does not print "
        "its curves as numbers; the dashed lines are the two numbers of replications that its text states.",
        finding=headlines.crossing("pi", "fig5_crossover"),
        stated=(fact("GPU faster", "fig5_crossover"), fact("first step", "fig5_step")),
    ),
    Lines(
        "figure6",
        "Figure 6: time against replications, M/M/1 queue with 10,000 clients",
        FEW,
        time("time", "linear"),
        dict(variant=CURVES, case=at_most(100), **QUEUE, **CHOSEN),
        caption="As Figure 5; the dashed line is the crossing that the text states. The paper states no rates; ours have utilisation "
        "0.75. Where the CPU's line jumps, the speed of its host differed between rows; an interval holds the repetitions of one "
        "row.",
        finding=headlines.crossing("mm1", "fig6_crossover"),
        stated=(fact("GPU faster", "fig6_crossover"),),
    ),
    Lines(
        "figure7_above",
        "Figure 7, upper panel: time against replications, random walk with 1000 steps",
        FEW,
        time("time", "linear"),
        dict(variant=CURVES, case=at_most(100), **WALK, **CHOSEN),
        caption="The dashed lines are what the text states: the least number of replications for which warps pay, and threads that "
        "take 6 times as long as warps. The CPU's line can bend, because a branch predictor learns the branches of the "
        "few replications that a timed run repeats.",
        finding=headlines.few,
        stated=(fact("warps pay", "wlp_best_from"), Stated("paper: threads, 6x warps", six_warps)),
    ),
    Lines(
        "figure7_below",
        "Figure 7, lower panel: time against replications, random walk with 1000 steps",
        FEW,
        time("time"),
        dict(variant=CURVES, case=at_most(1000), **WALK, **CHOSEN),
        caption="The upper panel continued, with a logarithmic axis of time, since one CPU thread takes so much longer. The paper sees "
        "the benefit of warps greatly reduced after the dashed line. One warp per scheduler ends the flat part of the warps.",
        finding=headlines.many,
        stated=(fact("benefit reduced", "wlp_benefit_reduced"), limits(WALK)[0]),
    ),
    Dots(
        "figure8",
        "Figure 8 and Table 2: one thread over one warp per replication, random walk",
        Axis("threads over warps", "1"),
        bars.COMPUTED_AND_ACCESSED,
        caption="The paper shows the ratio of memory time to computation time for both schemes and says that threads have about 2.5 "
        "times as much. Without a bar of this GPU, a row has no ratio: one warp per replication never waits for global "
        "memory. A warp-wide access counts as one here; the paper does not say what it counts.",
        finding=headlines.memory,
        where=dict(variant=("threads", "warps"), machine="cuda", replications=COMPARED, **WALK, **CHOSEN),
        bars=True,
    ),
    Lines(
        "capacity",
        "Time of one warp per replication as the device fills up, random walk",
        FEW,
        time("time", "linear"),
        dict(variant="warps", case=in_sweep("capacity"), block="32", **WALK),
        theory=(Theory("a step per warp on each scheduler", stair_corners),),
        caption="One-warp blocks. The dashed marks are multiples of the number of blocks that the device holds at once, where the "
        "paper expects steps. The other dashed line has a step wherever each scheduler gets one more warp.",
        finding=headlines.stairs,
        points=True,
        stated=tuple(multiple_of_slots(count) for count in (1, 2, 3)),
    ),
    *(
        Lines(
            f"scaling_{model}",
            f"Time against replications, {size}",
            COUNT,
            time("time"),
            dict(variant=("threads", "warps", "auto", "all_cores"), **where, **CHOSEN),
            caption="The paper's two schemes, all cores of the CPU, and our teams of lanes (auto). The dashed marks show where every "
            "scheduler has a warp of its own, and where the device holds no further warp. Teams help until single "
            "lanes fill the device.",
            finding=headlines.team_gain(model),
            stated=limits(where),
        )
        for (model, where), size in zip(
            SHORT_MODELS.items(), ("Pi with 100,000 draws", "M/M/1 with 10,000 clients", "random walk with 1000 steps")
        )
    ),
    Lines(
        "long_walk",
        "Time against replications, random walk with 100,000 steps",
        COUNT,
        time("time"),
        dict(**LONG_WALK, **CHOSEN),
        caption="Three numbers of replications were measured. The longer the walk, the less the start and the end of a kernel weigh.",
        finding=headlines.long_walk,
        points=True,
    ),
    Lines(
        "each",
        "Time per replication, random walk",
        COUNT,
        EACH,
        dict(variant=CURVES, **WALK, **CHOSEN),
        caption="A line that falls means a device with room to spare; a flat line, a full device. The CPU's line rises where a "
        "branch predictor can no longer learn the branches of all replications that a timed run repeats.",
        finding=headlines.threads_take_over,
    ),
    Lines(
        "team",
        "Lanes per replication that auto chooses",
        COUNT,
        metric("team_lanes", "lanes per replication", "lanes", "log2"),
        dict(variant="auto", engine="taus88", machine="cuda", draws="100000", steps="1000"),
        by=(("model", model_name),),
        caption="The choice of the cost model. It counts whole blocks per multiprocessor, so the choice can jump where the number of "
        "replications is no power of two (10,000): there, the blocks of a large team may divide evenly among the "
        "multiprocessors and those of a small one not.",
        finding=headlines.fewer_lanes,
    ),
    Lines(
        "lanes",
        "Items per second against active lanes per warp",
        LANES,
        rate("items"),
        dict(variant="lanes", machine="cuda", lanes=lambda lanes: lanes != "0"),
        by=(("replications", count_name),),
        panels=("model", model_name),
        caption="Each replication has one lane. With few replications, full warps "
        "leave most multiprocessors empty. An item is a draw, a client, or a step, so panels are not comparable.",
        finding=headlines.full_warps,
    ),
    Lines(
        "block",
        "Time against block size, one warp per replication",
        BLOCK,
        time("time"),
        dict(variant="warps", machine="cuda", case=in_sweep("block")),
        by=(("replications", count_name),),
        panels=("model", model_name),
        caption="Large blocks put few replications on few multiprocessors. The "
        "paper advises the smallest block that reaches full occupancy.",
        finding=headlines.smallest_block,
    ),
    Lines(
        "utilisation",
        "Time against the utilisation of the M/M/1 queue, 64 replications",
        UTILISATION,
        time("time"),
        dict(model="mm1", machine="cuda", case=in_sweep("utilisation")),
        caption="Every client costs the same, however long it waits: the lines are flat, as the paper says when it fixes the "
        "parameters of its distributions.",
        finding=headlines.utilisation,
    ),
    BlockTrace(
        "dispatch",
        "Multiprocessor that runs each block",
        {"multiprocessor_of_block_": "block"},
        Axis("multiprocessor", "number"),
        dict(variant="dispatch", replications="264"),
        "264 one-warp blocks. Dispatch in order would give one rising diagonal. Two multiprocessors with consecutive numbers "
        "share a part of the chip; short dashes of two points are pairs that are filled together.",
        finding=headlines.dispatch,
    ),
    BlockTrace(
        "replacement",
        "When blocks begin and end",
        {"end_of_block_": "end", "begin_of_block_": "begin"},
        Axis("time since the first block began", "s"),
        dict(variant="dispatch", replications="16896"),
        "Random walk, every 64th of 16,896 one-warp blocks. The blocks that fill the slots begin together. Each later block begins "
        "when another one has ended.",
        kind="trace",
        scale=1e-9,
        finding=headlines.replacement,
    ),
    bars.SecondKernel(
        "concurrent_kernel",
        "When a second kernel begins, against the blocks of the first",
        "The first kernel has one-warp blocks and 20,000 steps, the second one a one-warp block per multiprocessor. The paper explains "
        "its first step at 65 replications by resources that the GPU saves for such a kernel; then it would begin at once in "
        "every row.",
        finding=headlines.second_kernel,
    ),
)
