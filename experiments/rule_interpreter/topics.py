"""Sections of the generated page on rule_interpreter that follow the paper: tables, algorithms, layouts, divergence.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections import Counter

from experiments.rule_interpreter import algorithms, memory_layouts
from experiments.rule_interpreter.measures import LAYOUTS, SCALAR, SQUARE, TABLE1, TABLE2
from experiments.rule_interpreter.wording import (
    ALL,
    CELL,
    SHAPES,
    enabled_values,
    hot,
    in_sweep,
    in_tables,
    joined,
    key_of,
    markdown,
    name_of_variant,
    percent,
    seconds_by,
    seconds_of,
    span,
    speeds,
    synthetic,
    time_table,
    time_text,
)
from plots.errors import NotTestable
from plots.results import Case, View
from plots.units import digits

#: The default states per group of Algorithm 3.
DEFAULT_GROUP = "32"


def terms(view: View) -> str:
    """What the words of the page mean (METHOD.md has the formulas)."""
    if not view.cases:
        raise NotTestable("no rows")
    return (
        "The *load* is the number of products that the evaluation of a value computes, one after the other. *phi* sets the "
        "share of enabled values: values are drawn from 0 to phi - 1, and 0 is not enabled, so 50% of the values are enabled at "
        "phi 2, and 67% at phi 3. In *layout A*, the states are stored one after the other. In *layout B*, the same value of all states is "
        "stored together. In *layout C*, the states are interleaved, 32 values at a time, so that each warp reads 32 adjacent "
        "values."
    )


def rows_summary(view: View) -> str:
    status = Counter(case.status for case in view)
    counted = sum(any(name.startswith("counter_") for name in case.metrics) for case in view)
    refused = sorted({f"`{case.variant}` ({case.reason})" for case in view if case.status == "refused"})
    text = f"The page has {len(view.cases)} cases, of which {status['ok'] + status['not_timed']} are verified"
    text += f" and {status['refused']} are refused: {joined(refused)}." if refused else "."
    if counted:
        text += f" {counted} cases have hardware counters."
    return f"{text} Times are medians."


# The tables of the paper.


def what_cells_show(view: View) -> str:
    """The layouts in which the rows of the tables' cells were measured."""
    layouts: dict[str, set[str]] = {}
    for case in view.select(**synthetic(case=in_tables)):
        layouts.setdefault(case.variant, set()).add(case.axes["layout"])
    if not layouts:
        raise NotTestable(view.missing({"rules": "synthetic", "machine": "cuda"}))
    alike: dict[str, list[str]] = {}
    for variant, found in layouts.items():
        alike.setdefault(joined(sorted(found)), []).append(name_of_variant(variant))
    parts = [f"{joined(names)} in {text}" for text, names in alike.items()]
    return "Each cell shows the fastest layout of a variant. The measured layouts are: " + "; ".join(parts) + "."


def cells_at(view: View, shape: str) -> str:
    where = synthetic(shape=shape, case=in_tables)
    return f"Shape {shape}:\n\n" + time_table(view, CELL, "variant", where, ALL, name_of_variant)


def cells_scalar(view: View) -> str:
    return cells_at(view, SCALAR)


def cells_square(view: View) -> str:
    return cells_at(view, SQUARE)


# The share of enabled values.


def enabled_shares(view: View) -> str:
    where = synthetic(enabled=lambda share: share != "-1", case=in_sweep("divergence"))
    return (
        "16384 states of 1024 values, load 200, 2x2x2, layout A. The paper measures shares of 50% and 67%.\n\n"
        + time_table(view, {"enabled": "enabled, %"}, "variant", where, ALL, name_of_variant)
    )


def auto_where_few_are_enabled(view: View) -> str:
    where = synthetic(enabled=("1", "2", "5", "10"), case=in_sweep("divergence"))
    auto, queue = (
        speeds(view, {"variant": variant}, {"variant": "wavefront"}, ("enabled",), **where)
        for variant in ("auto", "queue")
    )
    return (
        "`auto` samples the share of enabled values. "
        f"From 1% to 10% enabled it is {span(auto)} as fast as CUB's wavefront, and the queue is {span(queue)} as fast."
    )


def everything_enabled(view: View) -> str:
    found = seconds_by(view, ("variant",), **synthetic(enabled="100", case=in_sweep("divergence")))
    ((best,), seconds) = min(found.items(), key=lambda row: row[1])
    return (
        "With every value enabled there is nothing to compact. "
        f"The fastest variant is then {name_of_variant(best)}: it takes {time_text(seconds)}."
    )


# Algorithm 3 as printed.


def algorithm3_speeds(view: View) -> str:
    """How many times as fast Algorithm 3 is as Algorithm 1, by shape, load, number of states and layout."""
    rows: list[list[str]] = []
    for shape, _ in SHAPES:
        for load, states in dict.fromkeys((cell[0], cell[1]) for cell in TABLE1 + TABLE2):
            where = synthetic(shape=shape, load=str(load), states=str(states), case=in_tables)
            found: list[str] = []
            for layout in LAYOUTS:
                subject, other = {"variant": "algorithm3"}, {"variant": "algorithm1"}
                found.append(
                    span(speeds(view, subject, other, ("range", "divergence"), **(where | {"layout": layout})))
                )
            rows.append([shape, str(load), str(states), *found])
    heads = ["shape", "load", "states", *(f"layout {layout}" for layout in LAYOUTS)]
    return "Speed of Algorithm 3 relative to Algorithm 1 in the same layout:\n\n" + markdown(heads, rows)


def algorithm3_in_best_layouts(view: View) -> str:
    keys = ("shape", "load", "states", "range", "divergence")
    where = synthetic(layout=("A", "C"), case=in_tables)
    found = speeds(view, {"variant": "algorithm3"}, {"variant": "algorithm1"}, keys, **where)
    return (
        f"With the better of layouts A and C for each algorithm, Algorithm 3 is {span(found)} as fast as Algorithm 1, "
        f"and ahead in {sum(speed > 1 for speed in found)} of {len(found)} cells (those of Tables 1 to 4 at {SCALAR} and "
        f"{SQUARE})."
    )


def algorithm3_against_its_geometry(view: View) -> str:
    keys = ("shape", "range", "divergence", "layout")
    where = synthetic(layout=("A", "C"), load="20", case=in_tables)
    uncompacted = {"variant": "uncompacted"}
    control = speeds(view, uncompacted, {"variant": "algorithm3"}, ("states", *keys), **where)
    parts = [
        f"{span(speeds(view, {'variant': 'algorithm1'}, uncompacted, keys, **(where | {'states': states})))} "
        f"as fast for {states} states"
        for states in ("2048", "16384")
    ]
    return (
        f"At load 20 the same geometry without compaction (`uncompacted`) is {span(control)} as fast as Algorithm 3. "
        f"Compared with `uncompacted`, Algorithm 1's blocks of 256 threads are {joined(parts)}."
    )


# Sizes of groups and blocks.


def group_sizes(view: View) -> str:
    where = hot(rules="synthetic", case=in_sweep("groups"))
    keys = {"variant": "variant", "load": "load", "states": "states"}
    return "States per group, 1024 values per state, 2x2x2, layout A:\n\n" + time_table(
        view, keys, "states_per_group", where, ("2", "4", "8", "16", "32")
    )


def default_group_size(view: View) -> str:
    found = seconds_by(
        view, ("states", "load", "states_per_group"), **hot(variant="algorithm3", case=in_sweep("groups"))
    )
    losses: dict[str, list[float]] = {}
    for (states, load, group), seconds in found.items():
        if group == DEFAULT_GROUP:
            best = min(time for key, time in found.items() if key[:2] == (states, load))
            losses.setdefault(states, []).append(seconds / best)
    if not losses:
        raise NotTestable("the default group size has no time")
    parts = [f"{span(losses[states])} the time for {states} states" for states in sorted(losses, key=int)]
    return f"Relative to its fastest group size, Algorithm 3's default of 32 states per group takes {joined(parts)}."


def one_warp_blocks(view: View) -> str:
    found: dict[str, list[float]] = {}
    for shape, _ in SHAPES:
        for (cell, _), ratio in algorithms.one_warp_block_ratios(view, shape).items():
            found.setdefault("load 20" if cell[0] == 20 else "higher loads", []).append(ratio.value)
    if not found:
        raise NotTestable(view.missing({"variant": "algorithm1", "block": "32"}))
    parts = [f"{span(ratios)} the time at {loads}" for loads, ratios in sorted(found.items(), reverse=True)]
    return f"Relative to Algorithm 1's best block size, blocks of one warp take {joined(parts)}."


# Memory layouts.


def layout_c_costs(view: View) -> str:
    rows: list[list[str]] = []
    for shape, _ in SHAPES:
        for load in ("20", "200", "2000"):
            where = synthetic(shape=shape, load=load, case=in_tables)
            keys = ("states", "range", "divergence")
            found = [
                speeds(view, {"layout": "A"}, {"layout": "C"}, keys, **(where | {"variant": variant}))
                for variant in ("algorithm1", "algorithm3")
            ]
            rows.append([shape, load, *(span(ratios) for ratios in found)])
    return (
        "Time in layout C relative to the time in layout A. "
        "METHOD.md, *Registers*, explains the differences at high loads.\n\n"
        + markdown(["shape", "load", "Algorithm 1", "Algorithm 3"], rows)
    )


def slowest_layout(view: View) -> str:
    parts: list[str] = []
    for shape, name in SHAPES:
        rows = [
            row
            for variant in ("algorithm1", "algorithm3")
            for row in memory_layouts.layouts_at(view, variant, shape).values()
        ]
        slowest = sum(max(row, key=lambda layout: row[layout].value) == "B" for row in rows)
        parts.append(f"{slowest} of {len(rows)} rows at {name}")
    return f"For Algorithms 1 and 3, layout B is the slowest layout in {joined(parts)}."


def layout_c_within_groups(view: View) -> str:
    parts: list[str] = []
    for variant in ("algorithm3", "queue"):
        where = synthetic(variant=variant, load="20", case=in_sweep("group_layout"))
        found = speeds(view, {"layout": "C"}, {"layout": "C_group"}, ("shape", "states", "range"), **where)
        parts.append(f"{span(found)} the time with {name_of_variant(variant)}")
    return f"At load 20, interleaving only within a group (C_group) takes {joined(parts)}, relative to layout C."


# Divergence.


def active_lanes(case: Case) -> float | None:
    """The share of lanes that are active during an evaluation."""
    lanes = case.metrics.get("lanes_evaluating")
    return lanes / 32 if lanes is not None and case.metrics.get("evaluations", 0) > 0 else None


def lanes_by_share(view: View) -> str:
    variants = ("algorithm1", "uncompacted", "algorithm3", "queue", "list")
    found: dict[tuple[str, ...], str] = {}
    for case in view.select(variant=variants, machine="cuda", rules="synthetic", case=in_sweep("divergence")):
        lanes = active_lanes(case)
        if lanes is not None:
            found[key_of(case, ("enabled", "variant"))] = digits(100 * lanes, 2)
    if not found:
        raise NotTestable(view.missing({"variant": variants}, "a count of active lanes"))
    shares = sorted({share for share, _ in found}, key=float)
    shown = [variant for variant in variants if any(key[1] == variant for key in found)]
    rows = [[share, *(found.get((share, variant), "") for variant in shown)] for share in shares]
    heads = ["enabled, %", *(f"{name_of_variant(variant)}, %" for variant in shown)]
    return "Lanes that are active during an evaluation, counted:\n\n" + markdown(heads, rows)


def lanes_at_paper_shares(view: View) -> str:
    """At the paper's two values of phi."""
    parts: list[str] = []
    for phi in ("2", "3"):
        texts: list[str] = []
        for variant in ("algorithm3", "algorithm1"):
            where = synthetic(variant=variant, divergence=phi, case=in_tables)
            lanes = [share for case in view.select(**where) if (share := active_lanes(case)) is not None]
            if not lanes:
                raise NotTestable(view.missing({"variant": variant, "divergence": phi}, "a count of active lanes"))
            texts.append(f"{percent(sum(lanes) / len(lanes))} in {name_of_variant(variant)}")
        parts.append(f"{joined(texts)} at phi {phi}")
    return f"In the cells of the tables, the mean share of active lanes is {', and '.join(parts)}."


def divergence_at_high_load(view: View) -> str:
    parts: list[str] = []
    for variant in ("auto", "algorithm3", "algorithm1"):
        where = synthetic(shape=SQUARE, load="2000", states="16384", range="1024", variant=variant)
        found = speeds(view, {"divergence": "2"}, {"divergence": "3"}, ("layout",), **(where | {"layout": ("A", "C")}))
        parts.append(f"{span(found)} with {name_of_variant(variant)}")
    return (
        "From phi 2 to phi 3, a third more values are enabled. Where arithmetic dominates (load 2000, 16384 states of "
        f"1024 values, 2x2x2), the time at phi 3 is this multiple of the time at phi 2: {joined(parts)}."
    )


# Bank conflicts.


def bank_conflicts(view: View) -> str:
    rates: dict[str, list[float]] = {}
    shares: list[float] = []
    for case in view.select(variant="algorithm3", rules="synthetic", machine="cuda"):
        conflicts = case.metrics.get("counter_shared_bank_conflicts")
        if conflicts is not None and case.operations > 0:
            rates.setdefault(case.axes["load"], []).append(conflicts / (enabled_values(case) / 32))
            cycles = seconds_of(case) * view.limit("clock")
            shares.append(conflicts / view.attribute("multiprocessors") / cycles)
    if not rates:
        raise NotTestable("the rows have no hardware counters (counters.py)")
    parts = [
        f"{digits(min(found), 2)} to {digits(max(found), 2)} at load {load}"
        for load, found in sorted(rates.items(), key=lambda row: int(row[0]))
    ]
    return (
        f"For Algorithm 3, the hardware counter gives these shared-memory bank conflicts per 32 enabled values: "
        f"{joined(parts)}. "
        f"At one cycle each, they take at most {percent(max(shares))} of the time. The code accesses neighbouring "
        "words of shared memory, or one word, so it should cause none; the cause is not known."
    )
