"""Objects per cache line, and the L1 hit rate of a device for each object size (claim O13)."""

from __future__ import annotations

from experiments.object_layout.measures import in_sweep, lane_figure
from plots.claims import Measured
from plots.errors import NotTestable
from plots.results import View
from plots.units import digits

LINE = 128  #: bytes


def objects_per_line(view: View) -> Measured:
    """Padded streets per line. The note has the L1 hit rate and the sectors per load for sorted agents of each size."""
    held = lane_figure("street_bytes", layout="aos_padded", object_bytes="56")(view).inverse() * LINE
    try:
        return Measured(held, by_size(view))
    except NotTestable:
        return Measured(held)


def by_size(view: View) -> str:
    found = {
        int(case.axes["object_bytes"]): case.metrics
        for case in view.select(variant="switch", machine="cuda", layout="aos_padded", order="sorted", mode="live")
        if in_sweep("object_bytes")(case) and "counter_l1_hit_percent" in case.metrics
    }
    if not found:
        raise NotTestable("hardware counters were not read; counters.py reads them")
    return "L1 hit rate and sectors per load, 2^20 agents: " + ", ".join(
        f"{size} bytes {digits(metrics['counter_l1_hit_percent'])}% and {digits(metrics['counter_sectors_per_load'])}"
        for size, metrics in sorted(found.items())
    )
