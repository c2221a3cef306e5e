"""Draws a diagram (plots/diagram.py): boxes with text, and arrows from border to border."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from plots.canvas import canvas
from plots.diagram import WIDTH
from plots.drawing import Drawing, Point
from plots.style import GRID, INK, MUTED, SURFACE, Looks

LETTER, LINE, PADDING = 0.062, 0.14, 0.07  # inches
BOLD = 1.12  # how much wider a head is
RADIUS = 0.12
ASIDE = 0.045  # inches between an arrow and the straight line, if another goes back
Size = tuple[float, float]
Place = tuple[float, float]


def draw_diagram(drawing: Drawing, looks: Looks) -> Any:
    boxes: dict[Place, tuple[str, list[str]]] = {}
    for one in drawing.series:
        for point in one.points if one.kind != "arrows" else ():
            boxes.setdefault(_at(point), (one.key, []))[1].append(point.text)
    sizes = {place: _size(kind, lines) for place, (kind, lines) in boxes.items()}
    height = max(y + sizes[x, y][1] / 2 for x, y in sizes) + 0.08
    figure, axes = canvas(drawing, height, 0.1, 0.15, 0.15)
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(height, 0)
    axes.axis("off")
    for number, one in enumerate(drawing.series):
        if one.kind == "arrows":
            for start, end in zip(one.points[::2], one.points[1::2]):
                _draw_arrow(axes, one.key, start, end, sizes)
    for place, (kind, lines) in boxes.items():
        _draw_box(axes, kind, place, lines, sizes[place])
    return figure


def _at(point: Point) -> Place:
    return float(point.x), point.y.value


def _size(kind: str, lines: list[str]) -> Size:
    if kind == "round":
        return 2 * RADIUS, 2 * RADIUS
    letters = max(len(line) * (BOLD if index == 0 else 1.0) for index, line in enumerate(lines))
    return LETTER * letters + 2 * PADDING, LINE * len(lines) + PADDING


def _draw_box(axes: Any, kind: str, place: Place, lines: list[str], size: Size) -> None:
    x, y = place
    border = dict(facecolor=SURFACE, edgecolor=MUTED, linewidth=0.8, zorder=2)
    if kind == "round":
        axes.add_patch(Circle((x, y), RADIUS, **border))
    elif kind == "box":
        axes.add_patch(Rectangle((x - size[0] / 2, y - size[1] / 2), *size, **border))
    left = x - size[0] / 2 + PADDING
    for index, line in enumerate(lines):
        head = kind == "box" and index == 0 and len(lines) > 1
        centre = y + (index - (len(lines) - 1) / 2) * LINE
        style = dict(fontsize=7.5, va="center", color=MUTED if kind == "plain" else INK, zorder=3)
        if len(lines) == 1 or head:
            axes.text(x, centre, line, ha="center", fontweight="bold" if head else "normal", **style)
        else:
            axes.text(left, centre, line, ha="left", **style)
    if kind == "box" and len(lines) > 1:
        below = y - size[1] / 2 + LINE + PADDING / 2
        axes.plot([x - size[0] / 2, x + size[0] / 2], [below, below], color=GRID, linewidth=0.8, zorder=3)


def _draw_arrow(axes: Any, kind: str, start: Point, end: Point, sizes: dict[Place, Size]) -> None:
    hollow = kind == "extends"
    style = dict(
        shrinkA=0, shrinkB=1, edgecolor=MUTED, facecolor=SURFACE if hollow else MUTED, linewidth=0.9, zorder=1.5
    )
    style |= dict(arrowstyle="-|>" if hollow else "->", mutation_scale=11 if hollow else 8)
    if _at(start) == _at(end):
        x, y = _at(start)
        side = x + sizes[x, y][0] / 2
        axes.add_patch(FancyArrowPatch((side, y - 0.12), (side, y + 0.12), connectionstyle="arc3,rad=-1.5", **style))
        return
    (tail, tip), right = _path(kind, start, end, sizes)
    axes.add_patch(FancyArrowPatch(tail, tip, **style))
    if start.text:
        middle = ((tail[0] + tip[0]) / 2 + 2.6 * right[0], (tail[1] + tip[1]) / 2 + 2.6 * right[1])
        text = dict(fontsize=7, color=INK, ha="center", va="center", zorder=3)
        axes.text(*middle, start.text, bbox=dict(facecolor=SURFACE, edgecolor="none", pad=0.8), **text)


def _path(kind: str, start: Point, end: Point, sizes: dict[Place, Size]) -> tuple[tuple[Place, Place], Place]:
    """The ends of an arrow on the borders of its boxes, and how far it is to the right of the straight line."""
    (x, y), (to_x, to_y) = _at(start), _at(end)
    length = math.hypot(to_x - x, to_y - y)
    along = ((to_x - x) / length, (to_y - y) / length)
    right = (-along[1] * ASIDE, along[0] * ASIDE) if kind == "side" else (0.0, 0.0)
    first, last = _border(sizes[x, y], along), length - _border(sizes[to_x, to_y], along)
    tail, tip = ((x + along[0] * far + right[0], y + along[1] * far + right[1]) for far in (first, last))
    return (tail, tip), right


def _border(size: Size, along: tuple[float, float]) -> float:
    """How far the border is from the middle of a box in this direction."""
    wide = size[0] / 2 / abs(along[0]) if abs(along[0]) > 1e-9 else math.inf
    high = size[1] / 2 / abs(along[1]) if abs(along[1]) > 1e-9 else math.inf
    return min(wide, high)
