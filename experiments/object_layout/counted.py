"""Claims that rest on hardware counters: `counter_*` of the rows of the paper's kernel, which counters.py reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from experiments.object_layout.measures import PAPER_LAYOUTS, in_sweep
from plots.claims import Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import View
from plots.units import digits

STRUCTURES = ("aos", "aos_padded")
#: A kernel of the paper's scenario, and one of 2^20 agents that fills the device.
WORKLOADS: Mapping[str, Mapping[str, object]] = {
    "the scenario": dict(case=in_sweep("counters"), mode="faithful", agents="0"),
    "2^20 agents": dict(case=in_sweep("agents"), mode="live", agents=str(1 << 20)),
}
NOT_READ = "needs hardware counters, which were not read on this device"


def counter(view: View, name: str, layout: str, order: str, where: Mapping[str, object]) -> float | None:
    """A counter of the paper's kernel, None if no row has it."""
    cases = view.select(variant="switch", machine="cuda", layout=layout, order=order, types="2", **where)
    for case in cases:
        if f"counter_{name}" in case.metrics and case.axes["object_bytes"] == "56":
            return case.metrics[f"counter_{name}"]
    return None


def found_in(view: View, name: str, layouts: tuple[str, ...], order: str) -> Iterator[tuple[str, str, float]]:
    """Workload, layout and counter of every row that has it."""
    for workload, where in WORKLOADS.items():
        for layout in layouts:
            value = counter(view, name, layout, order, where)
            if value is not None:
                yield workload, layout, value


def need(found: Mapping[str, Interval], note: str = "") -> Parts:
    if not found:
        raise NotTestable(NOT_READ)
    return parts(found, note)


def sectors(view: View) -> Parts:
    """Sectors per load and per store of a warp, structures over columns, sorted agents.

    Loads are also of streets and random draws; stores are only of agents' fields.
    """
    found: dict[str, Interval] = {}
    for access in ("load", "store"):
        columns = dict(
            (workload, value) for workload, _, value in found_in(view, f"sectors_per_{access}", ("soa",), "sorted")
        )
        for workload, layout, value in found_in(view, f"sectors_per_{access}", STRUCTURES, "sorted"):
            if workload in columns:
                found[f"{access}s, {layout}, {workload}"] = exact(value / columns[workload])
    return need(found)


def active_lanes(view: View) -> Parts:
    """Active lanes per instruction with a job array over those with shuffled agents. The note has the lanes of columns."""
    found: dict[str, Interval] = {}
    notes = []
    shuffled = {(workload, layout): value for workload, layout, value in lanes(view, "shuffled")}
    for workload, layout, value in lanes(view, "jobs"):
        before = shuffled.get((workload, layout))
        if before is not None:
            found[f"{layout}, {workload}"] = exact(value / before)
            if layout == "soa":
                notes.append(f"{workload} {digits(before)} to {digits(value)} of 32 lanes with columns")
    return need(found, "; ".join(notes))


def lanes(view: View, order: str) -> Iterator[tuple[str, str, float]]:
    return found_in(view, "lanes_per_instruction", PAPER_LAYOUTS, order)


def hits(view: View) -> Parts:
    """The share of sectors of loads that hit the L1 cache, with structures in every order."""
    found = {
        f"{layout}, {order}, {workload}": exact(value / 100)
        for order in ("shuffled", "jobs", "sorted")
        for workload, layout, value in found_in(view, "l1_hit_percent", STRUCTURES, order)
    }
    return need(found, objects_per_line(view) if found else "")


def objects_per_line(view: View) -> str:
    """'agents of 16 and 56 bytes: 8 and 2.29 per line of 128 bytes'"""
    sizes = [
        view.metric("agent_bytes", variant="switch", program="traffic", layout=layout, object_bytes="56").value
        for layout in STRUCTURES
    ]
    sizes_text, counts = (" and ".join(map(digits, numbers)) for numbers in (sizes, [128 / size for size in sizes]))
    return f"agents of {sizes_text} bytes: {counts} per line of 128 bytes"
