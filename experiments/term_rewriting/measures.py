"""The measured numbers that figures, claims and findings share: functions of a device's rows. They raise NotTestable without rows.

Rows of the variant `iterations` have two counts of iterations. In the plain one a normal form is known as soon as its arguments are;
parallelism is defined by it. The one with the suffix `_marked` counts the paper's passes, which mark a term one pass after its subterms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log2

from experiments.term_rewriting.workloads import (
    COMPARED,
    CPU_ENGINES,
    CPU_AS_PRINTED,
    GPU_ENGINES,
    AS_PRINTED,
    MERGE_SORT,
    DATA_DRIVEN,
    FOLDED,
    PEERS,
    PLAIN,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
    name_of,
    workload_of,
)
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits, quantity


def counted(view: View, name: str, **where: object) -> float:
    """A value that the variant `iterations` counts."""
    return view.metric(name, variant="iterations", **where).value


def parallelism(view: View) -> dict[tuple[str, ...], float]:
    """Average parallelism of each workload with counted iterations: rewrites divided by plain iterations."""
    rows = view.select(variant="iterations", case=lambda case: "average_parallelism" in case.metrics)
    return {workload_of(case): case.metrics["average_parallelism"] for case in rows}


def rates(view: View, variants: tuple[str, ...], machine: object) -> dict[tuple[str, ...], Interval]:
    """The best rate of these variants at each workload, in rewrites per second."""
    found: dict[tuple[str, ...], Interval] = {}
    for case in view.select(variant=variants, machine=machine, **PLAIN):
        if case.rate is not None:
            known = found.get(workload_of(case))
            if known is None or case.rate.value > known.value:
                found[workload_of(case)] = case.rate
    return found


def peer_rates(view: View, peer: str) -> dict[tuple[str, ...], Interval]:
    """Rates of OCaml or Maude on this device's host."""
    mine = [case for case in view.peers if case.variant == peer and case.machine == "cpu"]
    return {workload_of(case): case.rate for case in mine if case.rate is not None}


#: Seconds of the better engine from which on `auto` has an aim: nearly the same time.
LONG = 0.02


def auto_over_better(view: View) -> Interval:
    """The largest ratio of the time of `auto` to that of the best of one_core, all_cores and fast, where that is over 20 ms."""
    times: dict[tuple[str, ...], dict[str, Interval]] = {}
    for case in view.select(variant=("one_core", "all_cores", "fast", "auto"), machine=("cpu", "cuda")):
        if case.time is not None:
            times.setdefault((*workload_of(case), case.axes["sharing"]), {})[case.variant] = case.time
    ratios = []
    for found in times.values():
        others = [time for variant, time in found.items() if variant != "auto"]
        if "auto" in found and others:
            better = min(others, key=lambda time: time.value)
            if better.value > LONG:
                ratios.append(found["auto"] / better)
    if not ratios:
        raise NotTestable(
            view.missing(dict(variant="auto", machine="cuda"), "its times and those of the engines alone")
        )
    return max(ratios, key=lambda ratio: ratio.value)


def deepest(view: View, variant: str, machine: object, **where: object) -> tuple[Case, Interval]:
    """The matching row of the largest tree: small trees fit in caches."""
    found = [
        (float(case.axes["depth"]), case, case.rate)
        for case in view.select(variant=variant, machine=machine, **where)
        if case.rate is not None
    ]
    if not found:
        raise NotTestable(view.missing(dict(variant=variant, machine=machine, **where)))
    _, case, rate = max(found, key=lambda row: row[0])
    return case, rate


def speed_up(gpu: Mapping[str, object], cpu: Mapping[str, object]) -> Callable[[View], Measured]:
    """Rate of the paper's GPU rewriter over that of its CPU rewriter. The note adds the ratios to faster CPU engines."""

    def measure(view: View) -> Measured:
        of_gpu = deepest(view, AS_PRINTED, GPU, **gpu)[1]
        case, of_cpu = deepest(view, CPU_AS_PRINTED, "cpu", **cpu)
        notes = [f"the paper's CPU rewriter at {name_of(case)}: {quantity(of_cpu.value, 'rewrites/s')}"]
        for engine in ("one_core", "all_cores"):
            try:
                own_case, of_engine = deepest(view, engine, "cpu", **cpu)
            except NotTestable:
                continue
            place = "" if workload_of(own_case) == workload_of(case) else f" at {name_of(own_case)}"
            notes.append(f"over {engine}{place} {digits((of_gpu / of_engine).value)}")
        for peer in PEERS:
            rates_of_peer = peer_rates(view, peer)
            found = rates_of_peer.get(workload_of(case))
            if found is not None:
                notes.append(f"over {peer} {digits(of_gpu.value / found.value)}")
            elif rates_of_peer:
                notes.append(f"{peer} was not run at {name_of(case)}")
        return Measured(of_gpu / of_cpu, "; ".join(notes))

    return measure


def tree_rate(view: View) -> Interval:
    return view.rate(variant=AS_PRINTED, machine=GPU, **TREE_22)


def single_list(view: View) -> Interval:
    where = dict(**MERGE_SORT)
    return view.rate(variant=AS_PRINTED, machine=GPU, **where) / view.rate(
        variant=CPU_AS_PRINTED, machine="cpu", **where
    )


def growth_over_depth(view: View) -> Measured:
    """Slopes of log2 of the largest and of the average parallelism over the depth of the tree."""
    rows = {
        int(case.axes["depth"]): case.metrics
        for case in view.select(variant="iterations", **TREE_SORT)
        if float(case.axes["depth"]) > 0
    }
    if len(rows) < 2:
        raise NotTestable(view.missing(dict(variant="iterations", **TREE_SORT), "its iterations at several depths"))
    first, last = min(rows), max(rows)
    slopes = {
        name: (log2(rows[last][name]) - log2(rows[first][name])) / (last - first)
        for name in ("max_redexes", "average_parallelism")
    }
    note = f"depth {first} to {last}; the average's slope is {digits(slopes['average_parallelism'])}"
    return Measured(exact(slopes["max_redexes"]), note)


def lists_sorted(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("tms_lists"))
    return exact(counted(view, "lists", **TREE_SORT_23))


def rewrites_per_leaf(view: View) -> Measured:
    if view.device.published:
        return Measured(exact(view.fact("tt_rewrites_per_leaf")))
    rewrites = view.metric("rewrites", **TREE_22).value
    leaves = 2.0**22
    return Measured(
        exact((rewrites - (2 * leaves - 1)) / leaves), f"{rewrites:.0f} rewrites, {2 * leaves - 1:.0f} of them expand"
    )


def counts_agree(view: View) -> Measured:
    """Share of the workloads on which all engines and machines count the same rewrites.

    Includes rows whose result disagrees with the reference: every other measure leaves them out.
    """
    found: dict[tuple[str, ...], set[object]] = {}
    engines: dict[tuple[str, ...], set[str]] = {}
    for case in view.cases:
        disagrees = case.status == "disagrees"
        if not disagrees and (case.status not in ("ok", "not_timed") or "rewrites" not in case.metrics):
            continue
        key = (*workload_of(case), case.seed)
        found.setdefault(key, set()).add(case.describe() if disagrees else case.metrics["rewrites"])
        engines.setdefault(key, set()).add(f"{case.variant} {case.machine}")
    shared = [key for key in found if len(engines[key]) > 1]
    if not shared:
        raise NotTestable("no workload with rows of two engines")
    same = sum(len(found[key]) == 1 for key in shared)
    most = max(len(engines[key]) for key in shared)
    return Measured(exact(same / len(shared)), f"{len(shared)} workloads, up to {most} engines and machines each")


def against_printed(variant: str, **where: object) -> Callable[[View], Measured]:
    """Speed-up of a variant over the paper's rewriter on tree merge sort."""

    def measure(view: View) -> Measured:
        workload = dict(COMPARED) | where
        ratio = view.time(variant=AS_PRINTED, machine="cuda", **workload) / view.time(
            variant=variant, machine="cuda", **workload
        )
        return Measured(ratio, f"{variant} on tree_merge_sort {workload['depth']} 5")

    return measure


def printed_over_parallelism(view: View) -> list[tuple[float, tuple[str, ...], Interval]]:
    """Average parallelism, workload and rate of the paper's GPU rewriter, ordered by parallelism."""
    wide = parallelism(view)
    found = [(wide[key], key, rate) for key, rate in rates(view, (AS_PRINTED,), "cuda").items() if key in wide]
    if len(found) < 2:
        raise NotTestable(view.missing(dict(variant=AS_PRINTED, machine="cuda"), "a time at several parallelisms"))
    return sorted(found)


def slow_down(view: View) -> Measured:
    """Rate of the paper's GPU rewriter at the most parallel workload over its rate at the least parallel one."""
    rows = printed_over_parallelism(view)
    (low, least, slow), (high, most, fast) = rows[0], rows[-1]
    note = f"{' '.join(most)} at {digits(high)} over {' '.join(least)} at {digits(low)}"
    return Measured(fast / slow, note)


def one_redex_at_once(view: View) -> Parts:
    """Time of a rewrite on the GPU over that on the CPU where there is only one redex at a time.

    The paper's GPU rewriter makes several launches and host round trips for a rewrite, so it says little about one processor
    of the GPU. `fast` rewrites on one lane, in one launch, and so it does.
    """
    sizes = view.values("elements", variant=AS_PRINTED, machine="cuda", system="count")
    if not sizes:
        raise NotTestable(view.missing(dict(variant=AS_PRINTED, machine="cuda", system="count")))
    where = dict(system="count", elements=max(sizes, key=float))
    cpu = view.rate(variant=CPU_AS_PRINTED, machine="cpu", **where)
    found, notes = {}, [f"a rewrite takes {quantity(1 / cpu.value, 's')} in the paper's CPU rewriter"]
    for label, variant in (("launches of the paper's GPU rewriter", AS_PRINTED), ("one lane of fast", "fast")):
        try:
            gpu = view.rate(variant=variant, machine="cuda", **where)
        except NotTestable:
            continue
        found[label] = cpu / gpu
        notes.append(f"{quantity(1 / gpu.value, 's')} with {label}")
    return parts(found, ", ".join(notes))


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


def one_expand(view: View) -> Measured:
    where = dict(system="one_expand", depth="22", **PLAIN)
    most = counted(view, "max_redexes", **where)
    return Measured(exact(most), f"{counted(view, 'rewrites', **where):.0f} rewrites in all")


def list_of_lists(view: View) -> Parts:
    """Average parallelism of a list of lists over that of one list: 1 if the lists are sorted one after the other.

    The text allows two readings of a list of lists, and each is a part.
    """
    systems = ("mapped_list_of_lists", "list_of_lists", "tree_merge_sort")
    depths = set.intersection(
        *(set(view.values("depth", variant="iterations", system=system, elements="5", **PLAIN)) for system in systems)
    )
    if not depths:
        raise NotTestable(view.missing(dict(variant="iterations", system=systems), "the iterations of all three"))
    depth = max(depths, key=float)
    one = counted(view, "average_parallelism", system="merge_sort", elements="5", **PLAIN)
    wide = {
        system: counted(view, "average_parallelism", system=system, depth=depth, elements="5", **PLAIN) / one
        for system in systems
    }
    passes = {
        system: counted(view, "iterations_marked", system=system, depth=depth, elements="5", **PLAIN)
        for system in ("list_of_lists", "tree_merge_sort")
    }
    note = (
        f"{2 ** int(depth)} lists; given as a tree: {digits(wide['tree_merge_sort'])}; passes of the paper's algorithm: list "
        f"{digits(passes['list_of_lists'])}, tree {digits(passes['tree_merge_sort'])}"
    )
    readings = {"a rule walks along the list": "mapped_list_of_lists", "a list of sorts is given": "list_of_lists"}
    return parts({reading: exact(wide[system]) for reading, system in readings.items()}, note)


def widest_iterations(view: View) -> Measured:
    where = dict(**TREE_22)
    most = counted(view, "max_redexes", **where)
    return Measured(exact(counted(view, "iterations_at_most", **where)), f"of {digits(most)} redexes each")


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


def crossing(view: View, engine: str) -> float | None:
    """The smallest average parallelism from which on the paper's GPU rewriter is faster than the engine at every workload."""
    cpu = rates(view, (engine,), "cpu")
    least = None
    for wide, key, rate in reversed(printed_over_parallelism(view)):
        if key not in cpu:
            continue
        if rate.value <= cpu[key].value:
            return least
        least = wide
    return least


def crossings(view: View) -> str:
    """The smallest average parallelism from which on the paper's GPU rewriter is faster than each CPU engine."""
    found = {engine: crossing(view, engine) for engine in CPU_ENGINES}
    words = [f"{engine} {digits(least) if least is not None else 'never'}" for engine, least in found.items()]
    return "the GPU stays ahead from these parallelisms on: " + ", ".join(words)


def less_parallel_half(view: View) -> Parts:
    """Time on the GPU over that on the CPU, by the paper's two rewriters, at the half of the workloads with the least parallelism."""
    cpu = rates(view, (CPU_AS_PRINTED,), "cpu")
    rows = [(key, cpu[key] / rate) for _, key, rate in printed_over_parallelism(view) if key in cpu]
    return parts({" ".join(key): ratio for key, ratio in rows[: len(rows) // 2]}, crossings(view))


#: Average parallelism from which on a system is appropriate for a GPU: it occupies the lanes of a small GPU.
APPROPRIATE = 1e4


def best_against_best(view: View) -> Parts:
    """The best GPU engine over the best CPU engine on each appropriate system, at its most parallel workload.

    `fast_each_rule` replaces `fast` in its rows of systems whose chains of rules `fast` takes in one step: a CPU engine without
    that optimization is no measure of the machines.
    """
    wide, cpu = parallelism(view), rates(view, CPU_ENGINES, "cpu")
    gpu = rates(view, GPU_ENGINES, "cuda")
    unfolded = rates(view, (AS_PRINTED, "fast_each_rule"), "cuda")
    each_rule = rates(view, ("fast_each_rule",), "cuda")
    most: dict[str, tuple[str, ...]] = {}
    for key in sorted((key for key in gpu if key in cpu), key=lambda key: float(key[1])):
        if max((wide[other] for other in wide if other[0] == key[0]), default=0.0) >= APPROPRIATE:
            most[key[0]] = key
    found: dict[str, Interval] = {}
    for system, key in most.items():
        if system not in FOLDED:
            found[" ".join(key)] = gpu[key] / cpu[key]
        elif key in each_rule:
            found[f"{' '.join(key)}, a step per rule"] = unfolded[key] / cpu[key]
            found[f"{' '.join(key)}, chains of rules in one step"] = gpu[key] / cpu[key]
        else:
            found[f"{' '.join(key)}, chains of rules in one step"] = gpu[key] / cpu[key]
    if not found:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda"), "a time at much parallelism"))
    return parts(found, _smaller_trees(gpu, cpu, most))


def _smaller_trees(
    gpu: Mapping[tuple[str, ...], Interval],
    cpu: Mapping[tuple[str, ...], Interval],
    most: Mapping[str, tuple[str, ...]],
) -> str:
    """The ratio for fewer lists: with the most, the CPU engine's collector, which runs on one core, takes much of its time."""
    keys = [key for key in gpu if key in cpu and key[0] == "tree_merge_sort" and key != most.get(key[0])]
    if "tree_merge_sort" not in most or not keys:
        return ""
    key = max(keys, key=lambda key: float(key[1]))
    return f"{digits((gpu[key] / cpu[key]).value)} at {' '.join(key)}, where the CPU engine collects less"


def sectors(view: View) -> Interval:
    return view.metric("counter_sectors_per_request", variant=AS_PRINTED, machine="cuda")
