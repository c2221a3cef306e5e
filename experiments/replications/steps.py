"""Where the time of one warp per replication rises, and how: by steps, as warps share the schedulers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

from experiments.replications.measures import CHOSEN, SHORT_MODELS, TITLES, WALK, replications_text, times
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, View
from plots.units import digits
from plots.verdict import Bound

#: A multiprocessor of compute capability 9.0 holds at most 32 blocks.
BLOCKS_PER_MULTIPROCESSOR = 32
#: Warp schedulers per multiprocessor. Each issues one instruction per cycle.
SCHEDULERS = 4
#: From this many warps per scheduler on, each further one adds to the time. Fewer leave cycles in which none can issue.
CROWDED = 4


def slots(view: View) -> int:
    """One-warp blocks that are resident at the same time."""
    if view.device.published:
        return int(view.attribute("multiprocessors") * view.fact("blocks_per_sm"))
    try:
        return warp_slots(view, **WALK, block="32")
    except NotTestable:
        return int(view.attribute("multiprocessors") * BLOCKS_PER_MULTIPROCESSOR)


def warp_slots(view: View, **where: object) -> int:
    """Warps of these rows' blocks that are resident at the same time, as the runtime reports: registers limit them too."""
    for case in view.select(variant="warps", machine=GPU, **where):
        for kernel in case.kernels:
            if "resident_blocks_per_multiprocessor" in kernel:
                warps = kernel["resident_blocks_per_multiprocessor"] * kernel["block"][0] // 32
                return int(view.attribute("multiprocessors")) * int(warps)
    raise NotTestable(view.missing({"variant": "warps", **where}, "the number of resident blocks"))


def schedulers(view: View) -> int:
    return SCHEDULERS * int(view.attribute("multiprocessors"))


def capacity(view: View, block: str = "32") -> dict[int, Interval]:
    return times(view, "warps", machine=GPU, block=block, **WALK)


def stairs(view: View) -> Callable[[int], float]:
    """The time of a number of one-warp blocks if every further warp of the fullest scheduler takes equally long.

    The length comes from two rows in which all schedulers have equally many warps.
    """
    full = schedulers(view)
    rows = {count // full: time.value for count, time in capacity(view).items() if count % full == 0}
    crowded = [warps for warps in rows if warps >= CROWDED]
    if len(crowded) < 2:
        raise NotTestable(f"no two times of a multiple of {full} one-warp blocks")
    first, last = min(crowded), max(crowded)
    each = (rows[last] - rows[first]) / (last - first)
    return lambda count: rows[first] + each * (ceil(count / full) - first)


def stairs_error(view: View) -> tuple[float, int, int]:
    """The largest relative distance of a time from the stairs, and the first and last number of blocks compared."""
    predicted = stairs(view)
    rows = {count: time for count, time in capacity(view).items() if count >= CROWDED * schedulers(view)}
    return max(abs(time.value / predicted(count) - 1) for count, time in rows.items()), min(rows), max(rows)


def step_at(view: View, full: int) -> Interval:
    rows = capacity(view)
    if full not in rows or full + 1 not in rows:
        raise NotTestable(f"no times of {full} and {full + 1} replications")
    return rows[full + 1] / rows[full]


def one_warp_each(view: View) -> dict[int, Interval]:
    """The times of the random walk with one warp per replication, in blocks of the default size and of one warp.

    Both take equally long, as capacity_topics.block_sizes_agree shows.
    """
    where: dict[str, object] = {**WALK, **CHOSEN, "block": ("0", "32")}
    return times(view, "warps", machine=GPU, **where)


#: The share of a step that its first and its last measured number span.
MOST_OF_A_STEP = 0.75


def between_steps(view: View) -> Parts:
    """The time at the last measured number of a step over that at its first one. A step is a warp more on each scheduler.

    Up to the slots, where the paper expects no rise at all: beyond, a step is too low to tell it from a slope. A step counts
    if most of it was measured, because a part of one is flat on any slope.
    """
    width, full = schedulers(view), slots(view)
    times_until_full = {count: time for count, time in one_warp_each(view).items() if count <= full}
    by_step: dict[int, dict[int, Interval]] = {}
    for count, time in times_until_full.items():
        by_step.setdefault(ceil(count / width), {})[count] = time
    found = {
        f"{min(rows)} to {max(rows)} replications": rows[max(rows)] / rows[min(rows)]
        for rows in by_step.values()
        if max(rows) - min(rows) >= MOST_OF_A_STEP * width
    }
    if not found:
        raise NotTestable(f"no two times that span most of a step of {width} replications")
    first, last = min(times_until_full), max(times_until_full)
    whole = times_until_full[last].value / times_until_full[first].value
    note = (
        f"a step per {width} replications, one for each warp scheduler; with no more than the {full} slots taken, "
        f"{replications_text(last)} take {digits(whole)} times as long as {first}"
    )
    return parts(found, note)


def first_step_place(view: View) -> Measured:
    """The first number of replications whose time is a tenth above the first row's, and what the slots predict."""
    full = slots(view)
    before, after = rise_between(one_warp_each(view), "warps")
    note = f"{full} slots for one-warp blocks; the time at {before} has not risen yet"
    return Measured(Interval(after, before + 1, after), note, Bound(full + 1, full + 1))


def rise_between(rows: Mapping[int, Interval], name: str) -> tuple[int, int]:
    """The last measured number of replications before the time is a tenth above the first row's, and the next one."""
    counts = sorted(rows)
    for before, count in zip(counts, counts[1:]):
        if rows[count].low > 1.1 * rows[counts[0]].value:
            return before, count
    raise NotTestable(f"{name} rises nowhere up to {counts[-1]} replications")


def second_step(view: View) -> Measured:
    full = slots(view)
    first, second = step_at(view, full), step_at(view, 2 * full)
    return Measured(second / first, f"{digits(second.value)} at {2 * full}, {digits(first.value)} at {full}")


def steps_compared(view: View) -> Measured:
    """Where threads first rise over where warps do. A rise lies between two measured numbers: hence the interval.

    Only numbers of threads that are 32 times a measured number of warps count, so that both are searched equally finely.
    Below 64 replications, divergence within one warp changes the time too. The note has M/M/1.
    """
    found = {model: rises(view, SHORT_MODELS[model]) for model in ("walk", "mm1")}
    (threads_before, threads), (warps_before, warps) = found["walk"]
    (of_queue, queue), (of_queue_warps, queue_warps) = found["mm1"]
    note = (
        f"threads rise between {threads_before} and {threads} replications, warps between {warps_before} and {warps}; "
        f"M/M/1: {of_queue} and {queue}, {of_queue_warps} and {queue_warps}"
    )
    return Measured(Interval(threads / warps, threads_before / warps, threads / warps_before), note)


def rises(view: View, where: Mapping[str, object]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The numbers of replications between which threads and warps rise."""
    threads, warps = (times(view, name, machine=GPU, **where, **CHOSEN) for name in ("threads", "warps"))
    searched = [count for count in warps if count >= 64 and 32 * count in threads]
    if len(searched) < 2:
        raise NotTestable("no numbers of threads that are 32 times those of warps")
    return (
        rise_between({32 * count: threads[32 * count] for count in searched}, "threads"),
        rise_between({count: warps[count] for count in searched}, "warps"),
    )


def idle_board(view: View) -> Parts:
    """The share of the highest rate of one warp per replication that the most replications below 30 leave unused."""
    found: dict[str, Interval] = {}
    for model, where in SHORT_MODELS.items():
        rates = {
            count: time.inverse() * count
            for count, time in times(view, "warps", machine=GPU, **where, **CHOSEN).items()
        }
        few = [count for count in rates if count < 30]
        if few and max(rates) > 30:
            used = rates[max(few)] / max(rates.values(), key=lambda rate: rate.value)
            found[f"{TITLES[model]}, {replications_text(max(few))}"] = Interval(
                1 - used.value, 1 - used.high, 1 - used.low
            )
    return parts(found)


def smallest_block(view: View) -> Parts:
    """Time of one-warp blocks over that of the fastest block size, for every model and number of replications.

    Up to one replication per slot, every block size keeps all warps resident: 32 is the least that maximises occupancy.
    """
    timed: dict[str, dict[str, Interval]] = {}
    for case in view.select(variant="warps", machine=GPU, case=lambda case: "block" in case.sweeps):
        count = int(case.axes["replications"])
        if case.time is not None and case.axes["block"] != "0" and count <= slots(view):
            label = f"{TITLES[case.axes['model']]}, {replications_text(count)}"
            timed.setdefault(label, {})[case.axes["block"]] = case.time
    found = {
        label: by_block["32"] / min(by_block.values(), key=lambda time: time.value)
        for label, by_block in timed.items()
        if "32" in by_block
    }
    if not found:
        raise NotTestable(view.missing({"variant": "warps", "block": "32"}))
    return parts(found)
