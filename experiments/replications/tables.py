"""Tables of replications: the paper's own, and those of the variants that it does not have. One entry per table."""

from __future__ import annotations

from experiments.replications.access_table import AccessTable
from experiments.replications.choice import ChoiceTable, unseen_choices
from experiments.replications.counted import memory_share, without_prefix
from experiments.replications.measures import CHOSEN, in_sweep
from plots.metric_table import MetricTable, named
from plots.printed_table import PrintedTable
from plots.quantity import kernel, metric, time
from plots.roofs import Roof, RoofTable
from plots.tables import PivotTable

FORMS = ("warps_macros", "warps_woven", "warps_advised", "warps_policy", "warps", "warps_ptx")

TABLES = (
    PrintedTable(
        "table1",
        "Table 1: annotations and their macros",
        "replications_table1",
        {"aspect_code": "annotation", "macro_equivalence": "macros"},
        caption="The text asks for WARP_INIT first. The table is right, because only the code inside uses the warp's index.",
    ),
    PivotTable(
        "forms",
        "Time of the forms of one warp per replication, and of the index by PTX",
        ("model", "replications"),
        "variant",
        time(),
        dict(variant=FORMS, machine="cuda", case=in_sweep("table1")),
    ),
    PivotTable(
        "registers",
        "Registers of the forms, and of the index by PTX",
        ("model",),
        "variant",
        kernel("registers", "registers per thread", "1"),
        dict(variant=FORMS, machine="cuda", case=in_sweep("table1")),
    ),
    MetricTable(
        "instructions",
        "Instructions of the forms, 50 replications",
        ("model", "variant"),
        {
            "warp instructions": named("counter_instructions"),
            "active lanes per instruction": named("counter_lanes_per_instruction"),
        },
        dict(variant=FORMS, machine="cuda", replications="50", case=in_sweep("table1")),
        caption="Hardware counters, read in runs that are not timed.",
    ),
    AccessTable(
        "table2",
        "Table 2: accesses of the random walk to global memory, 64 replications",
        caption="TLP is one thread per replication, WLP one warp. The paper states neither the unit nor which multiprocessors were "
        "counted; here, an access is an instruction of a warp, on the whole device.",
    ),
    MetricTable(
        "accesses",
        "Accesses to global memory, 64 replications",
        ("model", "variant"),
        {
            "load instructions": named("counter_loads"),
            "store instructions": named("counter_stores"),
            "sectors read": named("counter_sectors_read"),
            "sectors written": named("counter_sectors_written"),
            "loads per replication": lambda metrics: metrics["counter_loads"] / 64,
            "stores per replication": lambda metrics: metrics["counter_stores"] / 64,
            "loads, maximum per scheduler": named("counter_loads_max"),
            "stores, maximum per scheduler": named("counter_stores_max"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Hardware counters of the whole device.",
    ),
    MetricTable(
        "figure8",
        "Figure 8: memory time over compute time, and the use of warps, 64 replications",
        ("model", "variant"),
        {
            "memory over compute": lambda metrics: memory_share(without_prefix(metrics)),
            "occupancy, %": named("counter_occupancy_percent"),
            "active lanes per instruction, of 32": named("counter_lanes_per_instruction"),
            "uniform branches, %": named("counter_branches_uniform_percent"),
        },
        dict(variant=("threads", "warps"), machine="cuda", replications="64"),
        caption="Memory over compute is estimated: cycles in which warps stall on global memory over their other cycles. A lone lane "
        "never diverges and uses 1/32 of its warp, so branch efficiency and lane efficiency point in opposite directions.",
    ),
    MetricTable(
        "coverage",
        "Share of 95% intervals that cover the mean, by replications per interval",
        ("model", "engine"),
        {f"{count} replications": named(f"coverage_{count}") for count in (3, 10, 30, 100)},
        dict(variant="all_cores", replications="100000"),
        caption="100,000 replications, cut into groups. The true mean is known for Pi and the random walk; for M/M/1 it is the mean of "
        "all replications.",
    ),
    ChoiceTable(
        "auto",
        "auto against the fastest other scheme",
        "All timed schemes are compared: one thread per replication, 1 to 32 active lanes per warp, and teams of lanes.",
    ),
    ChoiceTable(
        "auto_unseen",
        "auto against the fastest other scheme, at parameters that no other sweep has",
        "The same schemes, at 20 points that were drawn after the cost model was fitted. At each one, auto keeps the fastest of up "
        "to six teams that it tries; lockstep replicate takes the team with the lowest estimate.",
        unseen_choices,
    ),
    PivotTable(
        "concurrent_kernel",
        "Multiprocessors that the first of two concurrent kernels uses",
        ("replications",),
        "variant",
        metric("multiprocessors_used", "multiprocessors", "1"),
        dict(variant="concurrent_kernel"),
    ),
    PivotTable(
        "models",
        "Time of every model at 64 replications",
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
