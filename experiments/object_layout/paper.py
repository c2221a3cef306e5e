"""The paper's own numbers as rows: Figures 8 to 10, from the authors' plot scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from experiments.object_layout.measures import AGENTS, PAPER_ORDERS, SCENARIO, TICKS
from plots.catalog import ROOT
from plots.published import Published, paper_case, paper_device
from plots.results import Case, Device, View


def published(numbers: Published) -> Iterable[Case]:
    """The numbers of Figures 8 to 10, from the authors' plot scripts. A bar of Figure 8 is the time of a million ticks."""
    gpu = paper_device("Tesla K20Xm", {"compute_capability": "3.5"})
    rows: list[Case] = []
    for row in numbers.table("object_layout_fig8").to_dict("records"):
        order = {text: order for order, text in PAPER_ORDERS.items()}[f"{row['reordering']} reordering"]
        axes = {
            **{key: str(value) for key, value in SCENARIO.items()},
            "ticks": str(TICKS),
            "layout": str(row["layout"]),
            "order": order,
            "mode": "faithful",
            "object_bytes": "56",
        }
        speed = TICKS * AGENTS / float(row["seconds"])
        rows.append(paper_case(gpu, "object_layout", "switch", axes, rate=speed))
    for row in numbers.table("object_layout_fig9").to_dict("records"):
        axes = {"program": "jobs", "elements": str(row["elements"]), "types": str(row["types"])}
        rows.append(_in_ruby(gpu, "jobs_as_printed", axes, float(row["seconds"])))
    for row in numbers.table("object_layout_fig10").to_dict("records"):
        axes = {"program": "tracing", **{key: str(row[key]) for key in ("streets", "cars", "pedestrians")}}
        rows.append(_in_ruby(gpu, "algorithm2", axes, float(row["seconds"])))
    return rows


def _in_ruby(gpu: Device, variant: str, axes: Mapping[str, str], seconds: float) -> Case:
    """A time of the Ruby interpreter on the host of the GPU."""
    return paper_case(gpu, "object_layout", variant, axes, milliseconds=1000 * seconds)


def on_core(view: View) -> str:
    """What the times of one core are of. Those of the paper are no times of its GPU."""
    if view.device.published:
        return "Ruby on the paper's CPU"
    cpu = next((case.provenance["cpu"]["name"] for case in view.cases if case.provenance.get("cpu")), "CPU")
    return f"one core, {cpu}"


@cache
def paper() -> View:
    """The paper's own numbers: Figures 8 to 10."""
    numbers = Published(ROOT / "results" / "published", "object_layout")
    cases = list(published(numbers))
    return View("object_layout", cases[0].device, cases, numbers.facts())
