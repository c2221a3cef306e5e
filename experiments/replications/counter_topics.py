"""Paragraphs and table of results/<device>/replications.md on hardware counters.

Each function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from experiments.replications import counted
from experiments.replications.measures import SHORT_MODELS, TITLES, WALK
from experiments.replications.wording import COMPARED, PHRASES, Workload, grouped, span, where_rows_exist
from plots.errors import NotTestable
from plots.markdown import table
from plots.results import View
from plots.tables import MISSING
from plots.units import digits

#: Rows of the counter table: a title, and how to write the counter.
COUNTED: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "instructions": ("warp instructions", grouped),
    "lanes_per_instruction": ("active lanes per instruction", digits),
    "branches_uniform_percent": ("uniform branches (%)", digits),
    "loads": ("global loads (warp instructions)", grouped),
    "stores": ("global stores (warp instructions)", grouped),
    "occupancy_percent": ("achieved occupancy of multiprocessors with a block (%)", digits),
    "cycles_per_instruction": ("cycles per issued instruction of a warp", digits),
}


def both_schemes(view: View, where: Workload) -> tuple[counted.Counters, counted.Counters]:
    return counted.counters(view, "threads", where), counted.counters(view, "warps", where)


def counter_table(view: View) -> str:
    found = where_rows_exist(partial(both_schemes, view), list(SHORT_MODELS.values()))
    head = [f"{TITLES[str(where['model'])]}, {scheme}" for where, _ in found for scheme in ("threads", "warps")]
    rows = [
        [title, *(write(one[name]) if name in one else MISSING for _, pair in found for one in pair)]
        for name, (title, write) in COUNTED.items()
    ]
    return table((f"counter, {COMPARED} replications", *head), rows)


def instructions_multiply(view: View) -> str:
    """The price of one active lane per warp."""
    found = where_rows_exist(partial(both_schemes, view), list(SHORT_MODELS.values()))
    factors = [
        (TITLES[str(where["model"])], warps["instructions"] / threads["instructions"])
        for where, (threads, warps) in found
    ]
    return (
        f"One warp per replication issues {span(factors)} the instructions of one thread per replication. Branch "
        "efficiency and lane efficiency point in opposite directions: a lone lane never diverges and uses 1/32 of its "
        "warp. Neither predicts the time."
    )


def divergence(view: View) -> str:
    name = "lanes_per_instruction"
    found = where_rows_exist(partial(both_schemes, view), list(SHORT_MODELS.values()))
    lanes = [
        f"{digits(threads[name])} for {PHRASES[str(where['model'])]}"
        for where, (threads, _) in found
        if name in threads
    ]
    if not lanes:
        raise NotTestable(f"the counter {name} was not read on this device")
    return f"With one thread per replication, an instruction has this many active lanes of 32: {', '.join(lanes)}."


def memory_waits(view: View) -> str:
    """The paper's Figure 8 as a share of stalls, and Table 2."""
    threads, warps = (counted.memory_share(one) for one in both_schemes(view, WALK))
    return (
        "In the random walk, the cycles in which warps wait for global memory, divided by their other cycles, are "
        f"{digits(threads)} with one thread per replication and {digits(warps)} with one warp. In the paper, the first ratio "
        f"is about {view.fact('fig8_ratio'):g} times the second. Here the state lies in registers: a replication loads "
        "the words of its stream once and stores its results once."
    )
