"""What this project adds to the paper, said in a sentence each: ours against the others, against Algorithm 3, against the floor."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.rule_interpreter.measures import (
    CHOSEN,
    Cell,
    OTHERS,
    OURS,
    SCALAR,
    SQUARE,
    TABLE1,
    TABLE2,
    best_of,
    cell_of,
    name_of,
    times,
)
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.units import digits


def best_other(view: View, shape: str) -> dict[Cell, tuple[str, Interval]]:
    """The fastest variant that is not ours, its layout and block free."""
    best: dict[Cell, tuple[str, Interval]] = {}
    where: dict[str, object] = {**CHOSEN, "block": lambda _: True, "states_a_group": lambda _: True, "shape": shape}
    for case in view.select(variant=OTHERS, machine=GPU, cache=("hot", ""), **where):
        cell = cell_of(case)
        if case.time is not None and cell in TABLE1 + TABLE2:
            if cell not in best or case.time.value < best[cell][1].value:
                best[cell] = f"{case.variant} {case.axes['layout']}", case.time
    return best


def best_ours(view: View, shape: str) -> dict[Cell, tuple[str, Interval]]:
    """The fastest of our variants, its layout free."""
    best: dict[Cell, tuple[str, Interval]] = {}
    for variant in OURS:
        try:
            found = best_of(view, variant, shape)
        except NotTestable:
            continue
        for cell, (layout, time) in found.items():
            if cell not in best or time.value < best[cell][1].value:
                best[cell] = f"{variant} {layout}", time
    if not best:
        raise NotTestable(view.missing({"variant": OURS, "shape": shape}))
    return best


def auto_alone(view: View, shape: str) -> dict[Cell, tuple[str, Interval]]:
    return best_of(view, "auto", shape)


def against_others(view: View, ours: Callable[[View, str], Mapping[Cell, tuple[str, Interval]]], whose: str) -> str:
    parts: list[str] = []
    for shape in (SCALAR, SQUARE):
        own, other = ours(view, shape), best_other(view, shape)
        rows = {cell: other[cell][1].value / own[cell][1].value for cell in own if cell in other}
        if not rows:
            raise NotTestable(view.missing({"variant": OTHERS, "shape": shape}))
        worst = min(rows, key=lambda cell: rows[cell])
        best = max(rows, key=lambda cell: rows[cell])
        ahead = sum(ratio >= 0.97 for ratio in rows.values())
        parts.append(
            f"at {shape} {digits(rows[worst])} ({name_of(worst)}, {other[worst][0]}) to {digits(rows[best])} times, "
            f"ahead or within 3 percent in {ahead} of {len(rows)} cells"
        )
    return f"Speed of {whose} over the best other variant in each cell of Tables 1 to 4: " + "; ".join(parts) + "."


def ours_against_others(view: View) -> str:
    return against_others(view, best_ours, "the best of ours")


def auto_against_others(view: View) -> str:
    """What a user gets who does not choose."""
    return against_others(view, auto_alone, "`auto` alone")


def ours_against_algorithm3(view: View) -> str:
    parts: list[str] = []
    for shape in (SCALAR, SQUARE):
        own, paper = best_ours(view, shape), times(view, "algorithm3", shape)
        rows = [paper[cell, "C"].value / own[cell][1].value for cell in TABLE1 if (cell, "C") in paper and cell in own]
        if not rows:
            raise NotTestable(view.missing({"variant": "algorithm3", "shape": shape}))
        parts.append(f"at {shape} {digits(min(rows))} to {digits(max(rows))} times")
    return "Speed of the best of ours over Algorithm 3 with layout C in the cells of Table 3: " + "; ".join(parts) + "."


def floor_of(view: View, case: Case) -> float:
    """Seconds that FP32 issue or memory takes at least: the larger."""
    return max(case.operations / view.limit("fma"), case.bytes / view.limit("copy.memcpy"))


def ours_against_floor(view: View) -> str:
    parts: list[str] = []
    for cell in ((2000, 16384, 1024, 2), (20, 16384, 4096, 2), (20, 16384, 4096, 3)):
        where: dict[str, object] = {**CHOSEN, "shape": SQUARE, "machine": GPU, "cache": ("hot", "")}
        to_floor = [
            case.time.value / floor_of(view, case)
            for case in view.select(variant=OURS, **where)
            if case.time is not None and cell_of(case) == cell
        ]
        if not to_floor:
            raise NotTestable(view.missing({"variant": OURS, "shape": SQUARE}))
        parts.append(f"{digits(min(to_floor))} ({name_of(cell)})")
    return (
        "Time of the best of ours at 2x2x2 over the larger of its floors, FP32 issue and memory: "
        + ", ".join(parts)
        + "."
    )


def gain_where_few_are_enabled(view: View) -> str:
    found: dict[str, float] = {}
    for variant in ("algorithm1", "algorithm3", "auto"):
        where: dict[str, object] = {
            **CHOSEN,
            "enabled": "5",
            "load": "200",
            "states": "16384",
            "range": "1024",
            "shape": SQUARE,
        }
        found[variant] = view.time(variant=variant, machine=GPU, **where).value
    return (
        f"With 5 percent of values enabled (2x2x2, load 200, 16384 states of 1024) `auto` is "
        f"{digits(found['algorithm1'] / found['auto'])} times as fast as Algorithm 1, Algorithm 3 "
        f"{digits(found['algorithm1'] / found['algorithm3'])} times: the paper tested 50 and 67 percent alone."
    )
