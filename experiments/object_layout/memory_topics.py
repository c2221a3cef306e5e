"""Sizes of objects, caches and columns, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.object_layout import measures
from experiments.object_layout.measures import SCALES, grouped
from experiments.object_layout.lookups import COUNTED_AGENT_TICKS, padded, sizes
from plots.results import View
from plots.units import digits


def object_size(view: View) -> str:
    small, *_, large = sizes(view)
    ratio = view.rate(**padded(small)) / view.rate(**padded(large))
    return (
        f"For 2^20 sorted agents, a tick takes {digits(ratio.value)} times as long with {large}-byte objects as with "
        f"{small}-byte objects."
    )


def object_size_in_the_caches(view: View) -> str:
    small, *_, large = sizes(view)
    hits, sectors, cycles = (
        [digits(view.metric(f"counter_{name}", **padded(size)).value / scale) for size in (small, large)]
        for name, scale in (
            ("l1_hit_percent", 1),
            ("l2_sectors_read", COUNTED_AGENT_TICKS),
            ("cycles_per_instruction", 1),
        )
    )
    return (
        f"With {small}-byte objects, {hits[0]}% of the sectors hit the L1 cache, an agent-tick reads {sectors[0]} sectors "
        f"from L2, and a warp issues an instruction every {cycles[0]} cycles. With {large}-byte objects, {hits[1]}% hit, "
        f"an agent-tick reads {sectors[1]} sectors, and a warp issues an instruction every {cycles[1]} cycles."
    )


def sectors_by_layout(view: View) -> str:
    """Counters of the three layouts that the paper has."""
    found = []
    for layout, name in (("soa", "columns"), ("aos", "16-byte structures"), ("aos_padded", "56-byte structures")):
        sectors = view.metric(
            "counter_sectors_per_load",
            variant="switch",
            layout=layout,
            order="sorted",
            object_bytes="56",
            agents=str(1 << 20),
            **measures.BY_AGENTS,
        )
        found.append(f"{digits(sectors.value)} sectors with {name}")
    return (
        f"For 2^20 sorted agents, a load of a warp requests {', '.join(found[:-1])} and {found[-1]}. Most loads are of streets, random draws and "
        "neighbours, which the layout of the agents does not change."
    )


def stated_sizes(view: View) -> str:
    agent = measures.lane_figure("agent_bytes", layout="aos")(view)
    padded_agent = measures.lane_figure("agent_bytes", layout="aos_padded", object_bytes="56")(view)
    return (
        f"An agent takes {digits(agent.value)} bytes, and {digits(padded_agent.value)} bytes with ten more fields; the "
        f"paper states {digits(view.fact('agent_bytes'))} and {digits(view.fact('agent_bytes_padded'))} bytes."
    )


def column_memory(view: View) -> str:
    """Exact counts, the same on every machine."""
    streets, cars, pedestrians = SCALES[0]
    where: Mapping[str, object] = dict(
        variant="tracer", program="tracing", streets=streets, cars=cars, pedestrians=pedestrians
    )
    total, nulls, single = (
        view.metric(name, **where) for name in ("column_bytes", "null_bytes", "bytes_with_one_numbering")
    )
    return (
        f"The columns of the paper's scenario take {grouped(total.value)} bytes, of which {grouped(nulls.value)} are null "
        f"values of fields that a subclass lacks. With one numbering of all objects they would take "
        f"{grouped(single.value)} bytes, {digits((single / total).value)} times as many."
    )
