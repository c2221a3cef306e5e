"""`auto` against the fastest other variant (plots/auto_cells.py): the cells of random_grids, and what the page says."""

from __future__ import annotations

from experiments.random_grids.measures import CONTROLS, k_name, sites
from experiments.random_grids.wording import factor, k_text, size
from plots.auto_cells import AutoCells, AutoTable, Cells, near_the_best
from plots.results import Case, View

#: Panels of the figure: the largest number of sites, and its name.
PANELS = ((64.0, "at most 64 sites"), (1024.0, "65 to 1024 sites"), (16384.0, "more than 1024 sites"))


def panel_of(case: Case) -> str:
    return next(name for largest, name in PANELS if sites(case.axes["grid"]) <= largest)


def work_of(case: Case) -> dict[str, str]:
    """Every axis, for a variant chooses none of them. The k of N/2 is a number or the word `half`."""
    return case.axes | {"occupied": k_name(case)}


def setting_of(case: Case) -> str:
    """'32 x 32, k = 512, xorwow, 135168 streams of 64, stored'."""
    axes = case.axes
    return f"{size(axes['grid'])}, {k_text(case)}, {axes['engine']}, {axes['streams']} streams of {axes['length']}, {axes['output']}"


#: Most of the sweeps have `auto`.
CELLS = Cells(work_of, panel_of, setting_of, "./lockstep run random_grids --preset full", CONTROLS)

FIGURE = AutoCells(
    "auto_cells",
    "Speed of auto relative to the fastest other variant, in every cell",
    CELLS,
    "A point per cell: a board, its k, the engine, the streams and the output. The kernels that auto ran were timed under another variant, too, or auto lost. Below the line at 0.97, auto is slower by more "
    "than the margin that counts as equal; the table lists these cells.",
)

TABLE = AutoTable(
    "auto_cells",
    "Cells in which auto is slower than the fastest other variant by more than the margin",
    CELLS,
    "The figure has all cells.",
)


def summary(view: View) -> str:
    return f"At the same axes, `auto` is {near_the_best(CELLS.of(view), factor)}."


def unseen(view: View) -> str:
    pairs = CELLS.of(view, case=lambda case: any(name.startswith("unseen") for name in case.sweeps))
    return f"At parameters that no other sweep has, it is {near_the_best(pairs, factor)}."


def cells_below(view: View) -> str:
    return CELLS.listed(view)
