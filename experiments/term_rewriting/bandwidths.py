"""Bytes and atomics per second of the paper's rewriter, and the limits of the device (Tables 1 and 3).

The paper does not say how it counts random accesses, so its claims about them are judged for each way to count:

- useful bytes: what the program reads and writes at slots other than the thread's own, 1 to 4 bytes an access
- useful bytes and atomics: the same and 4 bytes per atomic, most of which change a reference count at another slot
- sectors: 32 bytes per access or atomic. An access of at most 4 bytes touches one sector, so this is what memory moves if
  no two lanes of a warp share a sector. A random load of 4 bytes, the limit, moves one sector, too.
- DRAM's counters: what memory moved in the widest pass, all accesses together
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from experiments.term_rewriting.passes import kernel_seconds, with_traffic
from experiments.term_rewriting.workloads import AS_PRINTED, COMPARED, GIB, TREE_SORT_23
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import View
from plots.units import digits, quantity


#: The rewriter's columns hold 4-byte words and take some gigabytes, so random accesses to 8 GB are their limit.
RANDOM_LIMIT, ATOMIC_LIMIT = "random_load.8GB", "random_atomic.8GB"

#: Bytes that memory moves for one access to a random word.
SECTOR = 32

USEFUL, WITH_ATOMICS, SECTORS, DRAM = "useful bytes", "useful bytes and atomics", "sectors", "DRAM's counters"


def random_bandwidth(view: View) -> Interval:
    """By useful bytes."""
    if view.device.published:
        return exact(view.fact("t3_bw_random") * GIB)
    passes = with_traffic(view, **TREE_SORT_23)
    return exact(sum(one.random_bytes for one in passes) / kernel_seconds(passes))


def random_bandwidths(view: View) -> Mapping[str, Interval]:
    """Bytes per second in each way to count that the rows allow; the paper's own way is not known."""
    if view.device.published:
        return {"the paper's": random_bandwidth(view)}
    passes = with_traffic(view, **TREE_SORT_23)
    seconds = kernel_seconds(passes)
    atomics = sum(one.atomics for one in passes)
    found = {USEFUL: random_bandwidth(view)}
    found[WITH_ATOMICS] = exact((sum(one.random_bytes for one in passes) + 4 * atomics) / seconds)
    accesses = sum(one.random_accesses for one in passes)
    if accesses:
        found[SECTORS] = exact(SECTOR * (accesses + atomics) / seconds)
    return found


def random_shares(view: View) -> Mapping[str, Interval]:
    """Each of random_bandwidths() over the limit of random loads, counted in the same way: 4 bytes or a sector per load."""
    limit = gpu_random(view).value
    shares = {
        way: exact(bandwidth.value / (limit * (SECTOR / 4 if way == SECTORS else 1)))
        for way, bandwidth in random_bandwidths(view).items()
    }
    try:
        shares[DRAM] = dram_share(view)
    except NotTestable:
        pass
    return shares


def dram_share(view: View) -> Interval:
    """What DRAM moved per second in the widest pass of tree merge sort 20 5, over a sector for each random load at the limit."""
    where: dict[str, object] = dict(variant=AS_PRINTED, machine="cuda", **COMPARED)
    moved = sum(view.metric(f"counter_memory_bytes_{way}", **where).value for way in ("read", "written"))
    seconds = view.metric("counter_nanoseconds", **where).value * 1e-9
    return exact(moved / seconds / (SECTOR * view.limit(RANDOM_LIMIT)))


def aligned_bandwidth(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("t3_bw_aligned") * GIB)
    passes = with_traffic(view, **TREE_SORT_23)
    return exact(sum(one.own_bytes for one in passes) / kernel_seconds(passes))


def atomic_rate(view: View) -> float:
    passes = with_traffic(view, **TREE_SORT_23)
    return sum(one.atomics for one in passes) / kernel_seconds(passes)


def gpu_limit(fact: str, name: str, scale: float) -> Callable[[View], Interval]:
    """A limit of the device's GPU; on the paper's device, the value in Table 1."""

    def measure(view: View) -> Interval:
        if view.device.published:
            return exact(view.fact(fact) * GIB)
        if not view.device.has_gpu:
            raise NotTestable("needs a GPU")
        return exact(view.limit(name) * scale)

    return measure


def cpu_limit(fact: str, name: str, scale: float) -> Callable[[View], Interval]:
    """A limit of the device's CPU; on the paper's device, the value in Table 1.

    A machine without a GPU has its CPU's limits under their plain names.
    """

    def measure(view: View) -> Interval:
        if view.device.published:
            return exact(view.fact(fact) * GIB)
        return exact(view.limit(f"cpu.{name}" if view.device.has_gpu else name) * scale)

    return measure


gpu_aligned = gpu_limit("t1_gpu_bw_aligned", "copy", 1)


gpu_random = gpu_limit("t1_gpu_bw_random", RANDOM_LIMIT, 4)


cpu_aligned = cpu_limit("t1_cpu_bw_aligned", "copy", 1)


cpu_random = cpu_limit("t1_cpu_bw_random", "random_load.1GB", 4)


def beside_the_papers_gpu(measure: Callable[[View], Measured | Parts | Interval]) -> Callable[[View], Measured | Parts]:
    """For rates that the paper gives for its own GPU: notes how much faster this device accesses random words.

    As the paper takes them for the bottleneck, that is what it would expect the rates to grow by.
    """

    def measured(view: View) -> Measured | Parts:
        found = measure(view)
        found = Measured(found) if isinstance(found, Interval) else found
        try:
            ratio = gpu_random(view).value / (view.fact("t1_gpu_bw_random") * GIB)
        except NotTestable:
            return found
        if view.device.published:
            return found
        note = f"random loads are {digits(ratio)} times as fast as on the paper's GPU"
        return replace(found, note="; ".join(filter(None, (found.note, note))))

    return measured


def random_share(view: View) -> Parts:
    return parts(random_shares(view), f"the limit is {quantity(gpu_random(view).value, 'B/s')} in loads of 4 bytes")


def random_rates(view: View) -> Parts:
    """Without sectors: the paper's limit of 22.8 GiB/s is far below the sectors that its memory can move."""
    found = {way: bandwidth for way, bandwidth in random_bandwidths(view).items() if way != SECTORS}
    return parts(found, "the paper does not say what it counts")


def aligned_against_random(view: View) -> Parts:
    """Share of the aligned limit that is used over the share of the random limit that is used."""
    aligned = aligned_bandwidth(view) / gpu_aligned(view)
    shares = {way: share for way, share in random_shares(view).items() if way != DRAM}
    note = f"{quantity(aligned_bandwidth(view).value, 'B/s')}, {digits(100 * aligned.value)}% of the aligned limit"
    return parts({f"random in {way}": aligned / share for way, share in shares.items()}, note)


def limits_of_device(view: View) -> Measured:
    """Of the paper's device alone: the claim names it."""
    words = [f"GPU random {quantity(gpu_random(view).value, 'B/s')}"]
    for name, measure in (("aligned", cpu_aligned), ("random", cpu_random)):
        try:
            words.append(f"CPU {name} {quantity(measure(view).value, 'B/s')}")
        except NotTestable:
            continue
    return Measured(gpu_aligned(view), "; ".join(words))


def of_the_papers_gpu(view: View) -> Measured:
    """Another GPU cannot confirm or contradict what the paper's GPU achieves."""
    found = limits_of_device(view)
    if not view.device.published and "titan rtx" not in view.device.name.lower():
        aligned = quantity(found.interval.value, "B/s")
        raise NotTestable(f"about the Titan RTX; here GPU aligned {aligned}; {found.note}")
    return found


def gpu_random_against_cpu_aligned(view: View) -> Interval:
    return gpu_random(view) / cpu_aligned(view)


def random_as_bottleneck(view: View) -> Parts:
    """The shares of R01. What uses less than half of its limit is no bottleneck."""
    aligned = (aligned_bandwidth(view) / gpu_aligned(view)).value
    atomics = atomic_rate(view) / view.limit(ATOMIC_LIMIT)
    note = f"of their limits: aligned {digits(100 * aligned)}%, atomics to random words {digits(100 * atomics)}%"
    try:
        share = busiest_slice(view, AS_PRINTED)
        note += f"; one slice of L2 takes {digits(100 * share)}% of the atomics with a result in the widest pass"
    except NotTestable:
        pass
    return parts(random_shares(view), note)


def busiest_slice(view: View, variant: str) -> float:
    """Share of the atomics with a result that go to one slice of L2, in the widest pass of tree merge sort 20 5."""
    where: dict[str, object] = dict(variant=variant, machine="cuda", **COMPARED)
    atomics = view.metric("counter_l2_atomics", **where).value
    if not atomics:
        raise NotTestable("the counted pass has no atomics with a result")
    return view.metric("counter_busiest_l2_slice_atomics", **where).value / atomics
