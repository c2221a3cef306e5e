"""Draws a Drawing as SVG and PNG, narrow enough to be read on a phone."""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import replace
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from plots.draw_cells import draw_cells  # noqa: E402
from plots.draw_diagram import draw_diagram  # noqa: E402
from plots.draw_dots import draw_bars, draw_dots  # noqa: E402
from plots.draw_lines import draw_lines  # noqa: E402
from plots.drawing import Axis, Drawing, Point, Series  # noqa: E402
from plots.escape import mathtext  # noqa: E402
from plots.style import RC, Looks  # noqa: E402


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

    def line(one: Series) -> Series:
        points = tuple(map(point, one.points))
        return replace(one, label=mathtext(one.label), panel=mathtext(one.panel), points=points)

    return replace(
        drawing,
        title=mathtext(drawing.title),
        device=mathtext(drawing.device),
        source=mathtext(drawing.source),
        x=axis(drawing.x),
        y=axis(drawing.y),
        topic=mathtext(drawing.topic),
        series=tuple(map(line, drawing.series)),
        marks=tuple(replace(one, text=mathtext(one.text)) for one in drawing.marks),
        order=tuple(map(mathtext, drawing.order)),
    )


def _saved(figure: Any, kind: str, title: str) -> bytes:
    file = io.BytesIO()
    metadata = {"Date": None, "Creator": "lockstep", "Title": title} if kind == "svg" else {"Title": title}
    figure.savefig(file, format=kind, dpi=160, metadata=metadata)
    return file.getvalue()


SHAPES = {"lines": draw_lines, "dots": draw_dots, "bars": draw_bars, "cells": draw_cells, "diagram": draw_diagram}
