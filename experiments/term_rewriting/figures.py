"""What is drawn of term_rewriting: the paper's tables and figures beside the device, then what they leave open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from experiments.term_rewriting import bandwidths, measures, workloads
from experiments.term_rewriting.passes import counted_passes, traced, with_traffic
from experiments.term_rewriting.workloads import CPU_PRINTED, GPU_PRINTED, MERGE_SORT, TREE_22, TREE_SORT, TREE_SORT_23
from experiments.term_rewriting.over_time import (
    COALESCED,
    MILLIONS,
    PARALLELISM,
    RANDOM,
    THROUGHPUT,
    OverParallelism,
    OverTime,
)
from plots.catalog import About
from plots.drawing import Axis
from plots.figure_table import FigureTable, named
from plots.figures import Lines, Ranking
from plots.interval import Interval, exact
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, figure, number_of, rate, time
from plots.results import GPU, Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable

ABOUT = About(
    title="Term rewriting",
    question="Can innermost term rewriting live on a GPU?",
    paper="J. van Eerd, J.F. Groote, P. Hijma, J. Martens, A. Wijs: Term Rewriting on GPUs. Fundamentals of Software "
    "Engineering (FSEN), 2021.",
    unit="a term",
)


def published(numbers: Published) -> Iterable[Case]:
    """The one rate that the text keeps; Table 2's other cells are lost in our copy."""
    gpu = paper_device("Titan RTX", {"multiprocessors": float(numbers.facts()["sms"]), "compute_capability": "7.5"})
    axes = {"system": "transformation_tree", "depth": "22", "elements": "5", "sharing": "none"}
    speed = float(numbers.facts()["tt_rate_average"])
    return (paper_case(gpu, "term_rewriting", GPU_PRINTED, axes, item="rewrites", rate=speed),)


def speed(label: str, variant: str, machine: object, where: Mapping[str, object]) -> Measure:
    return Measure(label, "rewrites/s", lambda view: measures.deepest(view, variant, machine, **where)[1])


def ratio(label: str, gpu: Mapping[str, object], cpu: Mapping[str, object], fact: str) -> Measure:
    """GPU over CPU as printed; the paper's as its text states it."""

    def of(view: View) -> Interval:
        if view.device.published and fact:
            return exact(view.fact(fact))
        of_cpu = measures.deepest(view, CPU_PRINTED, "cpu", **cpu)[1]
        return measures.deepest(view, GPU_PRINTED, GPU, **gpu)[1] / of_cpu

    return Measure(label, "1", of)


def application(
    name: str, gpu: Mapping[str, object], cpu: Mapping[str, object], fact: str, cpu_name: str = ""
) -> tuple[Measure, ...]:
    """The rows of Table 2 for one application, then what other engines make of it."""
    cpu_name = cpu_name or name
    return (
        speed(f"{cpu_name}: CPU as printed", CPU_PRINTED, "cpu", cpu),
        speed(f"{name}: GPU as printed", GPU_PRINTED, GPU, gpu),
        ratio(f"{name}: speed-up", gpu, cpu, fact),
        speed(f"{cpu_name}: generated C++, one core", "one_core", "cpu", cpu),
        speed(f"{cpu_name}: generated C++, all cores", "all_cores", "cpu", cpu),
        speed(f"{name}: fast", "fast", GPU, gpu),
    )


def bandwidth(label: str, of: Callable[[View], Interval]) -> Measure:
    return Measure(label, "B/s", of)


DEPTH = Variable(Axis("depth of the tree", "levels"), number_of("depth"))
ENGINES = (
    (GPU_PRINTED, "cuda"),
    ("fast", "cuda"),
    ("auto", "cuda"),
    (CPU_PRINTED, "cpu"),
    ("one_core", "cpu"),
    ("all_cores", "cpu"),
    ("ocaml", "cpu"),
    ("maude", "cpu"),
)

SORT_TRACE = partial(with_traffic, **TREE_SORT_23)

FIGURES: tuple[OverTime | OverParallelism | Lines | Ranking, ...] = (
    OverTime(
        "figure2a",
        "Figure 2a: merge sort of 50, parallelism",
        PARALLELISM,
        partial(traced, **MERGE_SORT),
        caption="A pass is as wide as its time, and the most of each four-hundredth of the time is drawn.",
    ),
    OverTime(
        "figure2b",
        "Figure 2b: merge sort of 50, around the peak",
        PARALLELISM,
        partial(traced, **MERGE_SORT),
        zoom=40,
        caption="A pass is as wide as its time and as high as what it rewrites.",
    ),
    OverTime(
        "figure2_counted",
        "Figure 2 without a GPU: merge sort of 50",
        PARALLELISM,
        partial(counted_passes, **MERGE_SORT),
        unit="passes",
        caption="Counted on the CPU: the paper's passes, each as wide as any other.",
    ),
    OverTime(
        "figure2_counted_zoomed",
        "Figure 2 without a GPU: around the peak",
        PARALLELISM,
        partial(counted_passes, **MERGE_SORT),
        unit="passes",
        zoom=40,
    ),
    OverTime(
        "figure3a",
        "Figure 3a: tree merge sort 23 5, parallelism",
        MILLIONS,
        partial(traced, **TREE_SORT_23),
    ),
    OverTime(
        "figure3b",
        "Figure 3b: tree merge sort 23 5, throughput",
        THROUGHPUT,
        partial(traced, **TREE_SORT_23),
    ),
    OverTime(
        "figure3c",
        "Figure 3c: bandwidth of random accesses",
        RANDOM,
        SORT_TRACE,
        caption="Bytes at slots that are not the thread's own, as an instrumented program counts them, over the plain program's time in "
        "the derive kernel.",
    ),
    OverTime(
        "figure3d",
        "Figure 3d: bandwidth of coalesced accesses",
        COALESCED,
        SORT_TRACE,
        caption="Bytes at the thread's own slot, and the copies of two columns before a pass.",
    ),
    OverTime(
        "tree_throughput",
        "Transformation tree 22: throughput",
        THROUGHPUT,
        partial(traced, **TREE_22),
        caption='"around 6 billion rewrites per second for half of the execution time (the rest is setting/breaking down the tree)"',
    ),
    OverTime(
        "sort_counted",
        "Figure 3a without a GPU",
        MILLIONS,
        partial(counted_passes, **TREE_SORT_23),
        unit="passes",
        caption="Tree merge sort 23 5, counted on the CPU: each distinct redex looked at once.",
    ),
    OverParallelism(
        "rates",
        "Rewrites a second over average parallelism",
        ENGINES,
        caption="Systems from sequential to wide, each at one or several sizes. A workload's parallelism is its rewrites over the iterations "
        "of strict innermost rewriting with normal forms known at once. OCaml and Maude: processor time, see README.",
    ),
    OverParallelism(
        "rates_sort",
        "Tree merge sort: rewrites a second",
        ENGINES,
        system="tree_merge_sort",
        caption="The same rules over the depth of the tree.",
    ),
    OverParallelism(
        "rates_tree",
        "Transformation tree: rewrites a second",
        ENGINES,
        system="transformation_tree",
        caption="The same rules over the depth of the tree.",
    ),
    OverParallelism(
        "speedups",
        "Speed-up over the CPU as printed",
        tuple(pair for pair in ENGINES if pair[0] != CPU_PRINTED),
        against=CPU_PRINTED,
    ),
    Lines(
        "depth",
        "Parallelism over the depth of tree merge sort",
        DEPTH,
        figure("most_redexes", "most redexes at once", "redexes", "log10"),
        dict(variant="iterations", **TREE_SORT),
        by=("system",),
        caption='"The parallelism is exponential w.r.t. the depth of the tree."',
    ),
    Ranking(
        "variants",
        "Tree merge sort 20 5: one thing changed at a time",
        rate("rewrites"),
        dict(machine="cuda", **workloads.COMPARED),
    ),
)

#: The paper's rewriter and those with one thing changed.
AS_PRINTED = re.compile("gpu_(?!traced|counted).*")

TABLES: tuple[FactTable | PivotTable | FigureTable | RoofTable, ...] = (
    FactTable(
        "table1",
        "Table 1: bandwidth, aligned and random",
        (
            bandwidth("CPU, aligned", bandwidths.cpu_aligned),
            bandwidth("CPU, random", bandwidths.cpu_random),
            bandwidth("GPU, aligned", bandwidths.gpu_aligned),
            bandwidth("GPU, random", bandwidths.gpu_random),
        ),
        caption="The paper's CPU is an Intel Core i5-7600. Aligned: a copy, bytes read and written. Random: loads of 4 bytes, 4 bytes each.",
    ),
    FactTable(
        "table2",
        "Table 2: performance of the rewrite systems",
        (
            *application("merge sort 50", MERGE_SORT, MERGE_SORT, ""),
            *application("tree merge sort 23 5", TREE_SORT_23, TREE_SORT, "tms_speedup", "tree merge sort 18 5"),
            *application("transformation tree 22", TREE_22, TREE_22, "tt_speedup"),
        ),
        caption="The paper's speed-ups are more than 3 and more than 10; its other cells are lost in our copy of the text. The CPU sorts "
        "one of 32 of the lists: its rate does not depend on their number.",
    ),
    FactTable(
        "table3",
        "Table 3: bandwidth of tree merge sort 23 5",
        (
            bandwidth("random", bandwidths.random_bandwidth),
            bandwidth("aligned", bandwidths.aligned_bandwidth),
        ),
        caption="Random: bytes at slots that are not the thread's own; atomics apart. Over the time of the derive kernel.",
    ),
    RoofTable(
        "limits",
        "Share of the device's limits: the paper's rewriter and its variants",
        (Roof("random loads, one a rewrite", bandwidths.RANDOM_LIMIT, "loads/s", lambda case: case.items),),
        dict(variant=AS_PRINTED, machine="cuda", **workloads.PLAIN),
        caption="Each at the workload where it is fastest. A rewrite looks at a subterm, which is not the thread's own slot: one random load "
        "is the least. Counted bytes stand in table 3.",
    ),
    PivotTable(
        "auto",
        "The race of --machine auto: seconds of each engine and of both at the same time",
        (("workload", workloads.name_of), "sharing"),
        "variant",
        time("time"),
        dict(
            variant=("one_core", "all_cores", "fast", "auto"),
            machine=("cpu", "cuda"),
            case=lambda case: case.time is not None,
        ),
        caption="auto begins the GPU's engine 0.3 ms after the CPU's; the first to finish ends the time.",
    ),
    FactTable(
        "auto_over_better",
        "The race of --machine auto: what it costs",
        (
            Measure(
                "time over the better engine's, the most of all that take it over 20 ms", "1", measures.auto_over_better
            ),
        ),
    ),
    FigureTable(
        "work",
        "Exact work, from the least to the most parallel",
        (("workload", workloads.name_of),),
        {
            "rewrites": named("rewrites"),
            "iterations": named("iterations"),
            "most at once": named("most_redexes"),
            "average parallelism": named("average_parallelism"),
            "passes of the paper": named("iterations_marked"),
        },
        dict(variant="iterations", **workloads.PLAIN),
        caption="Iterations of strict innermost rewriting with no end of processors and normal forms known at once; the paper's passes mark "
        "a term one pass after its subterms.",
        sort_by="average parallelism",
    ),
    PivotTable(
        "systems",
        "Rewrites a second of every workload",
        (("workload", workloads.name_of),),
        "variant",
        rate("rewrites"),
        dict(variant=tuple(dict(ENGINES)), **workloads.PLAIN),
    ),
    PivotTable(
        "sharing",
        "Numerals of the input shared or not: tree merge sort 20 5",
        ("variant", "machine"),
        "sharing",
        rate("rewrites"),
        dict(system="tree_merge_sort", depth="20", elements="5"),
    ),
)
