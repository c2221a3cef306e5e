"""Bytes and atomics per second of the paper's rewriter, and the limits of the device (Tables 1 and 3)."""

from __future__ import annotations

from collections.abc import Callable

from experiments.term_rewriting.passes import kernel_seconds, with_traffic
from experiments.term_rewriting.workloads import GIB, TREE_SORT_23
from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, View
from plots.units import digits, quantity


#: The rewriter's columns hold 4-byte words and take some gigabytes, so random accesses to 8 GB are their limit.
RANDOM_LIMIT, ATOMIC_LIMIT = "random_load.8GB", "random_atomic.8GB"


def random_bandwidth(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("t3_bw_random") * GIB)
    passes = with_traffic(view, **TREE_SORT_23)
    return exact(sum(one.random_bytes for one in passes) / kernel_seconds(passes))


def aligned_bandwidth(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("t3_bw_aligned") * GIB)
    passes = with_traffic(view, **TREE_SORT_23)
    return exact(sum(one.own_bytes for one in passes) / kernel_seconds(passes))


def atomic_rate(view: View) -> float:
    passes = with_traffic(view, **TREE_SORT_23)
    return sum(one.atomics for one in passes) / kernel_seconds(passes)


def limit_of(fact: str, name: str, scale: float) -> Callable[[View], Interval]:
    """A limit of the device; on the paper's device, the value in Table 1."""

    def measure(view: View) -> Interval:
        return exact(view.fact(fact) * GIB if view.device.published else view.limit(name) * scale)

    return measure


gpu_aligned = limit_of("t1_gpu_bw_aligned", "copy", 1)


gpu_random = limit_of("t1_gpu_bw_random", RANDOM_LIMIT, 4)


cpu_aligned = limit_of("t1_cpu_bw_aligned", "cpu.copy", 1)


cpu_random = limit_of("t1_cpu_bw_random", "cpu.random_load.1GB", 4)


def random_share(view: View) -> Measured:
    share = random_bandwidth(view) / gpu_random(view)
    return Measured(
        share, f"{quantity(random_bandwidth(view).value, 'B/s')} of {quantity(gpu_random(view).value, 'B/s')}"
    )


def aligned_against_random(view: View) -> Measured:
    """Share of the aligned limit that is used over the share of the random limit that is used."""
    aligned = aligned_bandwidth(view) / gpu_aligned(view)
    random = random_bandwidth(view) / gpu_random(view)
    note = f"{quantity(aligned_bandwidth(view).value, 'B/s')}, {digits(100 * aligned.value)}% of the aligned limit; random {digits(100 * random.value)}%"
    return Measured(aligned / random, note)


def limits_of_device(view: View) -> Measured:
    words = [f"GPU random {quantity(gpu_random(view).value, 'B/s')}"]
    for name, measure in (("aligned", cpu_aligned), ("random", cpu_random)):
        try:
            words.append(f"CPU {name} {quantity(measure(view).value, 'B/s')}")
        except NotTestable:
            continue
    return Measured(gpu_aligned(view), "; ".join(words))


def gpu_random_against_cpu_aligned(view: View) -> Interval:
    return gpu_random(view) / cpu_aligned(view)


def random_against_the_rest(view: View) -> Measured:
    """Share of the random limit that is used over the larger of the shares of aligned accesses and atomics."""
    random = (random_bandwidth(view) / gpu_random(view)).value
    aligned = (aligned_bandwidth(view) / gpu_aligned(view)).value
    atomics = atomic_rate(view) / view.limit(ATOMIC_LIMIT)
    note = f"of their limits: random {digits(100 * random)}%, aligned {digits(100 * aligned)}%, atomics {digits(100 * atomics)}%"
    return Measured(exact(random / max(aligned, atomics)), note)
