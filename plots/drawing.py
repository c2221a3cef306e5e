"""The data behind a figure, before any ink: what the tests look at and what the CSV holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from plots.interval import Interval


@dataclass(frozen=True)
class Axis:
    """A labelled axis. The unit stands in brackets behind the label; '1' means a ratio or share without a unit."""

    label: str
    unit: str
    scale: str = "linear"  # linear, log2 or log10


@dataclass(frozen=True)
class Point:
    """At x (a number, or the name of a row in a dot figure) stands y."""

    x: float | str
    y: Interval
    text: str = ""  # in the box of a schematic


@dataclass(frozen=True)
class Series:
    """One line or one set of dots. `key` picks its colour; `kind` is measured, published, theory, extrapolated, trace (a line
    of many points, not marked) or points (marked, no line)."""

    label: str
    points: tuple[Point, ...]
    key: str
    kind: str = "measured"
    role: str = "paper"
    grey: bool = False  # drawn behind the others, without a name


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be drawn. `shape` is lines, dots (their rows named in the points' x) or cells (their rows numbered by y)."""

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
    order: tuple[str, ...] = ()  # of the rows of dots; empty: as they come
    mark: float | None = None  # a value to be drawn as a line across the rows
    width: int = 0  # places in a row of cells

    def row_names(self) -> list[str]:
        found = dict.fromkeys(str(point.x) for series in self.series for point in series.points)
        return [name for name in self.order if name in found] if self.order else list(found)

    def rows(self) -> list[tuple[str, str, float | str, float, float, float]]:
        return [
            (series.label, series.kind, point.x, point.y.value, point.y.low, point.y.high)
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
