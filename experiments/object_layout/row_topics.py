"""The rows themselves, what the simulated agents do, the CPU, and the second program, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.object_layout import measures
from experiments.object_layout.measures import grouped, in_sweep
from experiments.object_layout.wording import speed, times
from plots.errors import NotTestable
from plots.results import Case, View
from plots.units import digits, quantity


def frozen_workload(view: View) -> str:
    shares = {
        mode: view.metric("pedestrian_still_walking", variant="objects", mode=mode, case=in_sweep("modes"))
        for mode in ("faithful", "live")
    }
    stopped = shares["faithful"].value == 0
    agents, streets, ticks = _run_of_modes(view)
    frozen = f"With the paper's static table of random numbers, traffic {'stops' if stopped else 'slows down'}"
    return (
        f"{frozen} in a CPU run of {grouped(agents)} agents on {grouped(streets)} streets: in the last tenth of "
        f"{grouped(ticks)} ticks, {digits(100 * shares['faithful'].value)}% of the pedestrians change their street. With a "
        f"random stream per agent, {digits(100 * shares['live'].value)}% do. No other numbers of agents and streets were run."
    )


def _run_of_modes(view: View) -> tuple[float, float, float]:
    """The agents, streets and ticks of the sweep `modes`, which has one of each."""
    found = {
        (measures.agents_of(case) or 0.0, float(case.axes["streets"]), float(case.axes["ticks"]))
        for case in view.select(variant="objects", case=in_sweep("modes"))
    }
    if not found:
        raise NotTestable("no row of the sweep modes")
    if len(found) != 1:
        raise NotTestable(f"{len(found)} numbers of agents, streets and ticks in the sweep modes")
    return found.pop()


def modes_note(view: View) -> str:
    """How many agents and streets the table of modes is about."""
    agents, streets, _ = _run_of_modes(view)
    return f"Each row simulates {grouped(agents)} agents on {grouped(streets)} streets, as plain objects on the CPU."


def on_the_cpu(view: View) -> str:
    where: Mapping[str, object] = dict(machine="cpu", mode="live", case=in_sweep("cpu"))
    rows = view.select(variant="columns", **where)
    if not rows:
        raise NotTestable(view.missing(dict(variant="columns", **where)))
    threads = rows[0].provenance.get("cpu", {}).get("threads", "all")
    columns, objects = (view.rate(variant=variant, **where) for variant in ("columns", "objects"))
    return (
        f"On the CPU of this machine, `columns` on {threads} threads reaches {speed(columns)}, and plain objects on one "
        f"core (`objects`) reach {speed(objects)}."
    )


def bodies(view: View) -> str:
    counts = sorted(view.values("elements", program="bodies", machine="cuda", case=in_sweep("bodies")), key=int)
    if not counts:
        raise NotTestable("no row of the sweep bodies on a GPU")
    gpu, cpu = (
        view.rate(program="bodies", machine=machine, elements=counts[-1], case=in_sweep("bodies"))
        for machine in ("cuda", "cpu")
    )
    threads = view.attribute("multiprocessors") * view.attribute("max_threads_per_multiprocessor")
    return (
        f"The second program of the library, {grouped(float(counts[-1]))} bodies, evaluates "
        f"{quantity(gpu.value, 'pairs/s')} on the GPU, {times(gpu / cpu)} as fast as plain objects on one CPU core. "
        f"Its one thread per body is {digits(100 * float(counts[-1]) / threads)}% of the threads that the GPU can hold."
    )


def rows_behind(view: View) -> str:
    """What a reader must know of the rows before the numbers."""
    ran = [case for case in view.cases if case.status in ("ok", "not_timed")]
    unsupported = sum(case.status == "refused" for case in view.cases)
    counters = sum(any(name.startswith("counter_") for name in case.metrics) for case in ran)
    samples = sorted({case.repetitions for case in ran if case.time is not None})
    if not samples:
        raise NotTestable("no row with a time")
    text = (
        f"{grouped(len(ran))} cases ran: {comparisons(ran)}. {grouped(counters)} of them have hardware counters. "
        f"{grouped(unsupported)} more cases are combinations that a variant does not support. A time is the median of "
        f"{samples[0]} to {samples[-1]} samples."
    )
    if samples[0] >= 6:
        return text
    return text + (
        " With fewer than six samples, the interval is their range, which covers the median with a probability below 95%."
    )


def comparisons(ran: Sequence[Case]) -> str:
    """'156 equal their reference in every unit, 154 in a sample of the units'"""
    whole = sum(case.verified.startswith("whole digest") for case in ran)
    every = sum(
        case.verified == "every unit"
        or (not case.verified and case.provenance.get("verified_units") == case.provenance.get("units_total"))
        for case in ran
    )
    found = (
        (every, "in every unit"),
        (whole, "in a digest of the whole output that another variant computed too"),
        (len(ran) - every - whole, "in a sample of the units"),
    )
    texts = [f"{grouped(count)} {how}" for count, how in found if count]
    first, _, rest = texts[0].partition(" ")
    return ", ".join([f"{first} equal their reference {rest}", *texts[1:]])
