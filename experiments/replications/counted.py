"""Claims that rest on hardware counters: `counter_*` of the rows at 64 replications, which counters.py reads.

Where a device's were not read, counts of accesses and lanes are those of the emulator (emulated.py), and the claim's note says
so. Stalls and occupancy are not emulated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.replications import emulated
from experiments.replications.measures import CHOSEN, SHORT_MODELS, TITLES, WALK, crossing_of
from plots.claims import Measured, Part, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, View
from plots.units import digits
from plots.verdict import about

Counters = Mapping[str, float]

NO_COUNTERS = "the rows of this experiment have no hardware counters on this device"

#: Table 2: accesses with one thread and with one warp per replication, without a unit.
READS, WRITES = (225.0, 18.0), (302.0, 104.0)


def without_prefix(metrics: Mapping[str, float]) -> Counters:
    return {name[8:]: value for name, value in metrics.items() if name.startswith("counter_")}


def memory_share(found: Counters) -> float:
    """Cycles per instruction that wait for global memory, over the other cycles. KeyError where they were not read."""
    memory = found["waits_for_memory"] + found["waits_to_send"]
    return memory / (found["cycles_per_instruction"] - memory)


def counters(view: View, variant: str, where: Mapping[str, object] = WALK) -> Counters:
    """The counters of a variant at 64 replications, by their names without the prefix."""
    if view.device.published:
        raise NotTestable("the paper prints no number for it")
    for case in view.select(variant=variant, machine=GPU, replications="64", **where, **CHOSEN):
        found = without_prefix(case.metrics)
        if found:
            return found
    raise NotTestable(NO_COUNTERS)


def counted_or_emulated(view: View, variant: str, where: Mapping[str, object] = WALK) -> tuple[Counters, str]:
    """The counters, and what the note of a claim says of where they are from."""
    try:
        return counters(view, variant, where), ""
    except NotTestable:
        if view.device.published or not view.cases:
            raise
        return emulated.counters(str(where["model"]), variant), emulated.EMULATED


def both(view: View, name: str) -> tuple[float, float]:
    """A counter of `threads` and of `warps`, for the random walk."""
    found = [counters(view, variant).get(name) for variant in ("threads", "warps")]
    if found[0] is None or found[1] is None or found[1] == 0:
        raise NotTestable(f"the counter {name} was not read on this device")
    return found[0], found[1]


def order_of_crossings(view: View) -> Measured:
    """Whether the model with more instructions per memory access needs fewer replications to beat one CPU thread.

    The value is the crossing of the model with the worse ratio over that of the model with the better one. The sentence is
    about any two applications: it does not say that the queue has the better ratio.
    """
    each: dict[str, float] = {}
    source = ""
    for model, items in (("pi", "draws"), ("mm1", "clients")):
        where = SHORT_MODELS[model]
        found, source = counted_or_emulated(view, "warps", where)
        # Emulated runs have fewer items, and the accesses of a replication do not depend on their number.
        longer = float(str(where[items])) / found["items"] if source else 1
        each[model] = longer * found["instructions"] / (found["loads"] + found["stores"])
    better = max(each, key=lambda model: each[model])
    worse = min(each, key=lambda model: each[model])
    first, second = crossing_of(view, better), crossing_of(view, worse)
    note = ", ".join(
        f"{TITLES[model]} has {digits(each[model])} instructions per load or store and crosses at {count} replications"
        for model, count in ((better, first), (worse, second))
    )
    return Measured(exact(second / first), joined(note, source))


def memory_over_compute(view: View) -> Measured:
    """Figure 8. No counter measures this ratio, so the stalls of warps stand in for it."""
    shares = [memory_share(counters(view, variant)) for variant in ("threads", "warps")]
    if shares[1] == 0:
        raise NotTestable(f"warps never wait for global memory here (threads: {digits(shares[0])} of the other cycles)")
    note = f"threads {digits(shares[0])}, warps {digits(shares[1])}; estimated from the stalls of warps"
    return Measured(exact(shares[0] / shares[1]), note)


def joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


def schemes(view: View) -> tuple[Callable[[str], tuple[float, float]], str]:
    """What gives a counter of `threads` and of `warps` for the random walk, and the note on their source."""
    (threads, source), (warps, _) = (counted_or_emulated(view, variant) for variant in ("threads", "warps"))
    return (lambda name: both(view, name) if not source else (threads[name], warps[name])), source


def loads_and_stores(view: View) -> Parts:
    pair, source = schemes(view)
    loads, stores = pair("loads"), pair("stores")
    sectors = pair("sectors_read"), pair("sectors_written")
    note = (
        f"loads {loads[0]:.0f} and {loads[1]:.0f}, stores {stores[0]:.0f} and {stores[1]:.0f}; sectors read "
        f"{sectors[0][0]:.0f} and {sectors[0][1]:.0f}, written {sectors[1][0]:.0f} and {sectors[1][1]:.0f}; the paper "
        "states no unit"
    )
    reads, writes = ("reads", loads, READS[0] / READS[1]), ("writes", stores, WRITES[0] / WRITES[1])
    return Parts(
        tuple(
            Part(name, exact(threads / warps), about(printed)) for name, (threads, warps), printed in (reads, writes)
        ),
        joined(note, source),
    )


def occupancy(view: View) -> Parts:
    """Achieved occupancy of warps over threads, with blocks of the same size.

    The counter is a mean over the multiprocessors that have a block. By default, threads run in blocks of one warp and warps
    in blocks of four, so that mean would compare block sizes.
    """
    found: dict[str, Interval] = {}
    for case in view.select(variant="warps", machine=GPU, **WALK):
        name = "counter_occupancy_percent"
        if case.axes["block"] == "0" or name not in case.metrics:
            continue
        same = dict(replications=case.axes["replications"], block=case.axes["block"], **WALK)
        for other in view.select(variant="threads", machine=GPU, **same):
            if other.metrics.get(name):
                label = f"{case.axes['replications']} replications, blocks of {case.axes['block']}"
                found[label] = exact(case.metrics[name] / other.metrics[name])
    if not found:
        raise NotTestable("needs the occupancy of threads and warps in blocks of the same size, which was not counted")
    return parts(found)


def bytes_moved(view: View) -> Parts:
    """Bytes of the sectors of a warp's loads and stores that its lanes use: a word that all lanes load counts once."""
    pair, source = schemes(view)
    found: dict[str, Interval] = {}
    notes = []
    for name, sectors, used in (
        ("loaded", "sectors_read", "sector_used_read_percent"),
        ("stored", "sectors_written", "sector_used_written_percent"),
    ):
        shares = zip(pair(sectors), pair(used), strict=True)
        threads, warps = (count * 32 * share / 100 for count, share in shares)
        found[f"bytes {name}"] = exact(threads / warps)
        notes.append(f"{name}: {threads:.0f} and {warps:.0f} bytes")
    return parts(found, joined(*notes, source))


def lanes_at_work(view: View) -> Parts:
    found: dict[str, Interval] = {}
    source = ""
    for model, where in SHORT_MODELS.items():
        of_model, source = counted_or_emulated(view, "threads", where)
        found[TITLES[model]] = exact(of_model["lanes_per_instruction"] / 32)
    return parts(found, source)
