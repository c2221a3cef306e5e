"""Section of results/<device>/term_rewriting.md on the bandwidths and hardware counters of the paper's rewriter.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from experiments.term_rewriting import bandwidths
from experiments.term_rewriting.wording import listed, percent, title_of
from experiments.term_rewriting.workloads import AS_PRINTED, COMPARED, workload_of
from plots.errors import NotTestable
from plots.markdown import table
from plots.results import Case, View
from plots.units import digits, quantity


def bandwidth_shares(view: View) -> str:
    random, aligned = bandwidths.random_bandwidth(view), bandwidths.aligned_bandwidth(view)
    others = [
        f"{percent(share.value)} ({way})"
        for way, share in bandwidths.random_shares(view).items()
        if way != bandwidths.USEFUL
    ]
    atomics = bandwidths.atomic_rate(view)
    return (
        f"On tree merge sort 23 5, the derive kernel of the paper's rewriter reaches {quantity(random.value, 'B/s')} of random "
        f"accesses, {percent((random / bandwidths.gpu_random(view)).value)} of what the device can do (the paper: 80%), "
        f"{quantity(aligned.value, 'B/s')} of aligned accesses "
        f"({percent((aligned / bandwidths.gpu_aligned(view)).value)}) and {quantity(atomics, 'atomics/s')} "
        f"({percent(atomics / view.limit(bandwidths.ATOMIC_LIMIT))}). These are useful bytes. The "
        f"paper does not say what it counts; in other ways to count, the share is {listed(others)}."
    )


def counted_case(view: View, variant: str, where: Mapping[str, object]) -> Case:
    for case in view.select(variant=variant, machine="cuda", **where):
        if "counter_issue_percent" in case.metrics:
            return case
    raise NotTestable(view.missing(dict(variant=variant, machine="cuda", **where), "hardware counters"))


def counter_table(variants: Sequence[str], workloads: Sequence[Mapping[str, object]]) -> Callable[[View], str]:
    """Hardware counters of one kernel launch per row."""
    columns = {
        "issue slots used, %": "counter_issue_percent",
        "lanes per instruction": "counter_lanes_per_instruction",
        "occupancy, %": "counter_occupancy_percent",
        "cycles waiting for memory": "counter_waits_for_memory",
        "cycles waiting at barriers": "counter_waits_at_barriers",
        "DRAM, %": "counter_memory_percent",
        "L2, %": "counter_l2_percent",
    }

    def write(view: View) -> str:
        lines = []
        for variant in variants:
            for where in workloads:
                try:
                    case = counted_case(view, variant, where)
                except NotTestable:
                    continue
                values = (digits(case.metrics[name]) if name in case.metrics else "–" for name in columns.values())
                lines.append([f"`{variant}`", title_of(workload_of(case)), *values])
        if not lines:
            raise NotTestable(view.missing(dict(variant=tuple(variants), machine="cuda"), "hardware counters"))
        return table(["variant", "workload", *columns], lines)

    return write


def counters_read(view: View) -> str:
    """What the counters of the widest pass say against the bandwidths."""
    case = counted_case(view, AS_PRINTED, COMPARED)
    metrics = case.metrics
    return (
        f"In the widest pass of {title_of(workload_of(case))}, a warp of the paper's rewriter waits "
        f"{digits(metrics['counter_waits_for_memory'])} cycles for memory per issued instruction, while DRAM is used to "
        f"{digits(metrics['counter_memory_percent'])}% and L2 to {digits(metrics['counter_l2_percent'])}% of their peaks."
    )


def busiest_slice(view: View) -> str:
    parts = []
    for variant in (AS_PRINTED, "as_printed_aggregated"):
        parts.append(f"{percent(bandwidths.busiest_slice(view, variant))} with `{variant}`")
    return f"Of the atomics of that pass that return a value, one slice of L2 gets {listed(parts)}."
