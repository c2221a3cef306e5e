"""The titles of the figures: what the rows of a device show, in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.object_layout import lookups, measures, preparation
from experiments.object_layout.measures import PAPER_LAYOUTS, PAPER_ORDERS, SCALES, grouped
from experiments.object_layout.paper import paper
from experiments.object_layout.wording import number, span, times
from plots.errors import NotTestable
from plots.results import View
from plots.units import digits

#: A share of time below this one is no saving worth a title.
NOTABLE = 0.05


def scenario_speed(view: View) -> str:
    """The device against the paper's GPU, in each bar of Figure 8."""
    ratios = [
        measures.scenario(view, layout, order) / measures.scenario(paper(), layout, order)
        for layout in PAPER_LAYOUTS
        for order in PAPER_ORDERS
    ]
    name = paper().device.name.removesuffix(" (paper)")
    return f"The paper's scenario runs {span(ratios)} as fast as on the paper's {name}"


def columns_and_sorting(view: View) -> str:
    """Whether columns still save time over structures, and sorting over shuffled agents."""
    columns = [
        measures.saved(measures.scenario(view, "aos", order), measures.scenario(view, "soa", order)).value
        for order in PAPER_ORDERS
    ]
    sorting = [
        measures.saved(measures.scenario(view, layout, "shuffled"), measures.scenario(view, layout, "sorted")).value
        for layout in PAPER_LAYOUTS
    ]
    return f"{of_columns(columns)}; {of_sorting(sorting)}"


def of_columns(saved: Sequence[float]) -> str:
    if min(saved) >= NOTABLE:
        return "Columns still beat structures"
    if max(saved) < NOTABLE:
        return "Columns no longer beat structures"
    return "Columns beat structures in one of two orders"


def of_sorting(saved: Sequence[float]) -> str:
    low, high = (digits(100 * share, 2) for share in (min(saved), max(saved)))
    if min(saved) >= NOTABLE:
        return f"sorting by class still saves {low}% to {high}% of the time"
    return f"sorting by class saves at most {high}% of the time"


def ours_in_the_scenario(view: View) -> str:
    gain = measures.gain_in_the_scenario(view)
    return f"In the paper's own scenario, our kernel is {times(gain)} as fast as the paper's best layout"


def ours_in_mode_live(view: View) -> str:
    gain = measures.gain_in_the_scenario(view, "live")
    return f"With fresh random numbers, our kernel is {times(gain)} as fast as the paper's best layout"


def job_arrays(view: View) -> str:
    elements, types = max(preparation.job_times(view, "jobs_as_printed", measures.CPU))
    gpu, core = (lookups.job_array_time(view, variant, elements, types) for variant in ("jobs_sorted", "jobs_counted"))
    return f"A GPU makes a job array of {grouped(elements)} elements {times(core / gpu)} as fast as one CPU core"


def tracing(view: View) -> str:
    timed = [scale for scale in SCALES if _traced(view, scale)]
    if not timed:
        raise NotTestable(view.missing(dict(program="tracing", variant="algorithm2")))
    ratio = preparation.tracing(paper(), timed[-1]) / preparation.tracing(view, timed[-1])
    objects = grouped(preparation.objects_of(timed[-1]))
    return f"One CPU core traces {objects} objects {times(ratio)} as fast as the paper's Ruby program"


def _traced(view: View, scale: tuple[str, str, str]) -> bool:
    streets, cars, pedestrians = scale
    found = view.select(variant="algorithm2", streets=streets, cars=cars, pedestrians=pedestrians)
    return any(case.time is not None for case in found)


def more_agents(view: View) -> str:
    gains = measures.gains(view, "switch", PAPER_LAYOUTS)
    first, last = (number(count) for count in (min(gains), max(gains)))
    return f"Our kernel is {span(gains.values())} as fast as the paper's best layout, for {first} to {last} agents"


def orders(view: View) -> str:
    """Sorted over shuffled agents in columns, at every number of agents that has both."""
    where: Mapping[str, object] = dict(variant="switch", layout="soa", **measures.BY_AGENTS)
    shuffled, sorted_ = (set(view.values("agents", order=order, **where)) for order in ("shuffled", "sorted"))
    ratios = [
        view.rate(agents=agents, order="sorted", **where) / view.rate(agents=agents, order="shuffled", **where)
        for agents in shuffled & sorted_
    ]
    if not ratios:
        raise NotTestable(view.missing(where))
    return f"Sorted agents run {span(ratios)} as fast as shuffled agents"


def faithful(view: View) -> str:
    return f"With the paper's table of random numbers, our kernel is {span(measures.gains_in_mode_faithful(view))} as fast as the paper's"


def object_size(view: View) -> str:
    small, *_, large = lookups.sizes(view)
    ratio = view.rate(**lookups.padded(small)) / view.rate(**lookups.padded(large))
    return f"Objects of {large} bytes take {times(ratio)} the time of objects of {small} bytes"


def classes(view: View) -> str:
    most = lookups.class_counts(view)[-1]
    shuffled, sorted_ = (lookups.rate_of_classes(view, "switch", most, order) for order in ("shuffled", "sorted"))
    return f"With {most} classes, sorting makes the paper's switch {times(sorted_ / shuffled)} as fast"


def ticks(view: View) -> str:
    """From how many ticks per launch on our kernel is the fastest."""
    won = lookups.ticks_won(view)
    if not won:
        return "Our kernel is never the fastest at so few ticks per launch"
    measured = lookups.rates_by_ticks(view)
    if won[0] == min(measured):
        return (
            f"Our kernel is the fastest at every number of ticks per launch from {won[0]} to {grouped(max(measured))}"
        )
    return f"From {grouped(won[0])} ticks per launch on, our kernel is the fastest"


def fusion(view: View) -> str:
    longest = lookups.chains(view)[-1]
    return f"Fusing {longest} maps into one kernel makes them {times(measures.fusion(view, longest))} as fast"


def sections(view: View) -> str:
    most = lookups.section_counts(view)[-1]
    sent, resident = (lookups.section_time(view, f"sections_{way}", most) for way in ("sent", "resident"))
    return f"Columns that stay on the device make {most} sections {times(sent / resident)} as fast"


def dispatch(view: View) -> str:
    switch, virtual = (lookups.dispatch_rate(view, variant, "sorted") for variant in ("switch", "virtual"))
    return f"The paper's switch over class tags is {times(switch / virtual)} as fast as virtual calls"
