"""How the numbers are taken from the rows of a device. claims.py, figures.py and findings.py ask here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log

from plots.claims import Measured, Part, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits, quantity
from plots.verdict import at_most

#: The models at the paper's sizes. Sweeps over many replications use 100,000 draws of Pi in place of 10,000,000.
PI: Mapping[str, object] = dict(model="pi", draws="10000000", engine="taus88")
PI_SHORT: Mapping[str, object] = dict(model="pi", draws="100000", engine="taus88")
QUEUE: Mapping[str, object] = dict(model="mm1", clients="10000", utilisation="0.75", engine="taus88")
WALK: Mapping[str, object] = dict(model="walk", steps="1000", chunks="30", engine="taus88")
LONG_WALK: Mapping[str, object] = dict(model="walk", steps="100000", chunks="30", engine="taus88")
#: The walk whose step branches on its chunk, which the paper's text describes; ours has short branches.
CHUNK_WALK: Mapping[str, object] = dict(model="chunk_walk", steps="1000", chunks="30", rounds="4", engine="taus88")
MODELS = {"pi": PI, "mm1": QUEUE, "walk": WALK}
SHORT_MODELS = {"pi": PI_SHORT, "mm1": QUEUE, "walk": WALK}

ONLY_WALK = {"walk": WALK}
#: The paper's sentences on its walk are judged on the walk with four branches and on that with one per chunk.
WALKS = {"walk": WALK, "chunk_walk": CHUNK_WALK}

#: How a heading and a note name a model.
TITLES = {
    "pi": "Pi",
    "mm1": "M/M/1",
    "walk": "random walk",
    "chunk_walk": "random walk that branches on its chunk",
    "branches": "branching step",
}


def beside_others(sweeps: tuple[str, ...]) -> bool:
    """False for a row of `devices` alone: shards are compared with it, so its commit is theirs and not that of other rows."""
    return set(sweeps) != {"devices"}


#: Rows that leave the number of lanes and the block size to the variant, and that a line or a sentence can have together.
CHOSEN: Mapping[str, object] = dict(lanes="0", block="0", sweeps=beside_others)


def replications_text(count: int) -> str:
    return f"{count} {'replication' if count == 1 else 'replications'}"


def replications(case: Case) -> float | None:
    try:
        return float(case.axes["replications"])
    except (KeyError, ValueError):
        return None


def in_sweep(name: str) -> Callable[[Case], bool]:
    return lambda case: name in case.sweeps


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


def largest_ratios(view: View) -> Parts:
    """The largest ratio of threads to warps on the paper's three models, and that on the walk that branches on its chunk.

    The paper does not say what a step of its walk does in a chunk, so the second walk is a reading of this project.
    """
    readings = [ratios_by_label(view, "threads", "warps", SHORT_MODELS)]
    try:
        readings.append(ratios_by_label(view, "threads", "warps", {"chunk_walk": CHUNK_WALK}))
    except NotTestable:
        pass  # not measured on this device
    names = [max(found, key=lambda key: found[key].value) for found in readings]
    note = "the paper does not say what a step of its walk does in a chunk"
    return parts({name: found[name] for name, found in zip(names, readings)}, note if len(names) > 1 else "")


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


def core_and_warps(view: View, model: str) -> tuple[dict[int, Interval], dict[int, Interval]]:
    where = {**MODELS[model], **CHOSEN}
    return times(view, "sequential", machine="cpu", **where), times(view, "warps", machine=GPU, **where)


def seconds_at(rows: Mapping[int, Interval], count: int) -> float:
    """The time at a number of replications: measured, or on the line between its two neighbours.

    Outside of the measured numbers, it is in proportion to the nearest one.
    """
    before = max((other for other in rows if other <= count), default=min(rows))
    after = min((other for other in rows if other >= count), default=max(rows))
    if before == after:
        return rows[after].value * count / after
    share = (count - before) / (after - before)
    return rows[before].value * (1 - share) + rows[after].value * share


def crossing_of(view: View, model: str) -> int:
    """The least number of replications at which one warp per replication is faster than one CPU thread."""
    core, warps = core_and_warps(view, model)
    for count in range(min(warps), max(warps) + 1):
        if seconds_at(warps, count) < seconds_at(core, count):
            return count
    raise NotTestable("no crossing among the rows")


def crossing(model: str) -> Callable[[View], Measured]:
    """The note has the measured times on both sides."""

    def measure(view: View) -> Measured:
        core, warps = core_and_warps(view, model)
        found = crossing_of(view, model)
        below = [count for count in core if count < found][-1:]
        sides = below + [count for count in core if count >= found][:1]
        taken = ", ".join(f"{quantity(core[count].value, 's')} for {replications_text(count)}" for count in sides)
        note = f"one CPU thread takes {taken}; warps take {quantity(seconds_at(warps, found), 's')} for {found}"
        return Measured(exact(float(found)), note)

    return measure


def crossings_compared(view: View) -> Measured:
    pi, queue = crossing_of(view, "pi"), crossing_of(view, "mm1")
    return Measured(exact(queue / pi), f"{queue} replications of the queue, {pi} of Pi")


def of_each_walk(measure: Callable[[Mapping[str, object]], dict[int, Interval]]) -> dict[str, dict[int, Interval]]:
    """What is measured by number of replications, for each reading of the paper's walk that has the rows."""
    found = {"walk": measure({**WALK, **CHOSEN})}
    try:
        found["chunk_walk"] = measure({**CHUNK_WALK, **CHOSEN})
    except NotTestable:
        pass  # not measured on this device
    return {TITLES[model]: by_count for model, by_count in found.items()}


def benefit_ends(view: View) -> Parts:
    """The least number of replications from which on one thread takes less than 1.5 times the time of one warp.

    The sentence names no end below 700, so the bound is one-sided: the first measured number above 700.
    """
    ends, notes = [], []
    for walk, found in of_each_walk(lambda where: ratios(view, "threads", "warps", where)).items():
        later = [count for count in found if count > 700]
        if not later:
            raise NotTestable("no number of replications above 700")
        low = [count for count in found if all(found[other].value < 1.5 for other in found if other >= count)]
        if not low:
            raise NotTestable(f"{walk}: a warp keeps its benefit at every number of replications measured")
        ends.append(Part(walk, exact(float(low[0])), at_most(later[0])))
        notes.append(
            f"{walk}: the ratio at {low[0]} is {digits(found[low[0]].value)}, at {later[0]} it is {digits(found[later[0]].value)}"
        )
    return Parts(tuple(ends), "; ".join(notes))


def warps_against_the_faster(view: View) -> Parts:
    """The faster of one thread each and one CPU thread over one warp each, from 20 to 700 replications.

    The note has the range in which the warp is the fastest, which can be wider than the paper's.
    """

    def gains(where: Mapping[str, object]) -> dict[int, Interval]:
        threads, warps = (times(view, name, machine=GPU, **where) for name in ("threads", "warps"))
        core = times(view, "sequential", machine="cpu", **where)
        return {
            count: min(threads[count], core[count], key=lambda time: time.value) / warps[count]
            for count in warps
            if count in threads and count in core
        }

    judged: dict[str, Interval] = {}
    notes = []
    for walk, found in of_each_walk(gains).items():
        judged |= {f"{walk}, {replications_text(count)}": gain for count, gain in found.items() if 20 <= count <= 700}
        best = [count for count, gain in found.items() if gain.low > 1]
        if best:
            notes.append(f"{walk}: the warp is the fastest of the three from {min(best)} to {max(best)} replications")
    return parts(judged, "; ".join(notes))


def spread_over(axis: str, where: Mapping[str, object]) -> Callable[[View], Measured]:
    """The longest time over the shortest one along an axis."""

    def measure(view: View) -> Measured:
        found = {case.axes[axis]: case.time for case in view.select(machine=GPU, **where) if case.time is not None}
        if len(found) < 2:
            raise NotTestable(view.missing(where))
        rows = sorted(found.items(), key=lambda row: row[1].value)
        return Measured(rows[-1][1] / rows[0][1], f"longest at {axis} {rows[-1][0]}, shortest at {rows[0][0]}")

    return measure


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
    try:
        chunk_walk = ratios(view, "threads", "warps", {**CHUNK_WALK, **CHOSEN})
        found |= {
            f"the walk that branches on its chunk over {TITLES[model]}": chunk_walk[64] / gains[model][64]
            for model in ("pi", "mm1", "walk")
            if 64 in chunk_walk
        }
    except NotTestable:
        pass  # not measured on this device
    chunks = ", ".join(f"{digits(ratio.value)} at {label}" for label, ratio in more_chunks(view).items())
    return parts(found, f"the walk's ratio with 30 chunks over that with 4: {chunks}")
