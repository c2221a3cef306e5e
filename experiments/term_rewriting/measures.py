"""What the figures and claims of term_rewriting measure, each a function of a device's rows that raises NotTestable without them.

Two counts of iterations are in the rows of the variant `iterations`: with normal forms known at once, which is what parallelism means
here, and, with the suffix `_marked`, in the paper's passes, which mark a term one pass after its subterms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log2

from experiments.term_rewriting.workloads import (
    COMPARED,
    CPU_ENGINES,
    CPU_PRINTED,
    GPU_ENGINES,
    GPU_PRINTED,
    MERGE_SORT,
    PEERS,
    PLAIN,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
    name_of,
    workload_of,
)
from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits, quantity


def counted(view: View, name: str, **where: object) -> float:
    """A figure of the variant `iterations`."""
    return view.figure(name, variant="iterations", **where).value


def parallelism(view: View) -> dict[tuple[str, ...], float]:
    """Rewrites over iterations, normal forms known at once, of every workload whose iterations were counted."""
    rows = view.select(variant="iterations", case=lambda case: "average_parallelism" in case.figures)
    return {workload_of(case): case.figures["average_parallelism"] for case in rows}


def rates(view: View, variants: tuple[str, ...], machine: object) -> dict[tuple[str, ...], Interval]:
    """The best rate of these variants at each workload, in rewrites a second."""
    found: dict[tuple[str, ...], Interval] = {}
    for case in view.select(variant=variants, machine=machine, **PLAIN):
        if case.rate is not None:
            known = found.get(workload_of(case))
            if known is None or case.rate.value > known.value:
                found[workload_of(case)] = case.rate
    return found


def peer_rates(view: View, peer: str) -> dict[tuple[str, ...], Interval]:
    """Of OCaml or Maude, which peers_rows.py puts beside our engine's row."""
    return {
        workload_of(case): exact(case.items / case.figures[f"{peer}_seconds"])
        for case in view.select(variant="one_core", machine="cpu", **PLAIN)
        if case.figures.get(f"{peer}_seconds")
    }


#: From this time on `auto` is held to be as fast as the better of its engines, nearly.
LONG = 0.02


def auto_over_better(view: View) -> Interval:
    """The most that `auto` takes, over the better of all_cores and fast, of the workloads that take that one over 20 ms."""
    times: dict[tuple[str, ...], dict[str, Interval]] = {}
    for case in view.select(variant=("all_cores", "fast", "auto"), machine=("cpu", "cuda")):
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
            view.missing(dict(variant="auto", machine="cuda"), "its times beside those of all_cores and fast")
        )
    return max(ratios, key=lambda ratio: ratio.value)


def deepest(view: View, variant: str, machine: object, **where: object) -> tuple[Case, Interval]:
    """The row of the largest tree, where several match: small ones fit in caches."""
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
    """Rewrites a second of the paper's GPU rewriter over its CPU rewriter; in the note over what a CPU can do, too."""

    def measure(view: View) -> Measured:
        of_gpu = deepest(view, GPU_PRINTED, GPU, **gpu)[1]
        case, of_cpu = deepest(view, CPU_PRINTED, "cpu", **cpu)
        notes = [f"CPU as printed at {name_of(case)}: {quantity(of_cpu.value, 'rewrites/s')}"]
        for engine in ("one_core", "all_cores"):
            try:
                notes.append(f"over {engine} {digits((of_gpu / deepest(view, engine, 'cpu', **cpu)[1]).value)}")
            except NotTestable:
                continue
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
    return view.rate(variant=GPU_PRINTED, machine=GPU, **TREE_22)


def single_list(view: View) -> Interval:
    where = dict(**MERGE_SORT)
    return view.rate(variant=GPU_PRINTED, machine=GPU, **where) / view.rate(variant=CPU_PRINTED, machine="cpu", **where)


def growth_over_depth(view: View) -> Measured:
    """Slope of log2 of the most redexes at once over the depth of the tree, and of the average."""
    rows = {
        int(case.axes["depth"]): case.figures
        for case in view.select(variant="iterations", **TREE_SORT)
        if float(case.axes["depth"]) > 0
    }
    if len(rows) < 2:
        raise NotTestable(view.missing(dict(variant="iterations", **TREE_SORT), "its iterations at several depths"))
    first, last = min(rows), max(rows)
    slopes = {
        name: (log2(rows[last][name]) - log2(rows[first][name])) / (last - first)
        for name in ("most_redexes", "average_parallelism")
    }
    note = f"depth {first} to {last}; the average's slope is {digits(slopes['average_parallelism'])}"
    return Measured(exact(slopes["most_redexes"]), note)


def lists_sorted(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("tms_lists"))
    return exact(counted(view, "lists", **TREE_SORT_23))


def rewrites_a_leaf(view: View) -> Measured:
    if view.device.published:
        return Measured(exact(view.fact("tt_rewrites_per_leaf")))
    rewrites = view.figure("rewrites", **TREE_22).value
    leaves = 2.0**22
    return Measured(
        exact((rewrites - (2 * leaves - 1)) / leaves), f"{rewrites:.0f} rewrites, {2 * leaves - 1:.0f} of them expand"
    )


def counts_agree(view: View) -> Measured:
    """Share of workloads on which all engines and machines count the same rewrites."""
    found: dict[tuple[str, ...], set[float]] = {}
    engines: dict[tuple[str, ...], set[str]] = {}
    for case in view.select(case=lambda case: "rewrites" in case.figures):
        key = (*workload_of(case), case.seed)
        found.setdefault(key, set()).add(case.figures["rewrites"])
        engines.setdefault(key, set()).add(f"{case.variant} {case.machine}")
    shared = [key for key in found if len(engines[key]) > 1]
    if not shared:
        raise NotTestable("no workload with rows of two engines")
    same = sum(len(found[key]) == 1 for key in shared)
    most = max(len(engines[key]) for key in shared)
    return Measured(exact(same / len(shared)), f"{len(shared)} workloads, up to {most} engines and machines each")


def against_printed(variant: str, **where: object) -> Callable[[View], Measured]:
    """How many times as fast a variant is as the paper's rewriter, on tree merge sort."""

    def measure(view: View) -> Measured:
        workload = dict(COMPARED) | where
        ratio = view.time(variant=GPU_PRINTED, machine="cuda", **workload) / view.time(
            variant=variant, machine="cuda", **workload
        )
        return Measured(ratio, f"{variant} on tree_merge_sort {workload['depth']} 5")

    return measure


def printed_over_parallelism(view: View) -> list[tuple[float, tuple[str, ...], Interval]]:
    """Average parallelism, workload and rate of the paper's GPU rewriter, ascending."""
    wide = parallelism(view)
    found = [(wide[key], key, rate) for key, rate in rates(view, (GPU_PRINTED,), "cuda").items() if key in wide]
    if len(found) < 2:
        raise NotTestable(view.missing(dict(variant=GPU_PRINTED, machine="cuda"), "a time at several parallelisms"))
    return sorted(found)


def slow_down(view: View) -> Measured:
    """Rewrites a second at the most parallel over the least parallel workload."""
    rows = printed_over_parallelism(view)
    (low, least, slow), (high, most, fast) = rows[0], rows[-1]
    note = f"{' '.join(most)} at {digits(high)} over {' '.join(least)} at {digits(low)}"
    return Measured(fast / slow, note)


def one_redex_at_once(view: View) -> Measured:
    """Time of a rewrite where there is one redex at once, GPU over CPU."""
    sizes = view.values("elements", variant=GPU_PRINTED, machine="cuda", system="count")
    if not sizes:
        raise NotTestable(view.missing(dict(variant=GPU_PRINTED, machine="cuda", system="count")))
    where = dict(system="count", elements=max(sizes, key=float))
    gpu = view.rate(variant=GPU_PRINTED, machine="cuda", **where)
    cpu = view.rate(variant=CPU_PRINTED, machine="cpu", **where)
    return Measured(
        cpu / gpu, f"a rewrite takes {quantity(1 / gpu.value, 's')} there, {quantity(1 / cpu.value, 's')} here"
    )


def queue_against_passes(view: View) -> Measured:
    """Time of an engine driven by data over the paper's passes: above 1 if its queue costs more than it saves."""
    notes, found = [], []
    for variant in ("gpu_worklist", "fast"):
        try:
            ratio = against_printed(variant)(view).interval.inverse()
        except NotTestable:
            continue
        notes.append(f"{variant} {digits(ratio.value)}")
        found.append(ratio)
    if not found:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", **COMPARED)))
    return Measured(found[0], "; ".join(notes))


def one_expand(view: View) -> Measured:
    where = dict(system="one_expand", depth="22", **PLAIN)
    most = counted(view, "most_redexes", **where)
    return Measured(exact(most), f"{counted(view, 'rewrites', **where):.0f} rewrites in all")


def list_of_lists(view: View) -> Measured:
    """Average parallelism of lists in a list over that of one such list alone: 1 where they are sorted one after the other."""
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
        f"{2 ** int(depth)} lists that a rule walks along; as a term that is there: {digits(wide['list_of_lists'])}, a tree: "
        f"{digits(wide['tree_merge_sort'])}; passes of the paper's algorithm: list {digits(passes['list_of_lists'])}, tree "
        f"{digits(passes['tree_merge_sort'])}"
    )
    return Measured(exact(wide["mapped_list_of_lists"]), note)


def widest_iterations(view: View) -> Measured:
    where = dict(**TREE_22)
    most = counted(view, "most_redexes", **where)
    return Measured(exact(counted(view, "iterations_at_most", **where)), f"of {digits(most)} redexes each")


def slots_without_collection(view: View) -> Measured:
    where = dict(machine="cuda", **COMPARED)
    without = view.figure("slots_used", variant="gpu_no_collection", **where)
    ratio = without / view.figure("slots_used", variant=GPU_PRINTED, **where)
    note = f"{digits(without.value)} slots without"
    try:
        time = view.time(variant="gpu_no_collection", **where) / view.time(variant=GPU_PRINTED, **where)
        note += f"; its time is {digits(time.value)} of that with collection"
    except NotTestable:
        pass
    return Measured(ratio, note)


def shortcut(view: View) -> Measured:
    where = dict(machine="cuda", **COMPARED)
    return Measured(
        view.time(variant="gpu_no_shortcut", **where) / view.time(variant=GPU_PRINTED, **where),
        "tree_merge_sort 20 5",
    )


def crossing(view: View, engine: str) -> float | None:
    """The least average parallelism from which on the paper's GPU rewriter is faster than the engine at every workload."""
    cpu = rates(view, (engine,), "cpu")
    least = None
    for wide, key, rate in reversed(printed_over_parallelism(view)):
        if key not in cpu:
            continue
        if rate.value <= cpu[key].value:
            return least
        least = wide
    return least


def crossings(view: View) -> Measured:
    found = {engine: crossing(view, engine) for engine in CPU_ENGINES}
    words = [f"{engine} {digits(place) if place is not None else 'never'}" for engine, place in found.items()]
    place = found[CPU_PRINTED]
    if place is None:
        raise NotTestable("the GPU rewriter is never faster; " + ", ".join(words))
    return Measured(exact(place), "crossing with " + ", ".join(words))


def best_against_best(view: View) -> Measured:
    """The best GPU engine over the best CPU engine, at the workload where this is most."""
    gpu, cpu = rates(view, GPU_ENGINES, "cuda"), rates(view, CPU_ENGINES, "cpu")
    both = {key: gpu[key] / cpu[key] for key in gpu if key in cpu}
    if not both:
        raise NotTestable(view.missing(dict(variant=GPU_PRINTED, machine="cuda")))
    key = max(both, key=lambda one: both[one].value)
    return Measured(both[key], f"at {' '.join(key)}, over {len(both)} workloads")


def sectors(view: View) -> Interval:
    return view.figure("counter_sectors_a_request", variant=GPU_PRINTED, machine="cuda")


def says_ratios(view: View) -> str:
    """What becomes of the paper's ratios where the CPU baseline is compiled well."""
    parts = []
    for title, gpu, cpu in (
        ("transformation tree", TREE_22, TREE_22),
        ("tree merge sort", TREE_SORT_23, TREE_SORT),
    ):
        rate = deepest(view, GPU_PRINTED, "cuda", **gpu)[1]
        ratios = {engine: rate.value / deepest(view, engine, "cpu", **cpu)[1].value for engine in CPU_ENGINES}
        parts.append(
            f"{title} {digits(ratios[CPU_PRINTED])} times the CPU rewriter as printed, {digits(ratios['one_core'])} times one core "
            f"of generated C++, {digits(ratios['all_cores'])} times all cores"
        )
    return "The paper's GPU rewriter: " + "; ".join(parts) + "."


def says_fast(view: View) -> str:
    gpu, fast = rates(view, (GPU_PRINTED,), "cuda"), rates(view, ("fast",), "cuda")
    both = {key: fast[key].value / gpu[key].value for key in fast if key in gpu}
    if not both:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    least, most = min(both, key=lambda key: both[key]), max(both, key=lambda key: both[key])
    return (
        f"The engine fast is {digits(both[most])} times as fast as the paper's rewriter at {' '.join(most)} and "
        f"{digits(both[least])} times at {' '.join(least)}, the ends of {len(both)} workloads."
    )


def says_crossing(view: View) -> str:
    found = {engine: crossing(view, engine) for engine in CPU_ENGINES}
    words = [f"{digits(place) if place is not None else 'none'} ({engine})" for engine, place in found.items()]
    return f"Average parallelism from which on the paper's GPU rewriter beats the CPU: {', '.join(words)}."
