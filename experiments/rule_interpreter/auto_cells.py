"""`auto` against the fastest other variant (plots/auto_cells.py): the cells of rule_interpreter, and what the page says.

A cell is a rule base with all of its axes, the layout among them. Only the geometry (blocks, groups, warps) is free: it is
what a variant chooses, so each variant has its best one.
"""

from __future__ import annotations

from dataclasses import dataclass

from experiments.rule_interpreter.wording import count, factor, hot, in_sweep, name_of_variant
from plots.auto_cells import Cell, Cells, below, near_the_best, seconds
from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Case, View
from plots.spec import Scope, Title, heading, make_drawing

#: The axes that a variant chooses for itself.
GEOMETRY = ("block", "states_per_group", "states_per_warp", "warps_per_state")
#: The rule bases, in words.
BASES = {
    "synthetic": "matrix products",
    "several": "four rules",
    "accesses": "moves of words",
    "sudoku": "Sudoku",
    "search": "Sudoku search",
}


def base_of(case: Case) -> str:
    return BASES.get(case.axes["rules"], case.axes["rules"])


def setting_of(case: Case) -> str:
    """'load 20, 2048 states of 1024, phi 2, 1x1x1, layout C', with the axes that the rule base has."""
    axes = case.axes
    rules = axes["rules"]
    if rules == "sudoku":
        return f"{axes['states']} grids, {axes['clues']} clues, layout {axes['layout']}"
    if rules == "search":
        kind = "minimal" if axes["puzzles"] == "minimal" else f"{axes['clues']} clues"
        return f"search in {axes['states']} grids, {kind}"
    words = [base_of(case)] if rules == "several" else []
    words += [count(int(axes["accesses"]), "word") if rules == "accesses" else f"load {axes['load']}"]
    words += [f"{count(int(axes['states']), 'state')} of {axes['range']}"]
    words += [f"phi {axes['divergence']}" if axes["enabled"] == "-1" else f"{axes['enabled']}% enabled"]
    words += [f"{axes['steps']} passes"] if axes["steps"] != "1" else []
    words += [axes["shape"]] if rules == "synthetic" else []
    return ", ".join([*words, f"layout {axes['layout']}"])


def work_of(case: Case) -> dict[str, str]:
    """The axes that say what a case computes. Only matrix products have a shape."""
    left_out = GEOMETRY if case.axes["rules"] == "synthetic" else (*GEOMETRY, "shape")
    return {name: value for name, value in case.axes.items() if name not in left_out}


#: The cells are in most of the sweeps.
CELLS = Cells(work_of, base_of, setting_of, "./lockstep run rule_interpreter --preset full")


def summary(view: View) -> str:
    pairs = CELLS.of(view)
    low = below(pairs)
    transposed = sum(cell.auto.axes["layout"] == "B" for cell in low)
    ours = sum(cell.best.role == "ours" for cell in low)
    text = (
        f"At the same axes, `auto` is {near_the_best(pairs, factor)}. In these cells, the kernels that `auto` ran were timed under "
        "another variant, too, or it lost. On a GPU, `auto` first times up to four other variants and keeps the fastest; these trials are not in its time."
    )
    if not low:
        return text
    return (
        f"{text} Of the other {count(len(low), 'cell')}, {transposed} are in layout B. In {ours}, another of our variants "
        "is the fastest, so `auto` could choose it; in the others, a baseline or the paper's method is."
    )


def untuned(view: View) -> str:
    pairs = CELLS.of(view, case=in_sweep("untuned"))
    return f"At parameters that no other sweep has, it is {near_the_best(pairs, factor)}."


def cells_below(view: View) -> str:
    return CELLS.listed(view, name_of_variant)


# The sweep `untuned`.


def _panel_order(cell: Cell) -> tuple[str, float, float]:
    axes = cell.auto.axes
    return base_of(cell.auto), float(axes["load"]), float(axes["enabled"])


def untuned_title(view: View) -> str:
    """The speeds that the figure draws: those over Algorithm 3."""
    speeds = [(paper_of(view, cell) / seconds(cell.auto)).value for cell in CELLS.of(view, case=in_sweep("untuned"))]
    return f"Where nothing was tuned, auto is {factor(min(speeds))} to {factor(max(speeds))} as fast as Algorithm 3"


def paper_of(view: View, cell: Cell) -> Interval:
    """The time of Algorithm 3 for the same problem."""
    work = work_of(cell.auto)
    found = view.select(**hot(variant="algorithm3", case=in_sweep("untuned"), **work))
    if not found:
        raise NotTestable(view.missing({"variant": "algorithm3", **work}))
    return seconds(found[0])


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
        rows = sorted(CELLS.of(view, case=in_sweep("untuned")), key=_panel_order)
        series: dict[tuple[str, str], list[Point]] = {}
        for cell in rows:
            paper = paper_of(view, cell)
            panel = f"{base_of(cell.auto)}, load {cell.auto.axes['load']}"
            for who, case in (("auto", cell.auto), ("best other", cell.best)):
                label = f"{who}, {cell.auto.axes['states']} states"
                point = Point(
                    float(cell.auto.axes["enabled"]),
                    paper / seconds(case),
                    case=f"{case.variant}, {setting_of(case)}",
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
