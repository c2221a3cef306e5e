"""How fast the algorithms are against each other, and how their times grow: the numbers of claims and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, log

from experiments.rule_interpreter.measures import (
    AT_DEFAULT,
    Cell,
    LAYOUTS,
    SCALAR,
    SQUARE,
    TABLE1,
    best_ratios,
    by_name,
    cell_of,
    fastest,
    largest,
    name_of,
    ratios,
    ratios_of_layouts,
    times,
)
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, View
from plots.units import digits

#: The attribute that says how many threads a multiprocessor holds.
MOST_THREADS = "max_threads_per_multiprocessor"


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


def example(view: View, shape: str) -> Measured:
    """Algorithm 3 on 2048 states of 1024 values at phi 3 and load 20, in the faster of layouts A and C."""
    rows = times(view, "algorithm3", shape)
    found = [rows[(20, 2048, 1024, 3), layout] for layout in ("A", "C") if ((20, 2048, 1024, 3), layout) in rows]
    if not found:
        raise NotTestable("the row of the paper's example has no time")
    return Measured(min(found, key=lambda value: value.value))


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
