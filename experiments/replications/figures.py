"""What is drawn of replications: the paper's Figure 2, from a trace."""

from __future__ import annotations

from collections.abc import Iterator

from plots.catalog import About
from plots.drawing import Axis
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Replications",
    question="Should a stochastic replication get a thread or a warp?",
    paper="Passerat-Palmbach, Schweitzer, Caux, Siregar, Mazel, Hill: Harnessing Aspect Oriented Programming on GPU: "
    "Application to Warp-Level Parallelism (WLP). International Journal of Computer Aided Engineering and Technology 7(2), 2015.",
    unit="a replication",
)

LANE = Axis("lane of the warp", "number")


def branches(trace: Trace) -> Iterator[Cell]:
    """Which branch a lane takes in each step; disabled lanes stay empty."""
    for event in sorted(trace.at("left", "right"), key=lambda event: (event.warp, event.step)):
        yield Cell(f"warp {event.warp}, step {event.step}", event.lane, f"takes the {event.label} branch")


FIGURES = (
    Schematic("figure2_warp", "Figure 2: a warp a replication", "figure2", "a warp a replication", LANE, branches, 32),
    Schematic(
        "figure2_thread", "Beside it: a thread a replication", "figure2", "a thread a replication", LANE, branches, 32
    ),
)
TABLES = ()
