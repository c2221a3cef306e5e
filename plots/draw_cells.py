"""Draws a schematic: rows of boxes, coloured by what a lane did there, empty if no lane was there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from plots.canvas import LEGEND_ROW, canvas, legend
from plots.drawing import Drawing, Series
from plots.style import GRID, ON_FILL, SURFACE, Looks
from plots.units import axis_label

ROW, GAP = 0.2, 0.05  # inches per row, and between two rows
LETTER = 0.075  # inches per letter of a row's name
MAX_BOXES = 48  # a longer row is drawn as bands, not as single boxes


def draw_cells(drawing: Drawing, looks: Looks) -> Any:
    rows = drawing.order
    coloured = [series for series in drawing.series if series.key]
    columns = 2 if max(len(series.label) for series in coloured) < 24 else 1
    below = 0.52 + math.ceil(len(coloured) / columns) * LEGEND_ROW
    figure, axes = canvas(drawing, ROW * len(rows), below, 0.25 + LETTER * max(len(row) for row in rows))
    colours = dict(zip((series.key for series in coloured), (look.colour for look in looks.of(coloured))))
    for series in drawing.series:
        _draw_series(axes, series, drawing, colours.get(series.key))
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(len(rows), 0)
    axes.set_yticks([row + 0.5 for row in range(len(rows))], rows)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    if drawing.x.unit == "name":
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
    else:
        axes.set_xlabel(axis_label(drawing.x.label, drawing.x.unit), loc="left")
    legend(figure, columns, [Patch(facecolor=colours[series.key], label=series.label) for series in coloured])
    return figure


def _draw_series(axes: Any, series: Series, drawing: Drawing, colour: str | None) -> None:
    """Draws the boxes of a series and their texts. Without a colour, boxes are empty."""
    single = drawing.width <= MAX_BOXES
    for row in range(len(drawing.order)):
        taken = sorted(int(float(point.x)) for point in series.points if point.y.value == row)
        for first, length in _runs(taken, single):
            # add_patch would also find limits, which are known.
            axes.add_artist(_box(first, row, length, single, colour or SURFACE, colour or GRID))
    for point in series.points:
        if point.text:
            centre = (float(point.x) + 0.5, point.y.value + 0.5)
            axes.annotate(point.text, centre, ha="center", va="center", fontsize=7.5, color=ON_FILL)


def _runs(indices: Sequence[int], single: bool) -> Iterator[tuple[int, int]]:
    """Each index by itself, or runs of neighbours: (first index, length)."""
    first = last = None
    for index in indices:
        if first is not None and last is not None and not single and index == last + 1:
            last = index
            continue
        if first is not None and last is not None:
            yield first, last - first + 1
        first = last = index
    if first is not None and last is not None:
        yield first, last - first + 1


def _box(first: int, row: int, length: int, single: bool, fill: str, edge: str) -> Rectangle:
    inset = 0.08 if single else 0.0
    gap = GAP / ROW
    size = (length - 2 * inset, 1 - gap)
    return Rectangle((first + inset, row + gap / 2), *size, facecolor=fill, edgecolor=edge, linewidth=0.6)
