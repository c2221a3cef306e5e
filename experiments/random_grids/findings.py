"""What the rows of one device say of random_grids, in sentences, tables and pictures (plots/findings.py)."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.random_grids import auto_cells, best_table, comparison_topics, legality, slides_topics, work_after
from experiments.random_grids.curves import launched
from experiments.random_grids.measures import GRID, half, ranked
from experiments.random_grids.wording import Where, factor, factors, is_ours, launch_text, speed_ratios
from plots.findings import Finding, Topic
from plots.results import Case, View
from plots.units import quantity

METHODS = {
    "dense": "Our method `dense` (one random pass, then an exact repair)",
    "pooled": "Our method `pooled` (one random pass, and a repair by all lanes of a warp)",
    "tree": "Our method `tree` (splits k from the board down to sets of 64 sites, drawn by their number)",
    "unranked": "Our method `unranked` (draws the number of a set and looks the set up)",
}

ENGINES = {"xorwow": "XORWOW", "philox7": "Philox4x32-7", "philox10": "Philox4x32-10", "taus88": "taus88"}

# Findings


def fastest(view: View, grid: str, item: str, what: str) -> str:
    """The fastest variant that stores what it draws, and its lead over the slides' method."""
    where: Where = dict(machine=view.device.machine, grid=grid, output="stored", case=ranked)
    case, best = view.best(lambda case: case.rate, **where)
    draws = f"draws and stores {quantity(best.value, f'{item}/s')} of {what}"
    if case.role == "paper" or case.variant == "halving":
        text = f"The slides' own `{case.variant}` {draws}, more than any other variant that was run."
        if any(is_ours(case) for case in view.select(**where)):
            return text
        return f"{text} Our methods were not run (`./lockstep reproduce --preset full` runs them)."
    printed: Where = dict(role="paper") if view.device.has_gpu else dict(variant="halving")
    slides, slides_speed = view.best(lambda case: case.rate, **{**where, **printed})
    theirs = "the slides' fastest kernel" if view.device.has_gpu else "the slides' algorithm on one core"
    lead = f"{factor(best.value / slides_speed.value)} as fast as {theirs}, `{slides.variant}`"
    return f"{METHODS.get(case.variant, f'`{case.variant}`')} {draws}, {lead}{_what_is_alike(case, slides, item)}."


def _what_is_alike(case: Case, other: Case, item: str) -> str:
    """' (both with XORWOW, at 304,128 streams of 96 grids)': the engine and the launch, so far as both have the same."""
    alike = []
    if case.axes["engine"] == other.axes["engine"]:
        alike.append(f"with {ENGINES.get(case.axes['engine'], case.axes['engine'])}")
    if {"streams", "length"} <= case.axes.keys() and launched(case) == launched(other):
        alike.append(f"at {launch_text(case)} {item}")
    return f" (both {', '.join(alike)})" if alike else ""


def fastest_grid(view: View) -> str:
    return fastest(view, "32x32", "grids", "32 x 32 sites with half of them occupied")


def fastest_word(view: View) -> str:
    return fastest(view, "32x1", "sets", "16 out of 32 bits")


def divergence_explained(view: View) -> str:
    """Steps are counted, so this needs no GPU."""
    counted = view.metric("divergence_factor", variant="halving", grid="32x1", case=half).value
    printed = view.fact("word_slowdown")
    text = (
        f"For 32-bit sets, the slowest of 32 lanes takes {factor(counted)} the mean number of steps; the slides measured a "
        f"slowdown of {factor(printed)}"
    )
    return f"{text}, which loop divergence alone explains." if counted >= printed else f"{text}."


def answer(view: View) -> str:
    """The slides' two kernels on the slides' board size, over all k."""
    ratios = speed_ratios(view, "threadwise", "warpwise", GRID)
    return f"At 32 x 32, one thread per set is {factors(ratios.values())} as fast as one warp"


ANSWER = answer

#: The claim by which the paper is quoted on the index page.
MAIN_CLAIM = "B15"

FINDINGS: Sequence[Finding] = (fastest_grid, fastest_word, divergence_explained)

#: The picture of the index page.
FRONT = "ranking_grid"
PICTURES = ("ranking_grid", "speed_occupied")

TOPICS: Sequence[Topic] = (
    Topic(
        "The slides' kernels",
        (
            slides_topics.slides_launches,
            slides_topics.slides_table,
            slides_topics.divergence_measured,
            slides_topics.threadwise_or_warpwise,
            slides_topics.runtime_warp_size,
            slides_topics.cost_of_the_sum,
            slides_topics.growth_over_slides,
            slides_topics.registers_taken,
        ),
    ),
    Topic(
        "Storage and larger grids",
        (slides_topics.storage, slides_topics.where_threadwise_loses, slides_topics.sizes_table),
    ),
    Topic("Work on a board after its draw, in the same kernel", (work_after.table,)),
    Topic("Steps, words and probes, counted", (slides_topics.counted_table, slides_topics.lanes_traced)),
    Topic("Legal positions among random boards", (legality.sentence, legality.shares_table)),
    Topic(
        "Other ways to draw",
        (comparison_topics.traditional_table, comparison_topics.traditional_at_32x32, comparison_topics.library_table),
    ),
    Topic(
        "Our methods beside the slides' fastest kernel",
        (
            comparison_topics.ours_summary("xorwow", "With XORWOW"),
            comparison_topics.ours_table("xorwow"),
            comparison_topics.stored_or_folded,
        ),
    ),
    Topic(
        "The same with Philox4x32-7",
        (comparison_topics.ours_summary("philox7", "With Philox4x32-7"), comparison_topics.ours_table("philox7")),
    ),
    Topic("Every board beside the store limit", (best_table.summary, best_table.table)),
    Topic("Speed against k", (comparison_topics.occupied_launch, comparison_topics.occupied_table)),
    Topic("`auto` against the best variant", (auto_cells.summary, auto_cells.unseen, auto_cells.cells_below)),
    Topic("Engines and stream lengths", (slides_topics.engines_table, slides_topics.length_table)),
    Topic(
        "Hardware counters",
        (
            comparison_topics.busiest_pipe,
            comparison_topics.limits_of_the_fastest,
            comparison_topics.counters_table,
            comparison_topics.stalls_table,
        ),
    ),
    Topic("Several devices at once", (comparison_topics.equal_digests, comparison_topics.devices_table)),
)
