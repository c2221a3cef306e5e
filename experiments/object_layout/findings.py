"""What the rows of a device say about object_layout: one sentence per finding, and the sections of its results page."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.object_layout import (
    measures,
    memory_topics,
    preparation_topics,
    row_topics,
    scenario_topics,
    speed_topics,
    tables,
)
from plots.findings import Topic
from plots.results import View
from plots.units import digits


def answer(view: View) -> str:
    """Whether columns save time over structures in the paper's scenario: at best, and else at worst."""
    found = [
        measures.saved(measures.scenario(view, "aos", order), measures.scenario(view, "soa", order)).value
        for order in measures.PAPER_ORDERS
    ]
    if min(found) < 0 < max(found):
        return (
            f"Columns take {digits(-100 * min(found))}% more to {digits(100 * max(found))}% less time than structures"
        )
    most = digits(100 * max(abs(share) for share in found))
    change_word = "less" if min(found) >= 0 else "more"
    return f"Columns take up to {most}% {change_word} time than structures"


ANSWER = answer

#: The claim by which the paper is quoted on the index page.
MAIN_CLAIM = "O01"

#: The picture of the paper on the first page, with the paper's own numbers in it.
FRONT = "figure8_layouts"

PICTURES = (FRONT, "agents")

FINDINGS = (
    speed_topics.speedup,
    scenario_topics.layouts_in_the_scenario,
    scenario_topics.sorting,
    speed_topics.many_classes,
    memory_topics.object_size,
    speed_topics.dispatch,
    speed_topics.speedup_over_restrict,
    preparation_topics.resident_columns,
    preparation_topics.fusion,
    preparation_topics.tracing,
    row_topics.frozen_workload,
    memory_topics.stated_sizes,
)

TOPICS: Sequence[Topic] = (
    Topic("About the rows", (row_topics.rows_behind,)),
    Topic(
        "The paper's scenario (Figure 8)",
        (
            scenario_topics.layouts_in_the_scenario,
            scenario_topics.padded_layouts_in_the_scenario,
            tables.scenario_seconds,
            scenario_topics.whole_scenario,
            scenario_topics.scenario_in_the_caches,
            scenario_topics.sorting,
            tables.sorting_by_layout,
            scenario_topics.job_array_on_structures,
        ),
    ),
    Topic(
        "More agents, and ticks per launch",
        (
            speed_topics.speedup,
            tables.agents_table,
            speed_topics.speedup_over_restrict,
            speed_topics.speedup_over_blocks,
            speed_topics.speedup_in_mode_faithful,
            speed_topics.share_of_random_words,
            speed_topics.ticks_that_pay,
            tables.ticks_table,
            speed_topics.one_tick_launches,
        ),
    ),
    Topic(
        "Method dispatch and classes",
        (
            speed_topics.dispatch,
            speed_topics.dispatch_cost,
            speed_topics.factored_branches,
            speed_topics.delayed_branches,
            speed_topics.python_classes,
            tables.dispatch_table,
            speed_topics.many_classes,
            tables.classes_table,
        ),
    ),
    Topic(
        "Object size and caches",
        (
            memory_topics.stated_sizes,
            memory_topics.object_size,
            memory_topics.object_size_in_the_caches,
            tables.object_size_table,
            memory_topics.sectors_by_layout,
            memory_topics.column_memory,
        ),
    ),
    Topic(
        "Job arrays and tracing (Figures 9 and 10)",
        (
            preparation_topics.job_array_on_the_gpu,
            tables.job_arrays_table,
            preparation_topics.job_array_scaling,
            preparation_topics.tracing,
            tables.tracing_table,
            preparation_topics.preparation_over_kernel,
        ),
    ),
    Topic(
        "Parallel sections and maps",
        (preparation_topics.resident_columns, tables.sections_table, preparation_topics.fusion, tables.fusion_table),
    ),
    Topic("What the agents do", (row_topics.frozen_workload, tables.modes_table, row_topics.modes_note)),
    Topic("The CPU, and a second program", (row_topics.on_the_cpu, row_topics.bodies)),
)
