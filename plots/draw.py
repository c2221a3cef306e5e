"""Draws a Drawing as SVG and PNG, narrow enough to be read on a phone."""

from __future__ import annotations

import hashlib
import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: E402

from plots.canvas import LEGEND_ROW, canvas, legend  # noqa: E402
from plots.draw_cells import draw_cells  # noqa: E402
from plots.drawing import Axis, Drawing, Point, Series  # noqa: E402
from plots.escape import mathtext  # noqa: E402
from plots.style import GRID, INK, MUTED, RC, SURFACE, Looks  # noqa: E402
from plots.units import axis_label, digits, join_unit, prefix_of, tick_text  # noqa: E402

ROW = 0.48  # inches per row of dots


def draw(drawing: Drawing, looks: Looks, *kinds: str) -> dict[str, bytes]:
    """The bytes of the figure in each kind ("svg", "png"). The same data gives the same SVG."""
    salt = hashlib.sha256((drawing.name + drawing.device + drawing.csv()).encode()).hexdigest()[:12]
    with matplotlib.rc_context(dict[Any, Any](RC) | {"svg.hashsalt": salt}), warnings.catch_warnings():
        # The names of foreign devices may have letters that the font lacks.
        warnings.simplefilter("ignore", UserWarning)
        figure = SHAPES[drawing.shape](escaped(drawing), looks)
        files = {kind: _saved(figure, kind, drawing.title) for kind in kinds}
        plt.close(figure)
    return files


def escaped(drawing: Drawing) -> Drawing:
    """The drawing with all of its texts as matplotlib takes them."""

    def point(one: Point) -> Point:
        return replace(one, x=mathtext(one.x) if isinstance(one.x, str) else one.x, text=mathtext(one.text))

    def axis(one: Axis) -> Axis:
        return replace(one, label=mathtext(one.label), unit=mathtext(one.unit))

    return replace(
        drawing,
        title=mathtext(drawing.title),
        device=mathtext(drawing.device),
        source=mathtext(drawing.source),
        x=axis(drawing.x),
        y=axis(drawing.y),
        series=tuple(
            replace(one, label=mathtext(one.label), points=tuple(map(point, one.points))) for one in drawing.series
        ),
        order=tuple(map(mathtext, drawing.order)),
    )


def _saved(figure: Any, kind: str, title: str) -> bytes:
    file = io.BytesIO()
    metadata = {"Date": None, "Creator": "lockstep", "Title": title} if kind == "svg" else {"Title": title}
    figure.savefig(file, format=kind, dpi=160, metadata=metadata)
    return file.getvalue()


def _lines(drawing: Drawing, looks: Looks) -> Any:
    grey = [one.label for one in drawing.series if one.grey]
    shown = len(drawing.series) - len(grey) + bool(grey)
    columns = 2 if shown > 1 else 1
    legend_rows = math.ceil(shown / columns)
    below = 0.5 + legend_rows * LEGEND_ROW
    figure, axes = canvas(drawing, 2.4, below, 0.62)
    scale, title = _scaled(drawing.y, [point.y.value for series in drawing.series for point in series.points])
    for number, (series, look) in enumerate(zip(drawing.series, looks.of(drawing.series))):
        xs = [float(point.x) for point in series.points]
        ys = [point.y.value / scale for point in series.points]
        filled = look.colour if series.kind in ("measured", "points") else SURFACE
        style = dict(color=look.colour, marker=look.marker or None, linestyle=look.dash, linewidth=look.width)
        label = series.label
        if series.grey:
            label = f"{len(grey)} others, listed in the CSV" if series.label == grey[0] else "_"
        axes.plot(
            xs, ys, gid=f"series-{number}", label=label, markerfacecolor=filled, markeredgecolor=look.colour, **style
        )
        if not series.grey and any(not point.y.is_exact for point in series.points):
            lows, highs = (
                [bound / scale for bound in bounds] for bounds in zip(*((p.y.low, p.y.high) for p in series.points))
            )
            axes.vlines(xs, lows, highs, color=look.colour, linewidth=3.2, alpha=0.3)
    _scale_axis(axes.xaxis, axes.set_xscale, drawing.x, _numbers(drawing.series))
    _scale_axis(axes.yaxis, axes.set_yscale, drawing.y, [])
    if drawing.y.scale == "linear":
        axes.set_ylim(bottom=0)
    axes.set_xlabel(axis_label(drawing.x.label, drawing.x.unit), loc="left")
    axes.set_title(title, loc="left", fontsize=8.5, color=INK, pad=5)
    legend(figure, columns)
    return figure


def _dots(drawing: Drawing, looks: Looks) -> Any:
    names = drawing.row_names()
    several = len(drawing.series) > 1
    below = 0.5 + (math.ceil(len(drawing.series) / 2) * LEGEND_ROW if several else 0)
    figure, axes = canvas(drawing, ROW * len(names) + 0.08, below, 0.14)
    values = [bound for series in drawing.series for point in series.points for bound in (point.y.low, point.y.high)]
    scale, label = _scaled(drawing.y, [point.y.value for series in drawing.series for point in series.points])
    row = {name: -index for index, name in enumerate(names)}
    for number, (series, look) in enumerate(zip(drawing.series, looks.of(drawing.series))):
        filled = SURFACE if series.kind == "published" else look.colour
        for index, point in enumerate(series.points):
            y = row[str(point.x)]
            low, high = point.y.low / scale, point.y.high / scale
            axes.plot([low, high], [y, y], color=look.colour, linewidth=2.6, alpha=0.45, solid_capstyle="butt")
            style = dict(marker=look.marker, linestyle="none", color=look.colour, markerfacecolor=filled, zorder=3)
            axes.plot(
                [point.y.value / scale],
                [y],
                label=series.label if index == 0 else None,
                gid=f"series-{number}",
                **style,
            )
            side = label_side(drawing, str(point.x), point.y.value)
            _label_dot(axes, digits(point.y.value / scale), (low, point.y.value / scale, high), y, side, look.colour)
    if drawing.mark is not None:
        axes.axvline(drawing.mark / scale, color=MUTED, linewidth=0.9, linestyle=(0, (3, 2)), zorder=1)
    for name in names:
        axes.axhline(row[name], color=GRID, linewidth=0.7, zorder=0)
        axes.annotate(
            name,
            (0, row[name] + 0.4),
            xycoords=("axes fraction", "data"),
            ha="left",
            va="center",
            fontsize=8.5,
            color=INK,
        )
    axes.set_ylim(-len(names) + 0.55, 0.66)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    _dot_limits(axes, drawing.y, [value / scale for value in values])
    _scale_axis(axes.xaxis, axes.set_xscale, drawing.y, [])
    axes.set_xlabel(label, loc="left")
    if several:
        legend(figure, 2)
    return figure


def label_side(drawing: Drawing, row: str, value: float) -> str:
    """Where to write a dot's number: right of the dot; in a row of several, left of the smallest and above the middle
    ones.
    """
    values = sorted(point.y.value for series in drawing.series for point in series.points if point.x == row)
    if len(values) == 1 or value == values[-1]:
        return "right"
    return "left" if value == values[0] else "above"


def _label_dot(axes: Any, text: str, spread: tuple[float, float, float], y: float, side: str, colour: str) -> None:
    x, offset, across, upright = {
        "right": (spread[2], (6, 0), "left", "center"),
        "left": (spread[0], (-6, 0), "right", "center"),
        "above": (spread[1], (0, 4), "center", "bottom"),
    }[side]
    style = dict(textcoords="offset points", ha=across, va=upright, fontsize=7.5, color=colour)
    axes.annotate(text, (x, y), xytext=offset, **style)


def _dot_limits(axes: Any, axis: Axis, values: Sequence[float]) -> None:
    if axis.scale == "linear":
        axes.set_xlim(min(0.0, min(values)), max([*values, 0.0]) * 1.1 or 1.0)
        return
    low, high = min(values), max(values)
    margin = max((high / low) ** 0.16, 1.3)
    axes.set_xlim(low / margin, high * margin)


def _scaled(axis: Axis, values: Sequence[float]) -> tuple[float, str]:
    scale, prefix = prefix_of(max(values, default=1.0), axis.unit)
    return scale, axis_label(axis.label, join_unit(prefix, axis.unit))


def _numbers(series: Sequence[Series]) -> list[float]:
    return sorted({float(point.x) for one in series if one.kind != "theory" for point in one.points})


def _scale_axis(axis: Any, set_scale: Any, described: Axis, xs: Sequence[float]) -> None:
    """Sets the scale, few ticks and plain numbers. If the data has few x values, the ticks are there."""
    axis.set_minor_formatter(NullFormatter())
    if described.scale == "linear":
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    elif xs and any(x <= 0 for x in xs):
        set_scale("symlog", base=2, linthresh=1)
    else:
        set_scale("log", base=2 if described.scale == "log2" else 10)
        axis.set_major_locator(LogLocator(base=2 if described.scale == "log2" else 10, numticks=7))
        low, high = axis.get_view_interval()
        if described.scale == "log10" and high / low < 300:
            axis.set_major_locator(LogLocator(base=10, subs=(1.0, 2.0, 5.0), numticks=12))
    if described.scale != "linear" and 0 < len(xs) <= 7 and _apart(xs):
        axis.set_major_locator(FixedLocator(xs))
    axis.set_minor_locator(FixedLocator([]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick_text(value)))


def _apart(xs: Sequence[float]) -> bool:
    return all(later > 0 and (earlier <= 0 or later / earlier > 1.5) for earlier, later in zip(xs, xs[1:]))


SHAPES = {"lines": _lines, "dots": _dots, "cells": draw_cells}
