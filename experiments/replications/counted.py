"""Claims that rest on hardware counters: `counter_*` of the rows at 64 replications, which counters.py reads."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.replications.measures import CHOSEN, SHORT_MODELS, TITLES, WALK
from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import exact
from plots.results import GPU, View
from plots.units import digits

Counters = Mapping[str, float]


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
    raise NotTestable("needs hardware counters, which were not read on this device")


def both(view: View, name: str) -> tuple[float, float]:
    """A counter of `threads` and of `warps`, for the random walk."""
    found = [counters(view, variant).get(name) for variant in ("threads", "warps")]
    if found[0] is None or found[1] is None or found[1] == 0:
        raise NotTestable(f"the counter {name} was not read on this device")
    return found[0], found[1]


def instructions_per_access(view: View) -> Measured:
    each: dict[str, float] = {}
    for model in ("pi", "mm1"):
        found = counters(view, "warps", SHORT_MODELS[model])
        each[model] = found["instructions"] / (found["loads"] + found["stores"])
    note = ", ".join(f"{TITLES[model]} {digits(value)}" for model, value in each.items())
    return Measured(exact(each["pi"] / each["mm1"]), f"instructions per load or store: {note}")


def memory_over_compute(view: View) -> Measured:
    """Figure 8. No counter measures this ratio, so the stalls of warps stand in for it."""
    shares = [memory_share(counters(view, variant)) for variant in ("threads", "warps")]
    if shares[1] == 0:
        raise NotTestable(f"warps never wait for global memory here (threads: {digits(shares[0])} of the other cycles)")
    note = f"threads {digits(shares[0])}, warps {digits(shares[1])}; estimated from the stalls of warps"
    return Measured(exact(shares[0] / shares[1]), note)


def loads_and_stores(view: View) -> Measured:
    loads, stores = both(view, "loads"), both(view, "stores")
    sectors = both(view, "sectors_read"), both(view, "sectors_written")
    note = (
        f"loads {loads[0]:.0f} and {loads[1]:.0f}, stores {stores[0]:.0f} and {stores[1]:.0f} "
        f"({digits(stores[0] / stores[1])}; paper: 2.9); sectors read {sectors[0][0]:.0f} and {sectors[0][1]:.0f}, "
        f"written {sectors[1][0]:.0f} and {sectors[1][1]:.0f}; the paper states no unit"
    )
    return Measured(exact(loads[0] / loads[1]), note)


def occupancy(view: View) -> Measured:
    threads, warps = both(view, "occupancy_percent")
    return Measured(
        exact(warps / threads), f"{digits(threads)}% and {digits(warps)}% of the warps that a multiprocessor can hold"
    )


def bytes_stored(view: View) -> Measured:
    stored = []
    for variant in ("threads", "warps"):
        found = counters(view, variant)
        stored.append(found["sectors_written"] * 32 * found["sector_used_written_percent"] / 100)
    return Measured(exact(stored[0] / stored[1]), f"{stored[0]:.0f} and {stored[1]:.0f} bytes")


def lanes_at_work(view: View) -> Measured:
    found = {
        model: counters(view, "threads", where)["lanes_per_instruction"] / 32 for model, where in SHORT_MODELS.items()
    }
    least = min(found, key=lambda model: found[model])
    note = ", ".join(f"{TITLES[model]} {digits(32 * value)} of 32" for model, value in found.items())
    return Measured(exact(found[least]), note)
