"""The paper's Figures 1 to 6, drawn from traces of what lanes did in the emulator."""

from __future__ import annotations

from collections.abc import Iterator

from plots.drawing import Axis
from plots.traces import Cell, Schematic, Trace

LANE = Axis("lane of the warp", "1")
ELEMENT = Axis("element in memory", "1")


def divergence(trace: Trace) -> Iterator[Cell]:
    """Cells of lanes that evaluate are drawn over cells of lanes that only check the condition."""
    for label, meaning in (("condition", "checks the condition, then waits"), ("evaluate", "evaluates")):
        for event in sorted(trace.at(label), key=lambda event: (event.step, event.warp)):
            yield Cell(f"iteration {event.step + 1}, warp {event.warp}", event.lane, meaning)


def compaction(trace: Trace) -> Iterator[Cell]:
    """Positions of the enabled values before and after compaction, coloured by the warp they come from.

    Each warp has one state, and the states lie one after another.
    """
    for event in sorted(trace.at("enabled"), key=lambda event: event.warp):
        yield Cell(f"before, warp {event.warp}", event.lane, f"value of warp {event.warp}")
    for warp in range(trace.parameters["states"]):
        yield Cell(f"after, warp {warp}", 0)
    for event in sorted(trace.at("evaluate"), key=lambda event: event.warp):
        yield Cell(
            f"after, warp {event.warp}", event.lane, f"value of warp {event.element // trace.parameters['range']}"
        )


def groups(trace: Trace) -> Iterator[Cell]:
    """The state that each lane works on."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.block, event.warp)):
        state = event.element // trace.parameters["range"]
        yield Cell(f"group {event.block}, warp {event.warp}", event.lane, f"state {state}")


def memory_by_iteration(trace: Trace) -> Iterator[Cell]:
    for event in trace.at("condition"):
        yield Cell("memory", event.element, f"iteration {event.step + 1}")


def memory_by_warp(trace: Trace) -> Iterator[Cell]:
    """The elements that each iteration of the loop touches, coloured by warp."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.step, event.block)):
        group = f"group {event.block}, " if trace.parameters["states"] == 2 else ""
        yield Cell(f"{group}iteration {event.step + 1}", event.element, f"warp {event.warp}")


SCHEMATICS = (
    Schematic(
        "figure1_lanes",
        "Figure 1: divergence in Algorithm 1",
        "figure1",
        "",
        LANE,
        divergence,
        32,
        caption="One state, three warps, two iterations of the loop. A lane whose value is not enabled waits until the "
        "other lanes of its warp have evaluated theirs.",
    ),
    Schematic(
        "figure1_memory",
        "Figure 1: memory accesses of Algorithm 1",
        "figure1",
        "",
        ELEMENT,
        memory_by_iteration,
        caption="The right half of the paper's Figure 1. In each iteration the group reads one contiguous piece of the "
        "state, so divergence wastes lanes but no memory bandwidth: this is what compaction may not spoil.",
    ),
    Schematic(
        "figure2",
        "Figure 2: thread compaction",
        "figure2",
        "",
        LANE,
        compaction,
        32,
        caption="Before and after the compaction of Algorithm 3. The enabled values of three states move to the front "
        "of the group, so the last warp has nothing to evaluate.",
    ),
    Schematic(
        "figure3_large",
        "Figure 3: one large group per state",
        "figure3",
        "a large group per state",
        LANE,
        groups,
        32,
        caption="Algorithm 1: all warps of a group work on one state.",
    ),
    Schematic(
        "figure3_small",
        "Figure 3: one warp per state",
        "figure3",
        "one warp per state",
        LANE,
        groups,
        32,
        caption="Algorithm 1 with groups of one warp: many small groups, which cost more to schedule.",
    ),
    Schematic(
        "figure3_logical",
        "Figure 3: several states per group",
        "figure3",
        "a large group for several states",
        LANE,
        groups,
        32,
        caption="Algorithm 3: each warp of a large group has its own state, and the group compacts across them.",
    ),
    Schematic(
        "figure4",
        "Figure 4: memory accesses on two states",
        "figure4",
        "",
        ELEMENT,
        memory_by_warp,
        caption="Algorithm 1 in layout A, one group per state. The warps of a group read neighbouring elements.",
    ),
    Schematic(
        "figure5",
        "Figure 5: memory accesses of Algorithm 3 in layout A",
        "figure5",
        "layout A",
        ELEMENT,
        memory_by_warp,
        caption="Layout A stores one state after the other. Each warp reads neighbouring elements of its own state, but "
        "the pieces of the group's warps are apart.",
    ),
    Schematic(
        "figure5_b",
        "Not in the paper: Algorithm 3 in layout B",
        "figure5",
        "layout B",
        ELEMENT,
        memory_by_warp,
        caption="The paper measures layout B, the transposed layout A, to show what accesses that are not coalesced cost, but "
        "draws only A and C. In B neighbouring elements belong to different states, so the lanes of a warp access elements "
        "that lie apart by the number of states.",
    ),
    Schematic(
        "figure6",
        "Figure 6: memory accesses of Algorithm 3 in layout C",
        "figure6",
        "layout C",
        ELEMENT,
        memory_by_warp,
        caption="Layout C interleaves the states in pieces of one warp: the whole group reads one contiguous piece.",
    ),
)
