"""The numbers that the slides print, as rows, and the named numbers that figures and tables show beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from experiments.random_grids.measures import GRID, STORED_IN, WORD, in_sweeps
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure
from plots.results import Case


def published(numbers: Published) -> Iterable[Case]:
    """The slides' numbers as rows, without k and output. The device's attributes are from NVIDIA's data sheet."""
    fact = {
        name: float(value)
        for name, value in numbers.facts().items()
        if value.replace(".", "", 1).replace("e", "", 1).isdigit()
    }
    device = paper_device(
        "RTX 3060 Ti",
        {
            "multiprocessors": 38,
            "clock_khz": 1665000,
            "registers_per_multiprocessor": 65536,
            "shared_bytes_per_multiprocessor": 102400,
            "compute_capability": "8.6",
        },
    )

    def row(variant: str, grid: str, speed: float | None = None, registers: float | None = None) -> Case:
        axes = {"grid": grid, "output": "folded", "engine": "xorwow"}
        return paper_case(device, "random_grids", variant, axes, item="grids", rate=speed, registers=registers)

    lanes = fact["word_scaling_threads"]
    return (
        replace(row("word", "32x1", fact["word_speed"]), metrics={"divergence_factor": fact["word_slowdown"]}),
        row("word_one_lane", "32x1", fact["word_speed_no_divergence"] / lanes),
        row("threadwise", "32x32", fact["threadwise_speed"], fact["threadwise_registers"]),
        row("warpwise", "32x32", fact["warpwise_speed"], fact["warpwise_registers"]),
    )


SPEEDS = (
    Measure("32-bit sets, one thread per set", "grids/s", lambda view: view.rate(variant="word", **WORD)),
    Measure(
        "32-bit sets, one active lane per warp, times 32",
        "grids/s",
        lambda view: view.rate(variant="word_one_lane", **WORD) * 32,
    ),
    Measure("32 x 32 grids, threadwise", "grids/s", lambda view: view.rate(variant="threadwise", **GRID)),
    Measure("32 x 32 grids, warpwise", "grids/s", lambda view: view.rate(variant="warpwise", **GRID)),
)
SLOWDOWN = Measure(
    "slowdown due to divergence, 32-bit sets",
    "",
    lambda view: view.rate(variant="word_one_lane", **WORD) * 32 / view.rate(variant="word", **WORD),
)


def registers(variant: str) -> Measure:
    return Measure(
        f"registers per thread, {variant} 32 x 32",
        "",
        lambda view: view.kernel("registers", variant=variant, **GRID),
    )


def in_storage(storage: str, variant: str) -> Measure:
    return Measure(f"{storage} ({variant})", "grids/s", lambda view: view.rate(variant=variant, **STORED_IN))


def with_engine(variant: str, engine: str) -> Measure:
    where = {**GRID, "engine": engine, "sweeps": in_sweeps("engines", "slides_grid", "quick")}
    return Measure(f"{variant}, {engine}", "grids/s", lambda view: view.rate(variant=variant, **where))
