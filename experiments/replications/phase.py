"""Where a warp per replication wins: steps that really branch, by number and length of branches, memory and replications.

The rows are those of the synthetic model `branches`; `BRANCH_PANELS` lists the panels of the phase diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from experiments.replications.measures import CHOSEN, CHUNK_WALK, ratios
from experiments.replications.wording import branches, counted, grouped, times_as_fast
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import Interval, exact
from plots.markdown import table
from plots.results import GPU, Case, View
from plots.spec import Title, heading, make_drawing
from plots.tables import MISSING
from plots.units import digits

Panel = Mapping[str, object]

#: Name of a panel, and its axes.
BRANCH_PANELS: Mapping[str, Panel] = {
    "short branches": dict(rounds="4", loads="0"),
    "long branches": dict(rounds="64", loads="0"),
    "short branches and reads of memory": dict(rounds="4", loads="4"),
}
#: What a box can say, and its colour: the least ratio of threads' time to that of warps.
CLASSES: tuple[tuple[float, str, str], ...] = (
    (6.0, "warp at least 6x as fast (the paper's factor)", "warp_6"),
    (2.0, "warp 2x to 6x as fast", "warp_2"),
    (1.1, "warp 1.1x to 2x as fast", "warp_1"),
    (1 / 1.1, "equal within 10%", "equal"),
    (0.0, "thread more than 1.1x as fast", "thread_1"),
)
AXIS_ROW = ("branches per step", "branches_axis")


@dataclass(frozen=True)
class Cell:
    """One combination of the phase diagram: time of threads over that of warps."""

    panel: str
    ways: int
    count: int
    ratio: Interval

    def words(self) -> str:
        return f"{self.panel}, {branches(self.ways)} per step, {counted(self.count, 'replication')}"


def cells(view: View, panels: Mapping[str, Panel] = BRANCH_PANELS) -> list[Cell]:
    """Every combination that has times of both schemes."""
    found = [cell for name, panel in panels.items() for cell in _cells(view, name, panel)]
    if not found:
        raise NotTestable(view.missing({"model": "branches", "machine": GPU}, "times of warps and threads"))
    return found


def _cells(view: View, name: str, panel: Panel) -> Iterator[Cell]:
    where: dict[str, object] = dict(model="branches", machine=GPU, engine="taus88", **panel, **CHOSEN)
    times: dict[tuple[int, int, str], Interval] = {}
    for case in view.select(variant=("threads", "warps"), **where):
        if case.time is not None:
            times[(int(case.axes["replications"]), int(case.axes["ways"]), case.variant)] = case.time
    for count, ways in sorted({key[:2] for key in times}):
        threads, warps = times.get((count, ways, "threads")), times.get((count, ways, "warps"))
        if threads is not None and warps is not None:
            yield Cell(name, ways, count, threads / warps)


def class_of(ratio: float) -> int:
    return next(index for index, (least, _, _) in enumerate(CLASSES) if ratio >= least)


@dataclass(frozen=True)
class PhaseDiagram:
    """A panel: a row per number of replications, a column per number of branches, coloured by the faster scheme."""

    name: str
    title: str
    panel: str
    caption: str
    across: bool = False

    @property
    def finding(self) -> Title:
        return panel_headline(self.panel)

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        found = cells(view, {self.panel: BRANCH_PANELS[self.panel]})
        columns = sorted({cell.ways for cell in found})
        counts = sorted({cell.count for cell in found}, reverse=True)
        rows = [*(f"{grouped(count)} replications" for count in counts), AXIS_ROW[0]]
        series = [self._boxes(found, index, columns, counts) for index in range(len(CLASSES))]
        axis = tuple(Point(i, exact(len(counts)), text=str(ways)) for i, ways in enumerate(columns))
        series = [one for one in series if one.points] + [Series(AXIS_ROW[0], axis, AXIS_ROW[1])]
        axes = (Axis("branches per step", "name"), Axis("row", "number"))
        heads = heading(self.title, self.finding, view)
        drawing = make_drawing(self.name, heads, view, self._cases(view), axes, series, "cells", self.caption)
        return _with_rows(drawing, rows, len(columns))

    def _boxes(self, found: list[Cell], index: int, columns: list[int], counts: list[int]) -> Series:
        _, label, key = CLASSES[index]
        points = tuple(
            Point(columns.index(cell.ways), exact(counts.index(cell.count)), text=digits(cell.ratio.value, 2))
            for cell in found
            if class_of(cell.ratio.value) == index
        )
        return Series(label, points, key)

    def _cases(self, view: View) -> list[Case]:
        return view.select(
            variant=("threads", "warps"), model="branches", machine=GPU, **BRANCH_PANELS[self.panel], **CHOSEN
        )


def _with_rows(drawing: Drawing, rows: list[str], width: int) -> Drawing:
    return replace(drawing, order=tuple(rows), width=width)


def panel_headline(panel: str) -> Callable[[View], str]:
    def headline(view: View) -> str:
        found = cells(view, {panel: BRANCH_PANELS[panel]})
        most = max(found, key=lambda cell: cell.ratio.value)
        if most.ratio.value < 1.1:
            return "A warp per replication is nowhere 1.1x as fast as a thread"
        where = f"{_steps(view, panel)}{branches(most.ways)}, {counted(most.count, 'replication')}"
        return f"{where}: a warp is up to {times_as_fast(most.ratio)} as fast as a thread"

    return headline


def _steps(view: View, panel: str) -> str:
    """'200 steps of ', if all rows of the panel have as many."""
    rows: dict[str, object] = dict(variant=("threads", "warps"), model="branches", machine=GPU)
    found = view.values("steps", **rows, **BRANCH_PANELS[panel], **CHOSEN)
    return f"{grouped(int(found[0]))} steps of " if len(found) == 1 else "steps of "


def chunk_walk_headline(view: View) -> str:
    """For the figure of the walk that branches on its chunk."""
    found = ratios(view, "threads", "warps", {**CHUNK_WALK, **CHOSEN, "machine": GPU})
    count = max(found, key=lambda one: found[one].value)
    steps = grouped(int(str(CHUNK_WALK["steps"])))
    where = f"Chunk walk of {steps} steps, {counted(count, 'replication')}"
    return f"{where}: a warp is up to {times_as_fast(found[count])} as fast as a thread"


def where_warps_win(view: View) -> str:
    """Of all measured combinations: in how many the warp wins, the largest gain, and where the paper's factor returns."""
    found = cells(view)
    faster = [cell for cell in found if cell.ratio.low > 1.1]
    slower = [cell for cell in found if cell.ratio.high < 1 / 1.1]
    most = max(found, key=lambda cell: cell.ratio.value)
    least = min(found, key=lambda cell: cell.ratio.value)
    return (
        f"Of {len(found)} measured combinations of branches, their length, memory, and replications, a warp per replication "
        f"is more than 1.1x as fast as a thread in {len(faster)}, and a thread is more than 1.1x as fast as a warp in "
        f"{len(slower)}. The largest gain of the warp is {times_as_fast(most.ratio)} ({most.words()}), and that of the "
        f"thread is {times_as_fast(least.ratio.inverse())} ({least.words()}). {paper_factor(view)}"
    )


def paper_factor(view: View) -> str:
    """Whether the paper's 6x comes back, and from how many branches on."""
    factor = view.fact("tlp_over_wlp")
    reached = [cell for cell in cells(view) if cell.ratio.value >= factor]
    if not reached:
        return f"The paper's factor of {factor:g} is not reached anywhere."
    counts = [cell.count for cell in reached]
    return (
        f"The paper's factor of {factor:g} comes back in {len(reached)} of them: from "
        f"{branches(min(cell.ways for cell in reached))} per step on, with {grouped(min(counts))} to "
        f"{counted(max(counts), 'replication')}."
    )


def phase_table(view: View) -> str:
    """For each panel and number of branches, the largest number of replications at which the warp is the faster one."""
    found = cells(view)
    columns = sorted({cell.ways for cell in found})
    rows = []
    for panel in dict.fromkeys(cell.panel for cell in found):
        row = [panel]
        for ways in columns:
            here = [cell for cell in found if cell.panel == panel and cell.ways == ways]
            won = [cell.count for cell in here if cell.ratio.low > 1]
            row.append(grouped(max(won)) if won else ("none" if here else MISSING))
        rows.append(row)
    head = ("a warp is faster up to (replications)", *map(branches, columns))
    return table(head, rows)


def chunk_walk_table(view: View) -> str:
    """The walk that branches on its chunk, beside the four-way one: threads over warps by replications."""
    by_chunk = ratios(view, "threads", "warps", {**CHUNK_WALK, **CHOSEN, "machine": GPU})
    long: dict[str, object] = {**CHUNK_WALK, "rounds": "64"}
    rows = []
    try:
        by_long = ratios(view, "threads", "warps", {**long, **CHOSEN, "machine": GPU})
    except NotTestable:
        by_long = {}
    for count, ratio in by_chunk.items():
        rows.append(
            (grouped(count), times_as_fast(ratio), times_as_fast(by_long[count]) if count in by_long else MISSING)
        )
    head = ("replications", "warp against thread, 30 ways of 4 rounds", "30 ways of 64 rounds")
    return table(head, rows)
