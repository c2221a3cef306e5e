"""The cells of the papers' tables, and the times of variants in them: what all numbers of claims and findings start from.

The paper's times fit only the scalar setting (METHOD.md), and its text describes matrix products. A claim is therefore
judged at 1x1x1 and at 2x2x2, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from plots.claims import Measured, Part, Parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, Case, View

#: (load, states, range, divergence): a row of the paper's tables without its layout.
Cell = tuple[int, int, int, int]

LAYOUTS = ("A", "B", "C")

SCALAR, SQUARE = "1x1x1", "2x2x2"

#: A case of one pass in which the variant chooses its geometry and `divergence` sets the share of enabled values.
AT_DEFAULT: Mapping[str, str] = dict(
    rules="synthetic",
    enabled="-1",
    steps="1",
    block="0",
    states_per_group="0",
    warps_per_state="0",
    states_per_warp="0",
)

#: Rows of Tables 1 and 3, and of Tables 2 and 4.
TABLE1 = tuple((20, states, values, phi) for states in (2048, 16384) for values in (1024, 4096) for phi in (2, 3))

TABLE2 = tuple((load, states, 1024, 2) for states in (2048, 16384) for load in (200, 2000))

#: Times within this share of each other count as equal.
MARGIN = 0.03

OURS = ("ours",)

#: Roles of the variants that ours compete with on a GPU.
OTHERS = ("paper", "baseline")


def variants_of(view: View, roles: Iterable[str]) -> tuple[str, ...]:
    """The variants of these roles that have rows of the synthetic rule on a GPU."""
    cases = view.select(role=tuple(roles), rules="synthetic", machine=GPU)
    return tuple(dict.fromkeys(case.variant for case in cases))


def cell_of(case: Case) -> Cell:
    load, states, values, phi = (int(case.axes[name]) for name in ("load", "states", "range", "divergence"))
    return load, states, values, phi


def name_of(cell: Cell, layout: str = "") -> str:
    load, states, values, phi = cell
    return f"load {load}, {states} states of {values}, phi {phi}" + (f", {layout}" if layout else "")


def times(view: View, variant: str, shape: str = SCALAR, **where: object) -> dict[tuple[Cell, str], Interval]:
    """Times of a variant per cell and layout, with hot caches."""
    wanted: dict[str, object] = {
        **AT_DEFAULT,
        "variant": variant,
        "shape": shape,
        "machine": GPU,
        "cache": ("hot", ""),
        **where,
    }
    found = {(cell_of(case), case.axes["layout"]): case.time for case in view.select(**wanted) if case.time is not None}
    if not found:
        raise NotTestable(view.missing({"variant": variant, "shape": shape, "machine": GPU}))
    return found


def fastest(found: Mapping[tuple[Cell, str], Interval]) -> dict[Cell, Interval]:
    """The shortest time of each cell over its layouts."""
    best: dict[Cell, Interval] = {}
    for (cell, _), time in found.items():
        if cell not in best or time.value < best[cell].value:
            best[cell] = time
    return best


def best_of(view: View, variant: str, shape: str) -> dict[Cell, tuple[str, Interval]]:
    """The fastest layout of a variant, and its time, in each cell of the tables."""
    best: dict[Cell, tuple[str, Interval]] = {}
    for (cell, layout), time in times(view, variant, shape).items():
        if cell in TABLE1 + TABLE2 and (cell not in best or time.value < best[cell][1].value):
            best[cell] = layout, time
    return best


def best_ratios(view: View, above: str, below: str, shape: str) -> dict[Cell, Interval]:
    top, bottom = best_of(view, above, shape), best_of(view, below, shape)
    return {cell: top[cell][1] / bottom[cell][1] for cell in top if cell in bottom}


def ratios(
    view: View, above: str, below: str, shape: str = SCALAR, layouts: Iterable[str] = ("A", "C")
) -> dict[str, Interval]:
    """Time of one variant divided by that of another in the same layout, per cell of the tables."""
    top, bottom = times(view, above, shape), times(view, below, shape)
    return {
        name_of(cell, layout): top[cell, layout] / bottom[cell, layout]
        for cell in TABLE1 + TABLE2
        for layout in layouts
        if (cell, layout) in top and (cell, layout) in bottom
    }


def ratios_of_layouts(view: View, above: tuple[str, str], below: tuple[str, str], shape: str) -> dict[str, Interval]:
    """Time of one (variant, layout) divided by that of another, per cell of the tables."""
    top, bottom = times(view, above[0], shape), times(view, below[0], shape)
    return {
        name_of(cell): top[cell, above[1]] / bottom[cell, below[1]]
        for cell in TABLE1 + TABLE2
        if (cell, above[1]) in top and (cell, below[1]) in bottom
    }


def by_name(found: Mapping[Cell, Interval]) -> dict[str, Interval]:
    return {name_of(cell): value for cell, value in found.items()}


def largest(found: Mapping[str, Interval]) -> Measured:
    if not found:
        raise NotTestable("no rows to compare")
    name = max(found, key=lambda key: found[key].value)
    return Measured(found[name], name)


def at_every_shape(measure: Callable[[View, str], Measured | Parts]) -> Callable[[View], Parts]:
    """The parts at the scalar setting and at 2x2x2. A paper's numbers are at the scalar setting alone."""

    def both(view: View) -> Parts:
        found: list[Part] = []
        notes: list[str] = []
        reason = NotTestable("no shape has rows")
        for shape in (SCALAR, SQUARE):
            try:
                measured = measure(view, shape)
            except NotTestable as why:
                reason = why
                continue
            own = [Part("", measured.interval)] if isinstance(measured, Measured) else measured.parts
            found += [Part(", ".join(filter(None, (shape, part.label))), part.interval, part.bound) for part in own]
            notes += [f"{shape}: {measured.note}"] if measured.note else []
        if not found:
            raise reason
        return Parts(tuple(found), "; ".join(notes))

    return both
