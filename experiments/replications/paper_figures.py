"""The paper's own figures on this device, with the numbers that its text states. One entry per figure."""

from __future__ import annotations

from experiments.replications import bars, headlines
from experiments.replications.axes import CURVES, FEW, at_most, fact, limits
from experiments.replications.measures import CHOSEN, PI, PI_SHORT, QUEUE, WALK, in_sweep
from experiments.replications.traced import LANE, UNIT, branches, turns
from experiments.replications.wording import COMPARED
from plots.drawing import Axis
from plots.figures import Dots, Lines, Stated
from plots.quantity import time
from plots.results import Case, View, matches
from plots.traces import Schematic


def of_gains(case: Case) -> bool:
    """Whether a row can be one of those that `bars.GAINS` divides."""
    sizes = {key: value for key, value in {**QUEUE, **WALK}.items() if key != "model"}
    if case.variant == "sequential":
        return True
    return case.variant in ("warps", "threads", "cooperative", "auto") and matches(
        case, {**sizes, "replications": COMPARED}
    )


def six_warps(view: View) -> float:
    """Where one thread per replication would lie if the paper's ratio held."""
    return view.fact("tlp_over_wlp") * view.time(variant="warps", replications="64", **WALK, **CHOSEN).value


PAPER_FIGURES: tuple[Lines | Dots | Schematic, ...] = (
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
        "figure1_turns",
        "Figure 1: warps on one multiprocessor",
        "figure1",
        "turns of the warps",
        UNIT,
        turns,
        32,
        caption="What the paper's block diagram means for one warp per replication: a scheduler chooses a warp in each turn, and 32 "
        "units execute its step, whose number is in the box. One lane works, so one unit does. Warps are independent of each "
        "other: a warp that waits gives its turn away. Recorded in the emulator, whose turns are no clock ticks.",
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
        "figure5_dense",
        "Figure 5 with 100,000 draws: time against replications, Pi",
        FEW,
        time("time", "linear"),
        dict(variant=CURVES, case=at_most(100), **PI_SHORT, **CHOSEN),
        caption="A hundredth of the draws of Figure 5, so that many numbers of replications and the CPU's line up to 100 can be "
        "measured. The dashed lines are the two numbers of replications that the paper's text states.",
        finding=headlines.growth_of_pi,
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
        "figure8_schemes",
        "Figure 8: memory time over computation time, random walk",
        Axis("memory time over computation time", "1"),
        bars.MEMORY_OF_SCHEMES,
        caption="The bars of the paper's Figure 8, which prints no number for them. Here, the cycles in which warps stall on global "
        "memory over their other cycles, 64 replications. A scheme without a bar never waits for global memory.",
        finding=headlines.memory,
        where=dict(variant=("threads", "warps"), machine="cuda", replications=COMPARED, **WALK, **CHOSEN),
        bars=True,
    ),
    Dots(
        "figure8",
        "Figure 8 and Table 2: one thread over one warp per replication, random walk",
        Axis("threads over warps", "1"),
        bars.COMPUTED_AND_ACCESSED,
        caption="The paper shows the ratio of memory time to computation time for both schemes and says that threads have about 2.5 "
        "times as much. A row without a bar of this GPU needs counters that were not read, or one warp never waits for global "
        "memory. An access is an instruction of a warp; the paper does not say what it counts. Where no counters were read, "
        "accesses are counted in the emulator. "
        "All rows: 64 replications of 1000 steps.",
        finding=headlines.time_and_reads,
        where=dict(variant=("threads", "warps"), machine="cuda", replications=COMPARED, **WALK, **CHOSEN),
        bars=True,
    ),
)
