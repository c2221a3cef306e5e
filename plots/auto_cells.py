"""A variant that chooses, against the fastest other variant in every cell that has both: figure, table and sentences.

A cell is a problem: all axes but those that a variant chooses for itself. Each variant has its best row of a cell. A cell
counts if the kernels that it ran were timed under another variant as well. Otherwise only a loss says anything about the choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from plots import escape
from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import NothingToReport, NotTestable
from plots.interval import Interval
from plots.markdown import table
from plots.results import Case, View
from plots.spec import Scope, Title, heading, make_drawing, source_of
from plots.table_data import TableData
from plots.units import digits, quantity, three_digits

#: The variant that chooses.
AUTO = "auto"
#: Below this speed over the fastest other variant's, `auto` has chosen badly.
LEAST = 0.97


def seconds(case: Case) -> Interval:
    if case.time is None:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time


def kernels_of(case: Case) -> list[str]:
    return [str(kernel["name"]) for kernel in case.kernels if kernel.get("name")]


@dataclass(frozen=True)
class Cell:
    """`auto` and the fastest other variant for one problem."""

    auto: Case
    best: Case

    @property
    def speed(self) -> Interval:
        """How many times as fast `auto` is as the other."""
        return seconds(self.best) / seconds(self.auto)

    @property
    def ran(self) -> str:
        """The kernels that `auto` launched: 'queue', 'fill_list and evaluate_list'."""
        names = kernels_of(self.auto)
        return " and ".join(names) if len(names) < 3 else ", ".join(names[:-1]) + f", and {names[-1]}"


@dataclass(frozen=True)
class Cells:
    """What the cells of an experiment are, and how texts name them."""

    #: The axes that say what a case computes.
    work: Callable[[Case], dict[str, str]]
    #: The cell's panel of the figure, and its line in the table.
    panel: Callable[[Case], str]
    setting: Callable[[Case], str]
    #: The run that measures the cells.
    command: str
    #: Controls, which do less work than the others.
    left_out: Sequence[str] = ()

    def of(self, view: View, **where: object) -> list[Cell]:
        """Every cell that has `auto` and what it chose from, `auto`'s slowest first."""
        found: dict[tuple[tuple[str, str], ...], dict[bool, Case]] = {}
        timed: set[tuple[object, ...]] = set()
        for case in view.select(**(dict[str, object](machine="cuda", cache="hot") | where)):
            if case.time is None or case.variant in self.left_out:
                continue
            work = tuple(sorted(self.work(case).items()))
            sides = found.setdefault(work, {})
            if case.variant != AUTO and (names := kernels_of(case)):
                timed.add((work, *names))
            known = sides.get(case.variant == AUTO)
            if known is None or case.time.value < seconds(known).value:
                sides[case.variant == AUTO] = case
        both = {work: Cell(sides[True], sides[False]) for work, sides in found.items() if len(sides) == 2}
        pairs = [cell for work, cell in both.items() if (work, *kernels_of(cell.auto)) in timed or cell.speed.value < 1]
        if not pairs:
            raise NotTestable(view.missing({"variant": AUTO, "machine": "cuda"}))
        return sorted(pairs, key=lambda cell: cell.speed.value)

    def title(self, view: View) -> str:
        pairs = self.of(view)
        reached = len(pairs) - len(below(pairs))
        least = digits(LEAST, 2)
        return f"auto is at least {least}x as fast as the best other variant in {reached} of {len(pairs)} cells"

    def row(self, cell: Cell) -> tuple[str, ...]:
        return (
            self.setting(cell.auto),
            cell.best.variant,
            quantity(seconds(cell.best).value, "s"),
            cell.ran,
            quantity(seconds(cell.auto).value, "s"),
            f"{three_digits(cell.speed.value)}x",
        )

    def listed(self, view: View, name: Callable[[str], str] = lambda variant: f"`{variant}`") -> str:
        """The cells below the line as a Markdown table. Raises NothingToReport without any, which is a success."""
        low = below(self.of(view))
        if not low:
            raise NothingToReport("no cell is below the margin")
        rows = [
            (row[0], name(row[1]), row[2], escape.markdown(row[3]), *row[4:]) for row in (self.row(one) for one in low)
        ]
        return f"The cells below {digits(LEAST, 2)}x:\n\n" + table(HEADS, rows)


HEADS = ("setting", "fastest", "its time", "auto ran", "time of auto", "speed of auto")


def below(pairs: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in pairs if cell.speed.value < LEAST]


def near_the_best(pairs: Sequence[Cell], factor: Callable[[float], str]) -> str:
    """'at most 2.6% slower than the fastest other variant, over 237 cells'. A ratio near 1 reads better as a difference."""
    low = below(pairs)
    if low:
        return (
            f"{factor(pairs[0].speed.value)} to {factor(pairs[-1].speed.value)} as fast as the fastest other variant, and at "
            f"least {digits(LEAST, 2)}x as fast in {len(pairs) - len(low)} of {len(pairs)} cells"
        )
    lost = 1 - pairs[0].speed.value
    most = f"at most {digits(100 * lost, 2)}% slower" if lost > 0 else "never slower"
    return f"{most} than the fastest other variant, over {len(pairs)} cells"


def reached(pairs: Sequence[Cell]) -> str:
    """'0.99x to 1.20x as fast ..., and at least 0.97x in 8 of 9 cells'."""
    low, high = (f"{three_digits(pairs[end].speed.value)}x" for end in (0, -1))
    kept = len(pairs) - len(below(pairs))
    return f"{low} to {high} as fast, and at least {digits(LEAST, 2)}x in {kept} of {len(pairs)} cells"


@dataclass(frozen=True)
class AutoCells:
    """The speed of `auto` relative to the fastest other variant, a point per cell in ascending order."""

    name: str
    title: str
    cells: Cells
    caption: str = ""
    across: bool = False

    @property
    def finding(self) -> Title:
        return self.cells.title

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        pairs = self.cells.of(view)
        panels = Counter(self.cells.panel(cell.auto) for cell in pairs)
        points: dict[str, list[Point]] = {}
        for cell in pairs:
            panel = self.cells.panel(cell.auto)
            own = points.setdefault(panel, [])
            text = f"{self.cells.setting(cell.auto)}; fastest other: {cell.best.variant}"
            own.append(Point(100 * (len(own) + 1) / panels[panel], cell.speed, case=text))
        series = [Series(AUTO, tuple(found), AUTO, "points", "ours", panel=panel) for panel, found in points.items()]
        axes = (Axis("cells in ascending order", "%"), Axis("speed over the fastest other variant's", "1", "log10"))
        heads = heading(self.title, self.cells.title, view)
        cases = [case for cell in pairs for case in (cell.auto, cell.best)]
        drawn = make_drawing(self.name, heads, view, cases, axes, series, "lines", self.caption, (Mark(LEAST),))
        return replace(drawn, command=self.cells.command)


@dataclass(frozen=True)
class AutoTable:
    """The cells in which `auto` is slower than the fastest other variant by more than the margin."""

    name: str
    title: str
    cells: Cells
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        pairs = self.cells.of(scope.view)
        found = below(pairs)
        if not found:
            raise NotTestable(f"auto is at least {digits(LEAST, 2)}x as fast as the best in all {len(pairs)} cells")
        cases = [case for cell in found for case in (cell.auto, cell.best)]
        plain = [
            (
                self.cells.setting(cell.auto),
                cell.best.variant,
                seconds(cell.best).value,
                cell.ran,
                seconds(cell.auto).value,
            )
            for cell in found
        ]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            HEADS,
            tuple(self.cells.row(cell) for cell in found),
            ("setting", "fastest", "its seconds", "auto ran", "seconds of auto"),
            tuple(plain),
            source_of(scope.view, cases, "medians"),
            self.caption,
            self.cells.command,
        )
