"""The tables of the results page of object_layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.object_layout import measures, preparation
from experiments.object_layout.measures import CPU, LAYOUTS, ORDERS, PAPER_LAYOUTS, SCALES, grouped, in_sweep
from experiments.object_layout.lookups import (
    COUNTED_AGENT_TICKS,
    DISPATCHES,
    TUNED,
    chains,
    class_counts,
    dispatch_rate,
    job_array_time,
    padded,
    rate_of_classes,
    rates_by_ticks,
    section_counts,
    section_time,
    sizes,
)
from experiments.object_layout.paper import paper
from experiments.object_layout.wording import (
    LAYOUT_NAMES,
    MISSING,
    ORDER_NAMES,
    cell,
    giga,
    number,
    table_of,
    times,
    where_wide,
)
from plots.interval import Interval
from plots.results import View
from plots.units import digits, quantity


def scenario_seconds(view: View) -> str:
    """Figure 8 as numbers, in the order of its bars."""

    def seconds(of: View, layout: str, order: str) -> str:
        return f"{where_wide(measures.seconds(of, layout, order))} s"

    rows = [
        (
            f"{LAYOUT_NAMES[layout]} (`{layout}`)",
            *(cell(seconds, view, layout, order) for order in ORDERS),
            *(cell(seconds, paper(), layout, order) for order in measures.PAPER_ORDERS),
        )
        for layout in LAYOUTS
    ]
    header = (
        "time of a million ticks, mode faithful",
        *(ORDER_NAMES[order] for order in ORDERS),
        *(f"{order}, paper" for order in measures.PAPER_ORDERS),
    )
    return table_of(header, rows, of_the_paper=len(measures.PAPER_ORDERS))


def sorting_by_layout(view: View) -> str:
    def saving(layout: str, order: str, of: View = view) -> str:
        shuffled, other = (measures.scenario(of, layout, one) for one in ("shuffled", order))
        return f"{where_wide(measures.saved(shuffled, other) * 100, of=100)}%"

    rows = [
        (
            f"{LAYOUT_NAMES[layout]} (`{layout}`)",
            cell(saving, layout, "sorted"),
            cell(saving, layout, "jobs"),
            cell(saving, layout, "sorted", paper()),
        )
        for layout in LAYOUTS
    ]
    header = ("time saved over shuffled agents", "sorted agents", "job array", "sorted agents, paper")
    return table_of(header, rows, of_the_paper=1)


def agents_table(view: View) -> str:
    def rate(agents: str, variant: str, layouts: Sequence[str] = LAYOUTS) -> Interval:
        return measures.rate_of_agents(view, variant, agents, layouts)

    def gain(agents: str, other: str, layouts: Sequence[str] = LAYOUTS) -> str:
        return times(rate(agents, "registers") / rate(agents, other, layouts))

    rows = [
        (
            number(float(agents)),
            cell(lambda count: giga(rate(count, "switch", PAPER_LAYOUTS)), agents),
            cell(lambda count: giga(rate(count, "restrict_columns")), agents),
            cell(lambda count: giga(rate(count, "registers")), agents),
            cell(gain, agents, "switch", PAPER_LAYOUTS),
            cell(gain, agents, "restrict_columns"),
        )
        for agents in measures.agent_counts(view)
    ]
    header = (
        "agents, G agent-ticks/s",
        "paper's kernel, best layout and order",
        "`restrict_columns`",
        "`registers`",
        "`registers` over the paper's kernel",
        "`registers` over `restrict_columns`",
    )
    return table_of(header, rows)


def ticks_table(view: View) -> str:
    rows = [
        (grouped(ticks), *(giga(rates[variant]) if variant in rates else MISSING for variant in TUNED))
        for ticks, rates in rates_by_ticks(view).items()
    ]
    return table_of(("ticks per launch, G agent-ticks/s", *(f"`{variant}`" for variant in TUNED)), rows)


def dispatch_table(view: View) -> str:
    def rate(variant: str, order: str) -> str:
        return giga(dispatch_rate(view, variant, order))

    rows = [(f"`{variant}`", *(cell(rate, variant, order) for order in ORDERS)) for variant in DISPATCHES]
    return table_of(("dispatch, G agent-ticks/s", *(ORDER_NAMES[order] for order in ORDERS)), rows)


def classes_table(view: View) -> str:
    def rate(variant: str, types: str, order: str) -> str:
        return giga(rate_of_classes(view, variant, types, order))

    counts = class_counts(view)
    rows = [
        (f"`{variant}`, {order}", *(cell(rate, variant, types, order) for types in counts))
        for variant in ("switch", "factored", "inlined", "per_type", "table", "registers")
        for order in ("shuffled", "sorted")
    ]
    return table_of(("G agent-ticks/s", *(measures.classes(int(types)) for types in counts)), rows)


def object_size_table(view: View) -> str:
    def counter(name: str, size: str, scale: float = 1.0) -> str:
        return digits(view.metric(f"counter_{name}", **padded(size)).value / scale)

    rows = [
        (
            f"{size} bytes",
            cell(lambda bytes_: giga(view.rate(**padded(bytes_))), size),
            cell(counter, "sectors_per_load", size),
            cell(counter, "l1_hit_percent", size),
            cell(counter, "l2_sectors_read", size, COUNTED_AGENT_TICKS),
            cell(counter, "cycles_per_instruction", size),
        )
        for size in sizes(view)
    ]
    header = (
        "2^20 sorted agents",
        "G agent-ticks/s",
        "sectors per load",
        "L1 hit rate, %",
        "L2 sectors per agent-tick",
        "cycles per warp instruction",
    )
    return table_of(header, rows)


def job_arrays_table(view: View) -> str:
    def time(of: View, variant: str, size: tuple[int, int]) -> str:
        return quantity(job_array_time(of, variant, *size).value, "s")

    rows = [
        (
            f"{grouped(size[0])}, {measures.classes(size[1])}",
            cell(time, view, "jobs_as_printed", size),
            cell(time, view, "jobs_counted", size),
            cell(time, view, "jobs_sorted", size),
            cell(time, paper(), "jobs_as_printed", size),
        )
        for size in sorted(preparation.job_times(view, "jobs_as_printed", CPU))
    ]
    header = (
        "elements",
        "`jobs_as_printed`, one core",
        "`jobs_counted`, one core",
        "`jobs_sorted`, GPU",
        "paper, Ruby",
    )
    return table_of(header, rows, of_the_paper=1)


def tracing_table(view: View) -> str:
    def time(of: View, scale: tuple[str, str, str], variant: str = "algorithm2") -> str:
        return quantity(preparation.tracing(of, scale, variant).value, "s")

    rows = [
        (
            grouped(preparation.objects_of(scale)),
            cell(time, view, scale),
            cell(time, view, scale, "tracer"),
            cell(time, paper(), scale),
        )
        for scale in SCALES
    ]
    return table_of(("objects", "`algorithm2`, one core", "`tracer`, one core", "paper, Ruby"), rows, of_the_paper=1)


def sections_table(view: View) -> str:
    def time(variant: str, sections: str, order: str) -> str:
        return quantity(section_time(view, variant, sections, order).value, "s")

    variants = ("sections_sent", "sections_resident")
    rows = [
        (f"{sections}, {ORDER_NAMES[order]}", *(cell(time, variant, sections, order) for variant in variants))
        for order in ("shuffled", "jobs")
        for sections in section_counts(view)
    ]
    return table_of(("sections per 1000 ticks", *(f"`{variant}`" for variant in variants)), rows)


def fusion_table(view: View) -> str:
    def time(variant: str, chain: str) -> str:
        where: Mapping[str, object] = dict(program="maps", machine="cuda", chain=chain, case=in_sweep("fusion"))
        return quantity(view.time(variant=variant, **where).value, "s")

    variants = ("maps_fused", "maps_unfused")
    rows = [(chain, *(cell(time, variant, chain) for variant in variants)) for chain in chains(view)]
    return table_of(("maps in the chain", *(f"`{variant}`" for variant in variants)), rows)


def modes_table(view: View) -> str:
    columns = (
        ("pedestrians that change their street", "pedestrian_still_walking", 100.0, "%"),
        ("changes per pedestrian and tick", "pedestrian_hops_per_tick", 1.0, ""),
        ("streets with cars", "car_streets", 1.0, ""),
        ("streets with pedestrians", "pedestrian_streets", 1.0, ""),
    )

    def activity(mode: str, name: str, scale: float, unit: str) -> str:
        found = view.metric(name, variant="objects", mode=mode, case=in_sweep("modes"))
        return f"{digits(scale * found.value)}{unit}"

    rows = [(mode, *(cell(activity, mode, *column) for _, *column in columns)) for mode in ("faithful", "live")]
    return table_of(("mode, last 1000 of 10,000 ticks", *(title for title, *_ in columns)), rows)
