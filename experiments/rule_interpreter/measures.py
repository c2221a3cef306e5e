"""How figures.py, claims.py and findings.py compute their numbers from the rows of a device.

The paper's times fit only the scalar setting (METHOD.md), so claims are judged at 1x1x1. Notes give the same at 2x2x2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import log

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
from plots.results import GPU, Case, View
from plots.units import digits
from plots.verdict import Bound

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


def with_extremes(found: Mapping[str, Interval]) -> Measured:
    """The hull of all rows; the note names the smallest and the largest."""
    if not found:
        raise NotTestable("no rows to compare")
    rows = sorted(found.items(), key=lambda row: row[1].value)
    if len(rows) == 1:
        return Measured(rows[0][1], rows[0][0])
    note = f"smallest {digits(rows[0][1].value)} ({rows[0][0]}), largest {digits(rows[-1][1].value)} ({rows[-1][0]})"
    return Measured(hull(found.values()), note)


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


def with_square(measure: Callable[[View, str], Measured], unit: str = "") -> Callable[[View], Measured]:
    """The scalar setting decides; the note gives the same number at 2x2x2."""

    def both(view: View) -> Measured:
        scalar = measure(view, SCALAR)
        try:
            square = measure(view, SQUARE)
        except NotTestable:
            return scalar
        interval = square.interval
        span = Bound(interval.low, interval.high).text(unit)
        return Measured(scalar.interval, "; ".join(filter(None, (scalar.note, f"at 2x2x2 {span}"))), scalar.bound)

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


def growth_of_algorithm3(axis: str) -> Callable[[View, str], Measured]:
    def measure(view: View, shape: str) -> Measured:
        found = growth(view, "algorithm3", shape, axis)
        few = {name: value for name, value in found.items() if axis == "states" or " 2048 states" in name}
        return with_extremes(few)

    return measure


def slopes_of_algorithm1(view: View, shape: str) -> Measured:
    found: dict[str, Interval] = {}
    for axis, factor in (("range", 4.0), ("states", 8.0)):
        for name, value in growth(view, "algorithm1", shape, axis).items():
            slope = [log(end) / log(factor) for end in (value.value, value.low, value.high)]
            found[f"{axis} from {name}"] = Interval(slope[0], slope[1], slope[2])
    return with_extremes(found)


def growths_compared(view: View, shape: str) -> Measured:
    found: dict[str, Interval] = {}
    for axis in ("range", "states"):
        slow = growth(view, "algorithm1", shape, axis)
        for name, value in growth(view, "algorithm3", shape, axis).items():
            if name in slow:
                found[f"{axis} from {name}"] = value / slow[name]
    return with_extremes(found)


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


def share(flags: Iterable[bool], what: str) -> Measured:
    rows = list(flags)
    return Measured(exact(sum(rows) / len(rows)), f"{sum(rows)} of {len(rows)} {what}")


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


def worst_is_b(view: View, shape: str) -> Measured:
    rows = [row for variant in ("algorithm1", "algorithm3") for row in layouts_at(view, variant, shape).values()]
    return share(
        (max(row, key=lambda name: row[name].value) == "B" for row in rows), "rows have layout B as the slowest"
    )


def c_beats_a(view: View, shape: str) -> Measured:
    rows = layouts_at(view, "algorithm1", shape).values()
    return share_faster((row["A"] / row["C"] for row in rows), "rows have layout C ahead of A")


def c_is_fastest(view: View, shape: str) -> Measured:
    rows = layouts_at(view, "algorithm3", shape).values()
    others = (min(row["A"], row["B"], key=lambda time: time.value) / row["C"] for row in rows)
    return share_faster(others, "rows have layout C as the fastest")


def gain_of_c(view: View, shape: str) -> Measured:
    found = largest({name_of(cell): row["A"] / row["C"] for cell, row in layouts_at(view, "algorithm3", shape).items()})
    ratio = found.interval
    return Measured(Interval(1 - 1 / ratio.value, 1 - 1 / ratio.low, 1 - 1 / ratio.high), found.note)


def a_over_c(view: View, shape: str) -> Measured:
    return with_extremes(
        {name_of(cell): row["A"] / row["C"] for cell, row in layouts_at(view, "algorithm3", shape).items()}
    )


def cost_of_c(view: View, shape: str) -> Measured:
    found: dict[str, Interval] = {}
    for variant in ("algorithm1", "algorithm3"):
        for cell, row in layouts_at(view, variant, shape).items():
            found[f"{variant}, {name_of(cell)}"] = row["C"] / row["A"]
    return largest(found)


def phi_compared(view: View, shape: str) -> Measured:
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
    measured = with_extremes(found)
    return Measured(measured.interval, "; ".join([measured.note, *notes]))


def load_tenfold(view: View, shape: str) -> Measured:
    found: dict[str, Interval] = {}
    for variant in ("algorithm1", "algorithm3"):
        rows = times(view, variant, shape)
        for states in (2048, 16384):
            for layout in ("A", "C"):
                low, high = ((load, states, 1024, 2) for load in (200, 2000))
                if (low, layout) in rows and (high, layout) in rows:
                    found[f"{variant}, {name_of(low, layout)}"] = rows[high, layout] / rows[low, layout]
    return largest(found)


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
    """Share of lanes that are active during an evaluation, per cell."""
    return {
        name_of(cell_of(case)) + f", enabled {case.axes['enabled']}%": case.metrics["lanes_evaluating"] / 32
        for case in view.select(variant=variant, rules="synthetic")
        if case.metrics.get("evaluations", 0) > 0 and "lanes_evaluating" in case.metrics
    }


def lanes_filled(view: View) -> Measured:
    own, without = lanes(view, "algorithm3"), lanes(view, "uncompacted")
    if not own or not without:
        raise NotTestable(view.missing({"variant": "algorithm3"}, "a count of active lanes"))
    lowest = min(own, key=lambda name: own[name])
    uncompacted = f"; without compaction {digits(without[lowest])}" if lowest in without else ""
    values = sorted(own.values())
    return Measured(Interval(values[len(values) // 2], values[0], values[-1]), f"smallest at {lowest}{uncompacted}")


def empty_warps(view: View) -> Measured:
    found = {
        name_of(cell_of(case)) + f", enabled {case.axes['enabled']}%": exact(case.metrics["empty_warps"])
        for case in view.select(variant="algorithm3", rules="synthetic")
        if case.metrics.get("evaluations", 0) > 0 and case.axes["enabled"] not in ("100", "0")
    }
    return with_extremes(found)


def bank_conflicts(view: View) -> Measured:
    """Bank conflicts of Algorithm 3 per 32 enabled values, where counters.py read the counter."""
    found = {
        name_of(cell_of(case), case.axes["layout"]): exact(
            case.metrics["counter_shared_bank_conflicts"] / (case.metrics["evaluations"] / 32)
        )
        for case in view.select(variant="algorithm3", rules="synthetic", machine=GPU)
        if "counter_shared_bank_conflicts" in case.metrics and case.metrics.get("evaluations", 0) > 0
    }
    if not found:
        raise NotTestable("the rows have no hardware counters (counters.py)")
    return with_extremes(found)


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


def one_warp_blocks(view: View, shape: str) -> Measured:
    """The same ratios as one measured range."""
    ratios_found = one_warp_block_ratios(view, shape)
    return with_extremes({f"{name_of(cell)} (best {best})": ratio for (cell, best), ratio in ratios_found.items()})


def thread_per_state_ratio(view: View, shape: str) -> Measured:
    """Time of one thread per state divided by that of Algorithm 3, each in its best layout."""
    return best_over_best(view, "thread_per_state", "algorithm3", shape)


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


def best_over_best(view: View, above: str, below: str, shape: str) -> Measured:
    return with_extremes(by_name(best_ratios(view, above, below, shape)))


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
