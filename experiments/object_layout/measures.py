"""Reads the numbers of object_layout from the rows of a device, for figures.py, claims.py and findings.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
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
    """'20 480' and '1000': digits in groups of three from five digits on."""
    return f"{count:,.0f}".replace(",", " ") if count >= 10_000 else f"{count:.0f}"


def classes(count: int) -> str:
    return f"{grouped(count)} {'class' if count == 1 else 'classes'}"


def in_sweep(*names: str) -> Callable[[Case], bool]:
    return lambda case: case.device.published or any(name in case.sweeps for name in names)


def scenario(view: View, layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Interval:
    """Agent-ticks per second in the paper's scenario."""
    return view.rate(
        variant=variant,
        machine=GPU,
        layout=layout,
        order=order,
        mode=mode,
        object_bytes="56",
        case=in_sweep("figure8", "figure8_whole"),
        **SCENARIO,
    )


def seconds(view: View, layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Interval:
    """The time of the scenario's million ticks."""
    return scenario(view, layout, order, mode, variant).inverse() * (TICKS * AGENTS)


def saved(slow: Interval, fast: Interval) -> Interval:
    """The share of time saved, 1 - t(fast) / t(slow), from two rates."""
    ratio = slow / fast
    return Interval(1 - ratio.value, 1 - ratio.high, 1 - ratio.low)


def named_hull(found: Mapping[str, Interval], reason: NotTestable | None = None, unit: str = "") -> Measured:
    """The hull of the intervals; the note names the smallest and the largest."""
    if not found:
        raise reason or NotTestable("no rows")
    rows = sorted(found.items(), key=lambda row: row[1].value)
    if len(rows) == 1:
        return Measured(rows[0][1], rows[0][0])
    smallest, largest = (f"{quantity(value.value, unit)} ({name})" for name, value in (rows[0], rows[-1]))
    note = f"smallest {smallest}, largest {largest}"
    return Measured(hull(found.values()), note)


def collected(parts: Mapping[str, Callable[[], Interval]], unit: str = "") -> Measured:
    """The hull of those parts that have rows."""
    found: dict[str, Interval] = {}
    reason: NotTestable | None = None
    for name, part in parts.items():
        try:
            found[name] = part()
        except NotTestable as why:
            reason = why
    return named_hull(found, reason, unit)


def soa_over(layout: str) -> Callable[[View], Measured]:
    """The share of time that columns save over another layout, without and with reordering."""

    def measure(view: View) -> Measured:
        return collected(
            {
                name: lambda order=order: saved(scenario(view, layout, order), scenario(view, "soa", order))  # type: ignore[misc]
                for order, name in PAPER_ORDERS.items()
            }
        )

    return measure


def reordering(view: View) -> Measured:
    """The share of time that sorted data saves. The note says what a job array over shuffled data saves."""
    sorted_ = collected(
        {
            layout: lambda layout=layout: saved(scenario(view, layout, "shuffled"), scenario(view, layout, "sorted"))  # type: ignore[misc]
            for layout in LAYOUTS
        }
    )
    notes = []
    for layout in LAYOUTS:
        try:
            gain = saved(scenario(view, layout, "shuffled"), scenario(view, layout, "jobs"))
            notes.append(f"{layout} {digits(gain.value)}")
        except NotTestable:
            continue
    note = sorted_.note + (f"; a job array over shuffled data saves: {', '.join(notes)}" if notes else "")
    return Measured(sorted_.interval, note)


def job_times(view: View, variant: str, machine: object) -> dict[tuple[int, int], Interval]:
    """Maps (elements, types) to the time of one job array."""
    found = {
        (int(case.axes["elements"]), int(case.axes["types"])): case.time
        for case in view.select(program="jobs", variant=variant, machine=machine, case=in_sweep("figure9"))
        if case.time is not None
    }
    if not found:
        raise NotTestable(view.missing(dict(program="jobs", variant=variant, machine=machine)))
    return found


def slope(view: View) -> Measured:
    """The slope of log time over log elements per number of classes, Algorithm 1 as printed on one core."""
    times = job_times(view, "jobs_as_printed", CPU)
    found: dict[str, Interval] = {}
    for types in sorted({types for _, types in times}):
        sizes = sorted(size for size, of in times if of == types)
        if len(sizes) < 2:
            continue
        first, last = times[sizes[0], types], times[sizes[-1], types]
        span = log(sizes[-1] / sizes[0])
        found[classes(types)] = Interval(
            log(last.value / first.value) / span, log(last.low / first.high) / span, log(last.high / first.low) / span
        )
    return named_hull(found)


def more_types(view: View) -> Measured:
    """Time with 1000 classes over time with one class, per number of elements."""
    times = job_times(view, "jobs_as_printed", CPU)
    return named_hull(
        {
            f"{grouped(size)} elements": times[size, 1000] / times[size, 1]
            for size, types in times
            if types == 1 and (size, 1000) in times
        }
    )


def jobs_over_kernel(view: View) -> Measured:
    """Time of the job array of the scenario's agents over the time of the kernel's million ticks."""
    if view.device.published:
        raise NotTestable("the paper prints no time for 20 480 elements")
    array = view.time(program="jobs", variant="jobs_as_printed", machine="cpu", elements="20480", types="2")
    return Measured(array / seconds(view, "soa", "sorted"), f"job array on one core: {quantity(array.value, 's')}")


def tracing(view: View, scale: tuple[str, str, str], variant: str = "algorithm2") -> Interval:
    streets, cars, pedestrians = scale
    return view.time(
        program="tracing", variant=variant, machine=CPU, streets=streets, cars=cars, pedestrians=pedestrians
    )


def objects_of(scale: tuple[str, str, str]) -> float:
    return float(sum(int(part) for part in scale))


def tracing_over_kernel(view: View) -> Measured:
    traced = tracing(view, SCALES[0])
    return Measured(traced / seconds(view, "soa", "sorted"), f"tracing on one core: {quantity(traced.value, 's')}")


def tracing_per_object(view: View) -> Measured:
    """Seconds per object at each scale."""
    return collected(
        {
            f"{grouped(objects_of(scale))} objects": lambda scale=scale: tracing(view, scale) / objects_of(scale)  # type: ignore[misc]
            for scale in SCALES
        },
        "s",
    )


def no_job_share(view: View) -> Measured:
    """Lanes without a job over elements, for every job array."""
    found = {
        f"{grouped(float(case.axes['elements']))} elements, {classes(int(case.axes['types']))}": exact(
            case.metrics["no_job_lanes"] / float(case.axes["elements"])
        )
        for case in view.select(program="jobs")
        if "no_job_lanes" in case.metrics and float(case.axes["elements"]) > 0
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def padding(view: View) -> Measured:
    """Lanes without a job per class, for every job array."""
    found = {
        f"{grouped(float(case.axes['elements']))} elements, {classes(int(case.axes['types']))}": exact(
            case.metrics["no_job_lanes"] / float(case.axes["types"])
        )
        for case in view.select(program="jobs")
        if "no_job_lanes" in case.metrics
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def scans(view: View) -> Measured:
    """Visits per element by Algorithm 1 as printed."""
    found = {
        f"{grouped(float(case.axes['elements']))} elements": exact(
            case.metrics["visits"] / float(case.axes["elements"])
        )
        for case in view.select(program="jobs", variant="jobs_as_printed")
        if "visits" in case.metrics and float(case.axes["elements"]) > 0
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def lane_figure(name: str, **where: object) -> Callable[[View], Interval]:
    return lambda view: view.metric(name, variant="switch", **(dict[str, object](PLAIN) | where))


def sectors(view: View) -> Measured:
    """Sectors of memory per request for one field: structures over columns."""
    columns = lane_figure("sectors_progress", layout="soa", order="sorted")(view)
    return collected(
        {
            layout: lambda layout=layout: lane_figure("sectors_progress", layout=layout, order="sorted", object_bytes="56")(view) / columns  # type: ignore[misc]
            for layout in ("aos", "aos_padded")
        }
    )


def classes_per_warp(view: View) -> Measured:
    """Classes among the lanes of a warp that runs a job array, mean over warps."""
    return collected(
        {order: lambda order=order: lane_figure("classes_per_warp", order=order, layout="soa")(view) for order in ("jobs",)}  # type: ignore[misc]
    )


def active_lanes(view: View) -> Measured:
    """Lanes of a warp that run the same method, mean, with a job array."""
    before = lane_figure("lanes_active", order="shuffled", layout="soa")(view)
    after = lane_figure("lanes_active", order="jobs", layout="soa")(view)
    return Measured(after, f"{digits(before.value)} lanes if agents are shuffled")


def fusion(view: View, chain: str) -> Interval:
    where: Mapping[str, object] = dict(program="maps", machine=GPU, chain=chain, case=in_sweep("fusion"))
    return view.time(variant="maps_unfused", **where) / view.time(variant="maps_fused", **where)


def fusions(view: View) -> Measured:
    chains = view.values("chain", program="maps", case=in_sweep("fusion"))
    return collected({f"{chain} maps": lambda chain=chain: fusion(view, chain) for chain in chains if int(chain) > 1})  # type: ignore[misc]


def resident(view: View) -> Measured:
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
