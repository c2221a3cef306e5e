"""Each pass of the paper's rewriter over all terms: redexes, time and, from an instrumented program, bytes and atomics."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.term_rewriting.workloads import MERGE_SORT, TREE_22, TREE_SORT_23, name_of
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import Case, View
from plots.units import digits, quantity


@dataclass(frozen=True)
class Pass:
    """One pass over all slots. Times are of the plain program, bytes and atomics of the instrumented one where it ran."""

    redexes: float
    seconds: float = 0.0
    derive_seconds: float = 0.0
    slots: float = 0.0
    own_bytes: float = 0.0
    random_bytes: float = 0.0
    atomics: float = 0.0
    random_accesses: float = 0.0  #: 0 in rows from before they were counted


def series(case: Case, name: str) -> list[float]:
    """The values pass_<name>_00001, pass_<name>_00002, ... of a row."""
    prefix = f"pass_{name}_"
    found = {
        int(key[len(prefix) :]): value
        for key, value in case.metrics.items()
        if key.startswith(prefix) and key[len(prefix) :].isdigit()
    }
    return [found[index] for index in sorted(found)]


def traced(view: View, **where: object) -> list[Pass]:
    """Redexes, times and slots of each pass of the paper's rewriter."""
    for case in view.select(variant="as_printed_traced", machine="cuda", **where):
        columns = {name: series(case, name) for name in ("redexes", "seconds", "derive_seconds", "slots")}
        if columns["redexes"] and len(columns["seconds"]) == len(columns["redexes"]):
            return [Pass(*values) for values in zip(*columns.values())]
    raise NotTestable(view.missing(dict(variant="as_printed_traced", machine="cuda", **where), "metrics of its passes"))


def with_traffic(view: View, **where: object) -> list[Pass]:
    """As `traced`, with bytes and atomics of the instrumented program, which has to make the same passes."""
    plain = traced(view, **where)
    for case in view.select(variant="as_printed_counted", machine="cuda", **where):
        columns = [series(case, name) for name in ("own_bytes", "random_bytes", "atomics", "random_accesses")]
        columns[-1] = columns[-1] or [0.0] * len(plain)
        if series(case, "redexes") != [one.redexes for one in plain]:
            raise NotTestable("the passes of the instrumented program differ from those of the plain one")
        return [
            Pass(one.redexes, one.seconds, one.derive_seconds, one.slots, *counts)
            for one, counts in zip(plain, zip(*columns))
        ]
    raise NotTestable(
        view.missing(dict(variant="as_printed_counted", machine="cuda", **where), "metrics of its passes")
    )


def with_noise(view: View, value: float, **where: object) -> Interval:
    """A number from the passes of one traced run, with the interval of the whole runs: one run has no interval of its own."""
    time = view.time(variant="as_printed_traced", machine="cuda", **where)
    return Interval(value, value * time.low / time.value, value * time.high / time.value)


def seconds_of(passes: list[Pass]) -> float:
    return sum(one.seconds for one in passes)


def kernel_seconds(passes: list[Pass]) -> float:
    return sum(one.derive_seconds for one in passes)


def sustained_rate(view: View) -> Measured:
    """Rewrites per second of the slowest of the fastest passes that together take half of the time.

    A mean over these passes would let a short peak stand in for the rest of the half.
    """
    if view.device.published:
        return Measured(exact(view.fact("tt_rate_sustained")))
    passes = sorted(traced(view, **TREE_22), key=lambda one: -one.redexes / one.seconds)
    half = seconds_of(passes) / 2
    reached = next(index for index in range(len(passes)) if seconds_of(passes[: index + 1]) >= half)
    slowest = passes[reached]
    stated = view.fact("tt_rate_sustained")
    whole = view.time(variant="as_printed_traced", machine="cuda", **TREE_22).value
    note = (
        f"{quantity(stated, 'rewrites/s')} or more in {digits(100 * time_at_rate(passes, stated))}% of the time; "
        f"the fastest pass makes {quantity(passes[0].redexes / passes[0].seconds, 'rewrites/s')}; the traced run takes "
        f"{quantity(seconds_of(passes), 's')}, the median run {quantity(whole, 's')}"
    )
    return Measured(with_noise(view, slowest.redexes / slowest.seconds, **TREE_22), note)


def time_at_rate(passes: list[Pass], rate: float) -> float:
    """The share of the time in which passes make at least this many rewrites per second."""
    return seconds_of([one for one in passes if one.redexes >= rate * one.seconds]) / seconds_of(passes)


def peak_rate(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("tms_rate_peak"))
    peak = max(one.redexes / one.seconds for one in traced(view, **TREE_SORT_23))
    return with_noise(view, peak, **TREE_SORT_23)


def time_above(passes: list[Pass], share: float) -> float:
    most = max(one.redexes for one in passes)
    return seconds_of([one for one in passes if one.redexes > share * most]) / seconds_of(passes)


def counted_passes(view: View, **where: object) -> list[Pass]:
    """Passes counted on the CPU, each with a duration of one second."""
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
    """Share of the time of merge sort of one list in which parallelism is below a tenth of its peak."""
    passes = timed_passes(view, **MERGE_SORT)
    most = max(one.redexes for one in passes)
    high = [index for index, one in enumerate(passes) if one.redexes > most / 10]
    whole = seconds_of(passes)
    before, after = seconds_of(passes[: high[0]]) / whole, seconds_of(passes[high[-1] + 1 :]) / whole
    note = f"the peak is {digits(most)} redexes; {digits(100 * before)}% of the time before, {digits(100 * after)}% after the last pass above a tenth of it"
    return Measured(exact(1 - time_above(passes, 0.1)), note)


def busy_time(view: View) -> Interval:
    try:
        return with_noise(view, time_above(traced(view, **TREE_SORT_23), 0.1), **TREE_SORT_23)
    except NotTestable:
        return exact(time_above(counted_passes(view, **TREE_SORT_23), 0.1))


def idle_slots(view: View) -> Parts:
    """Share of slots without a redex, averaged over the passes of each traced system."""
    found: dict[str, Interval] = {}
    for case in view.select(variant="as_printed_traced", machine="cuda"):
        redexes, slots = series(case, "redexes"), series(case, "slots")
        if slots and len(slots) == len(redexes):
            found[name_of(case)] = exact(sum(1 - one / of for one, of in zip(redexes, slots)) / len(slots))
    if not found:
        raise NotTestable(view.missing(dict(variant="as_printed_traced", machine="cuda"), "metrics of its passes"))
    return parts(found)


def idle_passes(view: View) -> list[tuple[float, float]]:
    """Slots and seconds of each pass that rewrites nothing, in ascending order."""
    found = []
    for case in view.select(variant="as_printed_traced", machine="cuda"):
        columns = [series(case, name) for name in ("redexes", "slots", "seconds")]
        found += [(slots, seconds) for redexes, slots, seconds in zip(*columns) if redexes == 0]
    return sorted(found)


def cost_of_idle_terms(view: View) -> Measured:
    found = idle_passes(view)
    if not found or found[-1][0] < 2 * found[0][0]:
        raise NotTestable(
            view.missing(dict(variant="as_printed_traced", machine="cuda"), "passes that rewrite nothing")
        )
    (few, short), (many, long) = found[0], found[-1]
    note = f"{quantity(long, 's')} at {digits(many)} slots over {quantity(short, 's')} at {digits(few)}"
    return Measured(exact(long / short), note)
