"""Figures from what blocks and lanes recorded: where and when each block ran, and which branch each lane took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import exact
from plots.results import Case
from plots.spec import Title, heading, make_drawing
from plots.traces import Cell, Trace

LANE = Axis("lane of the warp", "number")
UNIT = Axis("unit of the multiprocessor", "number")
DIRECTIONS = ("east", "west", "north", "south")


def branches(trace: Trace) -> Iterator[Cell]:
    """The direction of each step of the random walk: the branch that the lane takes. Disabled lanes stay empty."""
    for warp, step in sorted({(event.warp, event.step) for event in trace.events}):
        yield Cell(f"warp {warp}, step {step}", 0)
    # One direction after another, so that each has the same colour in every panel.
    for event in sorted(trace.events, key=lambda event: DIRECTIONS.index(event.label)):
        yield Cell(f"warp {event.warp}, step {event.step}", event.lane, f"steps {event.label}")


def turns(trace: Trace) -> Iterator[Cell]:
    """Which warp's step the units execute in each turn, and with which of its lanes."""
    for event in sorted(trace.events, key=lambda event: event.element):
        yield Cell(f"turn {event.element}", event.lane, f"warp {event.warp}", str(event.step))


@dataclass(frozen=True)
class BlockTrace:
    """A number that each block recorded against the number of the block, from one run of the variant `dispatch`.

    `recorded` names the metrics without the number of the block, and the series that each becomes.
    """

    name: str
    title: str
    recorded: Mapping[str, str]
    axis: Axis
    where: Mapping[str, object]
    caption: str
    kind: str = "points"
    scale: float = 1.0
    across: bool = False
    finding: Title | None = None

    def draw(self, scope: Scope) -> Drawing:
        first = next(iter(self.recorded))
        cases = [case for case in scope.view.select(**self.where) if f"{first}0" in case.metrics]
        if not cases:
            raise NotTestable(scope.view.missing(self.where, f"the metrics {first}*"))
        series = [
            Series(label, self._points(cases[0], prefix), label, self.kind) for prefix, label in self.recorded.items()
        ]
        heads = heading(self.title, self.finding, scope.view)
        axes = (Axis("block", "number"), self.axis)
        return make_drawing(self.name, heads, scope.view, cases[:1], axes, series, "lines", self.caption)

    def _points(self, case: Case, prefix: str) -> tuple[Point, ...]:
        found = {
            int(name.removeprefix(prefix)): value for name, value in case.metrics.items() if name.startswith(prefix)
        }
        return tuple(
            Point(float(block), exact(found[block] * self.scale), case=f"block {block}") for block in sorted(found)
        )
