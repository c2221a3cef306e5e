"""Figures of the sweeps that go beyond the paper's tables: rectangles, divisions, shared memory, bit boards, search, `auto`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.rule_interpreter import auto_cells, memory_layouts, own_methods, products, search_speed
from experiments.rule_interpreter.measures import SCALAR, SQUARE
from experiments.rule_interpreter.selection import in_sweep
from experiments.rule_interpreter.wording import name_of_variant, span
from plots.auto_cells import AutoCells
from plots.drawing import Axis
from plots.errors import NotTestable
from plots.figures import Dots, Lines, Stated
from plots.interval import Interval
from plots.quantity import Measure, Quantity, Variable, number_of
from plots.results import Case, View
from plots.units import digits

CLUES = Variable(Axis("clues", "1"), number_of("clues"))

#: The shapes of the sweep `rectangles`, in the order of the paper's count.
RECTANGLES = ("4x2x1", "1x4x4", "2x4x8", "4x8x2")
#: States of the sweep `sudoku_boards` that only bit boards have at every number of clues.
MANY = "1048576"
#: The variants that are compiled with a division, and the cells of the figure, which has the larger number of states.
DIVIDED = ("algorithm1", "algorithm3", "queue")
DIVIDED_CELLS = tuple((shape, values) for shape in (SCALAR, SQUARE) for values in ("1024", "4096"))


def share_of_peak(
    rates: Callable[[View], Mapping[str, Interval]], shape: str, per_slot: int
) -> Callable[[View], Interval]:
    """In percent. A slot at the peak has `per_slot` operations."""
    rate = products.of_shape(rates, shape)
    return lambda view: rate(view) * (100 / (per_slot * view.limit("fma")))


def rectangle_rows() -> tuple[Measure, ...]:
    rows: list[Measure] = []
    for shape in RECTANGLES:
        rows.append(Measure(f"{shape}, FP32 slots", "%", share_of_peak(products.slot_rates, shape, 1)))
        rows.append(Measure(f"{shape}, 2MNO − MO", "%", share_of_peak(products.counted_rates, shape, 2)))
    return tuple(rows)


def rectangles(view: View) -> str:
    by_slot, by_count = products.shares_of_peak(view)
    if len(by_slot) < 2:
        raise NotTestable("fewer than two rectangular shapes")
    return f"Rectangles keep {in_percent(by_slot)} of the FP32 slots busy; by 2MNO − MO it looks like {in_percent(by_count)}"


def in_percent(shares: list[float]) -> str:
    return f"{digits(100 * min(shares), 2)}% to {digits(100 * max(shares), 2)}%"


def divided(variant: str, shape: str, values: str) -> Callable[[View], Interval]:
    name = f"load 20, 16384 states of {values}, phi 2"

    def of(view: View) -> Interval:
        found = memory_layouts.division_ratios(view, variant, shape)
        if name not in found:
            raise NotTestable(f"{variant} has no time with a division")
        return found[name]

    return of


def division(view: View) -> str:
    found = [
        ratio.value
        for shape in (SCALAR, SQUARE)
        for ratio in memory_layouts.division_ratios(view, "algorithm3", shape).values()
    ]
    if not found:
        raise NotTestable("Algorithm 3 has no time with a division")
    return f"With a real division in each address, layout C takes Algorithm 3 {span(found)} the time"


def shared_memory(view: View) -> str:
    found = own_methods.gain_of_shared_memory(view)
    ahead = sum(ratio.value > 1 for ratio in found.values())
    several = [ratio.value for (_, steps, _), ratio in found.items() if steps != "1"]
    if not several:
        raise NotTestable("no row has several passes")
    return f"States in shared memory pay in {ahead} of {len(found)} cases: {span(several)} as fast over several passes"


def boards(view: View) -> str:
    found = [ratio.value for ratio in own_methods.gain_of_boards(view).values()]
    return f"Bit boards reach Sudoku's fixed point {span(found)} as fast as the paper's best interpreter"


def cached_in(rules: str, steps: str, values: str) -> Callable[[View], Interval]:
    def of(view: View) -> Interval:
        found = own_methods.gain_of_shared_memory(view)
        if (rules, steps, values) not in found:
            raise NotTestable(f"no times of {rules} with {steps} steps and {values} values")
        return found[rules, steps, values]

    return of


def grids_per_second(case: Case) -> Interval | None:
    return case.time.inverse() * case.items if case.time is not None else None


def board_line(case: Case) -> str:
    return case.variant if case.axes["states"] != MANY else f"{case.variant}, {MANY} grids"


def is_plotted(case: Case) -> bool:
    """Rows of the two sweeps, except for `cached` on many grids, which has one number of clues."""
    return in_sweep("sudoku", "sudoku_boards")(case) and (case.variant == "bit_board" or case.axes["states"] != MANY)


OWN_FIGURES = (
    Dots(
        "rectangles",
        "Share of the FP32 peak in products of rectangular matrices (load 200)",
        Axis("share of the peak", "%"),
        rectangle_rows(),
        caption="16384 states of 1024 values, ϕ 2, layout A; the fastest variant for each shape M x N x O. The paper counts 2MNO "
        "− MO operations per product. A fused multiply-add is two operations in one slot, so the slots are what bounds the "
        "time. The peak is that of measured fused multiply-adds.",
        finding=rectangles,
        stated=(Stated("peak", lambda view: 100.0),),
    ),
    Dots(
        "division",
        "Time in layout C with a division over the time with a shift (load 20)",
        Axis("times as long with a division", "1"),
        tuple(
            Measure(
                f"{name_of_variant(variant).strip('`')}, {shape}, {values} values", "1", divided(variant, shape, values)
            )
            for variant in DIVIDED
            for shape, values in DIVIDED_CELLS
        ),
        caption="16384 states, ϕ 2. Addresses in layout C divide by the size of a warp. Compilers know it and shift instead; "
        "C_divided takes it at run time. The table has 2048 states as well.",
        finding=division,
        stated=(Stated("equal", lambda view: 1.0),),
        where=dict(variant=DIVIDED, case=in_sweep("division")),
    ),
    Dots(
        "cached",
        "Speed with states in shared memory over that with states in global memory (load 20, scalar)",
        Axis("times as fast with shared memory", "1"),
        tuple(
            Measure(
                f"{own_methods.BASES[rules]}, {own_methods.passes(steps)}, {values} values",
                "1",
                cached_in(rules, steps, values),
            )
            for rules, steps in (("synthetic", "1"), ("several", "1"), ("several", "8"))
            for values in ("256", "1024", "4096")
        ),
        caption="16384 states in layout A. `cached` keeps each state in shared memory. Algorithm 2, or Algorithm 1 where there is "
        "one rule, reads global memory in every rule and pass. The table has `fused` as well, which keeps each instance in "
        "registers.",
        finding=shared_memory,
        stated=(Stated("equal", lambda view: 1.0),),
        where=dict(variant=("algorithm1", "algorithm2", "cached"), case=own_methods.beside_cached),
    ),
    Lines(
        "boards",
        "Sudoku grids per second to the fixed point against the number of clues",
        CLUES,
        Quantity(Axis("speed", "grids/s", "log10"), grids_per_second),
        dict(
            machine="cuda",
            rules="sudoku",
            variant=("algorithm1", "algorithm2", "algorithm3", "cached", "bit_board"),
            case=is_plotted,
        ),
        by=(("variant", board_line),),
        caption="16384 grids, and for bit boards 1048576 as well; each variant in its faster layout, A or C. All of them apply "
        "the same rules and return the same grids and numbers of passes.",
        finding=boards,
    ),
    search_speed.FIGURE,
    AutoCells(
        "auto_cells",
        "Speed of auto relative to the fastest other variant, in every cell",
        auto_cells.CELLS,
        caption="A point per cell: a rule base with all of its axes, the layout among them. The other variant has its best "
        "blocks and groups, and the kernels that auto ran were timed under another variant, too, or auto lost. Below the line at 0.97, auto is slower by more than the margin that counts as equal; the table "
        "lists these cells.",
    ),
    auto_cells.Untuned(
        "untuned",
        "Speed over Algorithm 3 at parameters that no other sweep has",
        caption="States of 900 values, layout A; products of 2x2x2, or four scalar rules. “Best other” is the fastest variant "
        "except for auto.",
    ),
)
