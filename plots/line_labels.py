"""Labels at the ends of lines, in place of a legend: each beside the last point, moved apart where they would overlap."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plots.drawing import Series
from plots.style import MUTED

SIZE, LINE = 8.0, 0.135  # points, and inches per line of text
COLUMNS = 19  # letters per line of a label
LETTER = 0.066  # inches
GAP = 0.05  # inches between two labels
ABOVE = 0.04  # inches above the axes that a label may take; the title stands above them
#: Lines whose values differ by no more than this share share a label.
EQUAL = 0.01


@dataclass(frozen=True)
class Label:
    text: str
    colour: str
    point: tuple[float, float]
    series: tuple[int, ...] = ()  # the numbers of those that it names

    def gid(self, part: str) -> str | None:
        """How the page finds this part of the label: 'label-0-2' names series 0 and 2."""
        return "-".join([part, *map(str, self.series)]) if self.series else None

    @property
    def lines(self) -> list[str]:
        return textwrap.wrap(self.text, COLUMNS, break_on_hyphens=False) or [""]

    @property
    def height(self) -> float:
        return LINE * len(self.lines)


def merged(series: Sequence[Series]) -> list[tuple[list[Series], str]]:
    """The series to label, in groups, with their labels. Lines that coincide have one label, 'a = b', in the colour of the
    last, which lies on top."""
    groups: list[list[Series]] = []
    for one in series:
        twins = next((group for group in groups if equal(one, group[0])), None)
        if twins is None:
            groups.append([one])
        else:
            twins.append(one)
    return [(group, " = ".join(dict.fromkeys(one.label for one in group))) for group in groups]


def equal(one: Series, other: Series) -> bool:
    """True if both are measured lines of the same x values, more than one, with equal values."""
    if one.kind != "measured" or other.kind != "measured" or len(one.points) < 2:
        return False
    if [point.x for point in one.points] != [point.x for point in other.points]:
        return False
    pairs = ((a.y.value, b.y.value) for a, b in zip(one.points, other.points))
    return all(abs(a - b) <= EQUAL * max(abs(a), abs(b)) for a, b in pairs)


def width(labels: Sequence[str]) -> float:
    """Inches that the labels take."""
    lines = [line for label in labels for line in Label(label, "", (0.0, 0.0)).lines]
    return LETTER * max((len(line) for line in lines), default=0) + 0.28


def height(labels: Sequence[str]) -> float:
    return sum(Label(label, "", (0.0, 0.0)).height + GAP for label in labels)


def place(axes: Any, labels: Sequence[Label], inches: tuple[float, float]) -> None:
    """Writes the labels right of the axes, whose size is given in inches. Thin lines lead to them."""
    wide, high = inches
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [to_axes.transform(label.point) for label in labels]
    order = sorted(range(len(labels)), key=lambda index: -float(ends[index][1]))
    centres = _apart(
        [min(max(ends[index][1], 0.0), 1.0) * high for index in order], [labels[i].height for i in order], high
    )
    for index, centre in zip(order, centres):
        label, (x, y) = labels[index], ends[index]
        if x < 0.97 or abs(y * high - centre) > 0.04:
            xs, ys = [x + 0.04 / wide, 1 + 0.05 / wide, 1 + 0.12 / wide], [y, y, centre / high]
            if x > 0.97:
                xs, ys = xs[1:], ys[1:]
            axes.plot(
                xs,
                ys,
                transform=axes.transAxes,
                color=label.colour,
                linewidth=0.6,
                alpha=0.6,
                clip_on=False,
                zorder=1,
                gid=label.gid("leader"),
            )
        axes.text(
            1 + 0.16 / wide,
            centre / high,
            "\n".join(label.lines),
            transform=axes.transAxes,
            ha="left",
            va="center",
            fontsize=SIZE,
            color=label.colour or MUTED,
            linespacing=1.05,
            gid=label.gid("label"),
        )


def _apart(wanted: Sequence[float], heights: Sequence[float], high: float) -> list[float]:
    """Centres in descending order, close to those wanted and not overlapping."""
    centres = list(wanted)
    for _ in range(60):
        moved = False
        for upper in range(len(centres) - 1):
            need = (heights[upper] + heights[upper + 1]) / 2 + GAP
            overlap = need - (centres[upper] - centres[upper + 1])
            if overlap > 1e-4:
                centres[upper] += overlap / 2
                centres[upper + 1] -= overlap / 2
                moved = True
        if centres:
            top = centres[0] + heights[0] / 2 - (high + ABOVE)
            if top > 1e-4:
                centres[0] -= top
                moved = True
            below = -LINE - (centres[-1] - heights[-1] / 2)
            if below > 1e-4:
                centres[-1] += below
                moved = True
        if not moved:
            break
    return centres
