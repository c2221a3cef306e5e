"""Diagrams: boxes with text and arrows between them, whose contents come from files of the tree, not from rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.interval import exact
from plots.spec import Scope

WIDTH = 4.3  # inches between the margins of a figure


@dataclass(frozen=True)
class Box:
    """Text around a point, in inches from the top left corner. `kind` is box (the first of several lines is its head), round or
    plain (without a border)."""

    x: float
    y: float
    text: str
    kind: str = "box"


@dataclass(frozen=True)
class Arrow:
    """From one box to another. `kind` is leads, extends (to a base class, with a hollow head) or side (leads, and passes right of
    the arrow in the other direction). The text is beside its middle."""

    start: Box
    end: Box
    text: str = ""
    kind: str = "leads"


@dataclass(frozen=True)
class Contents:
    boxes: Sequence[Box]
    arrows: Sequence[Arrow]


@dataclass(frozen=True)
class Diagram:
    """Boxes and arrows that a function finds. `source` names the files that it reads. The same on every device with rows."""

    name: str
    title: str
    contents: Callable[[], Contents]
    source: str
    caption: str
    command: str = ""
    across: bool = True

    def draw(self, scope: Scope) -> Drawing:
        if not scope.view.cases:
            raise NotTestable("no rows of this experiment to explain")
        found = self.contents()
        boxes = [
            Series(kind, tuple(point for box in found.boxes if box.kind == kind for point in _lines(box)), kind)
            for kind in dict.fromkeys(box.kind for box in found.boxes)
        ]
        arrows = [
            Series(
                kind,
                tuple(point for arrow in found.arrows if arrow.kind == kind for point in _ends(arrow)),
                kind,
                "arrows",
            )
            for kind in dict.fromkeys(arrow.kind for arrow in found.arrows)
        ]
        across, down = Axis("from the left", "in"), Axis("from the top", "in")
        return Drawing(
            self.name,
            self.title,
            "drawn from the sources",
            across,
            down,
            (*boxes, *arrows),
            "diagram",
            self.source,
            self.caption,
            self.command,
        )


def _lines(box: Box) -> list[Point]:
    """A point per line of text, all of them in the middle of the box."""
    return [Point(box.x, exact(box.y), line) for line in box.text.split("\n")]


def _ends(arrow: Arrow) -> tuple[Point, Point]:
    return Point(arrow.start.x, exact(arrow.start.y), arrow.text), Point(arrow.end.x, exact(arrow.end.y))
