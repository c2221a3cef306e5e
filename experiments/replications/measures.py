"""How the numbers are taken from the rows of a device. claims.py, figures.py and findings.py ask here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, log

from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits, quantity
from plots.verdict import Bound, at_most

#: The models at the paper's sizes. Sweeps over many replications use 100,000 draws of Pi in place of 10,000,000.
PI: Mapping[str, object] = dict(model="pi", draws="10000000", engine="taus88")
PI_SHORT: Mapping[str, object] = dict(model="pi", draws="100000", engine="taus88")
QUEUE: Mapping[str, object] = dict(model="mm1", clients="10000", utilisation="0.75", engine="taus88")
WALK: Mapping[str, object] = dict(model="walk", steps="1000", chunks="30", engine="taus88")
LONG_WALK: Mapping[str, object] = dict(model="walk", steps="100000", chunks="30", engine="taus88")
MODELS = {"pi": PI, "mm1": QUEUE, "walk": WALK}
SHORT_MODELS = {"pi": PI_SHORT, "mm1": QUEUE, "walk": WALK}

ONLY_WALK = {"walk": WALK}

#: How a heading and a note name a model.
TITLES = {"pi": "Pi", "mm1": "M/M/1", "walk": "random walk"}

#: How a note names the forms of one warp per replication.
FORMS = {"warps": "function", "warps_macros": "macros", "warps_woven": "annotation"}

#: Axes of a case that leaves the number of lanes and the block size to the variant.
CHOSEN: Mapping[str, object] = dict(lanes="0", block="0")
#: A multiprocessor of compute capability 9.0 holds at most 32 blocks, and 64 warps in larger blocks.
BLOCKS_PER_MULTIPROCESSOR = 32
#: Warp schedulers per multiprocessor. Each issues one instruction per cycle.
SCHEDULERS = 4


def replications_text(count: int) -> str:
    return f"{count} {'replication' if count == 1 else 'replications'}"


def replications(case: Case) -> float | None:
    try:
        return float(case.axes["replications"])
    except (KeyError, ValueError):
        return None


def times(view: View, variant: str, **where: object) -> dict[int, Interval]:
    """The shortest time by number of replications, in ascending order."""
    found: dict[int, Interval] = {}
    for case in view.select(variant=variant, **where):
        count = int(case.axes["replications"])
        if case.time is not None and (count not in found or case.time.value < found[count].value):
            found[count] = case.time
    if not found:
        raise NotTestable(view.missing({"variant": variant, **where}))
    return dict(sorted(found.items()))


def ratios(view: View, top: str, bottom: str, where: Mapping[str, object]) -> dict[int, Interval]:
    """Time of one variant over another's, at the numbers of replications that both have."""
    above, below = (times(view, name, **where) for name in (top, bottom))
    found = {count: above[count] / below[count] for count in above if count in below}
    if not found:
        raise NotTestable(f"no number of replications at which both {top} and {bottom} were timed")
    return found


def ratio_parts(
    top: str, bottom: str, models: Mapping[str, Mapping[str, object]], wanted: Callable[[int], bool] = lambda _: True
) -> Callable[[View], Parts]:
    """The ratio of every model at every number of replications that is `wanted`."""
    return lambda view: parts(ratios_by_label(view, top, bottom, models, wanted))


def ratios_by_label(
    view: View,
    top: str,
    bottom: str,
    models: Mapping[str, Mapping[str, object]],
    wanted: Callable[[int], bool] = lambda _: True,
) -> dict[str, Interval]:
    """'random walk, 64 replications' to the time of one variant over another's. Raises NotTestable without any row."""
    found: dict[str, Interval] = {}
    reason = NotTestable("no rows")
    for model, where in models.items():
        try:
            for count, ratio in ratios(view, top, bottom, {**where, **CHOSEN}).items():
                if wanted(count):
                    found[f"{TITLES[model]}, {replications_text(count)}"] = ratio
        except NotTestable as why:
            reason = why
    if not found:
        raise reason
    return found


def largest_ratio(top: str, bottom: str, models: Mapping[str, Mapping[str, object]]) -> Callable[[View], Measured]:
    def measure(view: View) -> Measured:
        found = ratios_by_label(view, top, bottom, models)
        name = max(found, key=lambda key: found[key].value)
        return Measured(found[name], name)

    return measure


def slope(view: View) -> Measured:
    """Slope of log time against log replications between the first and the last row, Pi on one CPU thread."""
    rows = times(view, "sequential", machine="cpu", **PI)
    if len(rows) < 2:
        raise NotTestable("one number of replications only")
    (first, begin), (last, end) = list(rows.items())[0], list(rows.items())[-1]
    span = log(last / first)
    low, high = log(end.low / begin.high) / span, log(end.high / begin.low) / span
    return Measured(Interval(log(end.value / begin.value) / span, low, high), f"{first} to {last} replications")


def sequential_each(view: View, where: Mapping[str, object]) -> float:
    """Seconds per replication on one CPU thread, at the largest number of replications measured."""
    rows = times(view, "sequential", machine="cpu", **where)
    count = max(rows)
    return rows[count].value / count


def crossing_of(view: View, model: str) -> int:
    """The least number of replications at which one warp per replication is faster than one CPU thread."""
    where = {**MODELS[model], **CHOSEN}
    each = sequential_each(view, where)
    warps = times(view, "warps", machine=GPU, **where)
    for count, time in warps.items():
        # Times do not fall with more replications, so the crossing lies at time / each or beyond.
        least = max(count, ceil(time.value / each))
        if not any(count < other <= least for other in warps):
            return least
    raise NotTestable("no crossing among the rows")


def crossing(model: str) -> Callable[[View], Measured]:
    def measure(view: View) -> Measured:
        each = sequential_each(view, {**MODELS[model], **CHOSEN})
        return Measured(
            exact(float(crossing_of(view, model))), f"one CPU thread takes {quantity(each, 's')} per replication"
        )

    return measure


def crossings_compared(view: View) -> Measured:
    pi, queue = crossing_of(view, "pi"), crossing_of(view, "mm1")
    return Measured(exact(queue / pi), f"{queue} replications of the queue, {pi} of Pi")


def capacity(view: View, block: str = "32") -> dict[int, Interval]:
    return times(view, "warps", machine=GPU, block=block, **WALK)


def slots(view: View) -> int:
    """One-warp blocks that are resident at the same time."""
    each = view.fact("blocks_per_sm") if view.device.published else BLOCKS_PER_MULTIPROCESSOR
    return int(view.attribute("multiprocessors") * each)


def step_at(view: View, full: int) -> Interval:
    rows = capacity(view)
    if full not in rows or full + 1 not in rows:
        raise NotTestable(f"no times of {full} and {full + 1} replications")
    return rows[full + 1] / rows[full]


def between_steps(view: View) -> Parts:
    """The time at each multiple of the slots over the time just after the step before it."""
    full = slots(view)
    rows = capacity(view)
    stretches = [(full // 2, full), *((full * step + 1, full * (step + 1)) for step in range(1, 4))]
    found = {
        f"{first} to {last} replications": rows[last] / rows[first]
        for first, last in stretches
        if first in rows and last in rows
    }
    if not found:
        raise NotTestable(f"no times of {full // 2} and {full} replications")
    return parts(found, f"one more than {full} takes {digits(step_at(view, full).value)} times as long")


def first_step_place(view: View) -> Measured:
    """The first measured number of replications whose time is a tenth above the first row's, and what the slots predict."""
    full = slots(view)
    found = first_rise("warps", view, {**WALK, "block": "32"})
    low = full + 1
    return Measured(exact(float(found)), f"{full} slots for one-warp blocks", Bound(low, low))


def first_rise(variant: str, view: View, where: Mapping[str, object]) -> int:
    """The first number of replications whose time is a tenth above the first row's."""
    return rise_between(times(view, variant, machine=GPU, **where), variant)[1]


def rise_between(rows: Mapping[int, Interval], name: str) -> tuple[int, int]:
    """The last measured number of replications before the time is a tenth above the first row's, and the next one."""
    counts = sorted(rows)
    for before, count in zip(counts, counts[1:]):
        if rows[count].low > 1.1 * rows[counts[0]].value:
            return before, count
    raise NotTestable(f"{name} rises nowhere up to {counts[-1]} replications")


def second_step(view: View) -> Measured:
    full = slots(view)
    first, second = step_at(view, full), step_at(view, 2 * full)
    return Measured(second / first, f"{digits(second.value)} at {2 * full}, {digits(first.value)} at {full}")


def benefit_ends(view: View) -> Measured:
    """The least number of replications from which on one thread takes less than 1.5 times the time of one warp.

    The sentence names no end below 700, so the bound is one-sided: the first measured number above 700.
    """
    found = ratios(view, "threads", "warps", {**WALK, **CHOSEN})
    later = [count for count in found if count > 700]
    if not later:
        raise NotTestable("no number of replications above 700")
    for count in found:
        if all(found[other].value < 1.5 for other in found if other >= count):
            note = (
                f"the ratio there is {digits(found[count].value)}; at {later[0]} it is {digits(found[later[0]].value)}"
            )
            return Measured(exact(float(count)), note, at_most(later[0]))
    raise NotTestable("one warp per replication keeps its benefit at every number of replications measured")


def warps_against_the_faster(view: View) -> Parts:
    """The faster of one thread each and one CPU thread over one warp each, from 20 to 700 replications.

    The note has the range in which the warp is the fastest, which can be wider than the paper's.
    """
    where = {**WALK, **CHOSEN}
    threads, warps = (times(view, name, machine=GPU, **where) for name in ("threads", "warps"))
    core = times(view, "sequential", machine="cpu", **where)
    found = {
        count: min(threads[count], core[count], key=lambda time: time.value) / warps[count]
        for count in warps
        if count in threads and count in core
    }
    best = [count for count, gain in found.items() if gain.low > 1]
    note = f"the warp is the fastest of the three from {min(best)} to {max(best)} replications" if best else ""
    return parts({replications_text(count): gain for count, gain in found.items() if 20 <= count <= 700}, note)


def steps_compared(view: View) -> Measured:
    """Where threads first rise over where warps do. A rise lies between two measured numbers: hence the interval.

    Only numbers of threads that are 32 times a measured number of warps count, so that both are searched equally finely.
    Below 64 replications, divergence within one warp changes the time too. The note has M/M/1.
    """
    found = {model: rises(view, SHORT_MODELS[model]) for model in ("walk", "mm1")}
    (threads_before, threads), (warps_before, warps) = found["walk"]
    (of_queue, queue), (of_queue_warps, queue_warps) = found["mm1"]
    note = (
        f"threads rise between {threads_before} and {threads} replications, warps between {warps_before} and {warps}; "
        f"M/M/1: {of_queue} and {queue}, {of_queue_warps} and {queue_warps}"
    )
    return Measured(Interval(threads / warps, threads_before / warps, threads / warps_before), note)


def rises(view: View, where: Mapping[str, object]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The numbers of replications between which threads and warps rise."""
    threads, warps = (times(view, name, machine=GPU, **where, **CHOSEN) for name in ("threads", "warps"))
    searched = [count for count in warps if count >= 64 and 32 * count in threads]
    if len(searched) < 2:
        raise NotTestable("no numbers of threads that are 32 times those of warps")
    return (
        rise_between({32 * count: threads[32 * count] for count in searched}, "threads"),
        rise_between({count: warps[count] for count in searched}, "warps"),
    )


def idle_board(view: View) -> Parts:
    """The share of the highest rate of one warp per replication that the most replications below 30 leave unused."""
    found: dict[str, Interval] = {}
    for model, where in SHORT_MODELS.items():
        rates = {
            count: time.inverse() * count
            for count, time in times(view, "warps", machine=GPU, **where, **CHOSEN).items()
        }
        few = [count for count in rates if count < 30]
        if few and max(rates) > 30:
            used = rates[max(few)] / max(rates.values(), key=lambda rate: rate.value)
            found[f"{TITLES[model]}, {replications_text(max(few))}"] = Interval(
                1 - used.value, 1 - used.high, 1 - used.low
            )
    return parts(found)


def overhead(forms: Sequence[str]) -> Callable[[View], Parts]:
    """Time of forms of one warp per replication over the time of one lane without the mechanism.

    `threads` has no such mechanism. With one replication, both run one lane. The macros and the annotation were not timed
    with one replication: their time relative to the function is multiplied by the function's.
    """

    def measure(view: View) -> Parts:
        found: dict[str, Interval] = {}
        for model, where in SHORT_MODELS.items():
            without = ratios(view, "threads", "warps", {**where, **CHOSEN, "machine": GPU})
            if 1 not in without:
                continue
            for form in forms:
                if form == "warps":
                    found[f"function, {TITLES[model]}"] = without[1].inverse()
                    continue
                for count, ratio in ratios(view, form, "warps", {**where, **CHOSEN, "machine": GPU}).items():
                    found[f"{FORMS[form]}, {TITLES[model]}, {replications_text(count)}"] = ratio / without[1]
        return parts(found, registers_of(view, forms))

    return measure


def registers_of(view: View, forms: Sequence[str]) -> str:
    """'registers of threads/macros: Pi 36/36, ...'"""
    names = ("threads", *forms)
    found = []
    for model, where in SHORT_MODELS.items():
        counts = [view.kernel("registers", variant=name, machine=GPU, **where).value for name in names]
        found.append(f"{TITLES[model]} {'/'.join(f'{count:.0f}' for count in counts)}")
    return f"registers of {'/'.join(FORMS.get(name, name) for name in names)}: {', '.join(found)}"


def forms(view: View) -> dict[str, Interval]:
    """Time of the macros and of the annotation over the function's time, for every model."""
    found: dict[str, Interval] = {}
    for model, where in SHORT_MODELS.items():
        for form in ("warps_macros", "warps_woven"):
            for count, ratio in ratios(view, form, "warps", {**where, **CHOSEN, "machine": GPU}).items():
                found[f"{form}, {TITLES[model]}, {replications_text(count)}"] = ratio
    return found


def by_ptx(view: View) -> Parts:
    """Time with the warp's index by PTX over the time of the macros, for every model. The note has the registers."""
    found: dict[str, Interval] = {}
    registers: list[str] = []
    for model, where in SHORT_MODELS.items():
        for count, ratio in ratios(view, "warps_ptx", "warps_macros", {**where, **CHOSEN, "machine": GPU}).items():
            found[f"{TITLES[model]}, {replications_text(count)}"] = ratio
        both = [view.kernel("registers", variant=form, **where).value for form in ("warps_ptx", "warps_macros")]
        registers.append(f"{TITLES[model]} {both[0]:.0f}/{both[1]:.0f}")
    return parts(found, f"registers of PTX/macros: {', '.join(registers)}")


def spread_over(axis: str, where: Mapping[str, object]) -> Callable[[View], Measured]:
    """The longest time over the shortest one along an axis."""

    def measure(view: View) -> Measured:
        found = {case.axes[axis]: case.time for case in view.select(machine=GPU, **where) if case.time is not None}
        if len(found) < 2:
            raise NotTestable(view.missing(where))
        rows = sorted(found.items(), key=lambda row: row[1].value)
        return Measured(rows[-1][1] / rows[0][1], f"longest at {axis} {rows[-1][0]}, shortest at {rows[0][0]}")

    return measure


def smallest_block(view: View) -> Parts:
    """Time of one-warp blocks over that of the fastest block size, for every model and number of replications.

    Up to one replication per slot, every block size keeps all warps resident: 32 is the least that maximises occupancy.
    """
    timed: dict[str, dict[str, Interval]] = {}
    for case in view.select(variant="warps", machine=GPU, case=lambda case: "block" in case.sweeps):
        count = int(case.axes["replications"])
        if case.time is not None and case.axes["block"] != "0" and count <= slots(view):
            label = f"{TITLES[case.axes['model']]}, {replications_text(count)}"
            timed.setdefault(label, {})[case.axes["block"]] = case.time
    found = {
        label: by_block["32"] / min(by_block.values(), key=lambda time: time.value)
        for label, by_block in timed.items()
        if "32" in by_block
    }
    if not found:
        raise NotTestable(view.missing({"variant": "warps", "block": "32"}))
    return parts(found)


def dispatched(name: str) -> Callable[[View], Parts]:
    """A metric of the variant `dispatch` by number of one-warp blocks."""

    def measure(view: View) -> Parts:
        where = dict[str, object](variant="dispatch", machine=GPU)
        found = {
            f"{case.axes['replications']} blocks": exact(case.metrics[name])
            for case in view.select(**where)
            if name in case.metrics
        }
        if not found:
            raise NotTestable(view.missing(where, f"the metric {name}"))
        return parts(found)

    return measure


def metric_parts(name: str, **where: object) -> Callable[[View], Parts]:
    return lambda view: parts(metric_by_label(view, name, **where))


def metric_by_label(view: View, name: str, **where: object) -> dict[str, Interval]:
    """A metric of every row that has it, by model and engine."""
    found = {
        f"{TITLES[case.axes['model']]}, {case.axes['engine']}": exact(case.metrics[name])
        for case in view.select(**where)
        if name in case.metrics
    }
    if not found:
        raise NotTestable(view.missing(where, f"the metric {name}"))
    return found


def at_one(view: View) -> Parts:
    """Time of one replication by one lane of the GPU over its time on one CPU thread."""
    found: dict[str, Interval] = {}
    for model, where in MODELS.items():
        gpu = times(view, "warps", machine=GPU, **where, **CHOSEN)
        found[TITLES[model]] = gpu[min(gpu)] / sequential_each(view, where)
    return parts(found)


def more_chunks(view: View) -> dict[str, Interval]:
    """The ratio of threads to warps with 30 chunks, over the same ratio with 4."""
    thirty = ratios(view, "threads", "warps", {**WALK, **CHOSEN})
    four = ratios(view, "threads", "warps", {**WALK, **CHOSEN, "chunks": "4"})
    found = {replications_text(count): thirty[count] / four[count] for count in four if count in thirty}
    if not found:
        raise NotTestable("no number of replications at which both numbers of chunks were timed")
    return found


def divergence_pays(view: View) -> Parts:
    """The ratio of threads to warps of the random walk over that of each model without divergence, 64 replications."""
    gains = {model: ratios(view, "threads", "warps", {**where, **CHOSEN}) for model, where in SHORT_MODELS.items()}
    if any(64 not in by_count for by_count in gains.values()):
        raise NotTestable("no times of threads and warps at 64 replications")
    found = {f"random walk over {TITLES[model]}": gains["walk"][64] / gains[model][64] for model in ("pi", "mm1")}
    chunks = ", ".join(f"{digits(ratio.value)} at {label}" for label, ratio in more_chunks(view).items())
    return parts(found, f"the walk's ratio with 30 chunks over that with 4: {chunks}")
