"""The measured numbers that figures, claims and findings share: functions of a device's rows. They raise NotTestable without rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.term_rewriting import counts
from experiments.term_rewriting.workloads import (
    CPU_ENGINES,
    CPU_AS_PRINTED,
    GPU_ENGINES,
    AS_PRINTED,
    MERGE_SORT,
    FOLDED,
    PEERS,
    PLAIN,
    TREE_22,
    name_of,
    workload_of,
)
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.units import digits, quantity


def rates(view: View, variants: tuple[str, ...], machine: object) -> dict[tuple[str, ...], Interval]:
    """The best rate of these variants at each workload, in rewrites per second."""
    found: dict[tuple[str, ...], Interval] = {}
    for case in view.select(variant=variants, machine=machine, **PLAIN):
        if case.rate is not None:
            known = found.get(workload_of(case))
            if known is None or case.rate.value > known.value:
                found[workload_of(case)] = case.rate
    return found


def best_gpu_rates(view: View) -> dict[tuple[str, ...], Interval]:
    """The rate of the best GPU engine at the workloads that `fast` has run; of the paper's rewriter if `fast` has no rows."""
    best, fast = rates(view, GPU_ENGINES, "cuda"), rates(view, ("fast",), "cuda")
    return {workload: rate for workload, rate in best.items() if workload in fast} or best


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


def speed_up(where: Mapping[str, object]) -> Callable[[View], Measured]:
    """Rate of the paper's GPU rewriter over that of its CPU rewriter, at the largest size that the CPU ran.

    Where the GPU did not run that size, its largest one stands in. The note adds the ratio to it where the GPU ran both, and
    the ratios to faster CPU engines.
    """

    def measure(view: View) -> Measured:
        largest, of_largest = deepest(view, AS_PRINTED, GPU, **where)
        case, of_cpu = deepest(view, CPU_AS_PRINTED, "cpu", **where)
        size = workload_of(case)
        of_gpu = rates(view, (AS_PRINTED,), GPU).get(size)
        notes = [f"the paper's CPU rewriter at {name_of(case)}: {quantity(of_cpu.value, 'rewrites/s')}"]
        if of_gpu is None:
            of_gpu = of_largest
            notes.append(f"the GPU at {name_of(largest)}")
        elif workload_of(largest) != size:
            notes.append(f"{digits((of_largest / of_cpu).value)} with the GPU at {name_of(largest)}")
        for engine in ("one_core", "all_cores"):
            of_engine = rates(view, (engine,), "cpu").get(size)
            if of_engine is not None:
                notes.append(f"over {engine} {digits((of_gpu / of_engine).value)}")
        for peer in PEERS:
            rates_of_peer = peer_rates(view, peer)
            found = rates_of_peer.get(size)
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


def printed_over_parallelism(view: View) -> list[tuple[float, tuple[str, ...], Interval]]:
    """Average parallelism, workload and rate of the paper's GPU rewriter, ordered by parallelism."""
    wide = counts.parallelism(view)
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


def crossing(view: View, engine: str) -> float | None:
    """The smallest average parallelism from which on the paper's GPU rewriter is faster than the engine at every workload."""
    cpu = rates(view, (engine,), "cpu")
    least = None
    for wide, key, rate in reversed(printed_over_parallelism(view)):
        if key not in cpu:
            continue
        if rate.low <= cpu[key].high:  # where the intervals overlap, neither is faster
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
    wide, cpu = counts.parallelism(view), rates(view, CPU_ENGINES, "cpu")
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
