"""The numbers of a figure for the page's script: values, intervals, and the words of the tooltip."""

from __future__ import annotations

import json
from dataclasses import replace

from markupsafe import Markup

from plots.drawing import Axis, Drawing, Point, Series
from plots.units import digits, interval


#: Shapes whose points a reader points at. Diagrams have none.
POINTED = ("lines", "dots", "bars")


def figure_data(drawing: Drawing) -> Markup:
    """A script element that holds the data. It ends nowhere but at its end: `<` is escaped."""
    text = json.dumps(data_of(drawing), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return Markup(f'<script type="application/json" class="figure-data">{text}</script>')


def data_of(drawing: Drawing) -> dict[str, object]:
    return {
        "x": _axis(drawing.x),
        "y": _axis(drawing.y),
        "series": [_series(drawing, series) for series in drawing.series] if drawing.shape in POINTED else [],
    }


def other_scale(drawing: Drawing) -> Drawing | None:
    """The same figure with a linear axis of values instead of a logarithmic one, or the reverse. None if it has no other:
    boxes, bars from zero, and values that a logarithmic axis cannot show or would not spread."""
    if drawing.shape not in ("lines", "dots"):
        return None
    if drawing.y.scale != "linear":
        return replace(drawing, y=replace(drawing.y, scale="linear"))
    values = [bound for series in drawing.series for point in series.points for bound in (point.y.low, point.y.high)]
    if not values or min(values) <= 0 or max(values) < 2 * min(values):
        return None
    return replace(drawing, y=replace(drawing.y, scale="log10"))


def _axis(axis: Axis) -> dict[str, str]:
    return {"label": axis.label, "unit": axis.unit, "scale": "linear" if axis.scale == "linear" else "log"}


def _series(drawing: Drawing, series: Series) -> dict[str, object]:
    return {
        "label": series.label,
        "kind": series.kind,
        "grey": series.grey,
        # A trace has thousands of points, drawn as a simplified line.
        "points": [_point(drawing, series, point) for point in series.points if series.kind != "trace"],
    }


def _point(drawing: Drawing, series: Series, point: Point) -> dict[str, object]:
    return {
        "x": point.x,
        "y": point.y.value,
        "low": point.y.low,
        "high": point.y.high,
        "text": interval(point.y, "" if drawing.y.unit == "1" else drawing.y.unit),
        "case": _case(drawing, series, point),
    }


def _case(drawing: Drawing, series: Series, point: Point) -> str:
    """What was measured: the case that the point names, or else the series and its place on the x axis."""
    if point.case:
        return point.case
    where = point.x if isinstance(point.x, str) else f"{drawing.x.label} {_number(drawing.x, point.x)}"
    return ", ".join(filter(None, (series.panel, series.label, where)))


def _number(axis: Axis, value: float) -> str:
    return digits(value) if axis.unit == "1" else f"{digits(value)} {axis.unit}"
