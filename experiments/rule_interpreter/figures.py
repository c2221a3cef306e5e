"""Figures and tables of rule_interpreter. The paper's schematic figures are drawn from traces of lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR, SQUARE
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Lines, Ranking
from plots.published import Published, paper_case, paper_device
from plots.quantity import Variable, kernel, metric, number_of, time
from plots.results import Case
from plots.roofs import Roof, RoofTable
from plots.tables import PivotTable
from plots.traces import Cell, Schematic, Trace

ABOUT = About(
    title="Rule interpreter",
    question="Does thread compaction across states pay, and in which memory layout?",
    paper="Köster, Groß, Krüger: Massively Parallel Rule-Based Interpreter Execution on GPUs Using Thread Compaction. "
    "International Journal of Parallel Programming 48(3), 2020.",
    unit="a state",
    cited="Köster 2020",
    asks="Does compaction pay?",
    doi="10.1007/s10766-020-00670-2",
)

LANE = Axis("lane of the warp", "number")
ELEMENT = Axis("element in memory", "index")


def divergence(trace: Trace) -> Iterator[Cell]:
    """Cells of lanes that evaluate are drawn over cells of lanes that only check the condition."""
    for label, meaning in (("condition", "checks the condition, then waits"), ("evaluate", "evaluates")):
        for event in sorted(trace.at(label), key=lambda event: (event.step, event.warp)):
            yield Cell(f"iteration {event.step + 1}, warp {event.warp}", event.lane, meaning)


def compaction(trace: Trace) -> Iterator[Cell]:
    """Positions of the enabled values before and after compaction, coloured by the warp they come from.

    Each warp has one state, and the states lie one after another.
    """
    for event in sorted(trace.at("enabled"), key=lambda event: event.warp):
        yield Cell(f"before, warp {event.warp}", event.lane, f"value of warp {event.warp}")
    for warp in range(trace.parameters["states"]):
        yield Cell(f"after, warp {warp}", 0)
    for event in sorted(trace.at("evaluate"), key=lambda event: event.warp):
        yield Cell(
            f"after, warp {event.warp}", event.lane, f"value of warp {event.element // trace.parameters['range']}"
        )


def groups(trace: Trace) -> Iterator[Cell]:
    """The state that each lane works on."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.block, event.warp)):
        state = event.element // trace.parameters["range"]
        yield Cell(f"group {event.block}, warp {event.warp}", event.lane, f"state {state}")


def memory_by_iteration(trace: Trace) -> Iterator[Cell]:
    for event in trace.at("condition"):
        yield Cell("memory", event.element, f"iteration {event.step + 1}")


def memory_by_warp(trace: Trace) -> Iterator[Cell]:
    """The elements that each iteration of the loop touches, coloured by warp."""
    for event in sorted(trace.at("condition"), key=lambda event: (event.step, event.block)):
        group = f"group {event.block}, " if trace.parameters["states"] == 2 else ""
        yield Cell(f"{group}iteration {event.step + 1}", event.element, f"warp {event.warp}")


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
                yield paper_case(
                    device,
                    "rule_interpreter",
                    variant,
                    axes | {"shape": SCALAR},
                    milliseconds=float(row[f"{column}_ms"]),
                    sigma_milliseconds=float(row[f"{column}_sigma"]),
                    runs=100,
                )


def in_sweep(*names: str) -> Callable[[Case], bool]:
    """Measured rows of the named sweeps with hot caches, and all published rows."""
    return lambda case: case.device.published or (case.cache == "hot" and bool(set(names) & set(case.sweeps)))


ROWS = ("load", "states", "range", "divergence", "layout")
ENABLED = Variable(Axis("enabled values", "%", "log2"), number_of("enabled"))
STATES = Variable(Axis("states", "states", "log2"), number_of("states"))
ACCESSES = Variable(Axis("words loaded and stored per evaluation", "words", "log2"), number_of("accesses"))
BLOCK = Variable(Axis("threads per block", "threads", "log2"), number_of("block"))
GROUP = Variable(Axis("states per group", "states", "log2"), number_of("states_per_group"))
CLUES = Variable(Axis("clues", "1"), number_of("clues"))


def paper_table(number: int, sweep: str, variant: str, title: str) -> PivotTable:
    return PivotTable(
        f"table{number}",
        f"Table {number}: {title}",
        ROWS,
        "variant",
        time(),
        dict(variant=variant, shape=SCALAR, machine=("cuda", "published"), case=_of_table(number, sweep), **AT_DEFAULT),
        caption="Scalar setting: one fused multiply-add per load step. The paper's times allow no larger product.",
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


FIGURES = (
    Schematic("figure1_lanes", "Figure 1: divergence in Algorithm 1", "figure1", "", LANE, divergence, 32),
    Schematic(
        "figure1_memory", "Figure 1: memory accesses of Algorithm 1", "figure1", "", ELEMENT, memory_by_iteration
    ),
    Schematic("figure2", "Figure 2: thread compaction", "figure2", "", LANE, compaction, 32),
    Schematic(
        "figure3_large", "Figure 3: one large group per state", "figure3", "a large group per state", LANE, groups, 32
    ),
    Schematic("figure3_small", "Figure 3: one warp per state", "figure3", "one warp per state", LANE, groups, 32),
    Schematic(
        "figure3_logical",
        "Figure 3: several states per group",
        "figure3",
        "a large group for several states",
        LANE,
        groups,
        32,
    ),
    Schematic("figure4", "Figure 4: memory accesses on two states", "figure4", "", ELEMENT, memory_by_warp),
    Schematic(
        "figure5",
        "Figure 5: memory accesses of Algorithm 3 in layout A",
        "figure5",
        "layout A",
        ELEMENT,
        memory_by_warp,
    ),
    Schematic("figure5_b", "For comparison with Figure 5: layout B", "figure5", "layout B", ELEMENT, memory_by_warp),
    Schematic(
        "figure6",
        "Figure 6: memory accesses of Algorithm 3 in layout C",
        "figure6",
        "layout C",
        ELEMENT,
        memory_by_warp,
    ),
    Ranking(
        "peers",
        "Time of every variant in one cell of Tables 1 and 3, in its best layout",
        time("time"),
        dict(
            machine="cuda",
            shape=SQUARE,
            load="20",
            states="16384",
            range="1024",
            divergence="2",
            case=in_sweep("table1", "peers"),
            **AT_DEFAULT,
        ),
        caption="Load 20, 16384 states of 1024 values, 2x2x2.",
    ),
    Lines(
        "divergence",
        "Time against the share of enabled values (load 200, 2x2x2)",
        ENABLED,
        time("time"),
        dict(machine="cuda", case=in_sweep("divergence")),
        caption="16384 states of 1024 values. The paper tests shares of 50 and 67 percent.",
    ),
    Lines(
        "lanes",
        "Active lanes per warp during an evaluation",
        ENABLED,
        metric("lanes_evaluating", "active lanes", "lanes"),
        dict(machine="cuda", case=in_sweep("divergence")),
    ),
    Lines(
        "empty_warps",
        "Warps without an enabled value",
        ENABLED,
        metric("empty_warps", "share of warps", "1"),
        dict(machine="cuda", variant=("algorithm1", "algorithm3", "uncompacted"), case=in_sweep("divergence")),
    ),
    Lines(
        "states",
        "Time against the number of states (load 20, 2x2x2)",
        STATES,
        time("time"),
        dict(machine="cuda", case=in_sweep("states"), layout="A"),
    ),
    Lines(
        "block",
        "Time of Algorithm 1 against its block size (load 20, 2x2x2)",
        BLOCK,
        time("time"),
        dict(machine="cuda", variant="algorithm1", shape=SQUARE, divergence="2", case=in_sweep("block")),
        by=("states", "range"),
    ),
    Lines(
        "groups",
        "Time against the number of states per group (2x2x2)",
        GROUP,
        time("time"),
        dict(machine="cuda", shape=SQUARE, case=in_sweep("groups")),
        by=("variant", "states", "load"),
    ),
    Lines(
        "accesses",
        "Time against the words that a rule loads and stores",
        ACCESSES,
        time("time"),
        dict(machine="cuda", variant=("algorithm1", "algorithm3"), case=in_sweep("accesses")),
        by=("variant", "layout"),
    ),
    Lines(
        "sudoku",
        "Time to the fixed point of 16384 Sudoku grids",
        CLUES,
        time("time"),
        dict(machine="cuda", rules="sudoku", layout="A", case=in_sweep("sudoku")),
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
