"""Made-up rows of term_rewriting, and what its tests ask of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from experiments.term_rewriting.claims import CLAIMS
from experiments.term_rewriting.figures import published
from plots.catalog import ROOT
from plots.claims import Judgement, judge
from plots.interval import exact
from plots.published import Published
from plots.results import Case, Device, View
from tests.plots.committed import committed_results

NUMBERS = Published(ROOT / "results" / "published", "term_rewriting")
LIMITS = {
    "copy": 4e12,
    "random_load.8GB": 40e9,
    "random_atomic.8GB": 16e9,
    "cpu.copy": 1e11,
    "cpu.random_load.1GB": 1e9,
}
DEVICE = Device("made-up", "Made up", "cuda", limits={name: {"value": value} for name, value in LIMITS.items()})


def row(
    variant: str,
    system: str,
    seconds: float | None = None,
    depth: str = "10",
    elements: str = "5",
    machine: str = "cuda",
    items: float = 1e9,
    metrics: Mapping[str, float] | None = None,
) -> Case:
    axes = {"system": system, "depth": depth, "elements": elements, "sharing": "none"}
    return Case(
        DEVICE,
        "term_rewriting",
        variant,
        "paper",
        machine,
        axes,
        items=items,
        time=exact(seconds) if seconds else None,
        metrics={"rewrites": items, **(metrics or {})},
    )


def passes(columns: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {
        f"pass_{name}_{place:05}": value for name, values in columns.items() for place, value in enumerate(values, 1)
    }


def judged(claim: str, cases: Sequence[Case], peers: Sequence[Case] = ()) -> Judgement:
    view = View("term_rewriting", DEVICE, cases, NUMBERS.facts(), peers=peers)
    return judge(next(one for one in CLAIMS if one.id == claim), view)


def paper() -> View:
    cases = list(published(NUMBERS))
    return View("term_rewriting", cases[0].device, cases, NUMBERS.facts())


def value_of(judgement: Judgement) -> float:
    assert judgement.measured is not None, judgement.note
    return judgement.measured.value


def parts_of(judgement: Judgement) -> dict[str, float]:
    return {judged.part.label: judged.part.interval.value for judged in judgement.parts}


@cache
def h200() -> View:
    results = committed_results()
    device = next(device for device in results.devices if device.slug == "nvidia-h200")
    return results.view("term_rewriting", device, NUMBERS.facts())


def traced_sort() -> list[Case]:
    """Four passes: 100, 400, 4 and 0 redexes in 1, 2, 1 and 1 ms."""
    columns = {
        "redexes": (100.0, 400.0, 4.0, 0.0),
        "seconds": (1e-3, 2e-3, 1e-3, 1e-3),
        "derive_seconds": (0.5e-3, 1e-3, 0.5e-3, 0.5e-3),
        "slots": (1000.0, 1000.0, 2000.0, 4000.0),
    }
    traffic = {
        "redexes": columns["redexes"],
        "own_bytes": (1e9, 2e9, 1e9, 1e9),
        "random_bytes": (1e8, 1e8, 5e7, 5e7),
        "atomics": (1e6, 1e6, 0.0, 0.0),
    }
    return [
        row("as_printed_traced", "tree_merge_sort", 5e-3, depth="23", metrics=passes(columns)),
        row("as_printed_counted", "tree_merge_sort", depth="23", metrics=passes(traffic)),
        row("as_printed_traced", "transformation_tree", 5e-3, depth="22", metrics=passes(columns)),
    ]


def wide(system: str, parallelism: float, gpu: float, cpu: float) -> list[Case]:
    return [
        row("iterations", system, machine="cpu", metrics={"average_parallelism": parallelism}),
        row("as_printed", system, gpu),
        row("cpu_as_printed", system, cpu, machine="cpu"),
    ]
