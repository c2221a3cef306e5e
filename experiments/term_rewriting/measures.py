"""What the figures and claims of term_rewriting measure, each a function of a device's rows that raises NotTestable without them.

Two counts of iterations are in the rows of the variant `iterations`: with normal forms known at once, which is what parallelism means
here, and, with the suffix `_marked`, in the paper's passes, which mark a term one pass after its subterms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log2

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
from plots.results import GPU, Case, View
from plots.units import digits, quantity

GIB = 2.0**30
#: The paper's methods, ours, and who rewrites on the CPU.
GPU_PRINTED, CPU_PRINTED = "gpu_printed", "cpu_printed"
CPU_ENGINES = (CPU_PRINTED, "one_core", "all_cores")
GPU_ENGINES = (GPU_PRINTED, "fast")
PEERS = ("ocaml", "maude")

PLAIN: Mapping[str, object] = dict(sharing="none")
MERGE_SORT: Mapping[str, object] = dict(system="merge_sort", elements="50", **PLAIN)
TREE_SORT: Mapping[str, object] = dict(system="tree_merge_sort", elements="5", **PLAIN)
TREE_SORT_23: Mapping[str, object] = dict(depth="23", **TREE_SORT)
TREE: Mapping[str, object] = dict(system="transformation_tree", **PLAIN)
TREE_22: Mapping[str, object] = dict(depth="22", **TREE)
#: What variants are compared on that differ in one point from the paper's.
COMPARED: Mapping[str, object] = dict(depth="20", **TREE_SORT)
#: The tables are of 4-byte words in several columns, some gigabytes in all.
RANDOM_LIMIT, ATOMIC_LIMIT = "random_load.8GB", "random_atomic.8GB"


def name_of(case: Case) -> str:
    """'tree_merge_sort 14 5': a system at its size."""
    sizes = [case.axes[axis] for axis in ("depth", "elements") if axis in SIZES.get(case.axes["system"], ("depth",))]
    return " ".join([case.axes["system"], *sizes])


#: Which axes are the size of a system.
SIZES: Mapping[str, tuple[str, ...]] = {
    "merge_sort": ("elements",),
    "tree_merge_sort": ("depth", "elements"),
    "transformation_tree": ("depth",),
    "count": ("elements",),
    "insertion_sort": ("elements",),
    "tree_fold": ("depth",),
    "one_expand": ("depth",),
    "mapped_list_of_lists": ("depth", "elements"),
    "list_of_lists": ("depth", "elements"),
    "queens": ("elements",),
    "binary_fibonacci": ("depth",),
}


def workload_of(case: Case) -> tuple[str, ...]:
    return (case.axes["system"], *(case.axes[axis] for axis in SIZES[case.axes["system"]]))


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
    """Of OCaml or Maude, which peers.py puts beside our engine's row."""
    return {
        workload_of(case): exact(case.items / case.figures[f"{peer}_seconds"])
        for case in view.select(variant="one_core", machine="cpu", **PLAIN)
        if case.figures.get(f"{peer}_seconds")
    }


# Passes, one by one.


@dataclass(frozen=True)
class Pass:
    """One pass over all slots. Times are of the plain program; bytes and atomics, where they are known, of the instrumented one."""

    redexes: float
    seconds: float = 0.0
    derive_seconds: float = 0.0
    slots: float = 0.0
    own_bytes: float = 0.0
    random_bytes: float = 0.0
    atomics: float = 0.0


def series(case: Case, name: str) -> list[float]:
    """The figures pass_<name>_00001 and on."""
    prefix = f"pass_{name}_"
    found = {
        int(key[len(prefix) :]): value
        for key, value in case.figures.items()
        if key.startswith(prefix) and key[len(prefix) :].isdigit()
    }
    return [found[place] for place in sorted(found)]


def traced(view: View, **where: object) -> list[Pass]:
    """What every pass of the paper's rewriter did, and how long it took."""
    for case in view.select(variant="gpu_traced", machine="cuda", **where):
        columns = {name: series(case, name) for name in ("redexes", "seconds", "derive_seconds", "slots")}
        if columns["redexes"] and len(columns["seconds"]) == len(columns["redexes"]):
            return [Pass(*values) for values in zip(*columns.values())]
    raise NotTestable(view.missing(dict(variant="gpu_traced", machine="cuda", **where), "figures of its passes"))


def with_traffic(view: View, **where: object) -> list[Pass]:
    """The same, with the bytes and atomics of the instrumented program's passes, which have to be the same passes."""
    plain = traced(view, **where)
    for case in view.select(variant="gpu_counted", machine="cuda", **where):
        columns = [series(case, name) for name in ("own_bytes", "random_bytes", "atomics")]
        if series(case, "redexes") != [one.redexes for one in plain]:
            raise NotTestable("the instrumented program made other passes than the plain one")
        return [
            Pass(one.redexes, one.seconds, one.derive_seconds, one.slots, *counts)
            for one, counts in zip(plain, zip(*columns))
        ]
    raise NotTestable(view.missing(dict(variant="gpu_counted", machine="cuda", **where), "figures of its passes"))


def seconds_of(passes: list[Pass]) -> float:
    return sum(one.seconds for one in passes)


def kernel_seconds(passes: list[Pass]) -> float:
    return sum(one.derive_seconds for one in passes)


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
    """A limit of the device, or the paper's in Table 1."""

    def measure(view: View) -> Interval:
        return exact(view.fact(fact) * GIB if view.device.published else view.limit(name) * scale)

    return measure


gpu_aligned = limit_of("t1_gpu_bw_aligned", "copy", 1)
gpu_random = limit_of("t1_gpu_bw_random", RANDOM_LIMIT, 4)
cpu_aligned = limit_of("t1_cpu_bw_aligned", "cpu.copy", 1)
cpu_random = limit_of("t1_cpu_bw_random", "cpu.random_load.1GB", 4)


# Claims.


def random_share(view: View) -> Measured:
    share = random_bandwidth(view) / gpu_random(view)
    return Measured(
        share, f"{quantity(random_bandwidth(view).value, 'B/s')} of {quantity(gpu_random(view).value, 'B/s')}"
    )


def aligned_against_random(view: View) -> Measured:
    """How much nearer the aligned accesses are to their limit than the random ones to theirs."""
    aligned = aligned_bandwidth(view) / gpu_aligned(view)
    random = random_bandwidth(view) / gpu_random(view)
    note = f"{quantity(aligned_bandwidth(view).value, 'B/s')}, {digits(100 * aligned.value)} % of the aligned limit; random {digits(100 * random.value)} %"
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
            found = peer_rates(view, peer).get(workload_of(case))
            if found is not None:
                notes.append(f"over {peer} {digits(of_gpu.value / found.value)}")
        return Measured(of_gpu / of_cpu, "; ".join(notes))

    return measure


def tree_rate(view: View) -> Interval:
    return view.rate(variant=GPU_PRINTED, machine=GPU, **TREE_22)


def rate_of_fastest_half(view: View) -> Measured:
    """Rewrites a second in those passes that are fastest and take half of the time."""
    if view.device.published:
        return Measured(exact(view.fact("tt_rate_sustained")))
    passes = sorted(traced(view, **TREE_22), key=lambda one: -one.redexes / one.seconds)
    redexes = seconds = 0.0
    half = seconds_of(passes) / 2
    for one in passes:
        part = min(1.0, (half - seconds) / one.seconds)
        redexes += part * one.redexes
        seconds += part * one.seconds
        if part < 1:
            break
    most = max(one.redexes for one in passes)
    plateau = [one for one in passes if one.redexes == most]
    share = seconds_of(plateau) / seconds_of(passes)
    rate = sum(one.redexes for one in plateau) / seconds_of(plateau)
    note = f"{len(plateau)} passes of {digits(most)} redexes: {quantity(rate, 'rewrites/s')} in {digits(100 * share)} % of the time"
    return Measured(exact(redexes / seconds), note)


def peak_rate(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("tms_rate_peak"))
    return exact(max(one.redexes / one.seconds for one in traced(view, **TREE_SORT_23)))


def single_list(view: View) -> Interval:
    where = dict(**MERGE_SORT)
    return view.rate(variant=GPU_PRINTED, machine=GPU, **where) / view.rate(variant=CPU_PRINTED, machine="cpu", **where)


def time_above(passes: list[Pass], share: float) -> float:
    most = max(one.redexes for one in passes)
    return seconds_of([one for one in passes if one.redexes > share * most]) / seconds_of(passes)


def counted_passes(view: View, **where: object) -> list[Pass]:
    """Passes with a second each, where no GPU has timed them."""
    for case in view.select(variant="iterations", **where):
        redexes = series(case, "redexes")
        if redexes:
            return [Pass(redexes=one, seconds=1.0) for one in redexes]
    raise NotTestable(view.missing(dict(variant="iterations", **where), "redexes of each pass"))


def timed_passes(view: View, **where: object) -> list[Pass]:
    try:
        return traced(view, **where)
    except NotTestable:
        return counted_passes(view, **where)


def tails(view: View) -> Measured:
    """Share of time below a tenth of the peak, single list."""
    passes = timed_passes(view, **MERGE_SORT)
    most = max(one.redexes for one in passes)
    high = [place for place, one in enumerate(passes) if one.redexes > most / 10]
    whole = seconds_of(passes)
    before, after = seconds_of(passes[: high[0]]) / whole, seconds_of(passes[high[-1] + 1 :]) / whole
    note = f"the peak is {digits(most)} redexes; {digits(100 * before)} % of the time before, {digits(100 * after)} % after the last pass above a tenth of it"
    return Measured(exact(1 - time_above(passes, 0.1)), note)


def busy_time(view: View) -> Interval:
    return exact(time_above(timed_passes(view, **TREE_SORT_23), 0.1))


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


def idle_slots(view: View) -> Measured:
    """Share of slots without a redex, the mean of the passes of each traced system."""
    found: dict[str, Interval] = {}
    for case in view.select(variant="gpu_traced", machine="cuda"):
        redexes, slots = series(case, "redexes"), series(case, "slots")
        if slots and len(slots) == len(redexes):
            found[name_of(case)] = exact(sum(1 - one / of for one, of in zip(redexes, slots)) / len(slots))
    if not found:
        raise NotTestable(view.missing(dict(variant="gpu_traced", machine="cuda"), "figures of its passes"))
    return Measured(hull(found.values()), "; ".join(f"{name} {digits(one.value)}" for name, one in found.items()))


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


def random_against_the_rest(view: View) -> Measured:
    """How much nearer random accesses are to their limit than aligned ones and atomics to theirs."""
    random = (random_bandwidth(view) / gpu_random(view)).value
    aligned = (aligned_bandwidth(view) / gpu_aligned(view)).value
    atomics = atomic_rate(view) / view.limit(ATOMIC_LIMIT)
    note = f"of their limits: random {digits(100 * random)} %, aligned {digits(100 * aligned)} %, atomics {digits(100 * atomics)} %"
    return Measured(exact(random / max(aligned, atomics)), note)


def one_expand(view: View) -> Measured:
    where = dict(system="one_expand", depth="22", **PLAIN)
    most = counted(view, "most_redexes", **where)
    return Measured(exact(most), f"{counted(view, 'rewrites', **where):.0f} rewrites in all")


def list_of_lists(view: View) -> Measured:
    """Average parallelism of lists in a list over that of one such list alone: 1 where they are sorted one after the other."""
    depths = view.values("depth", variant="iterations", system="mapped_list_of_lists", **PLAIN)
    if not depths:
        raise NotTestable(view.missing(dict(variant="iterations", system="mapped_list_of_lists"), "its iterations"))
    depth = max(depths, key=float)
    one = counted(view, "average_parallelism", system="merge_sort", elements="5", **PLAIN)
    wide = {
        system: counted(view, "average_parallelism", system=system, depth=depth, elements="5", **PLAIN) / one
        for system in ("mapped_list_of_lists", "list_of_lists", "tree_merge_sort")
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


def idle_passes(view: View) -> list[tuple[float, float]]:
    """Slots and seconds of every pass in which nothing was rewritten."""
    found = []
    for case in view.select(variant="gpu_traced", machine="cuda"):
        columns = [series(case, name) for name in ("redexes", "slots", "seconds")]
        found += [(slots, seconds) for redexes, slots, seconds in zip(*columns) if redexes == 0]
    return sorted(found)


def cost_of_idle_terms(view: View) -> Measured:
    found = idle_passes(view)
    if not found or found[-1][0] < 2 * found[0][0]:
        raise NotTestable(view.missing(dict(variant="gpu_traced", machine="cuda"), "passes that rewrite nothing"))
    (few, short), (many, long) = found[0], found[-1]
    note = f"{quantity(long, 's')} at {digits(many)} slots over {quantity(short, 's')} at {digits(few)}"
    return Measured(exact(long / short), note)


def sectors(view: View) -> Interval:
    return view.figure("counter_sectors_a_request", variant=GPU_PRINTED, machine="cuda")


# What to say first.


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
