"""What is drawn of rule_interpreter: the paper's schematic figures, from traces of its algorithms' lanes."""

from __future__ import annotations

from collections.abc import Iterator

from plots.catalog import About
from plots.drawing import Axis
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Rule interpreter",
    question="Does compacting threads across states pay, and in which memory layout?",
    paper="Köster, Groß, Krüger: Massively Parallel Rule-Based Interpreter Execution on GPUs Using Thread Compaction. "
    "International Journal of Parallel Programming 48(3), 2020.",
    unit="a state",
)

LANE = Axis("lane of the warp", "number")
ELEMENT = Axis("element in memory", "index")


def divergence(trace: Trace) -> Iterator[Cell]:
    """Lanes that evaluate cover those that only checked."""
    for label, meaning in (("condition", "checks the condition, then waits"), ("evaluate", "evaluates")):
        for event in sorted(trace.at(label), key=lambda event: (event.step, event.warp)):
            yield Cell(f"iteration {event.step + 1}, warp {event.warp}", event.lane, meaning)


def compaction(trace: Trace) -> Iterator[Cell]:
    """Where the enabled values stand before and after, coloured by the warp that they come from."""
    for event in sorted(trace.at("enabled"), key=lambda event: event.warp):
        yield Cell(f"before, warp {event.warp}", event.lane, f"value of warp {event.warp}")
    for warp in range(trace.parameters["states"]):
        yield Cell(f"after, warp {warp}", 0)
    for event in sorted(trace.at("origin"), key=lambda event: event.warp):
        yield Cell(f"after, warp {event.warp}", event.lane, f"value of warp {event.element}")


def groups(trace: Trace) -> Iterator[Cell]:
    """Which state each lane works on."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.block, event.warp)):
        state = event.element // trace.parameters["range"]
        yield Cell(f"group {event.block}, warp {event.warp}", event.lane, f"state {state}")


def memory_by_iteration(trace: Trace) -> Iterator[Cell]:
    for event in trace.at("condition"):
        yield Cell("memory", event.element, f"iteration {event.step + 1}")


def memory_by_warp(trace: Trace) -> Iterator[Cell]:
    """What each iteration of the loop touches, coloured by warp."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.step, event.block)):
        group = f"group {event.block}, " if trace.parameters["states"] == 2 else ""
        yield Cell(f"{group}iteration {event.step + 1}", event.element, f"warp {event.warp}")


FIGURES = (
    Schematic("figure1_lanes", "Figure 1: divergence of Algorithm 1", "figure1", "", LANE, divergence, 32),
    Schematic("figure1_memory", "Figure 1: memory of Algorithm 1", "figure1", "", ELEMENT, memory_by_iteration),
    Schematic("figure2", "Figure 2: compaction", "figure2", "", LANE, compaction, 32),
    Schematic("figure3_large", "Figure 3: a large group a state", "figure3", "a large group a state", LANE, groups, 32),
    Schematic("figure3_small", "Figure 3: a warp a state", "figure3", "a group of one warp a state", LANE, groups, 32),
    Schematic(
        "figure3_logical", "Figure 3: logical groups", "figure3", "a large group for several states", LANE, groups, 32
    ),
    Schematic("figure4", "Figure 4: Algorithm 1, two states", "figure4", "", ELEMENT, memory_by_warp),
    Schematic("figure5", "Figure 5: Algorithm 3, layout A", "figure5", "layout A", ELEMENT, memory_by_warp),
    Schematic("figure5_b", "Beside Figure 5: layout B", "figure5", "layout B", ELEMENT, memory_by_warp),
    Schematic("figure6", "Figure 6: Algorithm 3, layout C", "figure6", "layout C", ELEMENT, memory_by_warp),
)
TABLES = ()
