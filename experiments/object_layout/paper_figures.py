"""Figures 8 to 10 of the paper with the paper's numbers beside ours, and what Figure 8 leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from experiments.object_layout import measures, preparation, titles
from experiments.object_layout.measures import PAPER_LAYOUTS, PAPER_ORDERS, SCALES, grouped, in_sweep
from experiments.object_layout.paper import on_core
from experiments.object_layout.wording import LAYOUT_NAMES
from plots.drawing import Axis
from plots.errors import NotTestable
from plots.figures import Dots, Lines
from plots.interval import Interval
from plots.quantity import Measure, Variable, number_of, time
from plots.results import Case, View

ELEMENTS = Variable(Axis("elements of the base array", "1", "log10"), number_of("elements"))
SECONDS = Axis("time of a million ticks", "s")


def bar(layout: str, order: str, mode: str = "faithful", variant: str = "switch") -> Measure:
    """The time of the scenario's million ticks."""
    label = scenario_label(layout, order)
    label = {"switch": label, "registers": "our kernel", "restrict_columns": "hand-tuned columns"}[variant]
    return Measure(label, "s", lambda view: measures.seconds(view, layout, order, mode, variant))


def relative_bar(layout: str, order: str) -> Measure:
    """The time over that of shuffled columns on the same device."""

    def of(view: View) -> Interval:
        return measures.scenario(view, "soa", "shuffled") / measures.scenario(view, layout, order)

    return Measure(scenario_label(layout, order), "1", of)


def scenario_label(layout: str, order: str) -> str:
    names = {"shuffled": "shuffled", "jobs": "shuffled, job array", "sorted": "sorted"}
    return f"{LAYOUT_NAMES[layout]}, {names[order]}"


def traced(scale: tuple[str, str, str], variant: str) -> Measure:
    program = "Algorithm 2" if variant == "algorithm2" else "our tracer, arrays and tags too"
    label = f"{grouped(preparation.objects_of(scale))} objects, {program}"
    return Measure(label, "s", lambda view: preparation.tracing(view, scale, variant))


def classes_panel(case: Case) -> str:
    return measures.classes(int(case.axes["types"]))


def all_bars(mode: str) -> tuple[Measure, ...]:
    own = [bar("soa", "sorted", mode, variant) for variant in ("restrict_columns", "registers")]
    found = (
        *(bar(layout, order, mode) for layout in measures.LAYOUTS for order in measures.ORDERS),
        *(own if mode == "live" else own[1:]),
    )
    return tuple(replace(one, of=measured_only(one.of)) for one in found)


def measured_only(of: Callable[[View], Interval]) -> Callable[[View], Interval]:
    """Leaves the paper's long bars to Figure 8 itself."""

    def measure(view: View) -> Interval:
        if view.device.published:
            raise NotTestable("shown in Figure 8")
        return of(view)

    return measure


PAPER_FIGURES = (
    Dots(
        "figure8",
        "Figure 8: kernel running time for a million ticks",
        SECONDS,
        tuple(bar(layout, order) for layout in PAPER_LAYOUTS for order in PAPER_ORDERS)
        + (bar("soa", "sorted", variant="registers"),),
        caption="Every bar is the paper's kernel but the last. Ours are computed from the rate over 100,000 ticks; the paper's are from the "
        "authors' plot script. The paper's reordering is sorted data, not a job array.",
        finding=titles.scenario_speed,
        bars=True,
    ),
    Dots(
        "figure8_layouts",
        "Figure 8, each device relative to its own shuffled columns",
        Axis("time relative to shuffled columns", "1"),
        tuple(relative_bar(layout, order) for layout in PAPER_LAYOUTS for order in PAPER_ORDERS),
        caption="The bars of Figure 8, each divided by the time of shuffled columns on the same GPU: shorter is faster. On the paper's GPU "
        "structures take longer than columns. The data of the scenario is small enough for the caches of a newer GPU.",
        finding=titles.columns_and_sorting,
        bars=True,
    ),
    Dots(
        "figure8_ours",
        "The scenario of Figure 8 in every layout and order, and in our kernel",
        SECONDS,
        all_bars("faithful"),
        caption="Besides Figure 8: blocks of columns, the job array of Algorithm 1 over shuffled agents, and our kernel, which keeps agents in "
        "registers and has sorted columns. Computed from the rate over 100,000 ticks.",
        finding=titles.ours_in_the_scenario,
        bars=True,
    ),
    Dots(
        "figure8_live",
        "The scenario of Figure 8 with a random stream per agent (mode live)",
        SECONDS,
        all_bars("live"),
        caption="Each agent draws random numbers in each tick instead of reading a static table, so that traffic does not freeze. The paper has "
        "no such mode. Hand-tuned columns use __restrict__ pointers.",
        finding=titles.ours_in_mode_live,
        bars=True,
    ),
    Lines(
        "figure9",
        "Figure 9: time to generate the job array",
        ELEMENTS,
        time("time"),
        dict(program="jobs", case=in_sweep("figure9")),
        panels=("classes", classes_panel),
        published=dict(program="jobs"),
        named=on_core,
        caption="A panel per number of classes. The paper's times are of the Ruby interpreter on the host of its GPU; the GPU only has the variant "
        "jobs_sorted. The paper's axes are linear: a straight line there has slope 1 here.",
        finding=titles.job_arrays,
    ),
    Dots(
        "figure10",
        "Figure 10: time to trace the objects and fill the columns",
        Axis("time", "s"),
        tuple(traced(scale, variant) for scale in SCALES for variant in ("algorithm2", "tracer")),
        caption="One CPU core. The paper's program is in Ruby, on the host of its GPU, and does not trace arrays or tell classes apart; our tracer "
        "does both.",
        finding=titles.tracing,
        bars=True,
        named=on_core,
    ),
)
