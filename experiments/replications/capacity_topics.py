"""Paragraphs of results/<device>/replications.md on how a device fills up with warps, and where it puts blocks.

Each function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from experiments.replications import steps
from experiments.replications.measures import WALK
from experiments.replications.steps import capacity, slots
from experiments.replications.wording import grouped, share, times_as_fast
from plots.errors import NotTestable
from plots.markdown import table
from plots.results import GPU, View
from plots.units import quantity


def growth(view: View) -> str:
    """How the time of one warp per replication rises with the number of replications."""
    full = slots(view)
    schedulers = steps.schedulers(view)
    rows = {count: time for count, time in capacity(view).items() if count >= schedulers // 2}
    flat = {count: time for count, time in rows.items() if count <= schedulers}
    if not flat:
        raise NotTestable(f"no time of at most {schedulers} one-warp blocks")
    base = max(flat)
    marks = [count for count in (2 * schedulers, 4 * schedulers, full) if count in rows]
    rises = ", ".join(f"{times_as_fast(rows[count] / rows[base])} at {grouped(count)}" for count in marks)
    return (
        "Time of the random walk with one warp per replication in one-warp blocks, relative to its time at "
        f"{base} replications: {rises}. The device has {schedulers} warp schedulers and {full} slots for one-warp blocks. "
        "A rise between these two numbers means that the rate of instructions limits the speed before the slots do."
    )


def steps_at_slots(view: View) -> str:
    full = slots(view)
    found = []
    for place in (full, 2 * full, 3 * full, 4 * full):
        try:
            found.append(f"{times_as_fast(steps.step_at(view, place))} at {grouped(place)}")
        except NotTestable:
            continue
    if not found:
        raise NotTestable(f"no times of {full} and {full + 1} replications")
    return (
        "At a multiple of the number of slots, one more replication changes the time. Relative to the time without it: "
        f"{', '.join(found)}."
    )


def steps_are_of_schedulers(view: View) -> str:
    """Whether one more warp on a scheduler explains every time, so that a full set of slots is a step like any other."""
    worst, first, last = steps.stairs_error(view)
    if worst > 0.05:
        raise NotTestable(f"the times are up to {share(worst)} away from stairs")
    return (
        f"From {grouped(first)} to {grouped(last)} one-warp blocks, all times are within {share(worst)} of stairs with one "
        f"step per {steps.schedulers(view)} replications, which is one warp more on each scheduler. So a multiple of the "
        "slots is a step like any other."
    )


def block_sizes_agree(view: View) -> str:
    """Larger blocks have another number of slots for warps. The steps stay where they are."""
    small, large = capacity(view), capacity(view, "128")
    both = [count for count in small if count in large]
    if not both:
        raise NotTestable("no number of replications at which both block sizes were timed")
    worst = max(abs(large[count].value / small[count].value - 1) for count in both)
    return (
        f"Blocks of 32 threads have slots for {grouped(slots(view))} warps at a time, blocks of 128 threads for "
        f"{grouped(steps.warp_slots(view, **WALK, block='128'))}. Yet they differ by at most {share(worst)} in time from "
        f"{min(both)} to {grouped(max(both))} replications."
    )


def dispatch_table(view: View) -> str:
    rows = []
    for case in view.select(variant="dispatch", machine=GPU):
        found = case.metrics
        if "dispatch_moved" not in found:
            continue
        gap = found["replacement_nanoseconds"]
        rows.append(
            (
                grouped(int(case.axes["replications"])),
                share(found["dispatch_consecutive"]),
                share(found["dispatch_moved"]),
                quantity(gap * 1e-9, "s") if gap >= 0 else "all blocks fit",
            )
        )
    if not rows:
        raise NotTestable(view.missing({"variant": "dispatch"}, "the figure dispatch_moved"))
    head = (
        "one-warp blocks",
        "consecutive blocks on consecutive multiprocessors",
        "blocks on another multiprocessor in the next launch",
        "time until a finished block is replaced (median)",
    )
    return table(head, rows)
