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


def canvas(drawing: Drawing, plot_height: float, below: float, left: float) -> tuple[Any, Any]:
    """A figure with its title, device and source line, and axes of a given height in inches above `below`."""
    lines = textwrap.wrap(drawing.title, TITLE_COLUMNS) or [""]
    more = (len(lines) - 1) * TITLE_LINE
    height = TOP + more + plot_height + below + SOURCE
    figure = plt.figure(figsize=(WIDTH, height))
    figure.text(
        0.02, 1 - 0.09 / height, "\n".join(lines), ha="left", va="top", fontsize=10.5, fontweight="bold", color=INK
    )
    figure.text(0.02, 1 - (0.31 + more) / height, drawing.device, ha="left", va="top", fontsize=9, color=MUTED)
    source = textwrap.fill(drawing.source, 88, break_long_words=False, break_on_hyphens=False)
    figure.text(0.02, 0.05 / height, source, ha="left", va="bottom", fontsize=6.2, color=MUTED, linespacing=1.1)
    axes = figure.add_axes((left / WIDTH, (below + SOURCE) / height, 1 - (left + 0.16) / WIDTH, plot_height / height))
    return figure, axes


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
