"""Figures of replications: the paper's own on this device, then further ones. One entry per figure."""

from __future__ import annotations

from collections.abc import Iterable

from experiments.replications import bars, headlines, phase
from experiments.replications.axes import (
    BLOCK,
    COUNT,
    CURVES,
    EACH,
    FEW,
    LANES,
    UTILISATION,
    count_name,
    limits,
    model_name,
    multiple_of_slots,
    stair_corners,
)
from experiments.replications.measures import CHOSEN, CHUNK_WALK, LONG_WALK, SHORT_MODELS, WALK, in_sweep
from experiments.replications.paper_figures import PAPER_FIGURES
from experiments.replications.tables import TABLES
from experiments.replications.traced import BlockTrace
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Lines, Theory
from plots.published import Published, paper_case, paper_device
from plots.quantity import metric, rate, time
from plots.results import Case
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
    asks="A thread or a warp per replication?",
    url="https://inria.hal.science/hal-01099208",
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
    **{"warp_6": "crimson", "warp_2": "red", "warp_1": "olive", "equal": "sky", "thread_1": "blue"},
    "branches_axis": "grey",
}


def published(numbers: Published) -> Iterable[Case]:
    """The paper prints no times. Its numbers of replications are the facts that figures and claims compare with."""
    device = paper_device(
        "Tesla C2050", {"multiprocessors": float(numbers.facts()["sms"]), "compute_capability": "2.0"}
    )
    return (paper_case(device, "replications", "warps", {"model": "pi", "draws": "10000000"}),)


FIGURES: tuple[Lines | Dots | Schematic | BlockTrace | bars.SecondKernel | phase.PhaseDiagram, ...] = (
    *PAPER_FIGURES,
    Lines(
        "capacity",
        "Time of one warp per replication as the device fills up, random walk",
        FEW,
        time("time", "linear"),
        dict(variant="warps", machine="cuda", case=in_sweep("capacity"), block="32", **WALK),
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
        "chunk_walk",
        "Time against replications, random walk whose step branches on its chunk",
        COUNT,
        time("time"),
        dict(variant=CURVES, **CHUNK_WALK, **CHOSEN),
        caption="Each of the 30 chunks has its own code that turns a step's word into a direction. Runs of such steps do not compose, "
        "so there are no teams of lanes; auto takes a replication per lane, and few lanes per warp as long as there are "
        "warps to spare.",
        finding=phase.chunk_walk_headline,
        stated=limits(WALK)[:1],
    ),
    *(
        phase.PhaseDiagram(
            f"phase_{name}",
            f"Warps against threads, a step with {panel}",
            panel,
            "A box is the time of one thread per replication over that of one warp, for a step that takes one of its branches at "
            "random. Few replications and many branches are the warp's part; a full device is the thread's.",
        )
        for name, panel in zip(("short", "long", "memory"), phase.BRANCH_PANELS)
    ),
    Lines(
        "long_walk",
        "Time against replications, random walk with 100,000 steps",
        COUNT,
        time("time"),
        dict(machine="cuda", **LONG_WALK, **CHOSEN),
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
        dict(
            variant="auto",
            engine="taus88",
            machine="cuda",
            draws="100000",
            steps="1000",
            clients="10000",
            utilisation="0.75",
            **CHOSEN,
        ),
        by=(("model", model_name),),
        caption="The choice of the cost model. It counts whole blocks per multiprocessor, so more replications can get more lanes: "
        "the blocks of a large team may divide evenly among the multiprocessors and those of a small one not.",
        finding=headlines.fewer_lanes,
    ),
    Lines(
        "lanes",
        "Items per second against active lanes per warp",
        LANES,
        rate("items"),
        dict(variant="lanes", machine="cuda", case=in_sweep("lanes")),
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
        dict(variant="dispatch", machine="cuda", replications="264"),
        "264 one-warp blocks. Dispatch in order would give one rising diagonal. Two multiprocessors with consecutive numbers "
        "share a part of the chip; short dashes of two points are pairs that are filled together.",
        finding=headlines.dispatch,
    ),
    BlockTrace(
        "replacement",
        "When blocks begin and end",
        {"end_of_block_": "end", "begin_of_block_": "begin"},
        Axis("time since the first block began", "s"),
        dict(variant="dispatch", machine="cuda", replications="16896"),
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
