"""Selects rows, and writes numbers, ratios and Markdown tables, for findings and topics of random_grids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from experiments.random_grids.measures import CONTROLS, has_k, k_name, keeps_gpu_busy, occupied, sites
from plots.errors import NotTestable
from plots.markdown import table
from plots.results import Case, View
from plots.tables import MISSING
from plots.units import digits

Where = Mapping[str, object]
#: One cell of a table. Raises NotTestable where its row is missing.
Cell = Callable[[], str]

#: Variants of role *ours* that are no method of our own.
NO_METHODS = ("warpwise_reduce", "auto")
GRIDS_PER_SECOND = "G grids/s"

# Numbers and Markdown


def factor(value: float) -> str:
    """'4.20x', '12.3x'."""
    return f"{digits(value)}x"


def factors(values: Iterable[float]) -> str:
    """'1.51x to 1.69x'."""
    return spread(values, factor)


def percent(share: float) -> str:
    return f"{share:.0%}"


def spread(values: Iterable[float], text: Callable[[float], str]) -> str:
    """'low to high', or one number where both ends read alike."""
    ends = list(values)
    low, high = text(min(ends)), text(max(ends))
    return low if low == high else f"{low} to {high}"


def giga(rate: float) -> str:
    return digits(rate / 1e9)


def size(grid: str) -> str:
    """'32x32' is '32 x 32', '64x1' is '64 bits'."""
    width, height = grid.split("x")
    return f"{width} bits" if height == "1" else f"{width} x {height}"


def launch_text(case: Case) -> str:
    """'135,168 streams of 64': how many sets a launch draws."""
    streams, length = (int(case.axes[axis]) for axis in ("streams", "length"))
    return f"{streams:,} streams of {length}" if streams >= 10000 else f"{streams} streams of {length}"


def k_text(k: Case | str) -> str:
    """'k = 512', 'mixed k', from a case or from what k_name gives."""
    value = (k if isinstance(k, str) else k_name(k)).removeprefix("k ")
    return f"{value} k" if value == "mixed" else f"k = {value}"


def listed(names: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table without the rows that have no value. Raises NotTestable where none is left."""
    kept = [row for row in rows if any(cell != MISSING for cell in row[1:])]
    if not kept:
        raise NotTestable(f"no row with a value for the table with the columns {', '.join(columns)}")
    return table(columns, kept)


def filled(cell: Cell) -> str:
    try:
        return cell()
    except NotTestable:
        return MISSING


def speed_cell(view: View, where: Where, scale: float = 1.0) -> Cell:
    return lambda: giga(view.rate(**where).value * scale)


# Rows


def ks(view: View, **where: object) -> list[str]:
    """The k of the matching rows: numbers in rising order, then names such as 'k mixed'."""
    found = {k_name(case): occupied(case) for case in view.select(**where)}
    return sorted(found, key=lambda name: (found[name] is None, found[name] or 0.0, name))


def speed_ratios(view: View, above: str, below: str, where: Where, scale: float = 1.0) -> dict[str, float]:
    """The speed of one variant over that of another, for each k that both have. Raises NotTestable without any."""
    found: dict[str, float] = {}
    for name in ks(view, variant=below, **where):
        at_k: Where = {**where, "case": partial(has_k, name)}
        try:
            found[name] = (view.rate(variant=above, **at_k) / view.rate(variant=below, **at_k)).value * scale
        except NotTestable:
            continue
    if not found:
        raise NotTestable(view.missing({"variant": above, **where}))
    return found


def is_ours(case: Case) -> bool:
    """A method of our own: neither the slides' method with another sum, nor the variant that chooses among the others."""
    return case.role == "ours" and case.variant not in NO_METHODS


def names_of(cases: Iterable[Case]) -> list[str]:
    """'`dense`', in the order of appearance."""
    return [f"`{name}`" for name in dict.fromkeys(case.variant for case in cases)]


def is_slides(case: Case) -> bool:
    """A kernel of the slides that draws sets at full speed."""
    return case.role == "paper" and case.variant not in CONTROLS


#: Axes that say how many grids a launch draws, not which.
LAUNCH = ("streams", "length")


def beside_slides(view: View, engine: str, output: str = "stored") -> list[tuple[Case, Case]]:
    """Our fastest launch of each grid and k, and the fastest launch of the slides' kernels with otherwise the same axes."""

    def work(case: Case) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((name, value) for name, value in case.axes.items() if name not in LAUNCH))

    slides: dict[tuple[tuple[str, str], ...], Case] = {}
    for case in view.select(machine="cuda", engine=engine, output=output, case=is_slides):
        key = work(case)
        if case.rate is not None and (key not in slides or speed_of(case) > speed_of(slides[key])):
            slides[key] = case
    best: dict[tuple[str, str], tuple[Case, Case]] = {}
    for case in view.select(
        machine="cuda", engine=engine, output=output, case=lambda case: is_ours(case) and keeps_gpu_busy(case)
    ):
        other, name = slides.get(work(case)), (case.axes["grid"], k_name(case))
        if case.rate is not None and other and (name not in best or speed_of(case) > speed_of(best[name][0])):
            best[name] = case, other
    if not best:
        raise NotTestable(f"no rows of ours beside the slides' kernels with engine {engine}")
    return sorted(best.values(), key=lambda pair: (sites(pair[0].axes["grid"]), k_order(pair[0])))


def speed_of(case: Case) -> float:
    return case.rate.value if case.rate is not None else 0.0


def k_order(case: Case) -> tuple[bool, float, str]:
    k = occupied(case)
    return k is None, k or 0.0, k_name(case)
