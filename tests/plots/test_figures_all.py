"""All figures of all experiments, from the committed results: described, and readable as pictures."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from experiments.term_rewriting.hardware import HardwareModel
from plots.catalog import load_experiment, names
from plots.diagram import Diagram
from plots.draw import SHAPES, escaped
from plots.drawing import Drawing, Series
from plots.style import NAMED_LINES, RC, Looks
from plots.traces import Schematic
from tests.plots.committed import committed_sections

EXPERIMENTS = [name for name in names() if load_experiment(name).figures]
#: Pixels by which boxes may overlap or stand out: a box has room for accents and descenders that few texts use.
SLACK = 1.5


@cache
def sections() -> dict[str, list[tuple[str, Drawing, Looks]]]:
    """The drawings of each experiment with the names of their pages."""
    found: dict[str, list[tuple[str, Drawing, Looks]]] = {}
    for section in committed_sections():
        pages = [section.across, *section.pages]
        found[section.experiment.name] = [
            (f"{page.slug}/{drawing.name}", drawing, section.looks) for page in pages for drawing in page.drawings
        ]
    return found


def drawings(experiment: str) -> Iterator[tuple[str, Drawing, Looks]]:
    assert sections()[experiment], "nothing was drawn"
    yield from sections()[experiment]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_figure_has_a_caption_and_a_finding(experiment: str) -> None:
    figures = load_experiment(experiment).figures
    # A trace says what it shows, so a schematic may leave that to it.
    bare = [spec.name for spec in figures if not isinstance(spec, Schematic) and not spec.caption.strip()]
    assert bare + [name for name, drawing, _ in drawings(experiment) if not drawing.caption.strip()] == []
    # Diagrams are drawn from sources and data sheets: nothing is found there.
    drawn = (Schematic, Diagram, HardwareModel)
    plain = [spec.name for spec in figures if not isinstance(spec, drawn) and spec.finding is None]
    assert plain == [], "figures whose title names axes only"


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_a_panel_names_few_lines_and_each_has_a_colour(experiment: str) -> None:
    wrong = []
    for name, drawing, looks in drawings(experiment):
        shown = [(series, look.colour) for series, look in zip(drawing.series, looks.of(drawing.series))]
        for panel in drawing.panels() if drawing.shape != "cells" else ():
            own = [(series, colour) for series, colour in shown if series.panel == panel and is_named(series)]
            if drawing.shape == "lines" and len({series.label for series, _ in own}) > NAMED_LINES:
                wrong.append(f"{name} {panel}: {len(own)} named lines")
            for (one, colour), (other, its) in combinations(own, 2):
                if colour == its and one.key != other.key:
                    wrong.append(f"{name} {panel}: {one.label} and {other.label} have one colour")
    assert wrong == []


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_no_text_overlaps_another_or_leaves_the_canvas(experiment: str) -> None:
    wrong = []
    for name, drawing, looks in drawings(experiment):
        wrong += [f"{name}: {what}" for what in faults(drawing, looks)]
    assert wrong == []


def test_planted_faults_are_found() -> None:
    """A second text on the first one, and one that stands out on the right."""
    figure = plt.figure(figsize=(2, 1))
    for x, text in ((0.1, "one"), (0.12, "two"), (0.9, "three")):
        figure.text(x, 0.5, text)
    assert faults_of(figure) == ["'one' overlaps 'two'", "'three' leaves the canvas"]
    plt.close(figure)


def is_named(series: Series) -> bool:
    """Papers' numbers and computed lines have looks of their own."""
    return not series.grey and series.kind in ("measured", "points", "trace", "extrapolated")


def faults(drawing: Drawing, looks: Looks) -> list[str]:
    with plt.rc_context(dict[Any, Any](RC)), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        figure = SHAPES[drawing.shape](escaped(drawing), looks)
        found = faults_of(figure)
        plt.close(figure)
    return found


def faults_of(figure: Any) -> list[str]:
    figure.canvas.draw()
    boxes = [(text.get_text(), box_of(text)) for text in texts_of(figure)]
    found = [
        f"{first!r} overlaps {second!r}" for (first, one), (second, other) in combinations(boxes, 2) if meet(one, other)
    ]
    page = figure.bbox
    for text, box in boxes:
        inside = page.x0 - SLACK <= box.x0 and box.x1 <= page.x1 + SLACK
        if not (inside and page.y0 - SLACK <= box.y0 and box.y1 <= page.y1 + SLACK):
            found.append(f"{text!r} leaves the canvas")
    return found


def texts_of(figure: Any) -> list[Text]:
    """What is drawn: of an axis only the label and the tick labels in view."""
    ticks, shown = set(), set()
    for axes, axis in ((axes, axis) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        ticks |= {id(text) for text in axis.findobj(Text)}
        if not axes.axison or not axis.get_visible():
            continue
        shown.add(id(axis.label))
        low, high = sorted(axis.get_view_interval())
        room = (high - low) * 1e-9
        for place, label in zip(axis.get_majorticklocs(), axis.get_majorticklabels()):
            if low - room <= place <= high + room:
                shown.add(id(label))
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [text for text in texts if id(text) in shown or id(text) not in ticks]


def box_of(text: Text) -> Bbox:
    """The box of the letters, without an annotation's arrow."""
    return Text.get_window_extent(text)


def meet(one: Bbox, other: Bbox) -> bool:
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    return bool(wide > SLACK and high > SLACK)
