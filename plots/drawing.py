"""The data of a figure, before it is drawn. Tests check it, and the CSV holds it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from plots.interval import Interval


@dataclass(frozen=True)
class Axis:
    """A labelled axis. The unit follows the label in brackets; '1' means a ratio or share without a unit."""

    label: str
    unit: str
    scale: str = "linear"  # linear, log2 or log10


@dataclass(frozen=True)
class Point:
    """y at x, where x is a number or, in a dot figure, the name of a row."""

    x: float | str
    y: Interval
    text: str = ""  # in the box of a schematic
    case: str = ""  # what was measured, for the page's tooltip


@dataclass(frozen=True)
class Series:
    """One line or one set of dots. `key` picks its colour; `kind` is measured, published, theory, extrapolated, trace (a line
    of many points, not marked) or points (marked, no line). Series of one `panel` share a plot."""

    label: str
    points: tuple[Point, ...]
    key: str
    kind: str = "measured"
    role: str = "paper"
    grey: bool = False  # drawn behind the others, not named
    panel: str = ""


@dataclass(frozen=True)
class Mark:
    """A labelled line at a value of an axis: a number that a paper states, or one that divides the figure."""

    value: float
    text: str = ""
    axis: str = "y"


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be drawn. `shape` is lines, dots or bars (x names the row), or cells (y is the row number).

    `title` says what was found. `topic` says what is drawn; it is empty if the title does.
    """

    name: str
    title: str
    device: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    shape: str
    source: str
    caption: str = ""
    command: str = ""
    order: tuple[str, ...] = ()  # of the rows of dots; empty: as given
    marks: tuple[Mark, ...] = ()
    width: int = 0  # boxes per row of cells
    topic: str = ""

    @property
    def heading(self) -> str:
        """The line below the title."""
        return ": ".join(filter(None, (self.topic, self.device)))

    def panels(self) -> list[str]:
        """The names of the panels; one without a name in most figures."""
        return list(dict.fromkeys(series.panel for series in self.series))

    def row_names(self) -> list[str]:
        found = dict.fromkeys(str(point.x) for series in self.series for point in series.points)
        return [name for name in self.order if name in found] if self.order else list(found)

    def rows(self) -> list[tuple[str, str, float | str, float, float, float]]:
        return [
            (
                ", ".join(filter(None, (series.panel, series.label))),
                series.kind,
                point.x,
                point.y.value,
                point.y.low,
                point.y.high,
            )
            for series in self.series
            for point in series.points
        ]

    def csv(self) -> str:
        quantity = f"{self.y.label} ({self.y.unit})"
        header = ("series", "kind", f"{self.x.label} ({self.x.unit})", quantity, "low", "high")
        return to_csv(header, self.rows())


def to_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
