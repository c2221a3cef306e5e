"""Reads the numbers of object_layout from the rows of a device, for figures.py, claims.py and findings.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.units import digits, quantity

CPU = ("cpu", "published")
PAPER_LAYOUTS = ("soa", "aos", "aos_padded")
LAYOUTS = (*PAPER_LAYOUTS, "aosoa")
ORDERS = ("shuffled", "jobs", "sorted")
#: The two bars of Figure 8: shuffled and sorted data. The paper did not measure a job array over shuffled data.
PAPER_ORDERS = {"shuffled": "without reordering", "sorted": "with reordering"}
#: The four scales of Figure 10: streets, cars, pedestrians.
SCALES = (
    ("500", "4096", "16384"),
    ("2000", "16384", "65536"),
    ("8000", "65536", "262144"),
    ("32000", "262144", "1048576"),
)
TICKS = 1_000_000
AGENTS = 20480
#: Two classes of agents; the other axes have their defaults.
PLAIN: Mapping[str, object] = dict(
    program="traffic", types="2", sections="1", block="0", weather="good", network="random"
)
#: The scenario of Section 5. The time of its million ticks follows from the rate.
SCENARIO: Mapping[str, object] = dict(**PLAIN, streets="500", cars="4096", pedestrians="16384", agents="0")


def grouped(count: float) -> str:
    """'20,480' and '1000': digits in groups of three from five digits on."""
    return f"{count:,.0f}" if count >= 10_000 else f"{count:.0f}"


def classes(count: int) -> str:
    return f"{grouped(count)} {'class' if count == 1 else 'classes'}"


def in_sweep(*names: str) -> Callable[[Case], bool]:
    return lambda case: case.device.published or any(name in case.sweeps for name in names)


def scenario(view: View, layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Interval:
    """Agent-ticks per second in the paper's scenario, over 100,000 ticks on a device: all layouts and orders ran as many."""
    return view.rate(
        variant=variant,
        machine=GPU,
        layout=layout,
        order=order,
        mode=mode,
        object_bytes="56",
        case=in_sweep("figure8"),
        **SCENARIO,
    )


def seconds(view: View, layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Interval:
    """The time of the scenario's million ticks."""
    return scenario(view, layout, order, mode, variant).inverse() * (TICKS * AGENTS)


def gain_in_the_scenario(view: View, mode: str = "faithful") -> Interval:
    """The rate of `registers` over the paper's kernel in its best layout and order."""
    ours = scenario(view, "soa", "sorted", mode, "registers")
    theirs = (scenario(view, layout, order, mode) for layout in PAPER_LAYOUTS for order in ORDERS)
    return ours / max(theirs, key=lambda rate: rate.value)


def saved(slow: Interval, fast: Interval) -> Interval:
    """The share of time saved, 1 - t(fast) / t(slow), from two rates."""
    ratio = slow / fast
    return Interval(1 - ratio.value, 1 - ratio.high, 1 - ratio.low)


def ends(found: Mapping[str, Interval], unit: str = "") -> str:
    """'smallest 1.04 (1000 classes), largest 1.37 (1 class)'"""
    rows = sorted(found.items(), key=lambda row: row[1].value)
    texts = [f"{quantity(value.value, unit)} ({name})" for name, value in (rows[0], rows[-1])]
    return f"smallest {texts[0]}, largest {texts[1]}"


def collected(cases: Mapping[str, Callable[[], Interval]], note: str = "") -> Parts:
    """Those cases that have rows. Raises the last reason if none has."""
    found: dict[str, Interval] = {}
    reason = NotTestable("no rows")
    for name, case in cases.items():
        try:
            found[name] = case()
        except NotTestable as why:
            reason = why
    if not found:
        raise reason
    return parts(found, note)


def soa_over(layout: str) -> Callable[[View], Parts]:
    """The share of time that columns save over another layout, without and with reordering."""

    def measure(view: View) -> Parts:
        return collected(
            {
                name: lambda order=order: saved(scenario(view, layout, order), scenario(view, "soa", order))  # type: ignore[misc]
                for order, name in PAPER_ORDERS.items()
            }
        )

    return measure


def reordering(view: View) -> Parts:
    """The share of time that sorted agents, and a job array over shuffled agents, save over shuffled agents."""
    ways = {"sorted": "sorted agents", "jobs": "job array"}
    return collected(
        {
            f"{layout}, {name}": lambda layout=layout, order=order: saved(scenario(view, layout, "shuffled"), scenario(view, layout, order))  # type: ignore[misc]
            for layout in LAYOUTS
            for order, name in ways.items()
        }
    )


def lane_figure(name: str, **where: object) -> Callable[[View], Interval]:
    return lambda view: view.metric(name, variant="switch", **(dict[str, object](PLAIN) | where))


def of_sections(view: View, name: str, order: str = "shuffled") -> Interval:
    """A metric of one parallel section that sends its columns."""
    return view.metric(name, variant="sections_sent", sections="1", order=order, mode="live")


def unused_fields(view: View) -> Parts:
    """Time with structures of n fields over time with structures of the 4 fields that the methods use, 2^20 agents."""

    def time(size: str, order: str) -> Interval:
        where: Mapping[str, object] = dict(variant="switch", layout="aos_padded", mode="live", machine="cuda")
        return view.time(object_bytes=size, order=order, case=in_sweep("object_bytes"), **PLAIN, **where)

    sizes = view.values("object_bytes", variant="switch", case=in_sweep("object_bytes"))
    return collected(
        {
            f"4 of {int(size) // 4} fields, {order} agents": lambda size=size, order=order: time(size, order) / time("16", order)  # type: ignore[misc]
            for size in sorted(sizes, key=int)
            for order in ("shuffled", "sorted")
            if size != "16"
        }
    )


def steps_back(view: View) -> Measured:
    where: Mapping[str, object] = dict(variant="objects", mode="live")
    lowest = view.metric("pedestrian_speed_min", **where)
    return Measured(view.metric("pedestrian_back_per_tick", **where), f"lowest speed {digits(lowest.value)} mph")


def classes_per_warp(view: View) -> Interval:
    """Classes among the lanes of a warp that runs a job array, mean over warps."""
    return lane_figure("classes_per_warp", order="jobs", layout="soa")(view)


def agents_over_printed(view: View) -> Parts:
    """Bytes of an agent and of a street with additional fields over the paper's."""
    sizes = {"agent": ("agent_bytes", 72), "street": ("street_bytes", 32)}
    return collected(
        {
            name: lambda metric=metric, printed=printed: lane_figure(metric, layout="aos_padded", object_bytes="56")(view) / printed  # type: ignore[misc]
            for name, (metric, printed) in sizes.items()
        }
    )


def fusion(view: View, chain: str) -> Interval:
    where: Mapping[str, object] = dict(program="maps", machine=GPU, chain=chain, case=in_sweep("fusion"))
    return view.time(variant="maps_unfused", **where) / view.time(variant="maps_fused", **where)


def fusions(view: View) -> Parts:
    chains = view.values("chain", program="maps", case=in_sweep("fusion"))
    return collected({f"{chain} maps": lambda chain=chain: fusion(view, chain) for chain in chains if int(chain) > 1})  # type: ignore[misc]


def resident(view: View) -> Parts:
    """Time with columns sent for every section over the time with columns that stay on the device."""
    where: Mapping[str, object] = dict(program="traffic", machine=GPU, order="shuffled")
    counts = view.values("sections", variant="sections_sent", **where)
    return collected(
        {
            f"{count} {'section' if count == '1' else 'sections'}": lambda count=count: view.time(variant="sections_sent", sections=count, **where)  # type: ignore[misc]
            / view.time(variant="sections_resident", sections=count, **where)
            for count in counts
        }
    )


def agents_of(case: Case) -> float | None:
    """The number of agents, from the axis `agents` or from cars and pedestrians."""
    try:
        given = float(case.axes["agents"])
        return given if given else float(case.axes["cars"]) + float(case.axes["pedestrians"])
    except (KeyError, ValueError):
        return None


def counted(case: Case) -> bool:
    """Whether the axis `agents` gives the number of agents; otherwise the case is the paper's scenario."""
    return case.axes.get("agents", "0") != "0"


#: Cases in mode live, 1000 ticks per launch, whose number of agents is given.
BY_AGENTS: Mapping[str, object] = dict(**PLAIN, machine="cuda", mode="live", ticks="1000", streets="500", case=counted)


def agent_counts(view: View, variant: str = "registers") -> list[str]:
    """The numbers of agents that a variant ran with, ascending."""
    return sorted(view.values("agents", variant=variant, **BY_AGENTS), key=int)


def rate_of_agents(view: View, variant: str, agents: str, layouts: Sequence[str] = LAYOUTS) -> Interval:
    """The highest rate of a variant at a number of agents, over these layouts and all orders."""
    return view.rate(variant=variant, agents=agents, layout=layouts, **BY_AGENTS)


def gains(view: View, other: str, layouts: Sequence[str] = LAYOUTS) -> dict[int, Interval]:
    """The rate of `registers` over the best rate of another variant, per number of agents."""
    found: dict[int, Interval] = {}
    for agents in agent_counts(view):
        try:
            found[int(agents)] = rate_of_agents(view, "registers", agents) / rate_of_agents(
                view, other, agents, layouts
            )
        except NotTestable:
            continue
    if not found:
        raise NotTestable(view.missing(BY_AGENTS))
    return found


def gains_in_mode_faithful(view: View) -> list[Interval]:
    """The rate of `registers` over that of the paper's kernel in its best layout, per number of agents."""
    where: Mapping[str, object] = dict(
        **PLAIN, machine="cuda", mode="faithful", ticks="1000", streets="500", case=counted
    )
    found = []
    for agents in view.values("agents", variant="registers", **where):
        ours = view.rate(variant="registers", agents=agents, **where)
        found.append(ours / view.rate(variant="switch", agents=agents, layout=PAPER_LAYOUTS, **where))
    if not found:
        raise NotTestable(view.missing(where))
    return found
