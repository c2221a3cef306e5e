"""Figures of rule_interpreter, and the paper's numbers as rows. Its schematic figures are in schematics.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from experiments.rule_interpreter import titles
from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR, SQUARE, TABLE1, TABLE2, Cell, best_of, best_ratios
from experiments.rule_interpreter.own_figures import OWN_FIGURES
from experiments.rule_interpreter.schematics import SCHEMATICS
from experiments.rule_interpreter.selection import in_sweep
from experiments.rule_interpreter.tables import TABLES
from experiments.rule_interpreter.wording import name_of_variant
from plots.catalog import About
from plots.drawing import Axis
from plots.errors import NotTestable
from plots.figures import Dots, Lines, Ranking, Stated
from plots.interval import Interval
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Quantity, Variable, metric, number_of, time
from plots.results import Case, View

__all__ = ["ABOUT", "COLOURS", "FIGURES", "ITEMS", "TABLES", "published"]

ABOUT = About(
    title="Rule interpreter",
    question="Does thread compaction across states pay, and in which memory layout?",
    paper="Köster, Groß, Krüger: Massively Parallel Rule-Based Interpreter Execution on GPUs Using Thread Compaction. "
    "International Journal of Parallel Programming 48(3), 2020.",
    unit="a state",
    cited="Köster 2020",
    asks="Does thread compaction pay?",
    doi="10.1007/s10766-020-00670-2",
)

#: What rows of these rules count. Rows of the other rules count values.
ITEMS = {"rules": {"sudoku": "grids", "search": "puzzles"}}

#: Of the variants, in all figures, and of the roles in rankings. `list` and `cached` never meet, nor do `algorithm2` and
#: `wavefront`, nor `fused` or `bit_board` and `queue`.
COLOURS = {
    "ours": "blue",
    "paper": "red",
    "baseline": "grey",
    "auto": "blue",
    "algorithm3": "red",
    "algorithm1": "grey",
    "algorithm2": "green",
    "wavefront": "green",
    "uncompacted": "olive",
    "thread_per_state": "brown",
    "queue": "sky",
    "block_queue": "crimson",
    "flat_queue": "crimson",
    "refill_queue": "crimson",
    "list": "purple",
    "cached": "purple",
    "fused": "sky",
    "bit_board": "sky",
}

#: The paper's GPUs: column prefix in its tables, name, and peak FLOP/s from the data sheet.
CARDS = {
    "gtx1080ti": ("GeForce GTX 1080 Ti", 11.34e12),
    "titanx": ("GeForce GTX Titan X", 6.69e12),
}


def published(numbers: Published) -> Iterable[Case]:
    """Tables 1 to 4: Algorithm 1 in the first two, Algorithm 3 in the others; medians of 100 runs.

    The paper does not print the shape of its matrices. The rows are filed under the scalar setting (METHOD.md).
    """
    for column, (name, peak) in CARDS.items():
        device = paper_device(name, {"peak_flops": peak})
        for table, variant in ((1, "algorithm1"), (2, "algorithm1"), (3, "algorithm3"), (4, "algorithm3")):
            for _, row in numbers.table(f"rule_interpreter_table{table}").iterrows():
                axes = {key: str(row[key]) for key in ("load", "states", "range", "divergence", "layout")}
                axes |= AT_DEFAULT
                time, sigma = row[f"{column}_ms"], row[f"{column}_sigma"]
                case = paper_case(
                    device,
                    "rule_interpreter",
                    variant,
                    axes | {"shape": SCALAR},
                    milliseconds=float(time),
                    sigma_milliseconds=float(sigma),
                    runs=100,
                )
                yield replace(case, printed=f"{time} (σ {sigma})")


ENABLED = Variable(Axis("enabled values", "%", "log10"), number_of("enabled"))
STATES = Variable(Axis("states", "1", "log2"), number_of("states"))
ACCESSES = Variable(Axis("words moved per evaluation", "1", "log2"), number_of("accesses"))
BLOCK = Variable(Axis("threads per block", "1", "log2"), number_of("block"))
GROUP = Variable(Axis("states per group", "1", "log2"), number_of("states_per_group"))

#: One cell of Tables 1 and 3.
CELL = dict(load="20", states="16384", range="1024", divergence="2")
IN_CELL = "Load 20, 16384 states of 1024 values, ϕ 2; each variant in its best layout."
#: The variants that the figures over the share of enabled values compare.
SHARES = ("algorithm1", "algorithm3", "uncompacted", "wavefront", "queue", "auto")
WITHOUT_LIST = "`list`, one of those that `auto` chooses from, is left out."


#: The paper's settings: the load at each number of states, then ϕ 3 and states of 4096 values.
CELLS = sorted(TABLE1 + TABLE2, key=lambda cell: (cell[2], cell[3], -cell[1], cell[0]))


def measured_in(cell: Cell, of: Callable[[View, Cell], Interval], unit: str) -> Measure:
    load, states, values, phi = cell
    return Measure(f"load {load}, {states} states of {values}, ϕ {phi}", unit, lambda view: of(view, cell))


def speedup(view: View, cell: Cell) -> Interval:
    found = best_ratios(view, titles.SIMPLE, titles.PRINTED, SCALAR)
    if cell not in found:
        raise NotTestable("the cell has no times of both algorithms")
    return found[cell]


def time_of(variant: str) -> Callable[[View, Cell], Interval]:
    def of(view: View, cell: Cell) -> Interval:
        found = best_of(view, variant, SCALAR)
        if cell not in found:
            raise NotTestable(f"the cell has no time of {variant}")
        return found[cell][1]

    return of


def cells_of(variant: str, name: str, tables: str, stated: tuple[Stated, ...] = ()) -> Dots:
    return Dots(
        f"times_{variant}",
        f"{tables}: time of {name} in each setting",
        Axis("time", "s", "log10"),
        tuple(measured_in(cell, time_of(variant), "s") for cell in CELLS),
        caption="The faster of the layouts in each setting, ours at the scalar setting. Hollow marks are the paper's GPUs, "
        "as its tables print them.",
        finding=titles.eight_times_the_states(variant),
        stated=stated,
    )


def layout_name(case: Case) -> str:
    return f"layout {case.axes['layout']}"


def setting(case: Case) -> str:
    return f"{case.axes['states']} states, load {case.axes['load']}"


def size(case: Case) -> str:
    return f"{case.axes['states']} states of {case.axes['range']}"


def share_of_warps(case: Case) -> Interval | None:
    value = case.metric("empty_warps")
    return value * 100 if value is not None else None


FIGURES = (
    Dots(
        "speedup",
        "Speed of Algorithm 3 over Algorithm 1 in each setting of Tables 1 to 4",
        Axis("times as fast", "1", "log10"),
        tuple(measured_in(cell, speedup, "1") for cell in CELLS),
        caption="Each algorithm in its best layout, ours at the scalar setting. Left of the line at 1, compaction loses. "
        "Hollow marks are the paper's GPUs, from its tables.",
        finding=titles.compaction(SCALAR),
        stated=(
            Stated("equal", lambda view: 1.0),
            Stated("largest in the paper's text", lambda view: view.fact("speedup")),
        ),
    ),
    cells_of("algorithm1", "Algorithm 1", "Tables 1 and 2"),
    cells_of(
        "algorithm3",
        "Algorithm 3",
        "Tables 3 and 4",
        (Stated("the paper's example (2048 states, ϕ 3)", titles.example_seconds),),
    ),
    *SCHEMATICS,
    Ranking(
        "peers_scalar",
        "Time of every variant in one setting of Tables 1 and 3, scalar",
        time("time"),
        dict(machine="cuda", shape=SCALAR, **CELL, case=in_sweep("table1", "peers"), **AT_DEFAULT),
        caption=f"{IN_CELL} Scalar setting, the only one that the paper's times allow. Hollow marks are the paper's GPUs.",
        finding=titles.leader(machine="cuda", shape=SCALAR, **CELL, case=in_sweep("table1", "peers"), **AT_DEFAULT),
        published=dict(shape=SCALAR, **CELL, **AT_DEFAULT),
    ),
    Ranking(
        "peers",
        "Time of every variant in one setting of Tables 1 and 3, 2x2x2",
        time("time"),
        dict(machine="cuda", shape=SQUARE, **CELL, case=in_sweep("table1", "peers"), **AT_DEFAULT),
        caption=f"{IN_CELL} Matrix products of 2x2x2. The paper has no times for them.",
        finding=titles.leader(machine="cuda", shape=SQUARE, **CELL, case=in_sweep("table1", "peers"), **AT_DEFAULT),
    ),
    Lines(
        "divergence",
        "Time against the share of enabled values (load 200, 2x2x2)",
        ENABLED,
        time("time"),
        dict(machine="cuda", variant=SHARES, case=in_sweep("divergence")),
        caption="16384 states of 1024 values in layout A. The paper tests the two marked shares. The fewer values are enabled, the "
        f"more lanes wait without compaction. {WITHOUT_LIST}",
        finding=titles.divergence,
        stated=(
            Stated("ϕ = 2", lambda view: 100 * (1 - 1 / view.fact("phi_low")), "x"),
            Stated("ϕ = 3", lambda view: 100 * (1 - 1 / view.fact("phi_high")), "x"),
        ),
        keep=SHARES,
    ),
    Lines(
        "lanes",
        "Active lanes per warp during an evaluation",
        ENABLED,
        metric("lanes_evaluating", "active lanes", "1"),
        dict(machine="cuda", variant=SHARES, case=in_sweep("divergence")),
        caption="Counted over all evaluations, load 200. A warp has 32 lanes. Variants that coincide share a label. "
        f"{WITHOUT_LIST}",
        finding=titles.lanes,
        keep=SHARES,
    ),
    Lines(
        "empty_warps",
        "Warps without an enabled value",
        ENABLED,
        Quantity(Axis("share of warps", "%"), share_of_warps, deterministic=True),
        dict(machine="cuda", variant=("algorithm1", "algorithm3", "uncompacted"), case=in_sweep("divergence")),
        caption="Counted. An empty warp skips the evaluation. Without compaction a warp is empty only if none of its 32 "
        "values is enabled.",
        finding=titles.empty_warps,
    ),
    Lines(
        "states",
        "Time against the number of states (load 20, 2x2x2)",
        STATES,
        time("time"),
        dict(machine="cuda", case=in_sweep("states"), layout="A"),
        caption="States of 1024 values in layout A. On the left there are fewer states than the GPU can work on at once.",
        finding=titles.states,
    ),
    Lines(
        "block",
        "Time of Algorithm 1 against its block size (load 20, 2x2x2)",
        BLOCK,
        time("time"),
        dict(machine="cuda", variant="algorithm1", shape=SQUARE, divergence="2", case=in_sweep("block")),
        by=(("states and values", size),),
        caption="A line for each number of states and of values per state. Blocks of one warp are the middle of Figure 3.",
        finding=titles.blocks,
    ),
    Lines(
        "groups",
        "Time against the number of states per group (2x2x2)",
        GROUP,
        time("time"),
        dict(machine="cuda", shape=SQUARE, case=in_sweep("groups")),
        panels=("setting", setting),
        caption="States of 1024 values in layout A. Algorithm 3 as printed has 32 states per group.",
        finding=titles.groups,
    ),
    Lines(
        "accesses",
        "Time against the words that a rule loads and stores",
        ACCESSES,
        time("time"),
        dict(machine="cuda", variant=("algorithm1", "algorithm3", "auto"), case=in_sweep("accesses")),
        by=(("layout", layout_name),),
        panels=("variant", lambda case: name_of_variant(case.variant).strip("`")),
        caption="A rule that only moves words, 2048 states of 1024 values. The paper expects that the addresses of layout C "
        "cost most here. Where one line is to be seen, the layouts coincide.",
        finding=titles.accesses,
    ),
    Ranking(
        "sudoku",
        "Time to the fixed point of 16384 Sudoku grids with 30 clues",
        time("time"),
        dict(machine="cuda", rules="sudoku", clues="30", case=in_sweep("sudoku")),
        caption="Each variant in its faster layout, A or C. The table of layouts has 26 and 36 clues as well.",
        finding=titles.leader(machine="cuda", rules="sudoku", clues="30", case=in_sweep("sudoku")),
    ),
    *OWN_FIGURES,
)
