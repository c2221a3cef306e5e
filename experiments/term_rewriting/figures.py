"""The figures of term_rewriting: those of the paper, with the device's numbers, then our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from experiments.term_rewriting import bandwidths, titles, workloads
from experiments.term_rewriting.hardware import HardwareModel
from experiments.term_rewriting.over_parallelism import AgainstCpu, OverParallelism
from experiments.term_rewriting.over_time import COALESCED, MILLIONS, PARALLELISM, RANDOM, THROUGHPUT, OverTime
from experiments.term_rewriting.passes import traced, with_traffic
from experiments.term_rewriting.tables import TABLES
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    COMPARED,
    MERGE_SORT,
    ONE_CHANGE,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
)
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Lines
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, metric, number_of
from plots.results import Case
from plots.spec import Stated

__all__ = ["ABOUT", "COLOURS", "FIGURES", "TABLES", "published"]

ABOUT = About(
    title="Term rewriting",
    question="How fast is innermost term rewriting on a GPU?",
    paper="J. van Eerd, J.F. Groote, P. Hijma, J. Martens, A. Wijs: Term Rewriting on GPUs. Fundamentals of Software "
    "Engineering (FSEN), 2021.",
    unit="a term",
    cited="van Eerd 2021",
    asks="Can GPUs rewrite terms fast?",
    doi="10.1007/978-3-030-89247-0_12",
    url="https://arxiv.org/abs/2009.07174",
)


def published(numbers: Published) -> Iterable[Case]:
    """The one rate that the text states; the cells of Table 2 are missing from our copy of the text."""
    gpu = paper_device("Titan RTX", {"multiprocessors": float(numbers.facts()["sms"]), "compute_capability": "7.5"})
    axes = {"system": "transformation_tree", "depth": "22", "elements": "5", "sharing": "none"}
    speed = float(numbers.facts()["tt_rate_average"])
    return (paper_case(gpu, "term_rewriting", AS_PRINTED, axes, item="rewrites", rate=speed),)


#: A variant has one colour in all figures.
COLOURS: Mapping[str, str] = {
    "fast": "blue",
    "auto": "sky",
    AS_PRINTED: "red",
    workloads.CPU_AS_PRINTED: "brown",
    "one_core": "olive",
    "all_cores": "grey",
    "ocaml": "green",
    "maude": "purple",
}


def changed(label: str, variant: str) -> Measure:
    """The speed of a variant on the workload that compares them."""
    return Measure(label, "rewrites/s", lambda view: view.rate(variant=variant, machine="cuda", **COMPARED))


DEPTH = Variable(Axis("depth of the tree", "levels"), number_of("depth"))

BEFORE_A_TENTH = "The dashed line is at a tenth of the peak."
NO_CURVE = "The paper's curve is only in its figure, which our copy of the text lacks."

FIGURES: tuple[HardwareModel | OverTime | OverParallelism | AgainstCpu | Lines | Dots, ...] = (
    HardwareModel(
        "figure1",
        "Figure 1: hardware model of CUDA GPUs",
        caption="A GPU has streaming multiprocessors (SMs), and an SM has streaming processors (SPs): an SP runs a thread, and 32 "
        "threads are a warp. Registers belong to threads and are fast; the global memory is for all threads and the host, "
        "large and slow. The number of SPs follows from the measured rate of multiply-adds.",
    ),
    OverTime(
        "figure2a",
        "Figure 2a: parallelism of merge sort of 50 elements",
        PARALLELISM,
        MERGE_SORT,
        without_times=True,
        caption="Terms that each pass rewrites. The width of a pass is its time; the time axis has 400 steps, each as high as its "
        f"widest pass. {BEFORE_A_TENTH} {NO_CURVE}",
        finding=titles.mostly_tails,
        stated=(Stated("a tenth of the peak", titles.tenth_of_peak(MERGE_SORT)),),
    ),
    OverTime(
        "figure2b",
        "Figure 2b: the same, zoomed in to the 81 passes around the peak",
        PARALLELISM,
        MERGE_SORT,
        zoom=40,
        derive_alone=True,
        without_times=True,
        caption="The width of a box is the time of a derive kernel, as in the paper; its height is the number of terms that it "
        "rewrites. The other kernels of a pass are the gaps. Between passes that rewrite, others find that subterms are not in "
        "normal form yet.",
        finding=titles.peak_of_one_list,
    ),
    OverTime(
        "figure3a",
        "Figure 3a: parallelism of tree merge sort 23 5",
        MILLIONS,
        TREE_SORT_23,
        without_times=True,
        caption="Terms that each pass rewrites, while it sorts the lists of five numbers at the leaves of a tree of depth 23. "
        f"{BEFORE_A_TENTH} {NO_CURVE}",
        finding=titles.mostly_parallel,
        stated=(Stated("a tenth of the peak", titles.tenth_of_peak(TREE_SORT_23, 1e6)),),
    ),
    OverTime(
        "figure3b",
        "Figure 3b: throughput of tree merge sort 23 5",
        THROUGHPUT,
        TREE_SORT_23,
        caption="Rewrites of each pass over its time. The paper's text gives its peaks alone, on a Titan RTX.",
        finding=titles.peak_throughput,
        stated=(
            Stated("paper: peaks up to this", lambda view: view.fact("tms_rate_peak")),
            Stated("average here", lambda view: titles.average_throughput(traced(view, **TREE_SORT_23))),
        ),
    ),
    OverTime(
        "figure3c",
        "Figure 3c: bandwidth of random accesses, tree merge sort 23 5",
        RANDOM,
        TREE_SORT_23,
        passes=with_traffic,
        caption="Bytes at slots other than the thread's own, counted by an instrumented program, over the plain program's time in the "
        "derive kernel. The lines are averages over the whole run; the paper's are of a Titan RTX (Table 3).",
        finding=titles.random_used,
        stated=(
            Stated("paper: average", lambda view: view.fact("t3_bw_random")),
            Stated("average here", titles.in_gib(bandwidths.random_bandwidth)),
        ),
    ),
    OverTime(
        "figure3d",
        "Figure 3d: bandwidth of coalesced accesses, tree merge sort 23 5",
        COALESCED,
        TREE_SORT_23,
        passes=with_traffic,
        caption="Bytes at the thread's own slot, and the copies of two columns before each pass. The last passes rewrite little and "
        "stream through all slots. The lines are averages over the whole run; the paper's are of a Titan RTX (Table 3).",
        finding=titles.coalesced_used,
        stated=(
            Stated("paper: average", lambda view: view.fact("t3_bw_aligned")),
            Stated("average here", titles.in_gib(bandwidths.aligned_bandwidth)),
        ),
    ),
    OverTime(
        "tree_throughput",
        "Throughput of transformation tree 22",
        THROUGHPUT,
        TREE_22,
        caption='Rewrites of each pass over its time. The paper, on a Titan RTX: "sustaining around 6 billion rewrites per second for '
        'half of the execution time (the rest is setting/breaking down the tree)".',
        finding=titles.time_at_the_papers_rate,
        stated=(
            Stated("paper: sustained for half of the time", lambda view: view.fact("tt_rate_sustained")),
            Stated("paper: average", lambda view: view.fact("tt_rate_average")),
        ),
    ),
    OverParallelism(
        "rates",
        "Rewrites per second against average parallelism, all systems",
        caption="Each point is a system at one size. Average parallelism is rewrites divided by iterations of innermost rewriting in which a "
        "normal form is known as soon as its arguments are. OCaml and Maude: processor time, see METHOD.md.",
        finding=titles.crossing_of_best,
    ),
    OverParallelism(
        "rates_sort",
        "Tree merge sort: rewrites per second against average parallelism",
        system="tree_merge_sort",
        caption="One point per depth of the tree: it doubles the lists, and the parallelism with them.",
        finding=titles.crossing_of_sort,
    ),
    OverParallelism(
        "rates_tree",
        "Transformation tree: rewrites per second against average parallelism",
        system="transformation_tree",
        caption="One point per depth of the tree. The diamond is the rate that the paper gives for depth 22.",
        finding=titles.transformation_rates,
    ),
    AgainstCpu(
        "speedups",
        "GPU engines over the best CPU engine, each system at the largest size that both ran",
        caption="Left of the line, a CPU engine is faster: of those measured, the paper's CPU rewriter and generated C++ on one and all cores. In brackets: "
        "average parallelism, where it was counted at this size; the order is that of the system's largest one. fast takes chains of rules in one step on transformation tree and payload tree.",
        finding=titles.systems_won,
    ),
    Lines(
        "depth",
        "Largest parallelism against the depth of tree merge sort",
        DEPTH,
        metric("max_redexes", "largest number of simultaneous redexes", "redexes", "log10"),
        dict(variant="iterations", **TREE_SORT),
        by=("system",),
        caption='Counted on the CPU. The paper: "The parallelism is exponential w.r.t. the depth of the tree."',
        finding=titles.doubling,
    ),
    Dots(
        "variants",
        "The paper's GPU rewriter with one change at a time, tree merge sort 20 5",
        Axis("speed", "rewrites/s"),
        (changed("as the paper prints it", AS_PRINTED), *(changed(text, name) for name, text in ONE_CHANGE.items())),
        bars=True,
        caption="Each bar differs from the first one in one point. README.md has the names of the variants.",
        finding=titles.best_change,
    ),
)
