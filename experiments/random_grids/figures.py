"""What is drawn of random_grids: Borsos' slides beside the device, then what the slides leave open. One entry a figure or table."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, log2

from experiments.random_grids.measures import (
    GRID,
    STORAGES,
    STORED_IN,
    WORD,
    half,
    in_sweeps,
    k_name,
    occupied,
    ranked,
    sites,
)
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Histogram, Lines, Ranking, Theory
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, figure, kernel, rate
from plots.results import Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable

ABOUT = About(
    title="Random grids",
    question="How fast can sets of exactly k out of N bits be drawn, by a thread or by a warp each?",
    paper="István Borsos: Generating small random grids with a given number of occupied sites. GPU Day 2023, Budapest (slides).",
    unit="a stream of consecutive grids drawn from one random engine",
)

#: The algorithm of the slides on the CPU: it counts steps and words.
HALVING = ("halving", "halving_by_lane")
#: The slides' kernels, whose registers and storage they speak of.
KERNELS = ("threadwise", "threadwise_runtime", "threadwise_shared", "warpwise", "warpwise_folded")
#: Lines that are named in the figures of speed, beside the fastest: the slides' three, the baselines, and the CPU's best.
NAMED = ("word", "threadwise", "warpwise", "dense", "list", "probe", "all_cores, CPU", "cub_segmented_sort")
ENGINES = ("xorwow", "taus88", "philox7", "philox10")


def published(numbers: Published) -> Iterable[Case]:
    """The slides' numbers as rows. They do not say k, nor whether sets are stored; the device's data sheet is NVIDIA's."""
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
        row("word", "32x1", fact["word_speed"]),
        row("word_one_lane", "32x1", fact["word_speed_no_divergence"] / lanes),
        row("threadwise", "32x32", fact["threadwise_speed"], fact["threadwise_registers"]),
        row("warpwise", "32x32", fact["warpwise_speed"], fact["warpwise_registers"]),
    )


SPEEDS = (
    Measure("32-bit sets, a thread each", "grids/s", lambda view: view.rate(variant="word", **WORD)),
    Measure(
        "32-bit sets, one lane a warp, times 32",
        "grids/s",
        lambda view: view.rate(variant="word_one_lane", **WORD) * 32,
    ),
    Measure("32 x 32 grids, threadwise", "grids/s", lambda view: view.rate(variant="threadwise", **GRID)),
    Measure("32 x 32 grids, warpwise", "grids/s", lambda view: view.rate(variant="warpwise", **GRID)),
)
SLOWDOWN = Measure(
    "slowdown by divergence, 32-bit sets",
    "",
    lambda view: view.rate(variant="word_one_lane", **WORD) * 32 / view.rate(variant="word", **WORD),
)


def registers(variant: str) -> Measure:
    return Measure(
        f"registers a thread, {variant} 32 x 32",
        "",
        lambda view: view.kernel("registers", variant=variant, **GRID),
    )


def in_storage(storage: str, variant: str) -> Measure:
    return Measure(f"{storage} ({variant})", "grids/s", lambda view: view.rate(variant=variant, **STORED_IN))


def with_engine(variant: str, engine: str) -> Measure:
    where = {**GRID, "engine": engine, "sweeps": in_sweeps("engines", "slides_grid", "quick")}
    return Measure(f"{variant}, {engine}", "grids/s", lambda view: view.rate(variant=variant, **where))


SITES = Variable(Axis("sites N of a grid", "bits", "log2"), lambda case: sites(case.axes["grid"]))
OCCUPIED = Variable(Axis("occupied sites k", "sites"), occupied)


def _log2_sites(view: View) -> list[tuple[float, float]]:
    return [(2.0**power, float(power)) for power in range(3, 15)]


def _entropy(view: View) -> list[tuple[float, float]]:
    """log2 C(1024, k) bits in 32-bit words."""
    return [
        (float(k), log2(comb(1024, k)) / 32)
        for k in (1, 8, 32, 64, 100, 200, 323, 400, 512, 624, 700, 824, 924, 992, 1023)
    ]


def _entropy_of_half(view: View) -> list[tuple[float, float]]:
    """log2 C(N, N/2) bits in 32-bit words."""
    return [(2.0**power, log2(comb(2**power, 2 ** (power - 1))) / 32) for power in range(3, 15)]


FIGURES = (
    Dots(
        "slides",
        "The slides' speeds, printed and measured",
        Axis("speed", "grids/s", "log10"),
        SPEEDS,
        caption="Sets are folded into a checksum, not stored; k is the fastest of those measured, since the slides name none.",
        across=True,
    ),
    Ranking(
        "ranking_grid",
        "32 x 32 grids, half occupied, stored",
        rate("grids"),
        dict(grid="32x32", output="stored", case=ranked),
        caption="Each variant at its fastest engine and launch.",
    ),
    Ranking(
        "ranking_word",
        "Sets of 32 bits, half occupied, stored",
        rate("grids"),
        dict(grid="32x1", output="stored", case=ranked),
    ),
    Dots(
        "storage",
        "Where threadwise keeps a 32 x 32 grid",
        Axis("speed", "grids/s"),
        tuple(in_storage(storage, variant) for storage, variant in STORAGES.items()),
        caption="The slides call registers the only viable solution. Folded, at the fastest k.",
    ),
    Dots(
        "engines",
        "The same kernels with other random engines, 32 x 32",
        Axis("speed", "grids/s"),
        tuple(with_engine(variant, engine) for variant in ("threadwise", "warpwise") for engine in ENGINES),
        caption="The slides draw from cuRAND's XORWOW.",
    ),
    Lines(
        "speed_occupied",
        "Speed against occupied sites, 32 x 32, stored",
        OCCUPIED,
        rate("grids"),
        dict(grid="32x32", output="stored"),
        keep=NAMED,
    ),
    Lines(
        "speed_sites",
        "Speed against sites, half occupied, folded",
        SITES,
        rate("grids"),
        dict(output="folded", case=ranked),
        keep=NAMED,
    ),
    Lines(
        "registers",
        "Registers a thread",
        SITES,
        kernel("registers", "registers a thread", "32-bit registers"),
        dict(machine="cuda", variant=KERNELS),
    ),
    Lines(
        "spills",
        "Local memory a thread",
        SITES,
        kernel("local_bytes", "local memory a thread", "bytes"),
        dict(machine="cuda", variant=KERNELS),
    ),
    Lines(
        "steps",
        "Steps of the halving loop",
        SITES,
        figure("steps_mean", "steps a grid, mean", "steps"),
        dict(variant=HALVING, case=half),
        theory=(Theory("log2 N, as the slides say", _log2_sites),),
    ),
    Lines(
        "words",
        "Random words consumed by a 32 x 32 grid",
        OCCUPIED,
        figure("words_mean", "random words a grid, mean", "32-bit words", "log10"),
        dict(grid="32x32"),
        theory=(Theory("entropy of the set", _entropy),),
    ),
    Lines(
        "words_sites",
        "Random words consumed by a half occupied grid",
        SITES,
        figure("words_mean", "random words a grid, mean", "32-bit words", "log10"),
        dict(case=half),
        theory=(Theory("entropy of the set", _entropy_of_half),),
    ),
    Lines(
        "divergence",
        "Cost of waiting for the slowest of 32 lanes",
        SITES,
        figure("divergence_factor", "steps of the slowest lane over the mean", "1"),
        dict(case=half),
    ),
    Histogram(
        "steps_shares",
        "How many steps a set takes, half occupied",
        Axis("steps of the halving loop", "steps"),
        Axis("share of the sets", "1"),
        "steps_share_",
        dict(variant="halving", case=half, grid=("8x1", "32x1", "16x16", "32x32", "128x128")),
        by=("grid",),
    ),
)

TABLES = (
    FactTable("slides", "The slides' numbers", (*SPEEDS, SLOWDOWN, registers("threadwise"), registers("warpwise"))),
    PivotTable(
        "speed_occupied",
        "Speed of every variant by k, 32 x 32, stored",
        ("variant", "machine"),
        ("k", k_name),
        rate("grids"),
        dict(grid="32x32", output="stored"),
    ),
    RoofTable(
        "limits",
        "Share of the device's limits, 32 x 32, stored",
        (
            Roof("device memory, stores", "store", "B/s", lambda case: case.bytes),
            Roof("random words of the engine", "random_words.{engine}", "words/s", lambda case: case.operations),
        ),
        dict(grid="32x32", output="stored"),
    ),
)
