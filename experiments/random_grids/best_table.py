"""For every board, k and engine that is stored: the best of the slides, of other methods and of ours, and their limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from experiments.random_grids.measures import CONTROLS, NO_WORK, k_name, keeps_gpu_busy, sites, work_after
from experiments.random_grids.wording import (
    factor,
    filled,
    giga,
    is_ours,
    is_slides,
    k_order,
    k_text,
    percent,
    size,
    speed_of,
    table_of,
)
from plots.errors import NotTestable
from plots.results import Case, View
from plots.tables import MISSING

#: The sides of the table. `auto` chooses among all variants.
SIDES: Mapping[str, Callable[[Case], bool]] = {
    "slides": is_slides,
    "others": lambda case: case.role in ("baseline", "contender"),
    "ours": is_ours,
    "auto": lambda case: case.variant == "auto",
}

Key = tuple[str, str, str]
Best = dict[str, Case]


def bests(view: View) -> dict[Key, Best]:
    """The fastest row of each side, by board, k and engine, whatever its launch. Only where the slides and we have rows."""
    found: dict[Key, Best] = {}
    rows = view.select(
        machine="cuda", output="stored", case=lambda case: work_after(case) == NO_WORK and keeps_gpu_busy(case)
    )
    for case in rows:
        if case.rate is None or case.variant in CONTROLS:
            continue
        sides = found.setdefault((case.axes["grid"], k_name(case), case.axes["engine"]), {})
        for side, belongs in SIDES.items():
            if belongs(case) and (side not in sides or speed_of(case) > speed_of(sides[side])):
                sides[side] = case
    kept = {key: sides for key, sides in found.items() if {"slides", "ours"} <= sides.keys()}
    if not kept:
        raise NotTestable("no board that both the slides' kernels and ours store")
    return kept


def of_store_limit(view: View, case: Case, ours: Case) -> float:
    """The grids that a row draws per second, as bytes of our results, over what the device can store."""
    return speed_of(case) * ours.bytes / ours.items / view.limit("store")


def table(view: View) -> str:
    def cell(sides: Best, side: str) -> str:
        if side not in sides:
            return MISSING
        case = sides[side]
        speed = giga(speed_of(case)) + (f" `{case.variant}`" if side != "auto" else "")
        share = filled(lambda: percent(of_store_limit(view, case, sides["ours"])))
        return speed if share == MISSING else f"{speed}, {share}"

    def row(key: Key, sides: Best) -> Sequence[str]:
        fastest_other = max(speed_of(sides[side]) for side in ("slides", "others") if side in sides)
        return (
            f"{size(key[0])}, {k_text(key[1])}, {key[2]}",
            *(cell(sides, side) for side in SIDES),
            factor(speed_of(sides["ours"]) / fastest_other),
        )

    heads = (
        "stored, G grids/s and share of the store limit",
        "slides' best",
        "best other",
        "our best",
        "`auto`",
        "ours over the fastest other",
    )
    order = sorted(bests(view).items(), key=lambda item: (sites(item[0][0]), k_order(item[1]["ours"]), item[0][2]))
    return table_of(heads, (row(*one) for one in order))


def summary(view: View) -> str:
    """Which of ours is the best where, and where none is ahead."""
    found = bests(view)
    ahead: dict[str, int] = {}
    behind: list[str] = []
    for (grid, k, engine), sides in found.items():
        others = max(speed_of(sides[side]) for side in ("slides", "others") if side in sides)
        if speed_of(sides["ours"]) > others:
            ahead[sides["ours"].variant] = ahead.get(sides["ours"].variant, 0) + 1
        else:
            behind.append(f"{size(grid)}, {k_text(k)}, {engine}")
    counts = ", ".join(f"`{name}` in {count}" for name, count in sorted(ahead.items(), key=lambda one: -one[1]))
    text = f"**Every board.** Of {len(found)} combinations of board, k and engine, our fastest method is ahead of all others in {sum(ahead.values())}"
    text += f" ({counts})." if ahead else "."
    return f"{text} It is behind at {'; '.join(behind)}." if behind else text
