"""Schematic figures, drawn from traces: the emulator records each lane's steps and the elements that the lane touched.

`lockstep trace` writes results/schematics/<experiment>.json: for each figure and panel a list of events, one per lane and step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable, UserError
from plots.figures import Scope
from plots.interval import exact
from plots.load import SCHEMA, checked, document_and_digest

FOLDER = "schematics"


@dataclass(frozen=True)
class Event:
    """A lane was at `label` in `step`; `index` is the array element that it touched there, or None."""

    block: int
    warp: int
    lane: int
    step: int
    label: str
    index: int | None = None

    @property
    def element(self) -> int:
        """The index of an event that has one."""
        if self.index is None:
            raise NotTestable(f"the trace has no index at {self.label}")
        return self.index


@dataclass(frozen=True)
class Trace:
    shows: str
    parameters: Mapping[str, int]
    events: tuple[Event, ...]

    def at(self, *labels: str) -> list[Event]:
        return [event for event in self.events if event.label in labels]


@dataclass(frozen=True)
class Cell:
    """A box of a schematic: its row, its position in the row, the meaning of its colour, and its text.

    Without a colour it is empty.
    """

    row: str
    place: int
    colour: str = ""
    text: str = ""


@dataclass(frozen=True)
class Schematic:
    """Boxes in rows, drawn from a trace.

    A later cell covers an earlier one. With a `width`, the rest of a row is empty boxes.
    """

    name: str
    title: str
    figure: str
    panel: str
    axis: Axis
    cells: Callable[[Trace], Iterable[Cell]]
    width: int = 0
    caption: str = ""
    across: bool = True

    def draw(self, scope: Scope) -> Drawing:
        trace = load_traces(scope.folder, scope.view.experiment).get((self.figure, self.panel))
        if trace is None:
            raise NotTestable("no trace; ./lockstep trace records it")
        cells = list(self.cells(trace))
        if not cells:
            raise NotTestable(f"nothing of {self.figure} in its trace")
        rows = tuple(dict.fromkeys(cell.row for cell in cells))
        empty = [Cell(row, place) for row in rows for place in range(self.width)]
        colours = dict.fromkeys(cell.colour for cell in [*cells, *empty])
        boxes = {(cell.row, cell.place): cell for cell in [*empty, *cells]}
        points = {
            colour: tuple(_point(cell, rows) for cell in boxes.values() if cell.colour == colour) for colour in colours
        }
        series = [Series(colour or "none", own, colour, "cells") for colour, own in points.items() if own]
        return Drawing(
            self.name,
            self.title,
            "SIMT emulator",
            self.axis,
            Axis("row", "number"),
            tuple(series),
            "cells",
            f"results/{FOLDER}/{scope.view.experiment}.json: what the lanes did, recorded by the emulator",
            self.caption or trace.shows,
            "./lockstep trace",
            order=rows,
            width=1 + max(place for _, place in boxes),
        )


def _point(cell: Cell, rows: Sequence[str]) -> Point:
    return Point(float(cell.place), exact(rows.index(cell.row)), cell.text)


def load_traces(results: Path, experiment: str) -> dict[tuple[str, str], Trace]:
    """The traces by figure and panel; none if no trace was recorded."""
    path = results / FOLDER / f"{experiment}.json"
    if not path.is_file():
        return {}
    document, digest = document_and_digest(path)
    if document.get("lockstep_schema") != SCHEMA:
        raise UserError(f"{path} has traces of another schema", f"this program reads {SCHEMA}", "run ./lockstep trace")
    checked(path, document, digest, "traces", "run ./lockstep trace again")
    return {(entry["figure"], entry["panel"]): _trace(entry) for entry in document["schematics"]}


def _trace(entry: Mapping[str, Any]) -> Trace:
    return Trace(entry["shows"], entry["parameters"], tuple(Event(*event) for event in entry["events"]))
