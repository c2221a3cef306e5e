"""The figures and tables of term_rewriting: those of the paper, with the device's numbers, then our own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from experiments.term_rewriting import bandwidths, measures, workloads
from experiments.term_rewriting.passes import counted_passes, traced, with_traffic
from experiments.term_rewriting.workloads import (
    CPU_AS_PRINTED,
    AS_PRINTED,
    MERGE_SORT,
    TREE_22,
    TREE_SORT,
    TREE_SORT_18,
    TREE_SORT_23,
)
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
from plots.metric_table import MetricTable, named
from plots.figures import Lines, Ranking
from plots.interval import Interval, exact
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, metric, number_of, rate, time
from plots.results import GPU, Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable

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


def speed(label: str, variant: str, machine: object, where: Mapping[str, object]) -> Measure:
    return Measure(label, "rewrites/s", lambda view: measures.deepest(view, variant, machine, **where)[1])


def ratio(label: str, gpu: Mapping[str, object], cpu: Mapping[str, object], fact: str) -> Measure:
    """The paper's GPU rewriter over its CPU rewriter; on the paper's device, the ratio that its text states."""

    def of(view: View) -> Interval:
        if view.device.published and fact:
            return exact(view.fact(fact))
        of_cpu = measures.deepest(view, CPU_AS_PRINTED, "cpu", **cpu)[1]
        return measures.deepest(view, AS_PRINTED, GPU, **gpu)[1] / of_cpu

    return Measure(label, "1", of)


def application(
    name: str, gpu: Mapping[str, object], cpu: Mapping[str, object], fact: str, cpu_name: str = ""
) -> tuple[Measure, ...]:
    """The rows of Table 2 for one application, then the rates of other engines."""
    cpu_name = cpu_name or name
    return (
        speed(f"{cpu_name}: the paper's CPU rewriter", CPU_AS_PRINTED, "cpu", cpu),
        speed(f"{name}: the paper's GPU rewriter", AS_PRINTED, GPU, gpu),
        ratio(f"{name}: speed-up", gpu, cpu, fact),
        speed(f"{cpu_name}: generated C++, one core", "one_core", "cpu", cpu),
        speed(f"{cpu_name}: generated C++, all cores", "all_cores", "cpu", cpu),
        speed(f"{name}: fast", "fast", GPU, gpu),
    )


def bandwidth(label: str, of: Callable[[View], Interval]) -> Measure:
    return Measure(label, "B/s", of)


DEPTH = Variable(Axis("depth of the tree", "levels"), number_of("depth"))
ENGINES = (
    (AS_PRINTED, "cuda"),
    ("fast", "cuda"),
    ("auto", "cuda"),
    (CPU_AS_PRINTED, "cpu"),
    ("one_core", "cpu"),
    ("all_cores", "cpu"),
    ("ocaml", "cpu"),
    ("maude", "cpu"),
)

SORT_TRACE = partial(with_traffic, **TREE_SORT_23)

FIGURES: tuple[OverTime | OverParallelism | Lines | Ranking, ...] = (
    OverTime(
        "figure2a",
        "Figure 2a: parallelism of merge sort of 50 elements",
        PARALLELISM,
        partial(traced, **MERGE_SORT),
        caption="The width of a pass is its time. The time axis has 400 steps, each as high as its widest pass.",
    ),
    OverTime(
        "figure2b",
        "Figure 2b: parallelism of merge sort of 50 elements around the peak",
        PARALLELISM,
        partial(traced, **MERGE_SORT),
        zoom=40,
        caption="The width of a pass is its time, its height the number of terms that it rewrites.",
    ),
    OverTime(
        "figure2_counted",
        "Figure 2a without a GPU: parallelism against passes",
        PARALLELISM,
        partial(counted_passes, **MERGE_SORT),
        unit="passes",
        caption="Passes of the paper's rewriter, counted on the CPU. All passes have the same width.",
    ),
    OverTime(
        "figure2_counted_zoomed",
        "Figure 2b without a GPU: parallelism around the peak",
        PARALLELISM,
        partial(counted_passes, **MERGE_SORT),
        unit="passes",
        zoom=40,
    ),
    OverTime(
        "figure3a",
        "Figure 3a: parallelism of tree merge sort 23 5",
        MILLIONS,
        partial(traced, **TREE_SORT_23),
    ),
    OverTime(
        "figure3b",
        "Figure 3b: throughput of tree merge sort 23 5",
        THROUGHPUT,
        partial(traced, **TREE_SORT_23),
    ),
    OverTime(
        "figure3c",
        "Figure 3c: bandwidth of random accesses",
        RANDOM,
        SORT_TRACE,
        caption="Bytes at slots other than the thread's own, counted by an instrumented program, over the plain program's time in the "
        "derive kernel.",
    ),
    OverTime(
        "figure3d",
        "Figure 3d: bandwidth of coalesced accesses",
        COALESCED,
        SORT_TRACE,
        caption="Bytes at the thread's own slot, and the copies of two columns before each pass.",
    ),
    OverTime(
        "tree_throughput",
        "Throughput of transformation tree 22",
        THROUGHPUT,
        partial(traced, **TREE_22),
        caption='"around 6 billion rewrites per second for half of the execution time (the rest is setting/breaking down the tree)"',
    ),
    OverTime(
        "sort_counted",
        "Figure 3a without a GPU: parallelism against passes",
        MILLIONS,
        partial(counted_passes, **TREE_SORT_23),
        unit="passes",
        caption="Tree merge sort 23 5, counted on the CPU from its distinct redexes.",
    ),
    OverParallelism(
        "rates",
        "Rewrites per second against average parallelism",
        ENGINES,
        caption="Each point is a system at one size. Average parallelism is rewrites divided by iterations of innermost rewriting in which a "
        "normal form is known as soon as its arguments are. OCaml and Maude: processor time, see METHOD.md.",
    ),
    OverParallelism(
        "rates_sort",
        "Tree merge sort: rewrites per second against average parallelism",
        ENGINES,
        system="tree_merge_sort",
        caption="One point per depth of the tree.",
    ),
    OverParallelism(
        "rates_tree",
        "Transformation tree: rewrites per second against average parallelism",
        ENGINES,
        system="transformation_tree",
        caption="One point per depth of the tree.",
    ),
    OverParallelism(
        "speedups",
        "Speed-up over the paper's CPU rewriter against average parallelism",
        tuple(pair for pair in ENGINES if pair[0] != CPU_AS_PRINTED),
        against=CPU_AS_PRINTED,
    ),
    Lines(
        "depth",
        "Largest parallelism against the depth of tree merge sort",
        DEPTH,
        metric("max_redexes", "largest number of simultaneous redexes", "redexes", "log10"),
        dict(variant="iterations", **TREE_SORT),
        by=("system",),
        caption='"The parallelism is exponential w.r.t. the depth of the tree."',
    ),
    Ranking(
        "variants",
        "Rewrites per second of tree merge sort 20 5, one change at a time",
        rate("rewrites"),
        dict(machine="cuda", **workloads.COMPARED),
    ),
)

TABLES: tuple[FactTable | PivotTable | MetricTable | RoofTable, ...] = (
    FactTable(
        "table1",
        "Table 1: bandwidth of aligned and random accesses",
        (
            bandwidth("CPU, aligned", bandwidths.cpu_aligned),
            bandwidth("CPU, random", bandwidths.cpu_random),
            bandwidth("GPU, aligned", bandwidths.gpu_aligned),
            bandwidth("GPU, random", bandwidths.gpu_random),
        ),
        caption="The paper's CPU is an Intel Core i5-7600. Aligned: a copy, counting bytes read and written. Random: loads of 4 bytes.",
    ),
    FactTable(
        "table2",
        "Table 2: performance of the rewrite systems",
        (
            *application("merge sort 50", MERGE_SORT, MERGE_SORT, ""),
            *application("tree merge sort 23 5", TREE_SORT_23, TREE_SORT_18, "tms_speedup", "tree merge sort 18 5"),
            speed("tree merge sort 23 5: generated C++, all cores", "all_cores", "cpu", TREE_SORT_23),
            *application("transformation tree 22", TREE_22, TREE_22, "tt_speedup"),
        ),
        caption="The paper's speed-ups are more than 3 and more than 10; its other cells are missing from our copy of the text. Tree "
        "merge sort 18 5 has one in 32 of the lists of 23 5; the speed-up compares rewrites per second. The rates of CPU engines depend on the "
        "number of lists: see the table of every workload.",
    ),
    FactTable(
        "table3",
        "Table 3: bandwidth used by tree merge sort 23 5",
        (
            bandwidth("random", bandwidths.random_bandwidth),
            bandwidth("aligned", bandwidths.aligned_bandwidth),
        ),
        caption="Bytes over the time of the derive kernel, without atomics. Random: at slots other than the thread's own.",
    ),
    RoofTable(
        "limits",
        "Share of the device's limits used by the paper's rewriter and its variants",
        (Roof("random loads, one per rewrite", bandwidths.RANDOM_LIMIT, "loads/s", lambda case: case.items),),
        dict(variant=(AS_PRINTED, *workloads.ONE_CHANGE), machine="cuda", **workloads.PLAIN),
        caption="Each variant at the workload where it is fastest. A rewrite reads at least one subterm, in a slot other than the thread's "
        "own: one random load. Table 3 has counted bytes.",
    ),
    PivotTable(
        "auto",
        "Time of each engine, and of both in a race (`auto`)",
        (("workload", workloads.name_of), "sharing"),
        "variant",
        time("time"),
        dict(
            variant=("one_core", "all_cores", "fast", "auto"),
            machine=("cpu", "cuda"),
            case=lambda case: case.time is not None,
        ),
        caption="`auto` starts the GPU's engine 0.3 ms after the CPU's and takes the result of the first to finish.",
    ),
    FactTable(
        "auto_over_better",
        "Cost of the race",
        (
            Measure(
                "largest time of `auto` over the better engine's, where that is over 20 ms",
                "1",
                measures.auto_over_better,
            ),
        ),
    ),
    MetricTable(
        "work",
        "Rewrites and parallelism of each workload, counted",
        (("workload", workloads.name_of),),
        {
            "rewrites": named("rewrites"),
            "iterations": named("iterations"),
            "largest number at once": named("max_redexes"),
            "average parallelism": named("average_parallelism"),
            "passes of the paper": named("iterations_marked"),
        },
        dict(variant="iterations", **workloads.PLAIN),
        caption="Iterations of innermost rewriting with unlimited processors in which a normal form is known as soon as its arguments are. "
        "The paper's passes mark a term one pass after its subterms.",
        sort_by="average parallelism",
    ),
    PivotTable(
        "systems",
        "Rewrites per second of every workload",
        (("workload", workloads.name_of),),
        "variant",
        rate("rewrites"),
        dict(variant=tuple(dict(ENGINES)), **workloads.PLAIN),
    ),
    PivotTable(
        "block_sizes",
        "Rewrites per second of the paper's rewriter by threads per block, tree merge sort 18 5",
        ("variant",),
        "machine",
        rate("rewrites"),
        dict(variant=(AS_PRINTED, *workloads.BLOCK_SIZES), machine="cuda", **workloads.BLOCKS_COMPARED),
        caption="The paper does not give its number of threads per block. `as_printed` has 256.",
    ),
    PivotTable(
        "sharing",
        "Rewrites per second of tree merge sort 20 5, numerals of the input shared or apart",
        ("variant", "machine"),
        "sharing",
        rate("rewrites"),
        dict(system="tree_merge_sort", depth="20", elements="5"),
    ),
)
