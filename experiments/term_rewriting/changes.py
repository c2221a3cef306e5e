"""The paper's GPU rewriter against variants that differ in one point: functions of a device's rows."""

from __future__ import annotations

from collections.abc import Callable

from experiments.term_rewriting.workloads import AS_PRINTED, COMPARED, DATA_DRIVEN
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import View
from plots.units import digits


def against_printed(variant: str, **where: object) -> Callable[[View], Measured]:
    """Speed-up of a variant over the paper's rewriter on tree merge sort."""

    def measure(view: View) -> Measured:
        workload = dict(COMPARED) | where
        ratio = view.time(variant=AS_PRINTED, machine="cuda", **workload) / view.time(
            variant=variant, machine="cuda", **workload
        )
        return Measured(ratio, f"{variant} on tree_merge_sort {workload['depth']} 5")

    return measure


def queue_against_passes(view: View) -> Parts:
    """Time of each data-driven engine over that of the paper's passes: above 1 if its queue costs more than it saves."""
    found = {}
    for variant in DATA_DRIVEN:
        try:
            found[variant] = against_printed(variant)(view).interval.inverse()
        except NotTestable:
            continue
    try:
        aggregated = against_printed("as_printed_aggregated")(view).interval
        note = f"with one atomic per warp on the free list, passes are {digits(aggregated.value)} times as fast"
    except NotTestable:
        note = ""
    if not found:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", **COMPARED)))
    return parts(found, note)


def slots_without_collection(view: View) -> Measured:
    where = dict(machine="cuda", **COMPARED)
    without = view.metric("slots_used", variant="as_printed_no_collection", **where)
    ratio = without / view.metric("slots_used", variant=AS_PRINTED, **where)
    note = f"{digits(without.value)} slots without"
    try:
        time = view.time(variant="as_printed_no_collection", **where) / view.time(variant=AS_PRINTED, **where)
        note += f"; its time is {digits(time.value)} of that with collection"
    except NotTestable:
        pass
    return Measured(ratio, note)


def shortcut(view: View) -> Measured:
    where = dict(machine="cuda", **COMPARED)
    return Measured(
        view.time(variant="as_printed_no_shortcut", **where) / view.time(variant=AS_PRINTED, **where),
        "tree_merge_sort 20 5",
    )


def sectors(view: View) -> Interval:
    return view.metric("counter_sectors_per_request", variant=AS_PRINTED, machine="cuda")
