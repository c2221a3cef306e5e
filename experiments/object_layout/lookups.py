"""Numbers of the rows that sentences, tables and figures' titles share."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.object_layout.measures import PLAIN, in_sweep
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import View

#: Ways to find a method, the paper's first.
DISPATCHES = ("switch", "factored", "delayed", "inlined", "per_type", "table", "virtual")
#: The paper's kernel, hand-tuned columns, and our kernel.
TUNED = ("switch", "restrict_columns", "registers")
#: Agent-ticks of a launch whose hardware counters are read: 2^20 agents, 1000 ticks.
COUNTED_AGENT_TICKS = 1048576 * 1000


def rates_by_ticks(view: View) -> dict[int, dict[str, Interval]]:
    """Ticks per launch to variant to the rate of sorted columns."""
    found: dict[int, dict[str, Interval]] = {}
    for case in view.select(machine="cuda", layout="soa", order="sorted", case=in_sweep("ticks")):
        if case.rate is not None:
            found.setdefault(int(case.axes["ticks"]), {})[case.variant] = case.rate
    if not found:
        raise NotTestable("no row of the sweep ticks")
    return dict(sorted(found.items()))


def ticks_won(view: View) -> list[int]:
    """The numbers of ticks per launch from which on our kernel is always the fastest."""
    fastest = {ticks: max(row, key=lambda variant: row[variant].value) for ticks, row in rates_by_ticks(view).items()}
    return [ticks for ticks in fastest if all(fastest[later] == "registers" for later in fastest if later >= ticks)]


def cells_with(view: View, variant: str) -> list[dict[str, Interval]]:
    """The rates of all kernels in the combinations of axes of that variant. `auto` runs one of the others."""
    cells: dict[tuple[tuple[str, str], ...], dict[str, Interval]] = {}
    for case in view.select(machine="cuda", program="traffic", variant=lambda name: name != "auto"):
        if case.rate is not None:
            cells.setdefault(tuple(sorted(case.axes.items())), {})[case.variant] = case.rate
    found = [cell for cell in cells.values() if variant in cell and len(cell) > 1]
    if not found:
        raise NotTestable(f"no row of {variant} beside another kernel")
    return found


def dispatch_rate(view: View, variant: str, order: str) -> Interval:
    """2^20 agents as structures, two classes."""
    return view.rate(variant=variant, machine="cuda", layout="aos", order=order, case=in_sweep("dispatch"))


def rate_of_classes(view: View, variant: str, types: str, order: str) -> Interval:
    """2^20 agents in columns."""
    return view.rate(variant=variant, machine="cuda", layout="soa", types=types, order=order, case=in_sweep("types"))


def class_counts(view: View) -> list[str]:
    found = view.values("types", variant="switch", machine="cuda", case=in_sweep("types"))
    if not found:
        raise NotTestable("no row of the sweep types")
    return sorted(found, key=int)


def padded(size: str) -> Mapping[str, object]:
    """Sorted agents padded to a size, 2^20 of them, mode live, 1000 ticks per launch."""
    return dict(
        **PLAIN,
        variant="switch",
        machine="cuda",
        layout="aos_padded",
        order="sorted",
        object_bytes=size,
        case=in_sweep("object_bytes"),
    )


def sizes(view: View) -> list[str]:
    found = sorted(view.values("object_bytes", variant="switch", case=in_sweep("object_bytes")), key=int)
    if len(found) < 2:
        raise NotTestable("fewer than two object sizes")
    return found


def job_array_time(view: View, variant: str, elements: int, types: int) -> Interval:
    return view.time(
        program="jobs", variant=variant, elements=str(elements), types=str(types), case=in_sweep("figure9")
    )


def section_counts(view: View) -> list[str]:
    found = view.values("sections", variant="sections_sent", machine="cuda", case=in_sweep("sections"))
    if not found:
        raise NotTestable("no row of the sweep sections")
    return sorted(found, key=int)


def section_time(view: View, variant: str, sections: str, order: str = "shuffled") -> Interval:
    return view.time(variant=variant, machine="cuda", sections=sections, order=order, case=in_sweep("sections"))


def chains(view: View) -> list[str]:
    found = view.values("chain", program="maps", machine="cuda", case=in_sweep("fusion"))
    if not found:
        raise NotTestable("no row of the sweep fusion")
    return sorted(found, key=int)
