"""The paper's scenario, Figure 8: sentences about layouts and orders at its size."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.object_layout import measures
from experiments.object_layout.measures import SCALES, in_sweep
from experiments.object_layout.paper import paper
from experiments.object_layout.wording import change, number, speed, times
from plots.results import View
from plots.units import digits


def columns_against(of: View, layout: str) -> str:
    """'27.4% less time if agents are shuffled and 36.3% less time if they are sorted'."""
    changes = []
    for order, words in (("shuffled", "agents are shuffled"), ("sorted", "they are sorted")):
        saved = measures.saved(measures.scenario(of, layout, order), measures.scenario(of, "soa", order))
        changes.append(f"{change(saved)} time if {words}")
    return " and ".join(changes)


def layouts_in_the_scenario(view: View) -> str:
    name = paper().device.name.removesuffix(" (paper)")
    return (
        f"In the paper's scenario of {number(measures.AGENTS)} agents, compared with an array of structures, columns take "
        f"{columns_against(view, 'aos')}; on the paper's {name} they take {columns_against(paper(), 'aos')}."
    )


def padded_layouts_in_the_scenario(view: View) -> str:
    size = measures.lane_figure("agent_bytes", layout="aos_padded", object_bytes="56")(view)
    return (
        f"Compared with structures padded to {digits(size.value)} bytes, columns take "
        f"{columns_against(view, 'aos_padded')}; in the paper they take {columns_against(paper(), 'aos_padded')}."
    )


def sorting(view: View) -> str:
    shuffled = measures.scenario(view, "soa", "shuffled")
    sorted_, jobs = (measures.scenario(view, "soa", order) / shuffled for order in ("sorted", "jobs"))
    return (
        f"In the paper's scenario, sorting the agents by class makes the paper's kernel {times(sorted_)} as fast with "
        f"columns; the job array of Algorithm 1 over shuffled agents makes it {times(jobs)} as fast."
    )


def whole_scenario(view: View) -> str:
    """Whether the rate over a tenth of the ticks stands for all of them."""
    where: Mapping[str, object] = dict(
        variant="switch", machine="cuda", layout="soa", order="sorted", mode="faithful", **measures.SCENARIO
    )
    whole = view.time(case=in_sweep("figure8_whole"), ticks="1000000", **where)
    part = view.time(case=in_sweep("figure8"), ticks="100000", **where)
    return (
        "The table is computed from the rate over 100,000 ticks. All 1,000,000 ticks, measured for sorted columns, take "
        f"{digits((whole / part).value)} times as long as 100,000."
    )


def scenario_in_the_caches(view: View) -> str:
    """The state that the kernel reads, beside the L2 cache of the device."""
    streets, cars, pedestrians = SCALES[0]
    state = view.metric(
        "column_bytes", variant="tracer", program="tracing", streets=streets, cars=cars, pedestrians=pedestrians
    )
    cache_bytes = view.attribute("l2_bytes")
    relation = "fit into" if state.value < cache_bytes else "exceed"
    return (
        f"The columns of the scenario hold {digits(state.value / 1e6)} MB and {relation} the L2 cache of "
        f"{digits(cache_bytes / 1e6)} MB."
    )


def job_array_on_structures(view: View) -> str:
    """A job array over many agents, whose accesses are scattered."""
    agents = str(1 << 20)
    jobs, sorted_ = (
        view.rate(variant="switch", agents=agents, layout="aos", order=order, **measures.BY_AGENTS)
        for order in ("jobs", "sorted")
    )
    return (
        f"For {number(float(agents))} agents stored as structures, a job array over shuffled agents reaches "
        f"{speed(jobs)}, against {speed(sorted_)} for sorted agents."
    )
