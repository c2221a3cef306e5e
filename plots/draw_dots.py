"""Draws a row per name: dots, or bars that start at zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plots.canvas import LEGEND_ROW, canvas, legend
from plots.drawing import Axis, Drawing, Series
from plots.style import GRID, INK, MUTED, SURFACE, Look, Looks
from plots.ticks import scale_axis, scaled
from plots.units import digits

ROW, BAR = 0.48, 0.17  # inches per row of dots, and per bar
NAME = 0.34  # inches for the name above the bars of a row
LEFT = 0.14


def draw_dots(drawing: Drawing, looks: Looks) -> Any:
    names = drawing.row_names()
    figure, axes, scale, label = _prepared(drawing, [_row_height(drawing)] * len(names))
    places = {name: -float(index) for index, name in enumerate(names)}
    for number, (series, look) in enumerate(zip(drawing.series, looks.of(drawing.series))):
        _draw_series(axes, drawing, series, look, scale, places, number)
    for name in names:
        axes.axhline(places[name], color=GRID, linewidth=0.7, zorder=0)
        _name_row(axes, name, places[name] + 0.4)
    axes.set_ylim(-len(names) + 0.55, 0.66)
    _finish(figure, axes, drawing, scale, label)
    return figure


def draw_bars(drawing: Drawing, looks: Looks) -> Any:
    names = drawing.row_names()
    count = len(drawing.series)
    heights = [NAME + BAR * sum(any(p.x == name for p in one.points) for one in drawing.series) for name in names]
    figure, axes, scale, label = _prepared(drawing, heights)
    top = 0.0
    for name, height in zip(names, heights):
        _name_row(axes, name, top - NAME + 0.09)
        place = top - NAME
        for number, (series, look) in enumerate(zip(drawing.series, looks.of(drawing.series))):
            for index, point in enumerate(series.points):
                if point.x != name:
                    continue
                value, (low, high) = point.y.value / scale, (point.y.low / scale, point.y.high / scale)
                fill = SURFACE if series.kind == "published" else look.colour
                centre = place - BAR / 2
                bars = axes.barh(
                    [centre],
                    [value],
                    BAR * 0.8,
                    color=fill,
                    edgecolor=look.colour,
                    linewidth=1.0,
                    label=series.label if index == 0 else None,
                )
                bars[0].set_gid(f"series-{number}-point-{index}")
                if not point.y.is_exact:
                    axes.plot([low, high], [centre, centre], color=INK, linewidth=1.0, gid=f"interval-{number}")
                text = digits(value)
                axes.annotate(
                    text,
                    (max(high, value), centre),
                    (4, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=7.5,
                    color=look.colour,
                    gid=f"number-{number}",
                )
                place -= BAR
        top -= height
    axes.set_ylim(-sum(heights) - 0.06, 0.04)
    _finish(figure, axes, drawing, scale, label)
    axes.set_xlim(0, max(p.y.high / scale for one in drawing.series for p in one.points) * 1.16)
    return figure


def _row_height(drawing: Drawing) -> float:
    """Rows of three dots or more have a number above a dot, below the row's name."""
    points = [str(point.x) for series in drawing.series for point in series.points]
    return ROW + (0.14 if max(map(points.count, points), default=0) > 2 else 0.0)


def label_side(drawing: Drawing, row: str, value: float) -> str:
    """Where to write a dot's number: right of the dot; in a row of several, left of the smallest and above the middle
    ones.
    """
    values = sorted(point.y.value for series in drawing.series for point in series.points if point.x == row)
    if len(values) == 1 or value == values[-1]:
        return "right"
    return "left" if value == values[0] else "above"


def _prepared(drawing: Drawing, heights: Sequence[float]) -> tuple[Any, Any, float, str]:
    several = len(drawing.series) > 1
    marked = sum(bool(mark.text) for mark in drawing.marks)
    rows = math.ceil((len(drawing.series) * several + marked) / _columns(drawing)) if several or marked else 0
    figure, axes = canvas(drawing, sum(heights) + 0.08, 0.5 + rows * LEGEND_ROW, LEFT)
    scale, label = scaled(drawing.y, [point.y.value for series in drawing.series for point in series.points])
    return figure, axes, scale, label


def _columns(drawing: Drawing) -> int:
    words = [series.label for series in drawing.series] + [mark.text for mark in drawing.marks]
    return 2 if max(map(len, words), default=0) < 30 else 1


def _draw_series(
    axes: Any, drawing: Drawing, series: Series, look: Look, scale: float, places: dict[str, float], number: int
) -> None:
    ys = [places[str(point.x)] for point in series.points]
    for point, y in zip(series.points, ys):
        low, high = point.y.low / scale, point.y.high / scale
        bar = dict(color=look.colour, linewidth=2.6, alpha=0.45, solid_capstyle="butt", gid=f"interval-{number}")
        axes.plot([low, high], [y, y], **bar)
        side = label_side(drawing, str(point.x), point.y.value)
        text = dict(color=look.colour, gid=f"number-{number}")
        _label_dot(axes, digits(point.y.value / scale), (low, point.y.value / scale, high), y, side, text)
    filled = SURFACE if series.kind == "published" else look.colour
    style = dict(marker=look.marker, linestyle="none", color=look.colour, markerfacecolor=filled, zorder=3)
    axes.plot(
        [point.y.value / scale for point in series.points], ys, label=series.label, gid=f"series-{number}", **style
    )


def _name_row(axes: Any, name: str, y: float) -> None:
    axes.annotate(name, (0, y), xycoords=("axes fraction", "data"), ha="left", va="center", fontsize=8.5, color=INK)


def _label_dot(
    axes: Any, text: str, spread: tuple[float, float, float], y: float, side: str, look: dict[str, Any]
) -> None:
    x, offset, across, upright = {
        "right": (spread[2], (6, 0), "left", "center"),
        "left": (spread[0], (-6, 0), "right", "center"),
        "above": (spread[1], (0, 4), "center", "bottom"),
    }[side]
    style = dict(textcoords="offset points", ha=across, va=upright, fontsize=7.5, **look)
    axes.annotate(text, (x, y), xytext=offset, **style)


def _finish(figure: Any, axes: Any, drawing: Drawing, scale: float, label: str) -> None:
    """Marks, scale, label and legend."""
    for mark in drawing.marks:
        text = f"{mark.text}: {digits(mark.value / scale)}" if mark.text and len(drawing.marks) else None
        axes.axvline(mark.value / scale, color=MUTED, linewidth=0.9, linestyle=(0, (3, 2)), zorder=1, label=text)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    bounds = [bound for one in drawing.series for point in one.points for bound in (point.y.low, point.y.high)]
    _limits(axes, drawing.y, [value / scale for value in [*bounds, *(mark.value for mark in drawing.marks)]])
    if drawing.shape == "dots":
        scale_axis(axes.xaxis, axes.set_xscale, drawing.y, [])
    axes.set_xlabel(label, loc="left")
    if len(drawing.series) > 1 or any(mark.text for mark in drawing.marks):
        legend(figure, _columns(drawing))


def _limits(axes: Any, axis: Axis, values: Sequence[float]) -> None:
    if axis.scale == "linear":
        axes.set_xlim(min(0.0, min(values)), max([*values, 0.0]) * 1.1 or 1.0)
        return
    low, high = min(values), max(values)
    # Small numbers, which have many digits, are written left of their dots.
    axes.set_xlim(low / max((high / low) ** 0.2, 1.3), high * max((high / low) ** 0.16, 1.3))
