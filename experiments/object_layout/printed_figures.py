"""Figures 8 to 10 in the shape in which the paper prints them: panels, bars, linear axes, and its labels."""

from __future__ import annotations

from dataclasses import replace

from experiments.object_layout import measures, preparation, titles
from experiments.object_layout.measures import PAPER_ORDERS, SCALES, grouped, in_sweep
from experiments.object_layout.paper import on_core
from experiments.object_layout.paper_figures import SECONDS, classes_panel
from plots.drawing import Axis
from plots.figures import Dots, Lines
from plots.quantity import Measure, Variable, number_of, time
from plots.results import Case

PANELS = {"soa": "a: structure of arrays", "aos": "b: array of structures", "aos_padded": "c: larger structures"}


def bar_of_panel(layout: str, order: str) -> Measure:
    return Measure(PAPER_ORDERS[order], "s", lambda view: measures.seconds(view, layout, order))


def panel(layout: str, title: str) -> Dots:
    return Dots(
        f"figure8{title[0]}_printed",
        f"Figure 8{title}, as printed",
        SECONDS,
        tuple(bar_of_panel(layout, order) for order in PAPER_ORDERS),
        caption="One panel of the paper's figure: the kernel's time for a million ticks, without and with reordering (sorted data).",
        finding=titles.scenario_speed,
        bars=True,
    )


def traced(scale: tuple[str, str, str]) -> Measure:
    streets, cars, pedestrians = map(int, scale)
    label = f"{grouped(streets)} streets, {grouped(cars)} cars, {grouped(pedestrians)} pedestrians"
    return Measure(label, "s", lambda view: preparation.tracing(view, scale, "algorithm2"))


def _millions(case: Case) -> float | None:
    elements = number_of("elements")(case)
    return None if elements is None else elements / 1e6


PRINTED_FIGURES: tuple[Dots | Lines, ...] = (
    *(panel(layout, title) for layout, title in PANELS.items()),
    Lines(
        "figure9_printed",
        "Figure 9, as printed: time to generate the job array, on linear axes",
        Variable(Axis("millions of elements", "1"), _millions),
        replace(time("time"), axis=Axis("time", "s")),
        dict(program="jobs", variant="jobs_as_printed", case=in_sweep("figure9")),
        panels=("classes", classes_panel),
        published=dict(program="jobs"),
        named=on_core,
        caption="Algorithm 1 as printed, on one CPU core, a panel for 1, 100 and 1000 classes. The paper's marks are of the Ruby interpreter.",
        finding=titles.job_arrays,
    ),
    Dots(
        "figure10_printed",
        "Figure 10, as printed: time to trace the objects and generate the columns",
        Axis("time", "s"),
        tuple(traced(scale) for scale in SCALES),
        caption="Algorithm 2 on one CPU core at the paper's four scales; the paper's bars are of the Ruby interpreter.",
        finding=titles.tracing,
        bars=True,
        named=on_core,
    ),
)
