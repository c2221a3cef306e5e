"""The tables of term_rewriting: those of the paper, with the device's numbers, then our own."""

from __future__ import annotations

from experiments.term_rewriting import bandwidths, workloads
from experiments.term_rewriting.bandwidth_tables import ComparisonOfDevices, UsedBandwidths
from experiments.term_rewriting.over_parallelism import ENGINES
from experiments.term_rewriting.speed_table import SpeedTable
from experiments.term_rewriting.workloads import AS_PRINTED
from plots.metric_table import MetricTable, named
from plots.quantity import rate, time
from plots.roofs import Roof, RoofTable
from plots.tables import PivotTable


TABLES: tuple[SpeedTable | ComparisonOfDevices | UsedBandwidths | PivotTable | MetricTable | RoofTable, ...] = (
    ComparisonOfDevices(
        "table1",
        "Table 1: comparison of CPU and GPU",
        caption="Aligned: a copy, counting bytes read and written. Random: loads of 4 bytes.",
    ),
    SpeedTable(
        "table2",
        "Table 2: performance of the rewrite systems, M rewrites/s",
        caption="CPU and GPU are the paper's two rewriters, one_core and all_cores are generated C++, and fast is our engine. The "
        "paper's other cells are missing from our copy of the text.",
    ),
    UsedBandwidths(
        "table3",
        "Table 3: bandwidth used by tree merge sort",
        "Tree merge sort 23 5",
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
        "Time of each engine, and of both in a race (auto)",
        (("workload", workloads.name_of), "sharing"),
        "variant",
        time("time"),
        dict(
            variant=("one_core", "all_cores", "fast", "auto"),
            machine=("cpu", "cuda"),
            case=lambda case: case.time is not None,
        ),
        caption="auto starts the GPU's engine 0.05 ms after the CPU's if subterms wait then, or with it if the input has many "
        "terms.",
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
        dict(
            variant=tuple(engine.variant for engine in ENGINES),
            machine=("cpu", "cuda"),
            **workloads.PLAIN,
        ),
        caption="Each engine on the machine that it is made for: as_printed, fast and auto on the GPU, the others on the CPU.",
    ),
    PivotTable(
        "block_sizes",
        "Rewrites per second of the paper's rewriter by threads per block, tree merge sort 18 5",
        ("variant",),
        "machine",
        rate("rewrites"),
        dict(variant=(AS_PRINTED, *workloads.BLOCK_SIZES), machine="cuda", **workloads.BLOCKS_COMPARED),
        caption="The paper does not give its number of threads per block. as_printed has 256.",
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
