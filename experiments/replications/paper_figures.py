"""The paper's own figures on this device, with the numbers that its text states. One entry per figure."""

from __future__ import annotations

from experiments.replications import bars, headlines
from experiments.replications.axes import CURVES, FEW, at_most, fact, limits
from experiments.replications.measures import CHOSEN, PI, QUEUE, WALK, in_sweep
from experiments.replications.traced import LANE, branches
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
)
