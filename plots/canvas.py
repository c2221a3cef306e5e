"""The page layout of every figure: title, device, source and legend at fixed positions. Sizes are in inches."""

from __future__ import annotations

import textwrap
from typing import Any

import matplotlib.pyplot as plt

from plots.drawing import Drawing
from plots.style import INK, MUTED

WIDTH = 4.6
TOP, LEGEND_ROW, SOURCE = 0.66, 0.19, 0.3
TITLE_COLUMNS, TITLE_LINE = 48, 0.17  # letters per line of the title, and inches per further line
HEADING_COLUMNS, HEADING_LINE = 62, 0.15
SOURCE_COLUMNS = 80
PANEL_GAP, PANEL_SPACE = 0.52, 0.4  # inches between two rows of panels, and between two columns


def canvas(drawing: Drawing, plot_height: float, below: float, left: float, right: float = 0.16) -> tuple[Any, Any]:
    """A figure with its title, device and source line, and axes of a given height in inches above `below`."""
    figure, height = _page(drawing, plot_height + below)
    size = ((left / WIDTH), (below + SOURCE) / height, 1 - (left + right) / WIDTH, plot_height / height)
    axes = figure.add_axes(size)
    axes.set_title("")
    return figure, axes


def panel_canvas(drawing: Drawing, count: int, plot_height: float, below: float, left: float) -> tuple[Any, list[Any]]:
    """The same with `count` axes in two columns. Each has a line for its title above it."""
    rows = (count + 1) // 2
    step = plot_height + PANEL_GAP
    figure, height = _page(drawing, rows * step + below)
    wide = (WIDTH - left - 0.16 - PANEL_SPACE) / 2
    grid = []
    for index in range(count):
        x = left + (index % 2) * (wide + PANEL_SPACE)
        y = below + SOURCE + (rows - 1 - index // 2) * step
        axes = figure.add_axes((x / WIDTH, y / height, wide / WIDTH, plot_height / height))
        axes.tick_params(labelsize=7.5)
        grid.append(axes)
    return figure, grid


def _page(drawing: Drawing, inner: float) -> tuple[Any, float]:
    """A figure with `inner` inches for plots and legend, and its height."""
    lines = textwrap.wrap(drawing.title, TITLE_COLUMNS) or [""]
    heading = textwrap.wrap(drawing.heading, HEADING_COLUMNS) or [""]
    more = (len(lines) - 1) * TITLE_LINE
    height = TOP + more + (len(heading) - 1) * HEADING_LINE + inner + SOURCE
    figure = plt.figure(figsize=(WIDTH, height))
    style = dict(ha="left", va="top")
    bold = dict(fontsize=10.5, fontweight="bold", color=INK)
    figure.text(0.02, 1 - 0.09 / height, "\n".join(lines), **style, **bold)
    figure.text(0.02, 1 - (0.31 + more) / height, "\n".join(heading), **style, fontsize=9, color=MUTED)
    source = textwrap.fill(drawing.source, SOURCE_COLUMNS, break_long_words=False, break_on_hyphens=False)
    figure.text(0.02, 0.05 / height, source, ha="left", va="bottom", fontsize=6.2, color=MUTED, linespacing=1.1)
    return figure, height


def legend(figure: Any, columns: int, handles: list[Any] | None = None) -> None:
    """Draws the legend below the axes and above the source line."""
    figure.legend(
        **({} if handles is None else {"handles": handles}),
        loc="lower left",
        bbox_to_anchor=(0.01, (SOURCE - 0.02) / figure.get_size_inches()[1]),
        ncol=columns,
        columnspacing=1.6,
        handlelength=2.6,
        labelspacing=0.35,
        borderaxespad=0.2,
    )
