"""How the numbers are taken from the rows of a device. claims.py, figures.py and findings.py ask here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, log

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
from plots.results import GPU, Case, View
from plots.units import digits, quantity
from plots.verdict import Bound

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

#: Numbers of replications at which steps of threads and warps are searched.
POWERS_OF_TWO = tuple(2**power for power in range(6, 21))

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


def named_hull(found: Mapping[str, Interval]) -> Measured:
    """The hull of all intervals. The note names its ends."""
    if not found:
        raise NotTestable("no rows")
    rows = sorted(found.items(), key=lambda row: row[1].value)
    note = f"smallest {digits(rows[0][1].value)} ({rows[0][0]}), largest {digits(rows[-1][1].value)} ({rows[-1][0]})"
    return Measured(hull(found.values()), note if len(rows) > 1 else rows[0][0])


def ratio_range(
    top: str, bottom: str, models: Mapping[str, Mapping[str, object]], wanted: Callable[[int], bool] = lambda _: True
) -> Callable[[View], Measured]:
    """The ratio of every model at every number of replications that is `wanted`."""

    def measure(view: View) -> Measured:
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
        return named_hull(found)

    return measure


def largest_ratio(top: str, bottom: str, models: Mapping[str, Mapping[str, object]]) -> Callable[[View], Measured]:
    def measure(view: View) -> Measured:
        found: dict[str, Interval] = {}
        reason = NotTestable("no rows")
        for model, where in models.items():
            try:
                for count, ratio in ratios(view, top, bottom, {**where, **CHOSEN}).items():
                    found[f"{TITLES[model]}, {replications_text(count)}"] = ratio
            except NotTestable as why:
                reason = why
        if not found:
            raise reason
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


def between_steps(view: View) -> Measured:
    """Time with all slots full over the time with half of them full. The note has the step that follows."""
    full = slots(view)
    rows = capacity(view)
    if full // 2 not in rows or full not in rows:
        raise NotTestable(f"no times of {full // 2} and {full} replications")
    note = f"{full // 2} to {full} replications; one more takes {digits(step_at(view, full).value)} times as long"
    return Measured(rows[full] / rows[full // 2], note)


def first_step_place(view: View) -> Measured:
    """The first measured number of replications whose time is a tenth above the first row's, and what the slots predict."""
    full = slots(view)
    found = first_rise("warps", view, {**WALK, "block": "32"})
    low = full + 1
    return Measured(exact(float(found)), f"{full} slots for one-warp blocks", Bound(low, low))


def first_rise(variant: str, view: View, where: Mapping[str, object]) -> int:
    """The first number of replications whose time is a tenth above the first row's."""
    rows = list(times(view, variant, machine=GPU, **where).items())
    for count, time in rows:
        if time.low > 1.1 * rows[0][1].value:
            return count
    raise NotTestable(f"{variant} rises nowhere up to {rows[-1][0]} replications")


def second_step(view: View) -> Measured:
    full = slots(view)
    first, second = step_at(view, full), step_at(view, 2 * full)
    return Measured(second / first, f"{digits(second.value)} at {2 * full}, {digits(first.value)} at {full}")


def benefit_ends(view: View) -> Measured:
    """The least number of replications from which on one thread takes less than 1.5 times the time of one warp."""
    found = ratios(view, "threads", "warps", {**WALK, **CHOSEN})
    for count in found:
        if all(found[other].value < 1.5 for other in found if other >= count):
            return Measured(exact(float(count)), f"the ratio there is {digits(found[count].value)}")
    raise NotTestable("one warp per replication keeps its benefit at every number of replications measured")


def warps_best_until(view: View) -> Measured:
    """The largest number of replications at which one warp each is faster than one thread each and one CPU thread."""
    where = {**WALK, **CHOSEN}
    each = sequential_each(view, where)
    found = ratios(view, "threads", "warps", where)
    warps = times(view, "warps", machine=GPU, **where)
    best = [count for count in found if found[count].low > 1 and warps[count].value < each * count]
    if not best:
        raise NotTestable("one warp per replication is never the fastest of the three")
    return Measured(exact(float(max(best))), f"the smallest number is {min(best)}")


def at_powers_of_two(case: Case) -> bool:
    return replications(case) in POWERS_OF_TWO


def steps_compared(view: View) -> Measured:
    """For the random walk; the note has M/M/1. Below 64 replications, divergence within one warp changes the time too."""

    def rises(model: str) -> list[int]:
        where: dict[str, object] = {**SHORT_MODELS[model], **CHOSEN, "case": at_powers_of_two}
        return [first_rise(name, view, where) for name in ("threads", "warps")]

    threads, warps = rises("walk")
    note = f"threads rise at {threads}, warps at {warps} replications"
    try:
        of_queue = rises("mm1")
        note += f"; M/M/1: {of_queue[0]} and {of_queue[1]}"
    except NotTestable:
        pass
    return Measured(exact(threads / warps), note)


def idle_board(view: View) -> Measured:
    full = slots(view)
    multiprocessors = view.attribute("multiprocessors")
    empty = 1 - min(30 / multiprocessors, 1)
    note = f"{full} slots on {multiprocessors:.0f} multiprocessors, {digits(100 * empty)}% of which have no block"
    return Measured(exact(1 - 30 / full), note)


def forms(view: View) -> Measured:
    """Time of the macros and of the annotation over the function's time, for every model. The note has the registers."""
    found: dict[str, Interval] = {}
    registers: set[str] = set()
    for model, where in SHORT_MODELS.items():
        for form in ("warps_macros", "warps_woven"):
            for count, ratio in ratios(view, form, "warps", {**where, **CHOSEN, "machine": GPU}).items():
                found[f"{form}, {TITLES[model]}, {replications_text(count)}"] = ratio
        counts = [
            view.kernel("registers", variant=form, machine=GPU, **where).value
            for form in ("warps_macros", "warps_woven", "warps")
        ]
        registers.add(f"{TITLES[model]} {'/'.join(f'{count:.0f}' for count in counts)}")
    measured = named_hull(found)
    names = "registers of macros/annotation/function: " + ", ".join(sorted(registers))
    return Measured(measured.interval, f"{measured.note}; {names}")


def by_ptx(view: View) -> Measured:
    """Time with the warp's index by PTX over the time of the macros, for every model. The note has the registers."""
    found: dict[str, Interval] = {}
    registers: list[str] = []
    for model, where in SHORT_MODELS.items():
        for count, ratio in ratios(view, "warps_ptx", "warps_macros", {**where, **CHOSEN, "machine": GPU}).items():
            found[f"{TITLES[model]}, {replications_text(count)}"] = ratio
        both = [view.kernel("registers", variant=form, **where).value for form in ("warps_ptx", "warps_macros")]
        registers.append(f"{TITLES[model]} {both[0]:.0f}/{both[1]:.0f}")
    measured = named_hull(found)
    return Measured(measured.interval, f"{measured.note}; registers of PTX/macros: {', '.join(registers)}")


def spread_over(axis: str, where: Mapping[str, object]) -> Callable[[View], Measured]:
    """The longest time over the shortest one along an axis."""

    def measure(view: View) -> Measured:
        found = {case.axes[axis]: case.time for case in view.select(machine=GPU, **where) if case.time is not None}
        if len(found) < 2:
            raise NotTestable(view.missing(where))
        rows = sorted(found.items(), key=lambda row: row[1].value)
        return Measured(rows[-1][1] / rows[0][1], f"longest at {axis} {rows[-1][0]}, shortest at {rows[0][0]}")

    return measure


def smallest_block(view: View) -> Measured:
    """Time of one-warp blocks over that of the fastest block size, 50 replications of the random walk."""
    where = dict[str, object](variant="warps", machine=GPU, replications="50", **WALK)
    found = {case.axes["block"]: case.time for case in view.select(**where) if case.time and case.axes["block"] != "0"}
    if "32" not in found:
        raise NotTestable(view.missing({"block": "32", **where}))
    best = min(found, key=lambda block: found[block].value)
    return Measured(found["32"] / found[best], f"fastest with blocks of {best} threads")


def figure_of(name: str, **where: object) -> Callable[[View], Interval]:
    return lambda view: view.metric(name, **where)


def figure_range(name: str, **where: object) -> Callable[[View], Measured]:
    """A metric over all rows that have it."""

    def measure(view: View) -> Measured:
        found = {
            f"{TITLES[case.axes['model']]}, {case.axes['engine']}": exact(case.metrics[name])
            for case in view.select(**where)
            if name in case.metrics
        }
        if not found:
            raise NotTestable(view.missing(where, f"the figure {name}"))
        return named_hull(found)

    return measure


def at_one(view: View) -> Measured:
    """Time of one replication by one lane of the GPU over its time on one CPU thread."""
    found: dict[str, Interval] = {}
    for model, where in MODELS.items():
        gpu = times(view, "warps", machine=GPU, **where, **CHOSEN)
        found[TITLES[model]] = gpu[min(gpu)] / sequential_each(view, where)
    return named_hull(found)


def more_chunks(view: View) -> Measured:
    """The ratio of threads to warps with 30 chunks, over the same ratio with 4."""
    found: dict[str, Interval] = {}
    thirty = ratios(view, "threads", "warps", {**WALK, **CHOSEN})
    four = ratios(view, "threads", "warps", {**WALK, **CHOSEN, "chunks": "4"})
    for count in four:
        if count in thirty:
            found[replications_text(count)] = thirty[count] / four[count]
    return named_hull(found)
