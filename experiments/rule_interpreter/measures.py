"""How figures.py, claims.py and findings.py compute their numbers from the rows of a device.

The paper's times fit only the scalar setting (METHOD.md), and its text describes matrix products. A claim is therefore
judged at 1x1x1 and at 2x2x2, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, log

from plots.claims import Measured, Part, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits

#: (load, states, range, divergence): a row of the paper's tables without its layout.
Cell = tuple[int, int, int, int]


LAYOUTS = ("A", "B", "C")


SCALAR, SQUARE = "1x1x1", "2x2x2"


#: A case in which the variant chooses its geometry and `divergence` sets the share of enabled values.
AT_DEFAULT: Mapping[str, str] = dict(
    rules="synthetic", enabled="-1", block="0", states_per_group="0", warps_per_state="0", states_per_warp="0"
)


#: Rows of Tables 1 and 3, and of Tables 2 and 4.
TABLE1 = tuple((20, states, values, phi) for states in (2048, 16384) for values in (1024, 4096) for phi in (2, 3))


TABLE2 = tuple((load, states, 1024, 2) for states in (2048, 16384) for load in (200, 2000))


OURS = ("ours",)


#: Roles of the variants that ours compete with on a GPU.
OTHERS = ("paper", "baseline")


def variants_of(view: View, roles: Iterable[str]) -> tuple[str, ...]:
    """The variants of these roles that have rows of the synthetic rule on a GPU."""
    cases = view.select(role=tuple(roles), rules="synthetic", machine=GPU)
    return tuple(dict.fromkeys(case.variant for case in cases))


def cell_of(case: Case) -> Cell:
    load, states, values, phi = (int(case.axes[name]) for name in ("load", "states", "range", "divergence"))
    return load, states, values, phi


def times(view: View, variant: str, shape: str = SCALAR, **where: object) -> dict[tuple[Cell, str], Interval]:
    """Times of a variant per cell and layout, with hot caches."""
    wanted: dict[str, object] = {
        **AT_DEFAULT,
        "variant": variant,
        "shape": shape,
        "machine": GPU,
        "cache": ("hot", ""),
        **where,
    }
    found = {(cell_of(case), case.axes["layout"]): case.time for case in view.select(**wanted) if case.time is not None}
    if not found:
        raise NotTestable(view.missing({"variant": variant, "shape": shape, "machine": GPU}))
    return found


def name_of(cell: Cell, layout: str = "") -> str:
    load, states, values, phi = cell
    return f"load {load}, {states} states of {values}, phi {phi}" + (f", {layout}" if layout else "")


def largest(found: Mapping[str, Interval]) -> Measured:
    if not found:
        raise NotTestable("no rows to compare")
    name = max(found, key=lambda key: found[key].value)
    return Measured(found[name], name)


def ratios(
    view: View, above: str, below: str, shape: str = SCALAR, layouts: Iterable[str] = ("A", "C")
) -> dict[str, Interval]:
    """Time of one variant divided by that of another in the same layout, per cell of the tables."""
    top, bottom = times(view, above, shape), times(view, below, shape)
    return {
        name_of(cell, layout): top[cell, layout] / bottom[cell, layout]
        for cell in TABLE1 + TABLE2
        for layout in layouts
        if (cell, layout) in top and (cell, layout) in bottom
    }


def ratios_of_layouts(view: View, above: tuple[str, str], below: tuple[str, str], shape: str) -> dict[str, Interval]:
    """Time of one (variant, layout) divided by that of another, per cell of the tables."""
    top, bottom = times(view, above[0], shape), times(view, below[0], shape)
    return {
        name_of(cell): top[cell, above[1]] / bottom[cell, below[1]]
        for cell in TABLE1 + TABLE2
        if (cell, above[1]) in top and (cell, below[1]) in bottom
    }


def at_every_shape(measure: Callable[[View, str], Measured | Parts]) -> Callable[[View], Parts]:
    """The parts at the scalar setting and at 2x2x2. A paper's numbers are at the scalar setting alone."""

    def both(view: View) -> Parts:
        found: list[Part] = []
        notes: list[str] = []
        reason = NotTestable("no shape has rows")
        for shape in (SCALAR, SQUARE):
            try:
                measured = measure(view, shape)
            except NotTestable as why:
                reason = why
                continue
            own = [Part("", measured.interval)] if isinstance(measured, Measured) else measured.parts
            found += [Part(", ".join(filter(None, (shape, part.label))), part.interval, part.bound) for part in own]
            notes += [f"{shape}: {measured.note}"] if measured.note else []
        if not found:
            raise reason
        return Parts(tuple(found), "; ".join(notes))

    return both


def speed_up(view: View, shape: str) -> Measured:
    found = largest(ratios(view, "algorithm1", "algorithm3", shape))
    a_over_c = largest(ratios_of_layouts(view, ("algorithm1", "A"), ("algorithm3", "C"), shape)).interval
    either = largest(by_name(best_ratios(view, "algorithm1", "algorithm3", shape))).interval
    transposed = largest(ratios(view, "algorithm1", "algorithm3", shape, ("B",))).interval
    note = (
        f"Algorithm 1 in A against Algorithm 3 in C {digits(a_over_c.value)}, "
        f"best layout of each {digits(either.value)}, both in B {digits(transposed.value)}"
    )
    return Measured(found.interval, f"{found.note}; {note}")


def growth(view: View, variant: str, shape: str, axis: str, layouts: Iterable[str] = ("A", "C")) -> dict[str, Interval]:
    """Growth of the time at load 20 when the range grows fourfold or the number of states eightfold."""
    found = times(view, variant, shape)
    result: dict[str, Interval] = {}
    for cell in TABLE1:
        load, states, values, phi = cell
        larger = (load, states, 4096, phi) if axis == "range" else (load, 16384, values, phi)
        for layout in layouts:
            if larger != cell and (cell, layout) in found and (larger, layout) in found:
                result[name_of(cell, layout)] = found[larger, layout] / found[cell, layout]
    return result


def growth_of_algorithm3(axis: str) -> Callable[[View, str], Parts]:
    def measure(view: View, shape: str) -> Parts:
        found = growth(view, "algorithm3", shape, axis)
        return parts({name: value for name, value in found.items() if axis == "states" or " 2048 states" in name})

    return measure


def slopes_of_algorithm1(view: View, shape: str) -> Parts:
    found: dict[str, Interval] = {}
    for axis, factor in (("range", 4.0), ("states", 8.0)):
        for name, value in growth(view, "algorithm1", shape, axis).items():
            slope = [log(end) / log(factor) for end in (value.value, value.low, value.high)]
            found[f"{axis} from {name}"] = Interval(slope[0], slope[1], slope[2])
    return parts(found)


def growths_compared(view: View, shape: str) -> Parts:
    found: dict[str, Interval] = {}
    for axis in ("range", "states"):
        slow = growth(view, "algorithm1", shape, axis)
        for name, value in growth(view, "algorithm3", shape, axis).items():
            if name in slow:
                found[f"{axis} from {name}"] = value / slow[name]
    return parts(found)


def layouts_at(view: View, variant: str, shape: str) -> dict[Cell, dict[str, Interval]]:
    """The cells with a time for all three layouts."""
    found = times(view, variant, shape)
    rows: dict[Cell, dict[str, Interval]] = {}
    for cell in TABLE1 + TABLE2:
        row = {layout: found[cell, layout] for layout in LAYOUTS if (cell, layout) in found}
        if len(row) == 3:
            rows[cell] = row
    if not rows:
        raise NotTestable("no cell has a time for all three layouts")
    return rows


def share_faster(advantages: Iterable[Interval], what: str) -> Measured:
    """The share of rows in which an advantage (a ratio of times) is above 1, by medians.

    The interval starts at the share of rows that are ahead by more than the noise. It ends at the share of rows that
    are not behind by more than the noise.
    """
    rows = list(advantages)
    by_median = sum(row.value > 1 for row in rows)
    beyond = sum(row.low > 1 for row in rows)
    not_behind = sum(row.high > 1 for row in rows)
    share = [count / len(rows) for count in (by_median, beyond, not_behind)]
    note = (
        f"{by_median} of {len(rows)} {what}, {beyond} of them by more than the noise; "
        f"the opposite holds by more than the noise in {len(rows) - not_behind}"
    )
    return Measured(Interval(share[0], share[1], share[2]), note)


def worst_is_b(view: View, shape: str) -> Parts:
    """Time in layout B divided by the longer of the times in A and C, for both algorithms."""
    found: dict[str, Interval] = {}
    for variant in ("algorithm1", "algorithm3"):
        for cell, row in layouts_at(view, variant, shape).items():
            slower = max(row["A"], row["C"], key=lambda time: time.value)
            found[f"{variant}, {name_of(cell)}"] = row["B"] / slower
    return parts(found)


def c_beats_a(view: View, shape: str) -> Measured:
    rows = layouts_at(view, "algorithm1", shape).values()
    return share_faster((row["A"] / row["C"] for row in rows), "rows have layout C ahead of A")


def c_is_fastest(view: View, shape: str) -> Parts:
    """The shorter of the times in layouts A and B divided by the time in C, for Algorithm 3."""
    rows = layouts_at(view, "algorithm3", shape)
    best = {cell: min(row["A"], row["B"], key=lambda time: time.value) for cell, row in rows.items()}
    return parts({name_of(cell): best[cell] / row["C"] for cell, row in rows.items()})


def gain_of_c(view: View, shape: str) -> Measured:
    found = largest({name_of(cell): row["A"] / row["C"] for cell, row in layouts_at(view, "algorithm3", shape).items()})
    ratio = found.interval
    return Measured(Interval(1 - 1 / ratio.value, 1 - 1 / ratio.low, 1 - 1 / ratio.high), found.note)


def a_over_c(view: View, shape: str) -> Measured:
    """Algorithm 3: the share of rows in which layout C is faster than A. The note has the instructions of both."""
    rows = layouts_at(view, "algorithm3", shape).values()
    found = share_faster((row["A"] / row["C"] for row in rows), "rows have layout C ahead of A")
    counted = instructions_of_c(view, shape)
    if not counted:
        return found
    text = ", ".join(f"{digits(ratio)}x at load {load}" for load, ratio in counted.items())
    return Measured(found.interval, f"{found.note}; by the hardware counter, C takes the instructions of A {text}")


def instructions_of_c(view: View, shape: str) -> dict[str, float]:
    """Instructions of Algorithm 3 in layout C over those in A, by load, where counters.py read the counter."""
    counts: dict[str, dict[str, float]] = {}
    for case in view.select(variant="algorithm3", rules="synthetic", machine=GPU, shape=shape):
        if "counter_instructions" in case.metrics:
            counts.setdefault(case.axes["load"], {})[case.axes["layout"]] = case.metrics["counter_instructions"]
    return {load: row["C"] / row["A"] for load, row in counts.items() if {"A", "C"} <= set(row)}


def cost_of_c(view: View, shape: str) -> Parts:
    """Algorithm 3, the method whose addresses the sentence is about: time in layout C divided by time in A."""
    rows = layouts_at(view, "algorithm3", shape)
    return parts({name_of(cell): row["C"] / row["A"] for cell, row in rows.items()})


def phi_compared(view: View, shape: str) -> Parts:
    """Time at phi 3 divided by time at phi 2, at load 20. The note gives the same at load 2000."""
    found: dict[str, Interval] = {}
    notes: list[str] = []
    for variant in ("algorithm1", "algorithm3"):
        rows = times(view, variant, shape)
        for (load, states, values, phi), layout in rows:
            other = (load, states, values, 3)
            if phi != 2 or layout == "B" or (other, layout) not in rows:
                continue
            ratio = rows[other, layout] / rows[(load, states, values, 2), layout]
            if load == 20:
                found[f"{variant}, {name_of(other, layout)}"] = ratio
            elif layout == "A":
                notes.append(f"{variant} at load {load} {digits(ratio.value)}")
    return parts(found, "; ".join(notes))


def load_tenfold(view: View, shape: str) -> Parts:
    found: dict[str, Interval] = {}
    for variant in ("algorithm1", "algorithm3"):
        rows = times(view, variant, shape)
        for states in (2048, 16384):
            for layout in ("A", "C"):
                low, high = ((load, states, 1024, 2) for load in (200, 2000))
                if (low, layout) in rows and (high, layout) in rows:
                    found[f"{variant}, {states} states, {layout}"] = rows[high, layout] / rows[low, layout]
    return parts(found)


def example(view: View, shape: str) -> Measured:
    """Algorithm 3 on 2048 states of 1024 values at phi 3 and load 20, in the faster of layouts A and C."""
    rows = times(view, "algorithm3", shape)
    found = [rows[(20, 2048, 1024, 3), layout] for layout in ("A", "C") if ((20, 2048, 1024, 3), layout) in rows]
    if not found:
        raise NotTestable("the row of the paper's example has no time")
    return Measured(min(found, key=lambda value: value.value))


def accesses_ratio(view: View) -> Measured:
    """Algorithm 3: time in layout C divided by time in A, at the largest number of words. The note has the others."""
    found: dict[int, dict[str, Interval]] = {}
    for case in view.select(rules="accesses", variant="algorithm3", machine=GPU, cache=("hot", "")):
        if case.time is not None:
            found.setdefault(int(case.axes["accesses"]), {})[case.axes["layout"]] = case.time
    rows = {words: row["C"] / row["A"] for words, row in sorted(found.items()) if {"A", "C"} <= set(row)}
    if not rows:
        raise NotTestable(view.missing({"rules": "accesses", "machine": GPU}))
    note = ", ".join(f"{words} words {digits(ratio.value)}" for words, ratio in rows.items())
    return Measured(rows[max(rows)], note)


def lanes(view: View, variant: str) -> dict[str, float]:
    """Share of lanes that are active during an evaluation, by the share of enabled values, in groups of 32 states."""
    found: dict[str, float] = {}
    for case in view.select(variant=variant, rules="synthetic", states_per_group="0"):
        if case.metrics.get("evaluations", 0) > 0 and "lanes_evaluating" in case.metrics:
            found.setdefault(enabled_name(case), case.metrics["lanes_evaluating"] / 32)
    return found


def enabled_name(case: Case) -> str:
    """'phi 2, 2048 states of 1024' or '5% enabled, ...'."""
    _, states, values, phi = cell_of(case)
    enabled = case.axes["enabled"]
    return f"{f'phi {phi}' if enabled == '-1' else f'{enabled}% enabled'}, {states} states of {values}"


def lanes_filled(view: View) -> Parts:
    own, without = lanes(view, "algorithm3"), lanes(view, "uncompacted")
    if not own or not without:
        raise NotTestable(view.missing({"variant": "algorithm3"}, "a count of active lanes"))
    lowest = min(own, key=lambda name: own[name])
    notes = [f"without compaction {digits(without[lowest])} at {lowest}"] if lowest in without else []
    notes += [f"by the hardware counter, over all instructions: {text}" for text in [counted_lanes(view)] if text]
    return parts({name: exact(value) for name, value in own.items()}, "; ".join(notes))


def counted_lanes(view: View) -> str:
    """'0.971 at phi 2 and load 2000', where counters.py read the counter."""
    found: dict[str, float] = {}
    for case in view.select(variant="algorithm3", rules="synthetic", machine=GPU, layout="A"):
        if "counter_lanes_per_instruction" in case.metrics:
            name = f"phi {case.axes['divergence']} and load {case.axes['load']}"
            found[name] = case.metrics["counter_lanes_per_instruction"] / 32
    return ", ".join(f"{digits(value)} at {name}" for name, value in found.items())


def empty_warps(view: View) -> Parts:
    found: dict[str, Interval] = {}
    for case in view.select(variant="algorithm3", rules="synthetic", states_per_group="0"):
        if case.metrics.get("evaluations", 0) > 0 and case.axes["enabled"] not in ("100", "0"):
            found.setdefault(enabled_name(case), exact(case.metrics["empty_warps"]))
    return parts(found)


#: The attribute that says how many threads a multiprocessor holds.
MOST_THREADS = "max_threads_per_multiprocessor"
#: Bytes of a bank of shared memory, on every GPU that CUDA 13 supports.
BANK_BYTES = 4


def bytes_per_tuple(view: View) -> Measured:
    """Shared memory of Algorithm 3 per thread of its group, which is its tuple. The note has the counted conflicts."""
    cases = view.select(variant="algorithm3", rules="synthetic", machine=GPU, states_per_group="0")
    found = [
        float(kernel["shared_bytes"]) / float(kernel["block"][0])
        for case in cases
        for kernel in case.kernels
        if kernel.get("shared_bytes") and kernel.get("block")
    ]
    if not found:
        raise NotTestable(view.missing({"variant": "algorithm3", "machine": GPU}, "its shared memory"))
    return Measured(exact(max(found) / BANK_BYTES), conflicts_note(cases))


def conflicts_note(cases: Iterable[Case]) -> str:
    rates = [
        case.metrics["counter_shared_bank_conflicts"] / (case.metrics["evaluations"] / 32)
        for case in cases
        if "counter_shared_bank_conflicts" in case.metrics and case.metrics.get("evaluations", 0) > 0
    ]
    if not rates:
        return ""
    return (
        f"the counter of bank conflicts has {digits(min(rates))} to {digits(max(rates))} per 32 enabled values; it differs "
        "between layouts A and C, which use shared memory alike, so it does not count addresses alone"
    )


def one_warp_block_ratios(view: View, shape: str) -> dict[tuple[Cell, int], Interval]:
    """Algorithm 1 in layout A: time with blocks of one warp divided by time with the best block size.

    The keys are the cell and its best block size.
    """
    blocks: dict[Cell, dict[int, Interval]] = {}
    where: dict[str, object] = {**AT_DEFAULT, "block": lambda _: True, "shape": shape, "layout": "A"}
    for case in view.select(variant="algorithm1", machine=GPU, cache=("hot", ""), **where):
        if case.time is not None:
            blocks.setdefault(cell_of(case), {})[int(case.axes["block"]) or 256] = case.time
    found: dict[tuple[Cell, int], Interval] = {}
    for cell, row in blocks.items():
        if 32 in row and len(row) > 2:
            best = min(row, key=lambda block: row[block].value)
            found[cell, best] = row[32] / row[best]
    return found


def one_warp_blocks(view: View, shape: str) -> Parts:
    ratios_found = one_warp_block_ratios(view, shape)
    return parts({f"{name_of(cell)} (best {best})": ratio for (cell, best), ratio in ratios_found.items()})


def thread_per_state_ratio(view: View, shape: str) -> Parts:
    """Time of one thread per state divided by that of Algorithm 3, each in its best measured layout.

    The sentence is about fewer states than the GPU has threads.
    """
    threads = inf if view.device.published else view.attribute("multiprocessors") * view.attribute(MOST_THREADS)
    found = times_of_one_thread(view, shape)
    return parts({name_of(cell): ratio for cell, ratio in found.items() if cell[1] < threads})


def times_of_one_thread(view: View, shape: str) -> dict[Cell, Interval]:
    """Time of one thread per state over that of Algorithm 3, in every cell that has both."""
    slow, fast = (fastest(times(view, variant, shape)) for variant in ("thread_per_state", "algorithm3"))
    return {cell: slow[cell] / fast[cell] for cell in slow if cell in fast}


def fastest(found: Mapping[tuple[Cell, str], Interval]) -> dict[Cell, Interval]:
    """The shortest time of each cell over its layouts."""
    best: dict[Cell, Interval] = {}
    for (cell, _), time in found.items():
        if cell not in best or time.value < best[cell].value:
            best[cell] = time
    return best


def best_of(view: View, variant: str, shape: str) -> dict[Cell, tuple[str, Interval]]:
    """The fastest layout of a variant, and its time, in each cell of the tables."""
    best: dict[Cell, tuple[str, Interval]] = {}
    for (cell, layout), time in times(view, variant, shape).items():
        if cell in TABLE1 + TABLE2 and (cell not in best or time.value < best[cell][1].value):
            best[cell] = layout, time
    return best


def best_ratios(view: View, above: str, below: str, shape: str) -> dict[Cell, Interval]:
    top, bottom = best_of(view, above, shape), best_of(view, below, shape)
    return {cell: top[cell][1] / bottom[cell][1] for cell in top if cell in bottom}


def by_name(found: Mapping[Cell, Interval]) -> dict[str, Interval]:
    return {name_of(cell): value for cell, value in found.items()}


def flop_per_step(view: View) -> Measured:
    """Floating-point operations that a GPU at its peak completes in the time of one load step of one enabled value.

    Algorithm 3 at load 2000.
    """
    peak = view.attribute("peak_flops") if view.device.published else 2 * view.limit("fma")
    shape = SCALAR if view.device.published else SQUARE
    rows = times(view, "algorithm3", shape)
    cell = (2000, 16384, 1024, 2)
    found = [rows[cell, layout] for layout in LAYOUTS if (cell, layout) in rows]
    if not found:
        raise NotTestable("the row of load 2000 has no time")
    steps = 16384 * 1024 / 2 * 2000
    return Measured(min(found, key=lambda value: value.value) * (peak / steps), f"an upper bound, at {shape}")
