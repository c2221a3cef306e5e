"""Figures of single numbers beside the paper's: Figure 1, Figure 8 with Table 2, the gains, and the second kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from experiments.replications import counted
from experiments.replications.measures import CHOSEN, MODELS, SHORT_MODELS, TITLES, WALK, ratios, ratios_by_label
from experiments.replications.steps import SCHEDULERS, slots
from experiments.replications.wording import COMPARED, fastest_team, grouped
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import Interval, exact
from plots.quantity import Measure
from plots.results import GPU, View
from plots.spec import Title, heading, make_drawing

#: Single-precision units of a multiprocessor by compute capability, from the CUDA programming guide.
UNITS: Mapping[str, int] = {
    "7.0": 64,
    "7.5": 64,
    "8.0": 64,
    "8.6": 128,
    "8.9": 128,
    "9.0": 128,
    "10.0": 128,
    "12.0": 128,
}


def units(view: View) -> float:
    capability = str(view.device.attributes.get("compute_capability"))
    if capability not in UNITS:
        raise NotTestable(f"the number of units of compute capability {capability} is not known")
    return UNITS[capability]


def resident_blocks(view: View) -> float:
    return slots(view) / view.attribute("multiprocessors")


def stated_or(fact: str, measured: Callable[[View], float]) -> Callable[[View], Interval]:
    """What the paper states of its device, and what is known of a measured one."""

    def of(view: View) -> Interval:
        if view.device.published:
            return exact(view.fact(fact))
        view.attribute("multiprocessors")
        return exact(measured(view))

    return of


MULTIPROCESSOR = (
    Measure("multiprocessors", "1", stated_or("sms", lambda view: view.attribute("multiprocessors"))),
    Measure("warp schedulers per multiprocessor", "1", stated_or("schedulers_fermi", lambda view: SCHEDULERS)),
    Measure("single-precision units per multiprocessor", "1", stated_or("sps_per_sm", units)),
    Measure("one-warp blocks per multiprocessor", "1", stated_or("blocks_per_sm", resident_blocks)),
)


def at_compared(top: str, bottom: str) -> Callable[[View], Interval]:
    """Time of the random walk by one variant over another's, at the number of replications that the paper compares."""

    def of(view: View) -> Interval:
        found = ratios(view, top, bottom, {**WALK, **CHOSEN, "machine": GPU})
        if int(COMPARED) not in found:
            raise NotTestable(f"no times of {COMPARED} replications")
        return found[int(COMPARED)]

    return of


def stated(fact: str, measured: Callable[[View], Interval]) -> Callable[[View], Interval]:
    return lambda view: exact(view.fact(fact)) if view.device.published else measured(view)


def printed(fact: tuple[float, float], counter: str) -> Callable[[View], Interval]:
    """A row of Table 2, threads over warps, beside the counters of a measured device or of the emulator, as in claim W15."""

    def of(view: View) -> Interval:
        threads, warps = fact if view.device.published else counted.schemes(view)[0](counter)
        return exact(threads / warps)

    return of


def memory_over_compute(view: View) -> Interval:
    return counted.memory_over_compute(view).interval


def memory_of(variant: str) -> Callable[[View], Interval]:
    """A bar of Figure 8. The paper prints the ratio of its bars only."""
    return lambda view: exact(counted.memory_share(counted.counters(view, variant)))


MEMORY_OF_SCHEMES = (
    Measure("one thread per replication (TLP)", "1", memory_of("threads")),
    Measure("one warp per replication (WLP)", "1", memory_of("warps")),
)

COMPUTED_AND_ACCESSED = (
    Measure("time (Figure 7)", "1", stated("tlp_over_wlp", at_compared("threads", "warps"))),
    Measure("memory time over computation time (Figure 8)", "1", stated("fig8_ratio", memory_over_compute)),
    Measure("reads of global memory (Table 2)", "1", printed(counted.READS, "loads")),
    Measure("writes to global memory (Table 2)", "1", printed(counted.WRITES, "stores")),
)


def least_over_core(view: View) -> Interval:
    """Least time of one CPU thread over one warp each, above the number of replications that the paper names."""
    from_count = view.fact("conclusion_from")
    found = ratios_by_label(view, "sequential", "warps", SHORT_MODELS, lambda count: count > from_count)
    if not found:
        raise NotTestable(f"no times above {from_count:.0f} replications")
    return min(found.values(), key=lambda ratio: ratio.value)


def team_over_warp(model: str) -> Callable[[View], Interval]:
    def of(view: View) -> Interval:
        if view.device.published:
            raise NotTestable("the paper has no teams")
        case, _, _ = fastest_team(view, MODELS[model])
        if case.time is None:
            raise NotTestable("no time of a team")
        return view.time(variant="warps", machine=GPU, replications=COMPARED, **MODELS[model]) / case.time

    return of


GAINS = (
    Measure("warp against thread, random walk", "1", stated("tlp_over_wlp", at_compared("threads", "warps"))),
    Measure("warp against one CPU thread, least above 30", "1", stated("conclusion_cpu", least_over_core)),
    *(
        Measure(f"our team of lanes against warp, {TITLES[model]}", "1", team_over_warp(model))
        for model in ("walk", "mm1", "pi")
    ),
)


@dataclass(frozen=True)
class SecondKernel:
    """When a second kernel begins, as a share of the first one's time: a bar per number of blocks of the first."""

    name: str
    title: str
    caption: str
    across: bool = False
    finding: Title | None = None

    def draw(self, scope: Scope) -> Drawing:
        view, metric = scope.view, "second_begins_share"
        rows = {
            int(case.axes["replications"]): case
            for case in view.select(variant="concurrent_kernel", machine=GPU)
            if metric in case.metrics
        }
        if not rows:
            raise NotTestable(view.missing({"variant": "concurrent_kernel", "machine": GPU}, f"the metric {metric}"))
        points = tuple(
            Point(self._row(count, slots(view)), exact(rows[count].metrics[metric]), case=rows[count].describe())
            for count in sorted(rows)
        )
        axes = (Axis("blocks of the first kernel", "name"), Axis("share of the first kernel's time", "1"))
        series = [Series(view.device.name, points, view.device.slug)]
        heads = heading(self.title, self.finding, view)
        return make_drawing(self.name, heads, view, list(rows.values()), axes, series, "bars", self.caption)

    @staticmethod
    def _row(count: int, full: int) -> str:
        free = (
            "no slot free" if count >= full else f"{grouped(full - count)} slot{'s' if full - count > 1 else ''} free"
        )
        return f"{grouped(count)} blocks, {free}"
