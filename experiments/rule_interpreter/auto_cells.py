"""`auto` against the fastest other variant in every cell that has both: a figure, a table, and what the page says.

A cell is a rule base with all of its axes, the layout among them. Only the geometry (blocks, groups, warps) is free: it is
what a variant chooses, so each variant has its best one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from experiments.rule_interpreter.measures import MARGIN
from experiments.rule_interpreter.wording import (
    count,
    factor,
    hot,
    in_sweep,
    joined,
    markdown,
    name_of_variant,
    time_text,
)
from plots import escape
from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Case, View
from plots.spec import Scope, Title, heading, make_drawing, source_of
from plots.table_data import TableData
from plots.units import digits, three_digits

#: The axes that a variant chooses for itself.
GEOMETRY = ("block", "states_per_group", "states_per_warp", "warps_per_state")
#: Below this, `auto` has chosen badly.
LEAST = 1 - MARGIN
#: The cells are in most of the sweeps.
EVERY_CELL = "./lockstep run rule_interpreter --preset full"
#: The rule bases, in words.
BASES = {
    "synthetic": "matrix products",
    "several": "four rules",
    "accesses": "moves of words",
    "sudoku": "Sudoku",
    "search": "Sudoku search",
}


@dataclass(frozen=True)
class Cell:
    """`auto` and the fastest other variant at the same axes."""

    auto: Case
    best: Case

    @property
    def speed(self) -> Interval:
        """How many times as fast `auto` is as the other."""
        return seconds(self.best) / seconds(self.auto)

    @property
    def base(self) -> str:
        return BASES.get(self.auto.axes["rules"], self.auto.axes["rules"])

    @property
    def ran(self) -> str:
        """The kernels that `auto` launched: 'queue', 'fill_list and evaluate_list'."""
        return joined([str(kernel["name"]) for kernel in self.auto.kernels if kernel.get("name")])

    @property
    def setting(self) -> str:
        """'load 20, 2048 states of 1024, phi 2, 1x1x1, layout C', with the axes that the rule base has."""
        axes = self.auto.axes
        rules = axes["rules"]
        if rules == "sudoku":
            return f"{axes['states']} grids, {axes['clues']} clues, layout {axes['layout']}"
        if rules == "search":
            kind = "minimal" if axes["puzzles"] == "minimal" else f"{axes['clues']} clues"
            return f"search in {axes['states']} grids, {kind}"
        words = [self.base] if rules == "several" else []
        words += [count(int(axes["accesses"]), "word") if rules == "accesses" else f"load {axes['load']}"]
        words += [f"{count(int(axes['states']), 'state')} of {axes['range']}"]
        words += [f"phi {axes['divergence']}" if axes["enabled"] == "-1" else f"{axes['enabled']}% enabled"]
        words += [f"{axes['steps']} passes"] if axes["steps"] != "1" else []
        words += [axes["shape"]] if rules == "synthetic" else []
        return ", ".join([*words, f"layout {axes['layout']}"])


def seconds(case: Case) -> Interval:
    if case.time is None:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time


def work_of(case: Case) -> dict[str, str]:
    """The axes that say what a case computes. Only matrix products have a shape."""
    left_out = GEOMETRY if case.axes["rules"] == "synthetic" else (*GEOMETRY, "shape")
    return {name: value for name, value in case.axes.items() if name not in left_out}


def cells(view: View, **where: object) -> list[Cell]:
    """Every cell that has `auto` and another variant, `auto`'s slowest first."""
    found: dict[tuple[tuple[str, str], ...], dict[bool, Case]] = {}
    for case in view.select(**hot(**where)):
        if case.time is None:
            continue
        sides = found.setdefault(tuple(work_of(case).items()), {})
        known = sides.get(case.variant == "auto")
        if known is None or case.time.value < seconds(known).value:
            sides[case.variant == "auto"] = case
    pairs = [Cell(sides[True], sides[False]) for sides in found.values() if len(sides) == 2]
    if not pairs:
        raise NotTestable(view.missing({"variant": "auto", "machine": "cuda"}))
    return sorted(pairs, key=lambda cell: cell.speed.value)


def below(pairs: list[Cell]) -> list[Cell]:
    return [cell for cell in pairs if cell.speed.value < LEAST]


def title(view: View) -> str:
    pairs = cells(view)
    reached = len(pairs) - len(below(pairs))
    return f"auto is at least {digits(LEAST, 2)}x as fast as the best other variant in {reached} of {len(pairs)} cells"


@dataclass(frozen=True)
class AutoCells:
    """The speed of `auto` relative to the fastest other variant, a point per cell in ascending order, a panel per rule base."""

    name: str
    title: str
    caption: str = ""
    across: bool = False

    @property
    def finding(self) -> Title:
        return title

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        pairs = cells(view)
        bases = Counter(cell.base for cell in pairs)
        points: dict[str, list[Point]] = {}
        for cell in pairs:
            own = points.setdefault(cell.base, [])
            text = f"{cell.setting}; fastest other: {cell.best.variant}"
            own.append(Point(100 * (len(own) + 1) / bases[cell.base], cell.speed, case=text))
        series = [Series("auto", tuple(found), "auto", "points", "ours", panel=base) for base, found in points.items()]
        axes = (Axis("cells in ascending order", "%"), Axis("speed over the fastest other variant's", "1", "log10"))
        heads = heading(self.title, title, view)
        cases = [case for cell in pairs for case in (cell.auto, cell.best)]
        marks = (Mark(LEAST),)
        drawn = make_drawing(self.name, heads, view, cases, axes, series, "lines", self.caption, marks)
        return replace(drawn, command=EVERY_CELL)


@dataclass(frozen=True)
class AutoTable:
    """The cells in which `auto` is slower than the fastest other variant by more than the margin."""

    name: str
    title: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        pairs = cells(scope.view)
        found = below(pairs)
        if not found:
            raise NotTestable(f"auto is at least {digits(LEAST, 2)}x as fast as the best in all {len(pairs)} cells")
        cases = [case for cell in found for case in (cell.auto, cell.best)]
        plain = [
            (cell.setting, cell.best.variant, seconds(cell.best).value, cell.ran, seconds(cell.auto).value)
            for cell in found
        ]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            HEADS,
            tuple(row_of(cell) for cell in found),
            ("setting", "fastest", "its seconds", "auto ran", "seconds of auto"),
            tuple(plain),
            source_of(scope.view, cases, "medians"),
            self.caption,
            EVERY_CELL,
        )


HEADS = ("setting", "fastest", "its time", "auto ran", "time of auto", "speed of auto")


def row_of(cell: Cell) -> tuple[str, ...]:
    return (
        cell.setting,
        cell.best.variant,
        time_text(seconds(cell.best).value),
        cell.ran,
        time_text(seconds(cell.auto).value),
        f"{three_digits(cell.speed.value)}x",
    )


def summary(view: View) -> str:
    pairs = cells(view)
    low = below(pairs)
    transposed = sum(cell.auto.axes["layout"] == "B" for cell in low)
    ours = sum(cell.best.role == "ours" for cell in low)
    text = (
        f"`auto` is {factor(pairs[0].speed.value)} to {factor(pairs[-1].speed.value)} as fast as the fastest other variant "
        f"at the same axes, and at least {digits(LEAST, 2)}x in {len(pairs) - len(low)} of {len(pairs)} cells."
    )
    if not low:
        return text
    return (
        f"{text} Of the other {count(len(low), 'cell')}, {transposed} are in layout B. In {ours}, another of our variants "
        "is the fastest, so `auto` could choose it; in the others, a baseline or the paper's method is."
    )


def untuned(view: View) -> str:
    pairs = cells(view, case=in_sweep("untuned"))
    low = below(pairs)
    return (
        f"At parameters that no other sweep has, it is {factor(pairs[0].speed.value)} to {factor(pairs[-1].speed.value)} as "
        f"fast, and at least {digits(LEAST, 2)}x in {len(pairs) - len(low)} of {len(pairs)} cells."
    )


def cells_below(view: View) -> str:
    low = below(cells(view))
    if not low:
        raise NotTestable("no cell is below the margin")
    rows = [(row[0], name_of_variant(row[1]), row[2], escape.markdown(row[3]), *row[4:]) for row in map(row_of, low)]
    return f"The cells below {digits(LEAST, 2)}x:\n\n" + markdown(HEADS, rows)


# The sweep `untuned`.


def _panel_order(cell: Cell) -> tuple[str, float, float]:
    axes = cell.auto.axes
    return cell.base, float(axes["load"]), float(axes["enabled"])


def untuned_title(view: View) -> str:
    speeds = [cell.speed.value for cell in cells(view, case=in_sweep("untuned"))]
    return (
        f"Where nothing was tuned, auto is {factor(min(speeds))} to {factor(max(speeds))} as fast as the best variant"
    )


@dataclass(frozen=True)
class Untuned:
    """Speed of `auto`, and of the fastest other variant, over that of Algorithm 3, by the share of enabled values."""

    name: str
    title: str
    caption: str = ""
    across: bool = False

    @property
    def finding(self) -> Title:
        return untuned_title

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        rows = sorted(cells(view, case=in_sweep("untuned")), key=_panel_order)
        series: dict[tuple[str, str], list[Point]] = {}
        for cell in rows:
            paper = self._paper(view, work_of(cell.auto))
            panel = f"{cell.base}, load {cell.auto.axes['load']}"
            for who, case in (("auto", cell.auto), ("best other", cell.best)):
                label = f"{who}, {cell.auto.axes['states']} states"
                point = Point(
                    float(cell.auto.axes["enabled"]),
                    seconds(paper) / seconds(case),
                    case=f"{case.variant}, {cell.setting}",
                )
                series.setdefault((panel, label), []).append(point)
        lines = [
            Series(label, tuple(points), label, role="ours" if label.startswith("auto") else "baseline", panel=panel)
            for (panel, label), points in series.items()
        ]
        axes = (Axis("enabled values", "%"), Axis("times as fast as Algorithm 3", "1", "log10"))
        heads = heading(self.title, untuned_title, view)
        cases = [case for cell in rows for case in (cell.auto, cell.best)]
        return make_drawing(self.name, heads, view, cases, axes, lines, "lines", self.caption, (Mark(1.0, "equal"),))

    def _paper(self, view: View, work: Mapping[str, str]) -> Case:
        found = view.select(**hot(variant="algorithm3", case=in_sweep("untuned"), **work))
        if not found:
            raise NotTestable(view.missing({"variant": "algorithm3", **work}))
        return found[0]
