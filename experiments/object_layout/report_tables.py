"""The tables of the report about object_layout."""

from __future__ import annotations

from experiments.object_layout import measures
from experiments.object_layout.measures import PLAIN, SCALES, in_sweep
from experiments.object_layout.paper_figures import bar, traced
from experiments.object_layout.own_figures import LAUNCH
from experiments.object_layout.program import FIGURE_7, FIGURE_7_GENERATED
from plots.metric_table import MetricTable, named
from plots.quantity import kernel, rate, time
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable

TABLES = (
    FIGURE_7,
    FIGURE_7_GENERATED,
    FactTable(
        "figure8_numbers",
        "Figure 8 as numbers",
        tuple(bar(layout, order) for layout in measures.PAPER_LAYOUTS for order in measures.ORDERS),
        caption="Seconds for a million ticks. The paper's numbers come from the authors' plot script.",
    ),
    PivotTable(
        "figure9_numbers",
        "Figure 9 as numbers",
        ("types", "elements"),
        "variant",
        time(),
        dict(program="jobs", case=in_sweep("figure9")),
        caption="The paper's times are of Ruby. jobs_sorted runs on the GPU, the others on one core.",
    ),
    FactTable(
        "figure10_numbers",
        "Figure 10 as numbers",
        tuple(traced(scale, "algorithm2") for scale in SCALES),
        caption="One core of the device's host, and the paper's Ruby program. The paper's numbers are means of two runs.",
    ),
    PivotTable(
        "dispatches",
        "Method dispatch and order, 2^20 agents as structures",
        ("variant",),
        "order",
        rate("agent-ticks"),
        dict(machine="cuda", case=in_sweep("dispatch")),
        caption="A row per way to find the method of an object, a column per order of the agents.",
    ),
    PivotTable(
        "registers",
        "Registers per thread, paper's scenario",
        ("variant", "layout"),
        "mode",
        kernel("registers", "registers per thread", "1"),
        dict(machine="cuda", case=in_sweep("figure8")),
        caption="Counted by the compiler. More registers per thread can mean fewer threads at a time.",
    ),
    PivotTable(
        "fusion_registers",
        "Registers per thread of a chain of maps in one kernel",
        ("variant",),
        "chain",
        kernel("registers", "registers per thread", "1"),
        dict(program="maps", variant="maps_fused", machine="cuda", case=in_sweep("fusion")),
        caption="A column per number of maps. A fused chain keeps its intermediate results in registers (claim O25).",
    ),
    PivotTable(
        "modes",
        "The simulation on the CPU, 200 ticks",
        ("variant",),
        "mode",
        rate("agent-ticks"),
        dict(program="traffic", machine="cpu", case=in_sweep("cpu")),
        caption="objects runs plain objects on one core, columns runs columns on all of them.",
    ),
    PivotTable(
        "bodies",
        "A second object program: n bodies, pairs per second",
        ("variant", "machine"),
        "elements",
        rate("pairs"),
        dict(program="bodies", case=in_sweep("bodies")),
        caption="A column per number of bodies. The same library runs another program than the paper's.",
    ),
    RoofTable(
        "limits",
        "Share of the device's limits, mode live, 1000 ticks per launch",
        (
            Roof("device memory, agents read and written once", "copy", "B/s", lambda case: case.bytes or None),
            Roof(
                "Philox, one word per agent-tick",
                "random_words.philox7",
                "words/s",
                lambda case: case.operations or None,
            ),
        ),
        dict(mode="live", **LAUNCH),
        caption="Each variant at its fastest number of agents. A launch must read and write its agents once. A pedestrian draws one "
        "random word per tick, a car only when it enters a street: most ticks take at most one word per agent.",
    ),
    RoofTable(
        "limits_maps",
        "Share of the device's limits, chains of eight maps",
        (Roof("device memory", "copy", "B/s", lambda case: case.bytes or None),),
        dict(program="maps", machine="cuda", chain="8", case=in_sweep("fusion")),
        caption="The bytes of the unfused chain are those that each of its maps reads and writes.",
    ),
    MetricTable(
        "counters",
        "Hardware counters: sectors, caches and lanes, 1000 ticks",
        ("mode", "agents", "variant", "layout", "order"),
        {
            "sectors per load": named("counter_sectors_per_load"),
            "L1 hits, %": named("counter_l1_hit_percent"),
            "sectors from L2": named("counter_l2_sectors_read"),
            "sectors from memory": named("counter_memory_sectors_read"),
            "active lanes per instruction, of 32": named("counter_lanes_per_instruction"),
            "warp instructions": named("counter_instructions"),
            "occupancy, %": named("counter_occupancy_percent"),
        },
        dict(**PLAIN, machine="cuda", ticks="1000", object_bytes="56"),
        caption="Counters of one launch, read in a run without timing. Mode faithful is the paper's scenario, mode live has 2^20 agents.",
    ),
)
