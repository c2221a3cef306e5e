"""The memory layouts against each other: the numbers of claims and findings."""

from __future__ import annotations

from collections.abc import Iterable

from experiments.rule_interpreter.measures import Cell, LAYOUTS, TABLE1, TABLE2, largest, name_of, times
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, View
from plots.units import digits


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


def cost_of_division(view: View, shape: str) -> Parts:
    """Time in layout C with a division at run time, divided by the time in C with a shift, for the paper's algorithms."""
    found: dict[str, Interval] = {}
    for variant in ("algorithm1", "algorithm3"):
        for name, ratio in division_ratios(view, variant, shape).items():
            found[f"{variant}, {name}"] = ratio
    return parts(found)


def division_ratios(view: View, variant: str, shape: str) -> dict[str, Interval]:
    """The same for one variant, by the cell."""
    rows = times(view, variant, shape, layout=("C", "C_divided"))
    return {
        name_of(cell): rows[cell, "C_divided"] / rows[cell, "C"]
        for cell, layout in rows
        if layout == "C_divided" and (cell, "C") in rows
    }


def division_over_compaction(view: View, shape: str) -> Parts:
    """The factor by which the division lengthens Algorithm 3, divided by the factor by which its compaction does.

    The latter is its time over that of `uncompacted`, the same geometry without compaction, both in layout C.
    """
    without = times(view, "uncompacted", shape, layout="C")
    whole = times(view, "algorithm3", shape, layout=("C", "C_divided"))
    found: dict[str, Interval] = {}
    for cell, layout in whole:
        if layout == "C_divided" and (cell, "C") in whole and (cell, "C") in without:
            division = whole[cell, "C_divided"] / whole[cell, "C"]
            found[name_of(cell)] = division / (whole[cell, "C"] / without[cell, "C"])
    return parts(found)


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
