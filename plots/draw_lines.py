"""Draws lines: one plot with labels at the lines' ends, or a small plot per panel with one legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matplotlib.lines import Line2D

from plots.canvas import LEGEND_ROW, WIDTH, canvas, legend, panel_canvas
from plots.drawing import Drawing, Mark, Series
from plots.line_labels import Label, height, merged, place, width
from plots.style import FAINT, INK, MUTED, SURFACE, Look, Looks
from plots.ticks import scale_axis, scaled
from plots.units import axis_label

HEIGHT, PANEL_HEIGHT = 2.4, 1.35
BELOW = 0.42  # inches for the x axis
LEFT = 0.62


def draw_lines(drawing: Drawing, looks: Looks) -> Any:
    if len(drawing.panels()) > 1:
        return _draw_panels(drawing, looks)
    named = [one for one in drawing.series if not one.grey]
    texts = merged(named)
    others = [one for one in drawing.series if one.grey]
    levels = [mark for mark in drawing.marks if mark.axis == "y"]
    words = [text for _, text in texts] + ([_others(others)] if others else []) + [mark.text for mark in levels]
    tall = max(HEIGHT, height(words) - 0.1)
    margin = width(words)
    figure, axes = canvas(drawing, tall, BELOW, LEFT, margin)
    shown = list(zip(range(len(drawing.series)), drawing.series, looks.of(drawing.series)))
    scale, title = _draw_plot(axes, _levels_unnamed(drawing), shown)
    axes.set_xlabel(axis_label(drawing.x.label, drawing.x.unit), loc="left")
    axes.set_title(title, loc="left", fontsize=8.5, color=INK, pad=5)
    colours = {id(one): look.colour for _, one, look in shown}
    labels = [_label(drawing, group, text, colours[id(group[-1])], scale) for group, text in texts if group[-1].points]
    if others:
        labels.append(_label(drawing, others[::-1], _others(others), MUTED, scale))
    right = float(axes.get_xlim()[1])
    labels += [Label(mark.text, MUTED, (right, mark.value / scale)) for mark in levels if mark.text]
    place(axes, labels, (WIDTH - LEFT - margin, tall))
    return figure


def _levels_unnamed(drawing: Drawing) -> Drawing:
    """Without the texts of its levels, which are beside the plot like the names of lines."""
    return replace(
        drawing, marks=tuple(replace(mark, text="" if mark.axis == "y" else mark.text) for mark in drawing.marks)
    )


def _others(grey: Sequence[Series]) -> str:
    return f"{len(grey)} other{'s' if len(grey) > 1 else ''}, listed in the CSV"


def _label(drawing: Drawing, group: Sequence[Series], text: str, colour: str, scale: float) -> Label:
    """The label of a group, beside the last point of its last series."""
    last = max(group[-1].points, key=lambda point: float(point.x))
    numbers = [number for number, one in enumerate(drawing.series) if any(one is named for named in group)]
    return Label(text, colour, (float(last.x), last.y.value / scale), tuple(numbers))


def _draw_panels(drawing: Drawing, looks: Looks) -> Any:
    panels = drawing.panels()
    shown = list(zip(range(len(drawing.series)), drawing.series, looks.of(drawing.series)))
    named: dict[str, tuple[Series, Look]] = {}
    for _, one, look in shown:
        if not one.grey:
            named.setdefault(one.label, (one, look))
    columns = 2 if max((len(label) for label in named), default=0) < 30 else 1
    below = BELOW + math.ceil(len(named) / columns) * LEGEND_ROW
    figure, grid = panel_canvas(drawing, len(panels), PANEL_HEIGHT, below, LEFT)
    for index, (panel, axes) in enumerate(zip(panels, grid)):
        _, title = _draw_plot(axes, drawing, [entry for entry in shown if entry[1].panel == panel])
        axes.set_title(panel, loc="left", fontsize=8.5, color=INK, pad=4)
        axes.tick_params(labelleft=index % 2 == 0)
    grid[0].annotate(title, (0, 1), (0, 20), "axes fraction", "offset points", fontsize=8.5, color=MUTED)
    for axes in grid[-2:]:
        axes.set_xlabel(axis_label(drawing.x.label, drawing.x.unit), loc="left", fontsize=8)
    legend(figure, columns, [_handle(one, look) for one, look in named.values()])
    return figure


def _handle(series: Series, look: Look) -> Line2D:
    return Line2D([], [], label=series.label, **_style(series, look))


def _style(series: Series, look: Look) -> dict[str, Any]:
    return dict(
        color=look.colour,
        marker=look.marker or None,
        linestyle="none" if series.kind == "published" and len(series.points) < 2 else look.dash,
        linewidth=look.width,
        markerfacecolor=look.colour if series.kind in ("measured", "points") else SURFACE,
        markeredgecolor=look.colour,
    )


def _draw_plot(axes: Any, drawing: Drawing, shown: Sequence[tuple[int, Series, Look]]) -> tuple[float, str]:
    """Draws series into one plot. Returns the factor of the y axis, and its title."""
    points = [point for series in drawing.series for point in series.points]
    scale, title = scaled(drawing.y, [point.y.value for point in points])
    for number, series, look in shown:
        xs = [float(point.x) for point in series.points]
        ys = [point.y.value / scale for point in series.points]
        crowded = len(xs) > 60 and look.marker
        size = {"markersize": 2.2} if crowded else {}
        axes.plot(xs, ys, gid=f"series-{number}", clip_on=series.kind == "trace", **_style(series, look), **size)
        if not series.grey and any(not point.y.is_exact for point in series.points):
            lows, highs = (
                [bound / scale for bound in ends] for ends in zip(*((p.y.low, p.y.high) for p in series.points))
            )
            axes.vlines(
                xs, lows, highs, color=look.colour, linewidth=3.2, alpha=0.3, clip_on=False, gid=f"interval-{number}"
            )
    marked = [mark.value / scale for mark in drawing.marks if mark.axis == "y"]
    xs = sorted({float(p.x) for one in drawing.series if one.kind != "theory" for p in one.points})
    _same_limits(axes, drawing, points, scale, marked)
    scale_axis(axes.xaxis, axes.set_xscale, drawing.x, xs, narrow=len(drawing.panels()) > 1)
    scale_axis(axes.yaxis, axes.set_yscale, drawing.y, [])
    for mark in drawing.marks:
        own = [one for _, one, _ in shown]
        draw_mark(axes, mark, scale, at_top=mark.axis == "y" or _is_free_above(axes, mark.value, own, scale))
    return scale, title


def _is_free_above(axes: Any, x: float, series: Sequence[Series], scale: float) -> bool:
    """True if no point beside x lies where the text at the top of an upright line would be."""
    to_axes = axes.transData + axes.transAxes.inverted()
    middle = to_axes.transform((x, axes.get_ylim()[0]))[0]
    places = [to_axes.transform((float(p.x), p.y.value / scale)) for one in series for p in one.points]
    beside = [high for across, high in places if abs(across - middle) < 0.15]
    return max(beside, default=0.0) < 0.75 or min(beside) < 0.25


def _same_limits(axes: Any, drawing: Drawing, points: Sequence[Any], scale: float, marked: Sequence[float]) -> None:
    """The limits of y, with the upper ends of all intervals, and with panels of x, from all series: panels are compared."""
    highs = [point.y.high for point in points if math.isfinite(point.y.high)]
    ys = [value / scale for value in [*(point.y.value for point in points), *highs]] + list(marked)
    if drawing.y.scale == "linear":
        axes.set_ylim(bottom=min(0.0, min(ys)), top=max([*ys, 0.0]) * 1.06 or 1.0)
    else:
        positive = [y for y in ys if y > 0] or [1.0]
        margin = max((max(positive) / min(positive)) ** 0.05, 1.1)
        axes.set_ylim(min(positive) / margin, max(positive) * margin)
    if len(drawing.panels()) > 1:
        xs = [float(point.x) for point in points]
        low, high = min(xs), max(xs)
        if drawing.x.scale != "linear" and low > 0:
            axes.set_xlim(low / (high / low) ** 0.05, high * (high / low) ** 0.05)
        else:
            axes.set_xlim(low - 0.04 * (high - low), high + 0.04 * (high - low))


def draw_mark(axes: Any, mark: Mark, scale: float, at_top: bool = True) -> None:
    """A dashed line with its text: above a level, left of an upright line at its top or at its bottom."""
    style = dict(color=MUTED, linewidth=0.9, linestyle=(0, (3, 2)), zorder=1)
    text = dict(fontsize=7.2, color=MUTED)
    if mark.axis == "y":
        axes.axhline(mark.value / scale, **style)
        where = (0.01, mark.value / scale)
        axes.annotate(mark.text, where, (2, 2), ("axes fraction", "data"), "offset points", va="bottom", **text)
        return
    axes.axvline(mark.value, **style)
    where, side = (mark.value, 0.98 if at_top else 0.02), "top" if at_top else "bottom"
    style = dict(ha="right", va=side, rotation=90, **text)
    axes.annotate(mark.text, where, (-2, 0), ("data", "axes fraction"), "offset points", **style)
