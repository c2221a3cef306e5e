"""The tables of rule_interpreter: the paper's four beside the measurements, and what it does not have."""

from __future__ import annotations

from collections.abc import Callable

from experiments.rule_interpreter.auto_cells import CELLS
from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR, SQUARE
from experiments.rule_interpreter.selection import in_sweep
from plots.auto_cells import AutoTable
from plots.quantity import kernel, time
from plots.results import Case
from plots.roofs import Roof, RoofTable
from plots.tables import Key, PivotTable


def axis(name: str, head: str) -> Key:
    """An axis under the head that the paper's tables have for it."""
    return head, lambda case: case.axes[name]


#: The columns of the paper's tables.
ROWS: tuple[Key, ...] = (
    axis("load", "Load"),
    axis("states", "# State"),
    axis("range", "Value Range"),
    axis("divergence", "ϕ"),
    axis("layout", "Layout"),
)


def paper_table(number: int, sweep: str, variant: str, title: str) -> PivotTable:
    return PivotTable(
        f"table{number}",
        f"Table {number}: {title}",
        ROWS,
        "variant",
        time(),
        dict(variant=variant, shape=SCALAR, machine=("cuda", "published"), case=_of_table(number, sweep), **AT_DEFAULT),
        caption="The paper's medians of 100 runs, with its σ, as printed. Ours are at the scalar setting, one fused "
        "multiply-add per load step: the paper's times allow no larger product.",
        prefix="m",
    )


def _of_table(number: int, sweep: str) -> Callable[[Case], bool]:
    """Published rows do not name their table. Tables 1 and 3 have load 20, Tables 2 and 4 higher loads."""
    hot = in_sweep(sweep)
    return lambda case: hot(case) and (case.axes["load"] == "20") == (number in (1, 3))


def compared(name: str, sweep: str, peers: str, shape: str) -> PivotTable:
    return PivotTable(
        f"{name}_{shape}",
        f"All variants in the cells of {'Tables 1 and 3' if sweep == 'table1' else 'Tables 2 and 4'}, {shape}",
        ROWS,
        "variant",
        time(),
        dict(
            shape=shape,
            machine="cuda",
            case=in_sweep(sweep, peers),
            **AT_DEFAULT,
        ),
    )


TABLES = (
    paper_table(1, "table1", "algorithm1", "Algorithm 1, load 20"),
    paper_table(2, "table2", "algorithm1", "Algorithm 1, higher loads"),
    paper_table(3, "table1", "algorithm3", "Algorithm 3, load 20"),
    paper_table(4, "table2", "algorithm3", "Algorithm 3, higher loads"),
    compared("cells20", "table1", "peers", SCALAR),
    compared("cells20", "table1", "peers", SQUARE),
    compared("cells200", "table2", "peers_load", SCALAR),
    compared("cells200", "table2", "peers_load", SQUARE),
    PivotTable(
        "shapes",
        "Time by matrix size (load 20)",
        ("shape",),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("shapes"), **AT_DEFAULT),
        caption="16384 states of 1024 values, layout A.",
    ),
    PivotTable(
        "registers",
        "Registers per thread, by matrix size",
        ("shape",),
        "variant",
        kernel("registers", "registers per thread", "1"),
        dict(machine="cuda", case=in_sweep("shapes"), **AT_DEFAULT),
    ),
    PivotTable(
        "spills",
        "Local memory per thread, by matrix size",
        ("shape",),
        "variant",
        kernel("local_bytes", "local memory per thread", "B"),
        dict(machine="cuda", case=in_sweep("shapes"), **AT_DEFAULT),
        caption="A group of 1024 threads leaves 64 registers per thread, and 8x8x8 does not fit into them.",
    ),
    PivotTable(
        "address_registers",
        "Registers per thread, by layout: the cost of layout C's addresses",
        ("shape", "variant"),
        "layout",
        kernel("registers", "registers per thread", "1"),
        dict(machine="cuda", case=in_sweep("table1"), **AT_DEFAULT),
    ),
    PivotTable(
        "group_layout",
        "Layout C across all states and within a group",
        ("shape", "states", "range", "variant"),
        "layout",
        time(),
        dict(machine="cuda", case=in_sweep("group_layout")),
    ),
    PivotTable(
        "division",
        "Layout C with a shift and with a division",
        ("shape", "states", "range", "variant"),
        "layout",
        time(),
        dict(machine="cuda", case=in_sweep("division")),
        caption="C_divided divides by the size of a warp at run time.",
    ),
    PivotTable(
        "rectangles",
        "Products of rectangular matrices",
        ("shape", "load"),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("rectangles")),
        caption="16384 states of 1024 values, layout A.",
    ),
    PivotTable(
        "rules",
        "Four consecutive rules",
        ("states", "load", "steps"),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("rules")),
    ),
    PivotTable(
        "few_states",
        "Few states: 1 and 32",
        ("states", "range", "load"),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("grid_stride")),
    ),
    PivotTable(
        "sudoku_layouts",
        "Time to the fixed point of 16384 Sudoku grids, by layout",
        ("clues", "layout"),
        "variant",
        time(),
        dict(machine="cuda", rules="sudoku", case=in_sweep("sudoku")),
    ),
    PivotTable(
        "cached",
        "States in shared memory",
        ("rules", "steps", "range"),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("cached")),
    ),
    PivotTable(
        "sudoku_boards",
        "Time to the fixed point on bit boards",
        ("states", "clues"),
        "variant",
        time(),
        dict(machine="cuda", case=in_sweep("sudoku_boards")),
    ),
    AutoTable(
        "auto_cells",
        "Cells in which auto is slower than the fastest other variant by more than the margin",
        CELLS,
        "The figure has all cells. A variant has its best blocks and groups.",
    ),
    PivotTable(
        "cpu",
        "Times on the CPU",
        ("rules", "shape"),
        "variant",
        time(),
        dict(machine="cpu", case=in_sweep("cpu")),
    ),
    RoofTable(
        "limits",
        "Share of the device's limits",
        (
            Roof("fused multiply-adds", "fma", "FMA/s", lambda case: case.operations),
            Roof("copy", "copy.memcpy", "B/s", lambda case: case.bytes),
        ),
        dict(variant=("algorithm1", "algorithm3", "auto"), machine="cuda", rules="synthetic"),
    ),
)
