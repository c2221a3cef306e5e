"""Titles of figures: what a figure shows on a device, written from its rows. They raise NotTestable without rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from experiments.term_rewriting import bandwidths, changes, counts, measures, passes
from experiments.term_rewriting.over_parallelism import largest_sizes
from experiments.term_rewriting.passes import Pass
from experiments.term_rewriting.wording import Workload, count_text, percent, rate_text, times
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    COMPARED,
    CPU_AS_PRINTED,
    CPU_ENGINES,
    GIB,
    GPU_ENGINES,
    MERGE_SORT,
    ONE_CHANGE,
    TREE_22,
    TREE_SORT_23,
)
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import View
from plots.units import digits

LANES_OF_A_WARP = 32

# Runs over time


def tenth_of_peak(where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], float]:
    """A tenth of the largest parallelism, in the unit of a figure."""
    return lambda view: max(one.redexes for one in passes.timed_passes(view, **where)) / 10 / scale


def _of_time(found: list[Pass]) -> str:
    return "of the time" if any(one.slots for one in found) else "of the passes"


def mostly_tails(view: View) -> str:
    found = passes.timed_passes(view, **MERGE_SORT)
    low = 1 - passes.time_above(found, 0.1)
    return f"One list: parallelism is below a tenth of its peak for {percent(low)} {_of_time(found)}"


def peak_of_one_list(view: View) -> str:
    most = max(one.redexes for one in passes.timed_passes(view, **MERGE_SORT))
    size = "fewer than" if most < LANES_OF_A_WARP else "one for each of" if most == LANES_OF_A_WARP else "more than"
    return f"One list: a pass rewrites at most {digits(most)} terms, {size} the {LANES_OF_A_WARP} lanes of a warp"


def mostly_parallel(view: View) -> str:
    found = passes.timed_passes(view, **TREE_SORT_23)
    high = passes.time_above(found, 0.1)
    lists = count_text(counts.lists_sorted(view).value)
    return f"{lists} lists: parallelism is above a tenth of its peak for {percent(high)} {_of_time(found)}"


def peak_throughput(view: View) -> str:
    found = passes.traced(view, **TREE_SORT_23)
    return (
        f"The fastest pass makes {rate_text(passes.peak_rate(view))} (paper: up to {_short(view.fact('tms_rate_peak'))}), "
        f"the average {_short(average_throughput(found))}"
    )


def average_throughput(found: list[Pass]) -> float:
    return sum(one.redexes for one in found) / passes.seconds_of(found)


def bandwidth_used(
    name: str, used: Callable[[View], Interval], limit: Callable[[View], Interval], facts: tuple[str, str]
) -> Callable[[View], str]:
    """The bandwidth of the whole run and its share of the limit, here and in the paper."""

    def write(view: View) -> str:
        here, share = used(view), used(view) / limit(view)
        paper = view.fact(facts[0])
        return (
            f"{name} accesses: {digits(here.value / GIB)} GiB/s, {percent(share.value)} of the limit "
            f"(paper: {digits(paper)} GiB/s, {percent(paper / view.fact(facts[1]))})"
        )

    return write


random_used = bandwidth_used(
    "Random", bandwidths.random_bandwidth, bandwidths.gpu_random, ("t3_bw_random", "t1_gpu_bw_random")
)

coalesced_used = bandwidth_used(
    "Coalesced", bandwidths.aligned_bandwidth, bandwidths.gpu_aligned, ("t3_bw_aligned", "t1_gpu_bw_aligned")
)


def in_gib(used: Callable[[View], Interval]) -> Callable[[View], float]:
    return lambda view: used(view).value / GIB


def time_at_the_papers_rate(view: View) -> str:
    rate = view.fact("tt_rate_sustained")
    share = passes.time_at_rate(passes.traced(view, **TREE_22), rate)
    return f"The throughput is at or above {rate_text(rate)} for {percent(share)} of the time (paper: half)"


# Rates over parallelism


def gpu_over_cpu(view: View, system: str = "") -> dict[Workload, Interval]:
    """The best GPU engine over the best CPU engine at each workload, in ascending order of parallelism."""
    wide = counts.parallelism(view)
    gpu, cpu = measures.best_gpu_rates(view), measures.rates(view, CPU_ENGINES, "cpu")
    found = _ratios(gpu, cpu, wide, system)
    if not found:
        raise NotTestable(view.missing(dict(variant=GPU_ENGINES, machine="cuda")))
    return found


def _ratios(
    rates: Mapping[Workload, Interval], others: Mapping[Workload, Interval], wide: Mapping[Workload, float], system: str
) -> dict[Workload, Interval]:
    both = [one for one in rates if one in others and one in wide and system in ("", one[0])]
    return {one: rates[one] / others[one] for one in sorted(both, key=lambda one: wide[one])}


def ahead_from(ratios: Mapping[Workload, Interval]) -> Workload | None:
    """The first workload from which on all ratios are above 1. Where the intervals of two rates overlap, neither is faster."""
    first = None
    for workload, ratio in reversed(ratios.items()):
        if ratio.low <= 1:
            break
        first = workload
    return first


#: How a title names a CPU engine.
CPU_NAMES: Mapping[str, str] = {
    CPU_AS_PRINTED: "the paper's CPU rewriter",
    "one_core": "one CPU core",
    "all_cores": "all CPU cores",
}


def compared_cpu(view: View, workloads: Iterable[Workload]) -> str:
    """'any CPU engine' if all cores ran each workload, else the names of the CPU engines that ran one."""
    wanted = set(workloads)
    ran = {engine: wanted & set(measures.rates(view, (engine,), "cpu")) for engine in CPU_ENGINES}
    if wanted <= ran["all_cores"]:
        return "any CPU engine"
    return " and ".join(CPU_NAMES[engine] for engine in CPU_ENGINES if ran[engine])


def crossing_of_cores(view: View, system: str = "") -> str:
    """All cores against one: what a machine without a GPU shows."""
    wide = counts.parallelism(view)
    cores, core = (measures.rates(view, (engine,), "cpu") for engine in ("all_cores", "one_core"))
    ratios = _ratios(cores, core, wide, system)
    if not ratios:
        raise NotTestable(view.missing(dict(variant="all_cores", machine="cpu")))
    first = ahead_from(ratios)
    if first is None:
        return "At no parallelism are all CPU cores always faster than one core"
    return f"From a parallelism of {count_text(wide[first])} on, all CPU cores are faster than one core"


def crossing_of_best(view: View) -> str:
    if not view.device.has_gpu:
        return crossing_of_cores(view)
    ratios = gpu_over_cpu(view)
    first, engines = ahead_from(ratios), compared_cpu(view, ratios)
    if first is None:
        return f"At no parallelism is the best GPU engine always faster than {engines}"
    parallelism = count_text(counts.parallelism(view)[first])
    return f"From a parallelism of {parallelism} on, the best GPU engine is faster than {engines}"


def crossing_of_sort(view: View) -> str:
    if not view.device.has_gpu:
        return crossing_of_cores(view, "tree_merge_sort")
    ratios = gpu_over_cpu(view, "tree_merge_sort")
    first, engines = ahead_from(ratios), compared_cpu(view, ratios)
    if first is None:
        return f"No GPU engine sorts the largest tree of lists faster than {engines}"
    return f"From {2 ** int(first[1]):,} lists on, the best GPU engine is faster than {engines}"


def transformation_rates(view: View) -> str:
    if not view.device.has_gpu:
        return crossing_of_cores(view, "transformation_tree")
    fast, printed = (view.rate(variant=variant, machine="cuda", **TREE_22) for variant in ("fast", AS_PRINTED))
    there = view.fact("tt_rate_average")
    return f"fast: {rate_text(fast)}{_each_rule(view)}; as printed: {_short(printed.value)} (paper: {_short(there)})"


def _each_rule(view: View) -> str:
    """The rate without the merged chains of rules, if it was measured."""
    try:
        return f" ({_short(view.rate(variant='fast_each_rule', machine='cuda', **TREE_22).value)} with a step per rule)"
    except NotTestable:
        return ""


def _short(rate: float) -> str:
    """'6.47 G', beside a rate that has the unit."""
    return rate_text(rate).removesuffix(" rewrites/s")


def systems_won(view: View) -> str:
    gpu, cpu = measures.best_gpu_rates(view), measures.rates(view, CPU_ENGINES, "cpu")
    rows = largest_sizes(view)
    won = sum(gpu[workload].low > cpu[workload].high for workload in rows)
    return f"The best GPU engine is faster than {compared_cpu(view, rows)} on {won} of {len(rows)} systems"


# Others


def doubling(view: View) -> str:
    slope = counts.growth_over_depth(view).interval.value
    if abs(slope - 1) < 0.05:
        return "Each level of the tree doubles the parallelism"
    return f"Each level of the tree multiplies the parallelism by {digits(2**slope)}"


def best_change(view: View) -> str:
    found = {}
    for variant in ONE_CHANGE:
        try:
            found[variant] = changes.against_printed(variant)(view).interval.value
        except NotTestable:
            continue
    if not found:
        raise NotTestable(view.missing(dict(variant=tuple(ONE_CHANGE), machine="cuda", **COMPARED)))
    best = max(found, key=lambda variant: found[variant])
    if found[best] <= 1:
        return "No single change makes the paper's rewriter faster"
    return f"Best single change: {ONE_CHANGE[best]} ({times(found[best])} as fast)"
