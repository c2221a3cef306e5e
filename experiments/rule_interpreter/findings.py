"""The sentences and sections that describe what the rows of a device say about rule_interpreter (plots/findings.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from experiments.rule_interpreter import auto_cells, more_topics, own_topics, search_speed, topics
from experiments.rule_interpreter.measures import (
    best_ratios,
    AT_DEFAULT,
    MARGIN,
    OTHERS,
    OURS,
    SCALAR,
    SQUARE,
    TABLE1,
    TABLE2,
    Cell,
    best_of,
    cell_of,
    name_of,
    ratios,
    times,
    variants_of,
)
from experiments.rule_interpreter.wording import FEW_ENABLED, span, speeds_where_few_are_enabled
from plots.errors import NotTestable
from plots.findings import Finding, Topic
from plots.interval import Interval
from plots.results import GPU, Case, View

#: Variant, layout and time of the fastest row per cell.
Best = dict[Cell, tuple[tuple[str, str], Interval]]


def best_other(view: View, shape: str) -> Best:
    """The fastest variant per cell that is not ours, over all its layouts, block sizes and group sizes."""
    best: Best = {}
    where: dict[str, object] = {
        **AT_DEFAULT,
        "block": lambda _: True,
        "states_per_group": lambda _: True,
        "shape": shape,
    }
    for case in view.select(role=OTHERS, machine=GPU, cache=("hot", ""), **where):
        cell = cell_of(case)
        if case.time is not None and cell in TABLE1 + TABLE2:
            if cell not in best or case.time.value < best[cell][1].value:
                best[cell] = (case.variant, case.axes["layout"]), case.time
    return best


def best_ours(view: View, shape: str) -> Best:
    """The fastest of our variants per cell, over all its layouts."""
    best: Best = {}
    for variant in variants_of(view, OURS):
        try:
            found = best_of(view, variant, shape)
        except NotTestable:
            continue
        for cell, (layout, time) in found.items():
            if cell not in best or time.value < best[cell][1].value:
                best[cell] = (variant, layout), time
    if not best:
        raise NotTestable(view.missing({"role": OURS, "shape": shape}))
    return best


def best_auto(view: View, shape: str) -> Best:
    """`auto` per cell, in its fastest layout."""
    return {cell: (("auto", layout), time) for cell, (layout, time) in best_of(view, "auto", shape).items()}


def speeds_against_others(view: View, ours: Callable[[View, str], Best]) -> dict[tuple[str, Cell], float]:
    """How many times as fast ours is as the fastest other variant, per shape and cell."""
    found: dict[tuple[str, Cell], float] = {}
    for shape in (SCALAR, SQUARE):
        own, other = ours(view, shape), best_other(view, shape)
        rows = {(shape, cell): other[cell][1].value / own[cell][1].value for cell in own if cell in other}
        if not rows:
            raise NotTestable(view.missing({"role": OTHERS, "shape": shape}))
        found |= rows
    return found


def auto_against_others(view: View) -> str:
    """What users get who let `auto` choose."""
    found = speeds_against_others(view, best_auto)
    return (
        f"In the {len(found)} cells of Tables 1 to 4 (scalar and 2x2x2), `auto` is {span(found.values())} as fast as "
        "the fastest variant that is not ours, each in its best layout."
    )


def ours_against_others(view: View) -> str:
    """What the best choice among our variants reaches, and where it is closest to the others."""
    found = speeds_against_others(view, best_ours)
    shape, cell = min(found, key=lambda key: found[key])
    variant, layout = best_other(view, shape)[cell][0]
    ahead = sum(speed >= 1 - MARGIN for speed in found.values())
    return (
        f"The fastest of our variants is {span(found.values())} as fast as the fastest other variant, and ahead or "
        f"within {100 * MARGIN:.0f}% in {ahead} of {len(found)} cells. The closest cell is {name_of(cell)} at {shape}, "
        f"against `{variant}` in layout {layout}."
    )


def ours_against_algorithm3(view: View) -> str:
    parts: list[str] = []
    for shape, name in ((SCALAR, "the scalar setting"), (SQUARE, "2x2x2")):
        own, paper = best_ours(view, shape), times(view, "algorithm3", shape)
        rows = [paper[cell, "C"].value / own[cell][1].value for cell in TABLE1 if (cell, "C") in paper and cell in own]
        if not rows:
            raise NotTestable(view.missing({"variant": "algorithm3", "shape": shape}))
        parts.append(f"{span(rows)} as fast at {name}")
    return (
        "Against Algorithm 3 in the paper's layout C, the fastest of our variants is "
        + " and ".join(parts)
        + ", in the cells of Table 3."
    )


def algorithm3_against_algorithm1(view: View) -> str:
    """The comparison of the paper, on this device."""
    found = [
        ratio.value for shape in (SCALAR, SQUARE) for ratio in ratios(view, "algorithm1", "algorithm3", shape).values()
    ]
    if not found:
        raise NotTestable(view.missing({"variant": "algorithm3"}))
    return (
        f"In the same layout, Algorithm 3 as printed is {span(found)} as fast as Algorithm 1, and ahead in "
        f"{sum(ratio > 1 for ratio in found)} of {len(found)} comparisons (each cell of Tables 1 to 4 at {SCALAR} and {SQUARE}, "
        "in layouts A and C); the paper reports up to about 4x."
    )


def floor_of(view: View, case: Case) -> float:
    """A lower bound on the seconds: the larger of FP32 issue time and memory time."""
    return max(case.operations / view.limit("fma"), case.bytes / view.limit("copy.memcpy"))


def ours_against_floor(view: View) -> str:
    parts: list[str] = []
    for cells in (((2000, 16384, 1024, 2),), ((20, 16384, 4096, 2), (20, 16384, 4096, 3))):
        to_floor = [time_over_floor(view, cell) for cell in cells]
        parts.append(f"{span(to_floor)} at load {cells[0][0]}")
    return (
        "At 2x2x2 with 16384 states, the fastest of our variants takes this multiple of the hardware floor (the larger "
        f"of FP32 issue time and memory time): {' and '.join(parts)}."
    )


def time_over_floor(view: View, cell: Cell) -> float:
    """The time of the fastest of our variants at 2x2x2, divided by the floor of the same cell."""
    where: dict[str, object] = {**AT_DEFAULT, "shape": SQUARE, "machine": GPU, "cache": ("hot", "")}
    to_floor = [
        case.time.value / floor_of(view, case)
        for case in view.select(role=OURS, **where)
        if case.time is not None and cell_of(case) == cell
    ]
    if not to_floor:
        raise NotTestable(view.missing({"role": OURS, "shape": SQUARE}))
    return min(to_floor)


def gain_where_few_are_enabled(view: View) -> str:
    """The headline: what thread compaction brings at the share where it pays, and at the paper's."""
    speed = speeds_where_few_are_enabled(view)
    return (
        f"With {FEW_ENABLED['states']} states of {FEW_ENABLED['range']} values stored one after the other (layout "
        f"{FEW_ENABLED['layout']}), {FEW_ENABLED['shape']} products, load {FEW_ENABLED['load']}, and 5% of the values enabled, "
        f"thread compaction as printed in the paper (Algorithm 3) is {speed['algorithm3', '5']} as fast as one block per state "
        f"(Algorithm 1), and our `auto` is {speed['auto', '5']} as fast{_queue(speed)}; with 50% enabled, the lower of the "
        f"paper's two shares, they are {speed['algorithm3', '50']} and {speed['auto', '50']} as fast."
    )


def _queue(speed: Mapping[tuple[str, str], str]) -> str:
    """Where few values are enabled, `auto` does not choose the fastest variant, if `queue` is."""
    at = {variant: speed.get((variant, "5"), "0x") for variant in ("queue", "auto")}
    ahead = float(at["queue"].removesuffix("x")) > float(at["auto"].removesuffix("x"))
    return f" (our `queue`: {at['queue']})" if ahead else ""


def answer(view: View) -> str:
    """The gain by compaction as printed, where few values are enabled and at the paper's share."""
    speed = speeds_where_few_are_enabled(view)
    where_few = f"{speed['algorithm3', '5']} ({FEW_ENABLED['layout']}, 5% enabled)"
    try:
        found = [
            ratio.value
            for shape in (SCALAR, SQUARE)
            for ratio in best_ratios(view, "algorithm1", "algorithm3", shape).values()
        ]
    except NotTestable:
        return f"Compaction is {where_few}"
    slower = sum(ratio < 1 for ratio in found)
    return f"Compaction, best layout: {slower} of {len(found)} slower; {where_few}"


ANSWER = answer

#: The claim by which the paper is quoted on the index page.
MAIN_CLAIM = "K01"

FINDINGS: Sequence[Finding] = (
    gain_where_few_are_enabled,
    auto_against_others,
    ours_against_algorithm3,
    algorithm3_against_algorithm1,
    ours_against_floor,
)

TOPICS: Sequence[Topic] = (
    Topic("Terms", (topics.terms,)),
    Topic("What the rows hold", (topics.rows_summary,)),
    Topic(
        "The cells of Tables 1 to 4",
        (topics.what_cells_show, topics.cells_scalar, topics.cells_square, ours_against_others),
    ),
    Topic(
        "Share of enabled values",
        (topics.enabled_shares, topics.auto_where_few_are_enabled, topics.everything_enabled),
    ),
    Topic(
        "Algorithm 3 against Algorithm 1",
        (topics.algorithm3_speeds, topics.algorithm3_in_best_layouts, topics.algorithm3_against_its_geometry),
    ),
    Topic("Size of groups and blocks", (topics.group_sizes, topics.default_group_size, topics.one_warp_blocks)),
    Topic(
        "Memory layouts",
        (topics.layout_c_costs, topics.slowest_layout, topics.layout_c_within_groups, own_topics.division),
    ),
    Topic(
        "Divergence",
        (topics.lanes_by_share, topics.lanes_at_paper_shares, topics.divergence_at_high_load),
    ),
    Topic("Bank conflicts", (topics.bank_conflicts,)),
    Topic("One thread per state", (more_topics.thread_per_state, more_topics.number_of_states)),
    Topic("Small states", (more_topics.small_states, more_topics.states_per_warp_chosen)),
    Topic("Few states", (more_topics.few_states,)),
    Topic("A rule that only moves words", (more_topics.moved_words, more_topics.moved_words_in_layout_c)),
    Topic("Four consecutive rules", (more_topics.several_rules,)),
    Topic("States in shared memory", (own_topics.shared_memory, own_topics.shared_memory_against_registers)),
    Topic("Sudoku", (more_topics.sudoku, own_topics.boards, own_topics.many_boards, more_topics.queue_on_sudoku)),
    Topic("Sudoku search", (search_speed.minimal,)),
    Topic("Matrix sizes", (more_topics.matrix_sizes, more_topics.local_memory)),
    Topic("Rectangular matrices", (own_topics.rectangles, own_topics.count_of_operations)),
    Topic("Queue or list", (more_topics.queue_or_list,)),
    Topic("`auto` against the best variant", (auto_cells.summary, auto_cells.untuned, auto_cells.cells_below)),
    Topic(
        "Hardware counters", (more_topics.counters, more_topics.issue_slots_at_low_load, more_topics.queue_at_low_load)
    ),
    Topic("Hardware floors", (more_topics.floors,)),
    Topic("CPU", (more_topics.cpu,)),
    Topic("Several GPUs", (more_topics.several_devices, more_topics.equal_digests)),
)

PICTURES = ("speedup", "divergence")

#: The picture of the experiment on the index page: it has the published points.
FRONT = "speedup"
