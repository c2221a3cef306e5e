"""Sections of the generated page on rule_interpreter: divisions, shared memory, bit boards, rectangular matrices.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from experiments.rule_interpreter import memory_layouts, own_methods, products
from experiments.rule_interpreter.measures import SCALAR, SQUARE
from experiments.rule_interpreter.own_figures import DIVIDED, MANY
from experiments.rule_interpreter.wording import (
    factor,
    hot,
    in_sweep,
    joined,
    markdown,
    name_of_variant,
    percent,
    seconds_by,
    span,
    speeds,
    time_table,
)
from plots.errors import NotTestable
from plots.results import View
from plots.units import quantity


def division(view: View) -> str:
    parts: list[str] = []
    for variant in DIVIDED:
        found = [
            ratio.value
            for shape in (SCALAR, SQUARE)
            for ratio in memory_layouts.division_ratios(view, variant, shape).values()
        ]
        if not found:
            raise NotTestable(view.missing({"variant": variant, "layout": "C_divided"}))
        parts.append(f"{span(found)} the time with {name_of_variant(variant)}")
    return (
        "Compilers replace the division in the addresses of layout C by a shift, since the size of a warp is a constant. With a "
        f"division at run time (C_divided), load 20 takes {joined(parts)}."
    )


def shared_memory(view: View) -> str:
    where = hot(case=in_sweep("cached"))
    keys = {"rules": "rules", "steps": "steps", "range": "values per state"}
    columns = ("algorithm2", "cached", "fused", "auto")
    return "16384 states, load 20, scalar, layout A:\n\n" + time_table(
        view, keys, "variant", where, columns, name_of_variant
    )


def shared_memory_against_registers(view: View) -> str:
    gains = own_methods.gain_of_shared_memory(view)
    parts: list[str] = []
    for steps in dict.fromkeys(steps for _, steps, _ in gains):
        found = [ratio.value for (rules, own, _), ratio in gains.items() if own == steps and rules == "several"]
        if found:
            parts.append(f"{span(found)} as fast over {own_methods.passes(steps)}")
    keys = ("rules", "steps", "range")
    registers = speeds(view, {"variant": "fused"}, {"variant": "cached"}, keys, **hot(case=in_sweep("cached")))
    one = [ratio.value for (rules, _, _), ratio in gains.items() if rules == "synthetic"]
    if not parts or not one:
        raise NotTestable(view.missing({"variant": "cached"}))
    return (
        f"With four rules, `cached` is, relative to Algorithm 2, {joined(parts)}. "
        f"With one rule and one pass it is {span(one)} as fast as "
        f"Algorithm 1, since every value is read once anyway. `fused`, which keeps each instance in registers, is "
        f"{span(registers)} as fast as `cached`."
    )


def boards(view: View) -> str:
    found = own_methods.gain_of_boards(view)
    return (
        f"`bit_board` is {span(ratio.value for ratio in found.values())} as fast as the fastest of Algorithms 1, 2 and 3 "
        "in the same layout, A or C, with the same grids and numbers of passes."
    )


def many_boards(view: View) -> str:
    where = hot(rules="sudoku", variant="bit_board", case=in_sweep("sudoku_boards"))
    found = seconds_by(view, ("states", "clues"), **where)
    texts: list[str] = []
    for states in sorted({states for states, _ in found}, key=int):
        rates = sorted(int(states) / seconds for (own, _), seconds in found.items() if own == states)
        texts.append(f"{quantity(rates[0], 'grids/s')} to {quantity(rates[-1], 'grids/s')} with {states} grids")
    if MANY not in {states for states, _ in found}:
        raise NotTestable(view.missing({"variant": "bit_board", "states": MANY}))
    return f"Over 26 to 36 clues, it reaches {joined(texts)}."


def rectangles(view: View) -> str:
    where = hot(rules="synthetic", case=in_sweep("rectangles"))
    columns = ("algorithm1", "algorithm3", "queue", "list", "auto")
    return "16384 states of 1024 values, phi 2, layout A:\n\n" + time_table(
        view, {"shape": "shape", "load": "load"}, "variant", where, columns, name_of_variant
    )


def count_of_operations(view: View) -> str:
    cases = products.fastest_rectangles(view)
    peak = view.limit("fma")
    slots, counted = products.slot_rates(view), products.counted_rates(view)
    rows = [
        [
            shape,
            name_of_variant(case.variant),
            str(products.size_of(shape).operations),
            percent(counted[shape].value / (2 * peak)),
            percent(slots[shape].value / peak),
        ]
        for shape, case in cases.items()
    ]
    heads = ["shape", "fastest", "2MNO - MO", "operations, share of the peak", "FP32 slots, share of the peak"]
    by_slot, by_count = (max(shares) / min(shares) for shares in products.shares_of_peak(view))
    return (
        f"At load {products.LOAD}, the shapes differ by {factor(by_slot)} in FP32 slots per second, where a fused multiply-add is "
        f"one slot, and by {factor(by_count)} in operations per second by the paper's count:\n\n"
        + markdown(heads, rows)
    )
