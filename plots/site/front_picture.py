"""The picture of a paper on the index: the data of one of its figures, drawn so small that five fit on a screen.

Its texts keep the size of the page's texts. The full figure is one click away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from plots.drawing import Axis, Drawing, Point, Series
from plots.style import VARIABLES, Looks
from plots.svg import description
from plots.units import axis_label, digits, join_unit, prefix_of

WIDTH, LETTER = 260, 5.9  # of the picture, and of a letter of 11 px
ROW, ROWS = 29, 3
PLOT_HEIGHT, LABEL_WIDTH, LABEL_HEIGHT = 66, 84, 12
LINES = 5


@dataclass(frozen=True)
class Scale:
    """From values to places in the picture."""

    low: float
    high: float
    first: float
    last: float
    log: bool

    def __call__(self, value: float) -> float:
        if self.log:
            share = math.log(max(value, self.low) / self.low) / (math.log(self.high / self.low) or 1)
        else:
            share = (value - self.low) / ((self.high - self.low) or 1)
        return round(self.first + share * (self.last - self.first), 1)


def front_picture(drawing: Drawing, looks: Looks, identity: str) -> Markup:
    """The inline SVG. `identity` is unique in the page."""
    colours = [f"var({VARIABLES[look.colour]})" for look in looks.of(drawing.series)]
    height, body = _lines(drawing, colours) if drawing.shape == "lines" else _dots(drawing, colours)
    named = f'aria-label="{escape(drawing.title)}, {escape(drawing.device)}" aria-describedby="{identity}-desc"'
    described = f'<desc id="{identity}-desc">{escape(description(drawing))}</desc>'
    return Markup(f'<svg viewBox="0 0 {WIDTH} {height}" role="img" {named}>{described}{body}</svg>')


def _dots(drawing: Drawing, colours: Sequence[str]) -> tuple[int, str]:
    """A track per row, the rows with a published number first."""
    published = {str(point.x) for one in drawing.series if one.kind == "published" for point in one.points}
    names = sorted(drawing.row_names(), key=lambda name: name not in published)[:ROWS]
    shown = [(one, colour, _points(one, names)) for one, colour in zip(drawing.series, colours)]
    values = [point.y.value for _, _, points in shown for point in points]
    size, unit = _unit(drawing.y, values)
    scale = _scale(values, drawing.y.scale != "linear", 44, WIDTH - 44)
    body = []
    for number, name in enumerate(names):
        middle = number * ROW + 22
        body.append(_text(0, middle - 11, _short(name, WIDTH), "var(--text)"))
        body.append(f'<line x1="0" x2="{WIDTH}" y1="{middle}" y2="{middle}" stroke="var(--line)"/>')
        points = [(one, colour, point) for one, colour, found in shown for point in found if str(point.x) == name]
        last = max(point.y.value for _, _, point in points) if points else 0
        for one, colour, point in points:
            x = scale(point.y.value)
            body.append(_mark(one.kind, x, middle, colour))
            side, place = ("start", x + 8) if point.y.value == last else ("end", x - 8)
            if len(points) < 3 or point.y.value in (last, min(other.y.value for _, _, other in points)):
                body.append(_text(place, middle + 4, digits(point.y.value / size), colour, side))
    y = len(names) * ROW + 14
    legend = [(one, colour) for one, colour, points in shown if points]
    x = 6.0
    for number, (one, colour) in enumerate(legend[:3]):
        label = _legend(one)
        if number and x + 16 + LETTER * len(label) > WIDTH:
            x, y = 6.0, y + 14
        body += [_mark(one.kind, x, y - 4, colour), _text(x + 8, y, _short(label, WIDTH - x), colour)]
        x += 22 + LETTER * len(label)
    body.append(_text(0, y + 14, _short(unit, WIDTH), "var(--soft)"))
    return y + 18, "".join(body)


def _legend(series: Series) -> str:
    """A role says whose method it is; a device is named without its maker."""
    words = {"paper": "paper's method here", "ours": "ours here"}
    return words.get(series.label, series.label.removeprefix("NVIDIA ").removeprefix("GeForce "))


def _lines(drawing: Drawing, colours: Sequence[str]) -> tuple[int, str]:
    """The lines with a name, each labelled at its end."""
    panel = _panel(drawing)
    named = [
        (one, colour)
        for one, colour in zip(drawing.series, colours)
        if one.panel == panel and not one.grey and one.points
    ]
    kept = sorted(named, key=lambda pair: (pair[0].kind != "published", pair[0].kind == "theory"))[:LINES]
    points = [point for one, _ in kept for point in one.points]
    across = _scale([float(point.x) for point in points], drawing.x.scale != "linear", 2, WIDTH - LABEL_WIDTH)
    size, unit = _unit(drawing.y, [point.y.value for point in points])
    up = _scale([point.y.value for point in points], drawing.y.scale != "linear", 18 + PLOT_HEIGHT, 24)
    body = [_text(0, 11, _short(unit, WIDTH), "var(--soft)")]
    ends = []
    for one, colour in kept:
        places = [(across(float(point.x)), up(point.y.value)) for point in one.points]
        if one.kind in ("published", "points"):
            body += [_mark(one.kind, x, y, colour) for x, y in places]
        else:
            path = " ".join(f"{x},{y}" for x, y in places)
            dash = ' stroke-dasharray="4 3"' if one.kind in ("theory", "extrapolated") else ""
            body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        ends.append((places[-1][1], one.label, colour))
    body += _labels(ends)
    base = PLOT_HEIGHT + 24
    body.append(f'<line x1="0" x2="{WIDTH - LABEL_WIDTH}" y1="{base}" y2="{base}" stroke="var(--soft)"/>')
    body.append(_text(0, base + 13, _tick(across.low), "var(--soft)"))
    body.append(_text(WIDTH - LABEL_WIDTH, base + 13, _tick(across.high), "var(--soft)", "end"))
    body.append(_text(0, base + 27, _short(axis_label(drawing.x.label, drawing.x.unit), WIDTH), "var(--soft)"))
    return base + 32, "".join(body)


def _panel(drawing: Drawing) -> str:
    """The panel that has the paper's numbers, or else the first."""
    published = [one.panel for one in drawing.series if one.kind == "published"]
    return published[0] if published else drawing.panels()[0]


def _labels(ends: Sequence[tuple[float, str, str]]) -> list[str]:
    """The names at the ends of the lines, moved apart."""
    texts, last = [], -math.inf
    order = sorted(ends)
    overflow = max(0.0, len(order) * LABEL_HEIGHT - PLOT_HEIGHT)
    for index, (y, label, colour) in enumerate(order):
        room = 24 + PLOT_HEIGHT + overflow - (len(order) - 1 - index) * LABEL_HEIGHT
        last = max(min(y + 4, room), last + LABEL_HEIGHT)
        texts.append(_text(WIDTH - LABEL_WIDTH + 5, last, _short(label, LABEL_WIDTH - 5), colour))
    return texts


def _points(series: Series, names: Sequence[str]) -> list[Point]:
    return [point for point in series.points if str(point.x) in names]


def _unit(axis: Axis, values: Sequence[float]) -> tuple[float, str]:
    size, prefix = prefix_of(max(values, default=1.0), axis.unit)
    return size, axis_label(axis.label, join_unit(prefix, axis.unit))


def _scale(values: Sequence[float], log: bool, first: float, last: float) -> Scale:
    positive = [value for value in values if value > 0]
    log = log and bool(positive)
    low = min(positive) if log else min([0.0, *values])
    return Scale(low, max([*values, low]) or 1.0, first, last, log)


def _mark(kind: str, x: float, y: float, colour: str) -> str:
    if kind == "published":
        path = f"M{x - 5} {y}L{x} {y - 5}L{x + 5} {y}L{x} {y + 5}Z"
        return f'<path d="{path}" fill="var(--card)" stroke="var(--text)" stroke-width="1.5"/>'
    return f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>'


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{round(x, 1)}" y="{round(y, 1)}" fill="{colour}"{side}>{escape(text)}</text>' if text else ""


def _tick(value: float) -> str:
    return digits(value) if value < 1e6 else f"{value:.0e}".replace("e+0", "e")


def _short(text: str, width: float) -> str:
    letters = int(width / LETTER)
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
