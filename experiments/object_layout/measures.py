"""How the numbers of object_layout are taken from a device's rows: figures.py and claims.py ask here."""

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
#: Figure 8's two bars: the paper's shuffled and sorted data. A job array over shuffled data was not measured there.
PAPER_ORDERS = {"shuffled": "without reordering", "sorted": "with reordering"}
#: The paper's four scales: streets, cars, pedestrians.
SCALES = (
    ("500", "4096", "16384"),
    ("2000", "16384", "65536"),
    ("8000", "65536", "262144"),
    ("32000", "262144", "1048576"),
)
TICKS = 1_000_000
AGENTS = 20480
#: Two classes of agents, defaults elsewhere.
PLAIN: Mapping[str, object] = dict(
    program="traffic", types="2", sections="1", block="0", weather="good", network="random"
)
#: The paper's scenario; a time for its ticks follows from the rate.
SCENARIO: Mapping[str, object] = dict(**PLAIN, streets="500", cars="4096", pedestrians="16384", agents="0")
PAPERS = ("switch",)


def in_sweep(*names: str) -> Callable[[Case], bool]:
    return lambda case: case.device.published or any(name in case.sweeps for name in names)


def scenario(view: View, layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Interval:
    """Agent-ticks a second of the paper's scenario."""
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
    """Of the scenario's million ticks."""
    return scenario(view, layout, order, mode, variant).inverse() * (TICKS * AGENTS)


def saved(slow: Interval, fast: Interval) -> Interval:
    """1 - t(fast)/t(slow), from rates."""
    ratio = slow / fast
    return Interval(1 - ratio.value, 1 - ratio.high, 1 - ratio.low)


def named_hull(found: Mapping[str, Interval], reason: NotTestable | None = None) -> Measured:
    """The hull, with its ends named."""
    if not found:
        raise reason or NotTestable("no rows")
    rows = sorted(found.items(), key=lambda row: row[1].value)
    if len(rows) == 1:
        return Measured(rows[0][1], rows[0][0])
    note = f"least {digits(rows[0][1].value)} at {rows[0][0]}, most {digits(rows[-1][1].value)} at {rows[-1][0]}"
    return Measured(hull(found.values()), note)


def collected(parts: Mapping[str, Callable[[], Interval]]) -> Measured:
    """Those parts that have rows."""
    found: dict[str, Interval] = {}
    reason: NotTestable | None = None
    for name, part in parts.items():
        try:
            found[name] = part()
        except NotTestable as why:
            reason = why
    return named_hull(found, reason)


def soa_over(layout: str) -> Callable[[View], Measured]:
    """Time saved by columns against another layout, without and with reordering."""

    def measure(view: View) -> Measured:
        return collected(
            {
                name: lambda order=order: saved(scenario(view, layout, order), scenario(view, "soa", order))  # type: ignore[misc]
                for order, name in PAPER_ORDERS.items()
            }
        )

    return measure


def reordering(view: View) -> Measured:
    """Time saved by physical sorting; what a job array over shuffled data saves stands in the note."""
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
    note = sorted_.note + (f"; with a job array over shuffled data: {', '.join(notes)}" if notes else "")
    return Measured(sorted_.interval, note)


def job_times(view: View, variant: str, machine: object) -> dict[tuple[int, int], Interval]:
    """(elements, types) to time."""
    found = {
        (int(case.axes["elements"]), int(case.axes["types"])): case.time
        for case in view.select(program="jobs", variant=variant, machine=machine, case=in_sweep("figure9"))
        if case.time is not None
    }
    if not found:
        raise NotTestable(view.missing(dict(program="jobs", variant=variant, machine=machine)))
    return found


def slope(view: View) -> Measured:
    """Of log time against log elements, for each number of classes, Algorithm 1 as printed on one core."""
    times = job_times(view, "jobs_as_printed", CPU)
    found: dict[str, Interval] = {}
    for types in sorted({types for _, types in times}):
        sizes = sorted(size for size, of in times if of == types)
        if len(sizes) < 2:
            continue
        first, last = times[sizes[0], types], times[sizes[-1], types]
        span = log(sizes[-1] / sizes[0])
        found[f"{types} classes"] = Interval(
            log(last.value / first.value) / span, log(last.low / first.high) / span, log(last.high / first.low) / span
        )
    return named_hull(found)


def more_types(view: View) -> Measured:
    """Time with 1000 classes over time with one, at each number of elements."""
    times = job_times(view, "jobs_as_printed", CPU)
    return named_hull(
        {
            f"{size} elements": times[size, 1000] / times[size, 1]
            for size, types in times
            if types == 1 and (size, 1000) in times
        }
    )


def jobs_over_kernel(view: View) -> Measured:
    """The job array of the scenario's agents over the kernel's million ticks."""
    if view.device.published:
        raise NotTestable("the paper prints no time for 20 480 elements")
    array = view.time(program="jobs", variant="jobs_as_printed", machine="cpu", elements="20480", types="2")
    return Measured(array / seconds(view, "soa", "sorted"), f"array on one core {quantity(array.value, 's')}")


def tracing(view: View, scale: tuple[str, str, str], variant: str = "algorithm2") -> Interval:
    streets, cars, pedestrians = scale
    return view.time(
        program="tracing", variant=variant, machine=CPU, streets=streets, cars=cars, pedestrians=pedestrians
    )


def objects_of(scale: tuple[str, str, str]) -> float:
    return float(sum(int(part) for part in scale))


def tracing_over_kernel(view: View) -> Measured:
    traced = tracing(view, SCALES[0])
    return Measured(traced / seconds(view, "soa", "sorted"), f"tracing {quantity(traced.value, 's')}")


def tracing_each(view: View) -> Measured:
    """Seconds an object, at each scale."""
    return collected(
        {
            f"{objects_of(scale):.0f} objects": lambda scale=scale: tracing(view, scale) / objects_of(scale)  # type: ignore[misc]
            for scale in SCALES
        }
    )


def no_job_share(view: View) -> Measured:
    """Lanes without a job over elements, for every array that was made."""
    found = {
        f"{case.axes['elements']} elements, {case.axes['types']} classes": exact(
            case.figures["no_job_lanes"] / float(case.axes["elements"])
        )
        for case in view.select(program="jobs")
        if "no_job_lanes" in case.figures and float(case.axes["elements"]) > 0
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def padding(view: View) -> Measured:
    """Lanes without a job a class."""
    found = {
        f"{case.axes['elements']} elements, {case.axes['types']} classes": exact(
            case.figures["no_job_lanes"] / float(case.axes["types"])
        )
        for case in view.select(program="jobs")
        if "no_job_lanes" in case.figures
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def scans(view: View) -> Measured:
    found = {
        f"{case.axes['elements']} elements": exact(case.figures["visits"] / float(case.axes["elements"]))
        for case in view.select(program="jobs", variant="jobs_as_printed")
        if "visits" in case.figures and float(case.axes["elements"]) > 0
    }
    return named_hull(found, NotTestable(view.missing(dict(program="jobs"))))


def lane_figure(name: str, **where: object) -> Callable[[View], Interval]:
    return lambda view: view.figure(name, variant="switch", **(dict[str, object](PLAIN) | where))


def sectors(view: View) -> Measured:
    """Sectors of a request for one field: structures over columns."""
    columns = lane_figure("sectors_progress", layout="soa", order="sorted")(view)
    return collected(
        {
            layout: lambda layout=layout: lane_figure("sectors_progress", layout=layout, order="sorted", object_bytes="56")(view) / columns  # type: ignore[misc]
            for layout in ("aos", "aos_padded")
        }
    )


def one_class_a_warp(view: View) -> Measured:
    return collected(
        {order: lambda order=order: lane_figure("classes_a_warp", order=order, layout="soa")(view) for order in ("jobs",)}  # type: ignore[misc]
    )


def active_lanes(view: View) -> Measured:
    before = lane_figure("lanes_active", order="shuffled", layout="soa")(view)
    after = lane_figure("lanes_active", order="jobs", layout="soa")(view)
    return Measured(after, f"{digits(before.value)} lanes where agents are shuffled")


def fusion(view: View, chain: str) -> Interval:
    where: Mapping[str, object] = dict(program="maps", machine=GPU, chain=chain, case=in_sweep("fusion"))
    return view.time(variant="maps_unfused", **where) / view.time(variant="maps_fused", **where)


def fusions(view: View) -> Measured:
    chains = view.values("chain", program="maps", case=in_sweep("fusion"))
    return collected({f"{chain} maps": lambda chain=chain: fusion(view, chain) for chain in chains if int(chain) > 1})  # type: ignore[misc]


def resident(view: View) -> Measured:
    """Time of the same sections with columns sent each time over columns that stay."""
    where: Mapping[str, object] = dict(program="traffic", machine=GPU, order="shuffled")
    counts = view.values("sections", variant="sections_sent", **where)
    return collected(
        {
            f"{count} sections": lambda count=count: view.time(variant="sections_sent", sections=count, **where)  # type: ignore[misc]
            / view.time(variant="sections_resident", sections=count, **where)
            for count in counts
        }
    )


def agents_of(case: Case) -> float | None:
    """The number of agents, however it was asked for."""
    try:
        given = float(case.axes["agents"])
        return given if given else float(case.axes["cars"]) + float(case.axes["pedestrians"])
    except (KeyError, ValueError):
        return None


def counted(case: Case) -> bool:
    """The number of agents was asked for, and not the paper's scenario."""
    return case.axes.get("agents", "0") != "0"


def against(view: View, other: str, layouts: Sequence[str] = LAYOUTS) -> dict[int, Interval]:
    """Ours over the best case of another variant at each number of agents: mode live, 1000 ticks a launch."""
    found: dict[int, Interval] = {}
    where: Mapping[str, object] = dict(**PLAIN, machine="cuda", mode="live", ticks="1000", streets="500", case=counted)
    for agents in view.values("agents", variant="registers", **where):
        try:
            found[int(agents)] = view.rate(variant="registers", agents=agents, **where) / view.rate(
                variant=other, agents=agents, layout=layouts, **where
            )
        except NotTestable:
            continue
    if not found:
        raise NotTestable(view.missing(where))
    return dict(sorted(found.items()))


def says_ours(view: View) -> str:
    """How much faster agents in registers are."""
    paper, columns = against(view, "switch", PAPER_LAYOUTS), against(view, "restrict_columns")
    blocked = against(view, "switch")
    if not paper:
        raise NotTestable("no agents by number")

    def range_of(ratios: Mapping[int, Interval]) -> str:
        values = [ratio.value for ratio in ratios.values()]
        return f"{digits(min(values))} to {digits(max(values))} times"

    agents = sorted(int(str(count)) for count in paper)
    return (
        f"Agents in registers over 1000 ticks, streets in shared memory, mode live, from {agents[0]} to {agents[-1]} agents: "
        f"{range_of(paper)} the paper's best layout and order ({range_of(blocked)} with `aosoa`, which it has not, among them)"
        + (f", {range_of(columns)} columns with __restrict__." if columns else ".")
    )


def says_sizes(view: View) -> str:
    aos = lane_figure("agent_bytes", layout="aos")(view)
    padded = lane_figure("agent_bytes", layout="aos_padded", object_bytes="56")(view)
    return (
        f"The paper's objects are smaller than it says: an agent takes {digits(aos.value)} bytes (said: 32), "
        f"padded {digits(padded.value)} (said: 72)."
    )


def says_orders(view: View) -> str:
    rates = {order: scenario(view, "soa", order) for order in ORDERS}
    return (
        "Figure 8's bars compare shuffled with physically sorted data. In columns sorting is "
        f"{digits((rates['sorted'] / rates['shuffled']).value)} times as fast as shuffled data; the job array of Algorithm 1 over "
        f"shuffled data, which the paper's program never runs, {digits((rates['jobs'] / rates['shuffled']).value)} times."
    )


def says_modes(view: View) -> str:
    """What becomes of the agents, from plain objects."""
    parts = []
    for mode in ("faithful", "live"):
        where: Mapping[str, object] = dict(variant="objects", mode=mode, case=in_sweep("modes"))
        hops = view.figure("pedestrian_hops_a_tick", **where).value
        walking = view.figure("pedestrian_still_walking", **where).value
        cars = view.figure("car_streets", **where).value
        parts.append(
            f"{mode}: {digits(100 * walking)} % of pedestrians still change their street in the last tenth of 10 000 ticks "
            f"({digits(hops)} changes a tick), cars are on {digits(cars)} of 500 streets"
        )
    return "The paper's static random table lets its workload freeze. " + "; ".join(parts) + "."


def says_tracer(view: View) -> str:
    whole = tracing(view, SCALES[-1], "tracer")
    return (
        f"Tracing 1 342 720 objects takes {quantity(whole.value, 's')} on one core (the paper in Ruby: 21.8 s), arrays traced "
        "and classes tagged, which the paper's program leaves out."
    )


def says_cache(view: View) -> str:
    """Object sizes: does an object in one line help, as the paper says of its L1 cache?"""
    rates = {
        int(size): view.rate(
            **PLAIN,
            variant="switch",
            machine="cuda",
            layout="aos_padded",
            order="sorted",
            object_bytes=size,
            case=in_sweep("object_bytes"),
        )
        for size in view.values("object_bytes", case=in_sweep("object_bytes"))
    }
    if len(rates) < 2:
        raise NotTestable("one object size only")
    least, most = min(rates), max(rates)
    text = (
        f"2^20 agents of {most} bytes run {digits((rates[least] / rates[most]).value)} times as long as agents of {least} bytes; "
        "whether Kepler's L1 cache held global loads at all, as the paper explains it, is doubtful and not testable here."
    )
    try:
        hits = {size: object_counter(view, "l1_hit_percent", size) for size in (least, most)}
        sectors = {size: object_counter(view, "l2_sectors_read", size) for size in (least, most)}
    except NotTestable:
        return text
    return (
        f"{text} On this card an agent-tick of {least} bytes hits the L1 cache in {digits(hits[least])} % of its sectors and takes "
        f"{digits(sectors[least] / AGENT_TICKS)} from L2, one of {most} bytes in {digits(hits[most])} % and {digits(sectors[most] / AGENT_TICKS)}."
    )


#: Of the rows with counters: 2^20 agents, 1000 ticks.
AGENT_TICKS = 1048576 * 1000


def object_counter(view: View, name: str, size: int) -> float:
    """A hardware counter of sorted, padded agents of this size."""
    return view.figure(
        f"counter_{name}",
        **PLAIN,
        variant="switch",
        machine="cuda",
        layout="aos_padded",
        order="sorted",
        object_bytes=str(size),
        case=in_sweep("object_bytes"),
    ).value


def says_scenarios(view: View) -> str:
    soa, shuffled = (scenario(view, "soa", order) for order in ("sorted", "shuffled"))
    del shuffled
    return (
        "The authors' variants draw three different random tables; here every layout, order and dispatch ends in the same "
        f"state, bit for bit, and columns make {quantity(soa.value, 'agent-ticks/s')} of the paper's scenario."
    )
